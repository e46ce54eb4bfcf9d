"""Who plays: with a memory of what was seen, and without any."""

from typing import Any

import numpy as np

from envsuite.agents.random import RandomPolicy
from envsuite.core import Choice, Players
from envsuite.memory.tmaze.world import DIRECTIONS, FORWARD, OPERATIONS, SHOWN, TMazeWorld

_KEPT = np.dtype([(name, np.int64) for name in ("x", "read", "probed", "turn", "before", "first")])
INVERT, CANCEL, RESET, REPEAT = range(SHOWN)


def places(world: TMazeWorld, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What observations say of where agents are.

    Args:
        world: the maze.
        observations: (n, O).

    Returns:
        Cells in the corridor, int64 (n,), and whether a junction may be there, bool (n,).
    """
    p = world.params[0]
    x = np.rint(observations[:, 0] * float(p["length"])).astype(np.int64)
    if p["show_junction"]:
        return x, observations[:, 1 + int(p["directions"])] > 0
    return x, x >= p["shortest"]


class Rememberer:
    """Keeps the direction that cues led to, and tries it once in every cell that may be a junction.

    It sees observations alone, and knows the world's options.

    Args:
        world: the maze.
    """

    def __init__(self, world: TMazeWorld):
        self._world = world
        self._kept: Any = np.zeros(0, _KEPT)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the masked slots."""
        if len(self._kept) != len(mask):
            self._kept = np.zeros(len(mask), _KEPT)
        self._kept[mask] = (-1, 0, -1, -1, -1, -1)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The move, int64 (n,)."""
        kept, p = self._kept, self._world.params[0]
        x, possible = places(self._world, observations)
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


class Guesser(Rememberer):
    """Does all that `Rememberer` does, but draws a direction in each corridor instead of remembering the cue.

    That it tries one direction in each cell once needs a memory of its own steps, not of what it saw; a player without
    even that earns less where lengths vary.

    Args:
        world: the maze.
    """

    def __init__(self, world: TMazeWorld):
        super().__init__(world)
        self._turns = RandomPolicy(Choice(DIRECTIONS[: int(world.params[0]["directions"])]), (0,))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Start each masked slot's random numbers from its seed."""
        if len(self._kept) != len(mask):
            self._turns = RandomPolicy(Choice(DIRECTIONS[: int(self._world.params[0]["directions"])]), (len(mask),))
        super().reset(mask, seeds)
        self._turns.reset(mask, seeds)

    def _read(self, cued: np.ndarray, observations: np.ndarray) -> None:
        self._kept["turn"][cued] = self._turns.act(observations, self._kept)[cued]


class TMazePlayers(Players):
    """A perfect memory, and none."""

    def expert(self):
        """See `Rememberer`."""
        return Rememberer(self.world)

    def collector(self, name):
        """``"memoryless"``: see `Guesser`."""
        return Guesser(self.world) if name == "memoryless" else super().collector(name)
