"""The reference players: the truth, cycles, shortest paths, and a plan for blocks that is at most twice too long."""

import numpy as np

from envsuite.core import Players, kernel
from envsuite.core.jit import records
from envsuite.text_games.relations.bits import get
from envsuite.text_games.relations.blocks import GROUND, clear_blocks, in_place, is_clear


class Knowing:
    """Gives the right answer, which the record holds."""

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """No or yes, (n,)."""
        return states["truth"].astype(np.int64)


class QuestionsPlayers(Players):
    """Who knows the truth."""

    def expert(self):
        """Always right."""
        return Knowing()


@kernel
def sort_batch(states, pair, actions):
    """For every array: put the number that belongs to the first wrong place there, which merges no cycles."""
    for k in range(states.shape[0]):
        s, actions[k] = states[k], 0
        for i in range(s.count):
            if s.rank[i] != i:
                for j in range(i + 1, s.count):
                    if s.rank[j] == i:
                        actions[k] = pair[i, j]
                break


class CycleSorter:
    """Sorts by as few swaps as possible.

    Args:
        world: a `envsuite.text_games.relations.sorting.SortingWorld`.
    """

    def __init__(self, world):
        places = world.pairs[-1][1] + 1
        self._pair = np.zeros((places, places), np.int64)
        for k, (i, j) in enumerate(world.pairs):
            self._pair[i, j] = k

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The next swap, (n,)."""
        actions = np.zeros(len(states), np.int64)
        sort_batch(records(states), self._pair, actions)
        return actions


class SortingPlayers(Players):
    """Who sorts by cycles."""

    def expert(self):
        """Takes as many swaps as the array's length less its cycles."""
        return CycleSorter(self.world)


@kernel
def walk_batch(states, away, actions):
    """For every walker: a node to which an edge leads, one step nearer; `away` (nodes,) is room for distances."""
    for k in range(states.shape[0]):
        s = states[k]
        for x in range(s.n):
            away[x] = 0 if x == s.target else s.n
        for _ in range(s.n):
            for x in range(s.n):
                for y in range(s.n):
                    if get(s.edges, x, y) and away[y] + 1 < away[x]:
                        away[x] = away[y] + 1
        actions[k] = s.place
        for y in range(s.n):
            if get(s.edges, s.place, y) and away[y] + 1 == away[s.place]:
                actions[k] = y


class Walker:
    """Goes a shortest path.

    Args:
        world: a `envsuite.text_games.relations.path.PathWorld`.
    """

    def __init__(self, world):
        self._away = np.zeros(len(world.action.names), np.int64)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The next node, (n,)."""
        actions = np.zeros(len(states), np.int64)
        walk_batch(records(states), self._away, actions)
        return actions


class PathPlayers(Players):
    """Who goes shortest paths."""

    def expert(self):
        """Comes a step nearer with every step."""
        return Walker(self.world)


@kernel
def top_above(s, x):
    """The block at the top of the tower in which a block stands."""
    moved = True
    while moved:
        moved = False
        for k in range(s.blocks):
            if s.below[k] == x:
                x, moved = np.int64(k), True
                break
    return x


@kernel
def plan_move(s):
    """The next move (x, y) of a plan.

    A clear block is put where it belongs, if that is ready. If there is none, every clear block that is out of place
    waits for one that is on top of what it wants, or for itself; these waits end in a circle, and a block of the circle
    goes to the ground. So a block moves twice at most: once to the ground, once to its place (Slaney and Thiébaux 2001,
    Blocks World revisited, their strategies GN1 and GN2).
    """
    clear = clear_blocks(s)
    for x in range(s.blocks):
        y = np.int64(s.goal[x])
        if is_clear(clear, x) and not in_place(s, x) and (y == GROUND or (is_clear(clear, y) and in_place(s, y))):
            return x, y
    at = np.int64(-1)
    for x in range(s.blocks):
        if is_clear(clear, x) and not in_place(s, x):
            at = np.int64(x)
            break
    if at < 0:  # all is done
        return np.int64(0), np.int64(GROUND)
    for _ in range(s.blocks):  # long enough to have come into the circle
        at = top_above(s, np.int64(s.goal[at]))
    while s.below[at] == GROUND:  # a circle of blocks on the ground alone there is not: it would be one of the goal
        at = top_above(s, np.int64(s.goal[at]))
    return at, np.int64(GROUND)


@kernel
def stack_batch(states, actions):
    """The next move of every plan, as an action."""
    for k in range(states.shape[0]):
        s = states[k]
        most = s.below.shape[0]
        x, y = plan_move(s)
        actions[k] = x * (most + 1) + (most if y == GROUND else y)


class Planner:
    """Moves blocks by a plan of at most twice as many steps as any, see `plan_move`."""

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The next move, (n,)."""
        actions = np.zeros(len(states), np.int64)
        stack_batch(records(states), actions)
        return actions


class BlocksPlayers(Players):
    """Who plans towers."""

    def expert(self):
        """Puts blocks in place, and to the ground where they block each other."""
        return Planner()
