"""What players are worth against each other: exact, from both seats and over all deals."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from envsuite.language_games.experts import MixedPolicy, first_begins
from envsuite.language_games.pig.world import PigWorld
from envsuite.language_games.solving import pig
from envsuite.language_games.solving.tree import OVER, Tree, unfold
from envsuite.language_games.solving.values import meeting, profile_of, value
from envsuite.language_games.turns import TurnWorld


@dataclass(frozen=True)
class Matches:
    """All against all, each against itself too; rows begin.

    Attributes:
        names: of the players.
        gains: (players, players) mean gain of who begins, in chips, or in games won less games lost.
        points: (players, players) share of points of who begins: a game won is 1, a draw 1/2.
    """

    names: tuple[str, ...]
    gains: np.ndarray
    points: np.ndarray

    @property
    def payoffs(self) -> np.ndarray:
        """Mean gain of the row's player over both seats, (players, players)."""
        return (self.gains - self.gains.T) / 2

    @property
    def shares(self) -> np.ndarray:
        """Share of points of the row's player over both seats, (players, players)."""
        return (self.points + 1 - self.points.T) / 2


def all_matches(world: TurnWorld, policies: Mapping[str, MixedPolicy]) -> Matches:
    """Let policies meet, without playing.

    Args:
        world: the game, small enough to be unfolded, or Pig.
        policies: by name, each a function from observations (m, *O) of players to move to probabilities (m, choices).

    Raises:
        ValueError: illegal moves, and whose; a game that is too large or is won in parts; or no player.
    """
    if not policies:
        raise ValueError("no player is given, expected one or more")
    read, meet = _pig(world) if isinstance(world, PigWorld) else _unfolded(world)
    players = []
    for name, policy in policies.items():
        try:
            players.append(read(policy))
        except ValueError as error:
            raise ValueError(f"player {name!r}: {error}") from error
    found = np.array([[meet(one, other) for other in players] for one in players])
    return Matches(tuple(policies), found[..., 0], found[..., 1])


_Rules = tuple[Callable[[Any], Any], Callable[[Any, Any], tuple[float, float]]]


def _pig(world: PigWorld) -> _Rules:
    def meet(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
        chance = pig.chance_to_win(first, second, world.target)
        return 2 * chance - 1, chance

    return lambda policy: pig.player_of(policy, world.target), meet


def _unfolded(world: TurnWorld) -> _Rules:
    tree = unfold(first_begins(world))
    wins = _won(tree)

    def meet(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
        profile = meeting(tree, first, second)
        return value(tree, profile), (1 + value(wins, profile)) / 2

    return lambda policy: profile_of(tree, policy), meet


def _won(tree: Tree) -> Tree:
    """The same game for a stake of 1.

    Raises:
        ValueError: gains come before the end.
    """
    for edges in tree.levels:
        if (edges.gain[tree.mover[edges.child] != OVER] != 0).any():
            raise ValueError("something is gained before the game is over, expected a game that is won at its end")
    levels = (dataclasses.replace(edges, gain=np.sign(edges.gain)) for edges in tree.levels)
    return dataclasses.replace(tree, levels=tuple(levels))
