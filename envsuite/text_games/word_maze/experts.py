"""Who plays: the shortest way, the best for who sees walls alone, and the one that data were collected with."""

import numpy as np

from envsuite.core import Players, kernel, rng
from envsuite.core.jit import records
from envsuite.text_games.word_maze.layouts import MOVES, cells_of, goal_of, steps_to
from envsuite.text_games.word_maze.world import UNKNOWN, walled

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


class Beliefs:
    """All that one can believe about one's place in a maze of which one sees the walls around, and what is best then.

    A belief is the set of cells, each as likely, from which all walls so far would have been seen. Where a move is not
    stopped all cells of a set move on, and what is seen then parts them; so there are few sets (44), and the best move
    of each follows from value iteration.

    Args:
        maze: its name.

    Attributes:
        first: belief by what is seen at first, int64 (16,); walls count 1, 2, 4, 8 (left, right, above, below).
        later: belief by belief, move and what is seen then, int64 (beliefs, 5, 16).
        best: move by belief, int64 (beliefs,).
        expected: moves that the best policy needs on average over all starts.

    Entries for what cannot be seen are -1.
    """

    def __init__(self, maze: str):
        self._free, self._goal = set(cells_of(maze)), goal_of(maze)
        starts = sorted(self._free - {self._goal})
        groups = self._parted(starts)
        index = {group: k for k, group in enumerate(groups.values())}
        self.first = np.full(16, -1, np.int64)
        for code, group in groups.items():
            self.first[code] = index[group]
        rows, todo = [], list(index)
        for belief in todo:  # grows
            row = np.full((UNKNOWN + 1, 16), -1, np.int64)
            for move in range(UNKNOWN + 1):
                for code, group in self._parted([self._moved(cell, move) for cell in belief]).items():
                    if group not in index:
                        index[group] = len(index)
                        todo.append(group)
                    row[move, code] = index[group]
            rows.append(row)
        self.later, sizes = np.array(rows), np.array([len(one) for one in todo])
        values = np.zeros(len(todo))
        while True:  # what blocked moves lead back to never becomes the best: it costs and changes nothing
            ahead = np.where(self.later >= 0, values[self.later], 0.0).sum(axis=2)
            better = sizes + ahead[:, :UNKNOWN].min(axis=1)
            if (better == values).all():
                break
            values = better
        self.best = ahead[:, :UNKNOWN].argmin(axis=1)
        self.expected = float(values[list(self.first[self.first >= 0])].sum() / len(starts))

    def _moved(self, cell: tuple[int, int], move: int) -> tuple[int, int]:
        down, right = MOVES[move] if move < UNKNOWN else (0, 0)
        there = (cell[0] + down, cell[1] + right)
        return there if there in self._free else cell

    def _parted(self, cells: list[tuple[int, int]]) -> dict[int, tuple[tuple[int, int], ...]]:
        """Cells by the walls around them, the goal left out."""
        found: dict[int, list[tuple[int, int]]] = {}
        for cell in sorted(set(cells) - {self._goal}):
            code = sum((self._moved(cell, k) == cell) << k for k in range(len(MOVES)))
            found.setdefault(code, []).append(cell)
        return {code: tuple(group) for code, group in found.items()}


class Believer:
    """Plays as well as one can who sees the walls around and remembers; it knows the maze.

    Args:
        world: a `envsuite.text_games.word_maze.world.WordMazeWorld`.
    """

    def __init__(self, world):
        self._beliefs = Beliefs(world.maze)
        wall = world.params[0]["wall"].astype(np.int64)
        padded = np.pad(wall, 1, constant_values=1)
        sides = [padded[1 + i : 1 + i + wall.shape[0], 1 + j : 1 + j + wall.shape[1]] for i, j in MOVES]
        self._codes = sum(side << k for k, side in enumerate(sides))
        self._now = np.zeros(0, np.int64)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget where one was."""
        if len(self._now) != len(mask):
            self._now = np.full(len(mask), -1, np.int64)
        self._now[mask] = -1

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The move, (n,); of the records only the walls around and the last move are looked at."""
        seen, moved = self._codes[states["row"], states["column"]], states["past_move"][:, 0].astype(np.int64)
        later = self._beliefs.later[self._now, moved, seen]
        fresh = (self._now < 0) | (moved < 0) | (later < 0)
        self._now = np.where(fresh, self._beliefs.first[seen], later)
        return self._beliefs.best[self._now]


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
    """The best players for what is seen, and the wanderer of the data."""

    def expert(self):
        """Takes the shortest way, or that of the best memory where only walls are seen; see `Believer`."""
        return Walker(self.world) if self.world.all_seen else Believer(self.world)

    def collector(self, name):
        """``"wander"``: see `Wanderer`."""
        return Wanderer(self.world) if name == "wander" else super().collector(name)
