"""The reference player of SameGame."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.core.jit import kernel, records
from envsuite.momarl.samegame.world import grouped, settle, take


class Gardener:
    """Takes the group after which most is to be had: what it pays and what all groups that are then there would pay.

    Args:
        world: a `SameGameWorld`.
    """

    def __init__(self, world):
        self._players = len(world.agents)
        self._scratch = records(np.zeros(2, world.state_dtype))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The current player's tile, for all players."""
        actions = np.zeros((len(states), self._players), np.int64)
        _choose(states, self._scratch, actions)
        return actions


@kernel
def _copy(source, target):
    height, width = source.board.shape
    for i in range(height):
        for j in range(width):
            target.board[i, j] = source.board[i, j]


@kernel
def _worth(s):
    """Squares of the sizes of all groups; empties the board."""
    height, width = s.board.shape
    total = 0
    for i in range(height):
        for j in range(width):
            if s.board[i, j] != 0:
                size = take(s, i, j)
                total += size * size if size > 1 else 0
    return total


@kernel
def _choose(states, scratch, actions):
    trial, seen = scratch[0], scratch[1]
    for n in range(states.shape[0]):
        s = states[n]
        height, width = s.board.shape
        best, chosen = -1, 0
        _copy(s, seen)
        for i in range(height):
            for j in range(width):
                if seen.board[i, j] == 0 or not grouped(s, i, j):
                    continue
                size = take(seen, i, j)  # each group once
                _copy(s, trial)
                take(trial, i, j)
                settle(trial)
                value = size * size + _worth(trial)
                if value > best:
                    best, chosen = value, i * width + j
        for k in range(actions.shape[1]):
            actions[n, k] = chosen


class SameGamePlayers(Players):
    """The gardener."""

    def expert(self):
        """Looks one move ahead; see `experts.Gardener`."""
        return Gardener(self.world)
