"""The exact front of the beach, and visitors that plan together."""

from collections.abc import Iterator, Sequence

import numpy as np

from envsuite.core import fmath
from envsuite.core.companions import Players
from envsuite.core.jit import kernel, records
from envsuite.momarl.beach.params import MOST_SECTIONS, MOST_TYPES
from envsuite.momarl.fronts import front


def _crowds(visitors: int, sections: int, least: int = 0) -> Iterator[tuple[int, ...]]:
    """All ways to split visitors over sections that are alike, smaller crowds first."""
    if sections == 1:
        yield (visitors,)
        return
    for first in range(least, visitors // sections + 1):
        for rest in _crowds(visitors - first, sections - 1, first):
            yield (first, *rest)


def known_front(numbers: Sequence[int], sections: int, capacity: float) -> np.ndarray:
    """The exact Pareto front of (sum of capacity rewards, mean of mixture rewards) over all ways to spread.

    The capacity reward depends on the crowds' sizes alone. For given sizes x, the mixture reward of a section is
    min(a, x - a) / x for a visitors of the rarer type: concave in a, so the best is to give the rarer type to small
    crowds first, half of each. Who can reach which section is not asked.

    Args:
        numbers: visitors of the two types.
        sections: of the beach.
        capacity: psi.

    Returns:
        (points, 2) float64, by descending capacity reward.

    Raises:
        ValueError: not two types.
    """
    if len(numbers) != 2:
        raise ValueError(f"the exact front is known for two types, not {len(numbers)}")
    sizes = np.array(list(_crowds(sum(numbers), sections)), np.int64)
    worth = (sizes * np.exp(-sizes / capacity)).sum(axis=1)
    left = np.full(len(sizes), min(numbers))
    mixture = np.zeros(len(sizes))
    for x in sizes.T:
        given = np.minimum(left, x // 2)
        left = left - given
        mixture += given / np.maximum(x, 1)
    # what is left fits the odd places, where one more of the rarer type changes nothing
    points = np.column_stack([worth, mixture / sections])
    return points[front(points)]


def normalisers(world) -> np.ndarray:
    """The greatest values of both components that published results divide by (Mannion et al. 2018).

    For the team these are not the true maxima: capacity has all but one section filled to capacity and the rest in the
    last; mixture has perfect mixtures of two in all sections but one, and everybody else in that.

    Args:
        world: a `BeachWorld`.

    Returns:
        (2,) float64.
    """
    p = world.params[0]
    capacity, sections, count = float(p["capacity"]), int(p["sections"]), len(world.agents)
    if not p["team"]:
        return np.array([capacity / np.e, 1 / int(p["types"])])
    rest = count - (sections - 1) * capacity
    fullest = (sections - 1) * capacity / np.e + rest * np.exp(-rest / capacity)
    if int(p["types"]) != 2:
        return np.array([fullest, 1 / int(p["types"])])
    rare = min(world.type_numbers()) - (sections - 1)
    last = rare / (count - 2 * (sections - 1))
    return np.array([fullest, (0.5 * (sections - 1) + last) / sections])


@kernel
def _value(count, section, types, cap, mix, team):
    """Weighted worth of a section for all that get it."""
    visitors, rarest = 0, 2147483647
    for t in range(types):
        visitors += count[section, t]
        rarest = min(rarest, count[section, t])
    if visitors == 0:
        return 0.0
    value = cap[visitors] + mix * np.float64(rarest) / np.float64(visitors)
    return value if team else value * np.float64(visitors)


@kernel
def _climb(kinds, start, target, count, sections, types, reach, cap, mix, team):
    """Send one visitor after another to where that helps most, until nothing helps; the value reached."""
    for k in range(sections):
        for t in range(types):
            count[k, t] = 0
    for i in range(len(kinds)):
        count[target[i], kinds[i]] += 1
    for _ in range(20 * len(kinds)):
        gain, who, place = 1e-12, -1, 0
        for i in range(len(kinds)):
            old, kind = target[i], kinds[i]
            for new in range(max(0, start[i] - reach), min(sections, start[i] + reach + 1)):
                if new == old:
                    continue
                before = _value(count, old, types, cap, mix, team) + _value(count, new, types, cap, mix, team)
                count[old, kind] -= 1
                count[new, kind] += 1
                after = _value(count, old, types, cap, mix, team) + _value(count, new, types, cap, mix, team)
                count[old, kind] += 1
                count[new, kind] -= 1
                if after - before > gain:
                    gain, who, place = after - before, i, new
        if who < 0:
            break
        count[target[who], kinds[who]] -= 1
        count[place, kinds[who]] += 1
        target[who] = place
    total = 0.0
    for k in range(sections):
        total += _value(count, k, types, cap, mix, team)
    return total


@kernel
def _plan(states, p, cap, mix, best, target, count, actions):
    """Actions of all visitors: towards the best plan found from every choice of a crowded section."""
    sections, types = np.int64(p.sections), np.int64(p.types)
    for n in range(states.shape[0]):
        s = states[n]
        reach = np.int64(p.steps) - np.int64(s.clock.step)
        highest = -1e300
        for crowded in range(-1, sections):
            for i in range(len(s.type)):
                place = np.int64(s.section[i])
                if crowded >= 0:
                    place = min(max(np.int64(crowded), place - reach), place + reach)
                target[i] = place
            value = _climb(s.type, s.section, target, count, sections, types, reach, cap, mix, p.team != 0)
            if value > highest + 1e-9:
                highest = value
                for i in range(len(s.type)):
                    best[i] = target[i]
        for i in range(len(s.type)):
            way = best[i] - np.int64(s.section[i])
            actions[n, i] = 1 + (1 if way > 0 else 0) - (1 if way < 0 else 0)


@kernel
def _capacities(capacity, weight, out):
    for x in range(len(out)):
        out[x] = weight * np.float64(x) * fmath.exp(-np.float64(x) / capacity)


class Planner:
    """Visitors that spread so that the weighted reward of all is high.

    A local search from several beginnings, in each of which another section takes everybody who can reach it: in good
    solutions one crowded section spares the others.

    Args:
        world: a `BeachWorld`.
        weights: on the normalised objectives.
    """

    def __init__(self, world, weights: tuple[float, float] = (0.5, 0.5)):
        self._p = records(world.params)[0]
        self._count = len(world.agents)
        scaled = np.asarray(weights) / normalisers(world)
        self._cap = np.zeros(self._count + 1)
        _capacities(float(self._p["capacity"]), scaled[0], self._cap)
        self._mix = scaled[1] / (int(self._p["sections"]) if self._p["team"] else 1)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Plan from the states."""
        actions = np.ones((len(states), self._count), np.int64)
        best, target = np.zeros(self._count, np.int64), np.zeros(self._count, np.int64)
        count = np.zeros((MOST_SECTIONS, MOST_TYPES), np.int64)
        _plan(states, self._p, self._cap, self._mix, best, target, count, actions)
        return actions


class BeachPlayers(Players):
    """Visitors that plan together."""

    def expert(self):
        """Visitors that agree on a plan; see `experts.Planner`."""
        return Planner(self.world)
