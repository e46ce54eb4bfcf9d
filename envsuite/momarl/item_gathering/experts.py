"""Exact plans of item gathering, by search over joint states, and agents that go to the nearest item."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.core.jit import kernel
from envsuite.momarl.fronts import front
from envsuite.momarl.item_gathering.params import FIXED

MOST_ITEMS = 12
MOST_CELLS = 100


@kernel
def _moved(cell, action, height, width):
    row, column = cell // width, cell % width
    row = min(max(row + (1 if action == 2 else 0) - (1 if action == 1 else 0), 0), height - 1)
    column = min(max(column + (1 if action == 4 else 0) - (1 if action == 3 else 0), 0), width - 1)
    return row * width + column


@kernel
def _expand(now, after, layer, bit, height, width, alone):
    """States one step on; a state is (first cell, second cell, set of gathered items)."""
    cells, sets = height * width, now.shape[2]
    for a in range(cells):
        for b in range(cells):
            for m in range(sets):
                if now[a, b, m] != layer:
                    continue
                for i in range(5):
                    to_a = _moved(a, i, height, width)
                    for j in range(1 if alone else 5):
                        to_b = _moved(b, j, height, width)
                        if to_a != to_b or alone:  # a collision sends one back by chance: it could have stayed
                            gathered = m | bit[to_a]
                            if not alone:
                                gathered |= bit[to_b]
                            if after[to_a, to_b, gathered] == 0:
                                after[to_a, to_b, gathered] = layer + 1


class Plan:
    """Which sets of items can be gathered by when, and how, from a fixed map with certain pick-up.

    States are kept with the step at which they are first reached: standing still is always possible, so what is
    reached once can be reached at every later step too.

    Args:
        items: (height, width), 0 or kinds from 1 on.
        starts: (1 or 2, 2) rows and columns.
        steps: length of the episode.

    Raises:
        ValueError: more than two agents, twelve items or a hundred cells.
    """

    def __init__(self, items: np.ndarray, starts: np.ndarray, steps: int):
        height, width = items.shape
        places = np.argwhere(items > 0)
        if len(starts) > 2 or len(places) > MOST_ITEMS or height * width > MOST_CELLS:
            raise ValueError(
                f"exact plans are for up to two agents, {MOST_ITEMS} items and {MOST_CELLS} cells, not {len(starts)}, "
                f"{len(places)} and {height * width}"
            )
        self.size = height, width
        self.alone = len(starts) == 1
        self.kinds = items[items > 0]
        self.bit = np.zeros(height * width, np.int64)
        self.bit[places[:, 0] * width + places[:, 1]] = 1 << np.arange(len(places))
        cells = (starts[:, 0].astype(np.int64) * width + starts[:, 1]).tolist()
        self.start = (cells[0], 0 if self.alone else cells[1], 0)
        self.seen = np.zeros((height * width, 1 if self.alone else height * width, 1 << len(places)), np.uint16)
        if self.alone:  # the idle second agent keeps one cell
            self.seen = np.zeros((height * width, height * width, 1 << len(places)), np.uint16)
        self.seen[self.start] = 1
        for layer in range(1, steps + 1):
            _expand(self.seen, self.seen, layer, self.bit, height, width, self.alone)

    def totals(self) -> tuple[np.ndarray, np.ndarray]:
        """What can be gathered: sets of items (S,), and numbers of each kind (S, kinds)."""
        sets = np.flatnonzero((self.seen > 0).any(axis=(0, 1)))
        has = (sets[:, None] >> np.arange(len(self.kinds))) & 1
        return sets, np.stack([has[:, self.kinds == k].sum(axis=1) for k in range(1, self.kinds.max() + 1)], axis=1)

    def actions(self, gathered: int) -> np.ndarray:
        """A shortest way to a set of items, (steps, agents) int64."""
        layers = np.where(self.seen[:, :, gathered] > 0, self.seen[:, :, gathered], 65535)
        at = (*np.unravel_index(np.argmin(layers), layers.shape), gathered)
        way = []
        while self.seen[at] > 1:
            at, action = self._before(at)
            way.append(action)
        table = np.array(way[::-1], np.int64).reshape(-1, 2)
        return table[:, :1] if self.alone else table

    def _before(self, at):
        layer = self.seen[at] - 1
        for a, b, m in np.argwhere(self.seen == layer):
            for i in range(5):
                to_a = _moved(int(a), i, *self.size)
                for j in range(1 if self.alone else 5):
                    to_b = _moved(int(b), j, *self.size)
                    if (to_a != to_b or self.alone) and (to_a, to_b) == (at[0], at[1]):
                        gained = self.bit[to_a] | (0 if self.alone else self.bit[to_b])
                        if m | gained == at[2]:
                            return (int(a), int(b), int(m)), (i, j)
        raise AssertionError("a state without one before it")


def known_front(world, num_timesteps: int | None = None) -> np.ndarray:
    """The exact Pareto front of the numbers of items gathered by all agents.

    Args:
        world: an `ItemGatheringWorld` with a fixed map and certain pick-up.
        num_timesteps: length of the episode; the world's own by default.

    Returns:
        (points, kinds) float64, by descending first component.

    Raises:
        ValueError: the map is random, items may resist, or the map is too large for an exact plan.
    """
    p = world.params[0]
    if p["layout"] != FIXED or (p["pick"][: p["kinds"]] < 1).any():
        raise ValueError("the exact front is known for fixed maps with certain pick-up")
    plan = Plan(p["items"], p["starts"], int(num_timesteps or p["steps"]))
    points = plan.totals()[1].astype(np.float64)
    return points[front(points)]


class Gatherers:
    """Agents with an exact plan for fixed maps; otherwise each goes to the item that it is the nearest to.

    Args:
        world: an `ItemGatheringWorld`.
        weights: on the kinds of items, for the plan; equal by default.
    """

    def __init__(self, world, weights: np.ndarray | None = None):
        p = world.params[0]
        self._world, self._plan = world, None
        if p["layout"] == FIXED and (p["pick"][: p["kinds"]] >= 1).all():
            try:
                plan = Plan(p["items"], p["starts"], min(int(p["steps"]), 40))
            except ValueError:  # too large
                return
            sets, totals = plan.totals()
            mix = np.ones(int(p["kinds"])) if weights is None else np.asarray(weights, np.float64)
            self._plan = plan.actions(int(sets[np.argmax(totals @ mix)]))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The plan's next actions, or steps towards items."""
        actions = np.zeros((len(states), len(self._world.agents)), np.int64)
        if self._plan is None:
            _approach(states, actions)
            return actions
        steps = states["clock"]["step"]
        going = steps < len(self._plan)
        actions[going] = self._plan[steps[going]]
        return actions


