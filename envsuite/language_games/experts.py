"""Players of graded strength: mixed policies that look at observations alone.

A policy is a function from observations (m, *O) of players to move to probabilities (m, choices): `MixedPlayer` plays
it, and `envsuite.language_games.solving` says exactly what it is worth.
"""

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from envsuite.core import Players, Vector, rng
from envsuite.core.jit import kernel, records
from envsuite.core.layout import mask_of
from envsuite.language_games.solving.cfr import solve
from envsuite.language_games.solving.tables import Table
from envsuite.language_games.solving.tree import unfold
from envsuite.language_games.turns import TurnWorld

MixedPolicy = Callable[[np.ndarray], np.ndarray]


# Both seats are told the same seed, and random players draw for purpose 3: with purposes of their own, players that
# meet do not draw the same numbers.
_PURPOSES = (rng.DYNAMICS, rng.OBSERVATION)


@kernel
def _uniforms(streams, out):
    for i in range(out.shape[0]):
        for agent in range(2):
            out[i, agent] = rng.uniform(streams[i], _PURPOSES[agent], 0.0, 1.0)


class MixedPlayer:
    """Plays a policy by drawing moves; each slot has its own random stream.

    Args:
        world: whose observations these are.
        policy: see this module.
    """

    def __init__(self, world: TurnWorld, policy: MixedPolicy):
        self.policy = policy
        self._turn = _layout(world).offset("to_move")
        self._streams = records(np.zeros(0, rng.STREAM))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Start each masked slot's stream from its seed."""
        if len(self._streams) != len(mask):
            self._streams = records(np.zeros(len(mask), rng.STREAM))
        rng.begin(self._streams, seeds, mask)

    def probabilities(self, observations: np.ndarray) -> np.ndarray:
        """Of moves, (m, choices), for observations (m, *O) of players to move."""
        return self.policy(observations)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """A drawn move for the player to move, 0 for the other: (n, 2)."""
        actions, luck = np.zeros(observations.shape[:2], np.int64), np.zeros(observations.shape[:2])
        _uniforms(self._streams, luck)
        slots, agents = np.nonzero(observations[:, :, self._turn])
        if len(slots):
            sums = np.cumsum(self.policy(observations[slots, agents]), axis=1)
            last = (sums < sums[:, -1:]).sum(axis=1)  # the last move with a positive probability
            drawn = luck[slots, agents][:, np.newaxis] * sums[:, -1:]
            actions[slots, agents] = np.minimum((sums <= drawn).sum(axis=1), last)
        return actions


def _layout(world: TurnWorld) -> Vector:
    assert isinstance(world.observation, Vector)
    return world.observation


class Uniform:
    """Every legal move with the same probability.

    Args:
        world: the game.
    """

    def __init__(self, world: TurnWorld):
        self._mask = mask_of(world.observation, world.action)

    def __call__(self, observations: np.ndarray) -> np.ndarray:
        """Probabilities, (m, choices)."""
        legal = observations[:, self._mask].astype(np.float64)
        return legal / legal.sum(axis=1, keepdims=True)


def blocks(world: TurnWorld, observations: np.ndarray) -> dict[str, np.ndarray]:
    """The blocks of observations by name, each (m, size).

    Args:
        world: the game.
        observations: (m, *O).
    """
    found, start = {}, 0
    for one in _layout(world).blocks:
        found[one.name] = observations[:, start : start + one.size]
        start += one.size
    return found


def chosen(moves: np.ndarray, choices: int) -> np.ndarray:
    """Probabilities of players without doubts: 1 for one move, (m, choices).

    Args:
        moves: (m,).
        choices: number of actions.
    """
    return (np.asarray(moves)[:, np.newaxis] == np.arange(choices)).astype(np.float64)


def regret_policy(world: TurnWorld, iterations: int) -> Table:
    """The average strategies after some iterations of CFR+, for both seats.

    Args:
        world: a game small enough to be unfolded.
        iterations: of `envsuite.language_games.solving.cfr.solve`.
    """
    tree = unfold(first_begins(world))
    return Table(tree.seen, solve(tree, iterations).profile)


def first_begins(world: TurnWorld) -> TurnWorld:
    """The same game, begun by the first agent: what players observe is the same as where the other begins."""
    game = copy.copy(world)
    game.params = world.params.copy()
    game.params["starter"] = 0
    return game


class TurnPlayers(Players):
    """Players by name; the last one is the reference.

    Attributes:
        reference: name of the best.
    """

    reference = "equilibrium"

    def policies(self) -> Mapping[str, Callable[[], MixedPolicy]]:
        """What makes each policy, from the weakest to the reference."""
        raise NotImplementedError

    def policy(self, name: str) -> MixedPolicy:
        """A policy by name.

        Args:
            name: one of `policies`.

        Raises:
            ValueError: there is none of this name, or none for the world's options.
        """
        made = self.policies()
        if name not in made:
            game = type(self.world).__name__
            raise ValueError(f"{game} has no player {name!r}, expected one of {', '.join(made)}")
        return made[name]()

    def expert(self) -> Any:
        """The reference: best play, or an equilibrium."""
        return self.collector(self.reference)

    def collector(self, name: str) -> MixedPlayer:
        """A player by name, see `policies`."""
        return MixedPlayer(self.world, self.policy(name))
