"""Who plays: the shortest way, and the one that data were collected with."""

import numpy as np

from envsuite.core import Players, kernel, rng
from envsuite.core.jit import records
from envsuite.text_games.word_maze.layouts import MOVES, goal_of, steps_to
from envsuite.text_games.word_maze.world import walled

SOLVED = 0.15
"""Share of the collector's moves that a solver chooses; Abdulhai et al. (2023)."""


def directions(maze: str, target: tuple[int, int]) -> np.ndarray:
    """The first move of a shortest way from every cell, int64 (rows, columns); -1 where there is none.

    Args:
        maze: its name.
        target: where the ways lead.
    """
    away = steps_to(maze, target)
    found = np.full((20, 20), -1, np.int64)
    for (i, j), steps in away.items():
        nearer = [k for k, (down, right) in enumerate(MOVES) if away.get((i + down, j + right), steps) < steps]
        found[i, j] = nearer[0] if nearer else -1
    return found


class Walker:
    """Goes the shortest way, from the true place.

    Args:
        world: a `envsuite.text_games.word_maze.world.WordMazeWorld`.
    """

    def __init__(self, world):
        self._table = np.maximum(directions(world.maze, goal_of(world.maze)), 0)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The move, (n,)."""
        return self._table[states["row"], states["column"]]


@kernel
def wander_batch(states, params, streams, table, actions):
    """Now and then the solver's move, where it has one; else one of the moves that no wall is in the way of."""
    p = params[0]
    for n in range(states.shape[0]):
        s, solved = states[n], table[states[n].row, states[n].column]
        if rng.uniform(streams[n], rng.AGENT, 0.0, 1.0) < SOLVED and solved >= 0:
            actions[n] = solved
            continue
        free = 0
        for k in range(4):
            free += not walled(p, s.row, s.column, k)
        left = rng.integers(streams[n], rng.AGENT, free)
        for k in range(4):
            if not walled(p, s.row, s.column, k):
                if left == 0:
                    actions[n] = k
                left -= 1


class Wanderer:
    """Mostly wanders; in 15 % of its moves a solver leads it to where the three parts of the maze meet, and no further.

    Args:
        world: a `envsuite.text_games.word_maze.world.WordMazeWorld`.
    """

    def __init__(self, world):
        self._params = records(world.params)
        self._table = directions(world.maze, (5, 6) if world.maze == "double_t" else (1, 2))
        self._streams = records(np.zeros(0, rng.STREAM))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Start each masked slot's stream from its seed."""
        if len(self._streams) != len(mask):
            self._streams = records(np.zeros(len(mask), rng.STREAM))
        rng.begin(self._streams, seeds, mask)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The move, (n,)."""
        actions = np.zeros(len(states), np.int64)
        wander_batch(records(states), self._params, self._streams, self._table, actions)
        return actions


class WordMazePlayers(Players):
    """The walker, and the wanderer of the data."""

    def expert(self):
        """Takes the shortest way; see `Walker`."""
        return Walker(self.world)

    def collector(self, name):
        """``"wander"``: see `Wanderer`."""
        return Wanderer(self.world) if name == "wander" else super().collector(name)
