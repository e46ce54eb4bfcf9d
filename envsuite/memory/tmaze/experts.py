"""Who plays: with a memory of what was seen, and without any."""

import numpy as np

from envsuite.agents.random import RandomPolicy
from envsuite.core import Block, Choice, Players, Vector
from envsuite.memory.tmaze.world import FORWARD, OPERATIONS, SHOWN, TMazeWorld

_KEPT = np.dtype([(name, np.int64) for name in ("x", "read", "probed", "turn", "before", "first")])
INVERT, CANCEL, RESET, REPEAT = range(SHOWN)


def places(world: TMazeWorld, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What observations say of where agents are.

    Args:
        world: the maze.
        observations: (n, O).

    Returns:
        Cells in the corridor, int64 (n,); whether a junction may be there, and whether one must be, bool (n,).
    """
    p = world.params[0]
    x = np.rint(observations[:, 0] * float(p["length"])).astype(np.int64)
    last = x == p["length"]
    if p["show_junction"]:
        seen = observations[:, 1 + int(p["directions"])] > 0
        return x, seen, seen
    return x, x >= p["shortest"], last


class Rememberer:
    """Keeps the direction that cues led to, and tries it once in every cell that may be a junction.

    It sees observations alone, and knows the world's options.

    Args:
        world: the maze.
    """

    def __init__(self, world: TMazeWorld):
        self._world = world
        self._kept = np.zeros(0, _KEPT)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the masked slots."""
        if len(self._kept) != len(mask):
            self._kept = np.zeros(len(mask), _KEPT)
        self._kept[mask] = (-1, 0, -1, -1, -1, -1)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The move, int64 (n,)."""
        kept, p = self._kept, self._world.params[0]
        x, possible, _ = places(self._world, observations)
        entered = x < kept["x"]
        kept["read"][entered], kept["probed"][entered] = 0, -1
        kept["x"] = x
        cued = (x == p["cue_delay"]) & (kept["read"] == 0)
        self._read(cued, observations)
        kept["read"][cued] = 1
        tried = possible & (kept["probed"] != x)
        kept["probed"][tried] = x[tried]
        return np.where(tried, FORWARD + 1 + kept["turn"], FORWARD)

    def _read(self, cued: np.ndarray, observations: np.ndarray) -> None:
        kept, p = self._kept, self._world.params[0]
        directions = int(p["directions"])
        cue = observations[:, 1 : 1 + directions]
        turn = np.where(cue.any(axis=1), cue.argmax(axis=1), kept["turn"])
        if self._world.operations:
            at = 1 + directions + int(p["show_junction"])
            operation = observations[:, at : at + len(OPERATIONS)] > 0
            turn = np.where(operation[:, INVERT], (kept["turn"] + 1) % directions, turn)
            turn = np.where(operation[:, CANCEL], kept["before"], turn)
            turn = np.where(operation[:, RESET], kept["first"], turn)
        begun = kept["turn"] < 0
        before = np.where(begun, turn, kept["turn"])
        first = np.where(begun, turn, kept["first"])
        for name, value in (("turn", turn), ("before", before), ("first", first)):
            kept[name][cued] = value[cued]


class Guesser:
    """Tries any direction: always where a junction must be, and now and then where one may be.

    Args:
        world: the maze.
        share: of the steps in which it tries one where a junction may be.
    """

    def __init__(self, world: TMazeWorld, share: float = 0.8):
        self._world, self._share = world, share
        self._turns = self._trials = None

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Start each masked slot's random numbers from its seed."""
        if self._turns is None or self._slots != len(mask):
            self._slots = len(mask)
            self._turns = RandomPolicy(Choice(self._world.action.names[1:]), (len(mask),))
            self._trials = RandomPolicy(Vector((Block("trial", 1, 0.0, 1.0),), np.float64), (len(mask),))
        for one in (self._turns, self._trials):
            one.reset(mask, seeds)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The move, int64 (n,)."""
        _, possible, certain = places(self._world, observations)
        turns, trials = (one.act(observations, states) for one in (self._turns, self._trials))
        return np.where(certain | (possible & (trials[:, 0] < self._share)), FORWARD + 1 + turns, FORWARD)


class TMazePlayers(Players):
    """A perfect memory, and none."""

    def expert(self):
        """See `Rememberer`."""
        return Rememberer(self.world)

    def collector(self, name):
        """``"memoryless"``: see `Guesser`."""
        return Guesser(self.world) if name == "memoryless" else super().collector(name)