@kernel
def _approach(states, actions):
    """Every agent walks towards the item nearest to it among those that no other agent is nearer to, rows first."""
    for n in range(states.shape[0]):
        s = states[n]
        height, width = s.items.shape
        for a in range(len(s.place)):
            best, row, column = 1 << 30, 0, 0
            for i in range(height):
                for j in range(width):
                    if s.items[i, j] == 0:
                        continue
                    mine = abs(np.int64(s.place[a, 0]) - i) + abs(np.int64(s.place[a, 1]) - j)
                    cost = mine
                    for b in range(len(s.place)):
                        other = abs(np.int64(s.place[b, 0]) - i) + abs(np.int64(s.place[b, 1]) - j)
                        if other < mine or (other == mine and b < a):
                            cost = mine + height + width
                    if cost < best:
                        best, row, column = cost, i, j
            down, right = row - np.int64(s.place[a, 0]), column - np.int64(s.place[a, 1])
            if best == 1 << 30:
                actions[n, a] = 0
            elif down != 0:
                actions[n, a] = 2 if down > 0 else 1
            else:
                actions[n, a] = 0 if right == 0 else (4 if right > 0 else 3)


class ItemGatheringPlayers(Players):
    """Agents that plan together."""

    def expert(self):
        """An exact plan where one can be computed, else the nearest item; see `experts.Gatherers`."""
        return Gatherers(self.world)
