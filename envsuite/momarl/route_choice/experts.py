"""Equilibria, system optima and the front of route choice with marginal-cost tolls."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.core.jit import kernel
from envsuite.momarl.fronts import front

KEPT = 1000
"""Assignments that a dispatcher remembers."""


@kernel
def _cost(slopes, free, quartic, flow, selfish):
    """What one driver more costs on a link with `flow` others: itself, or all together."""
    g = np.float64(flow + 1)
    if selfish:
        return free + g * (slopes + g * g * g * quartic)
    f = np.float64(flow)
    return free + slopes * (g * g - f * f) + quartic * (g * g * g * g * g - f * f * f * f * f)


@kernel
def _balance(route, length, first, choices, free, slope, quartic, flow, count, selfish):
    """Move drivers from dear routes to cheap ones until no move of one driver pays."""
    stride = 1
    for pair in range(len(first)):
        for k in range(choices[pair]):
            stride = max(stride, count[first[pair] + k])
    while stride > 0:
        moved = False
        for pair in range(len(first)):
            for _ in range(1000):
                gain, source, target = 1e-9, -1, -1
                for a in range(first[pair], first[pair] + choices[pair]):
                    if count[a] < stride:
                        continue
                    for k in range(length[a]):
                        flow[route[a, k]] -= stride
                    leaving = 0.0
                    for k in range(length[a]):
                        e = route[a, k]
                        leaving += _cost(slope[e], free[e], quartic[e], flow[e] + stride - 1, selfish)
                    for b in range(first[pair], first[pair] + choices[pair]):
                        if b != a:
                            arriving = 0.0
                            for k in range(length[b]):
                                e = route[b, k]
                                arriving += _cost(slope[e], free[e], quartic[e], flow[e] + stride - 1, selfish)
                            if leaving - arriving > gain:
                                gain, source, target = leaving - arriving, a, b
                    for k in range(length[a]):
                        flow[route[a, k]] += stride
                if source < 0:
                    break
                moved = True
                count[source] -= stride
                count[target] += stride
                for k in range(length[source]):
                    flow[route[source, k]] -= stride
                for k in range(length[target]):
                    flow[route[target, k]] += stride
        if not moved:
            stride //= 2


def assign(
    world,
    weights: tuple[float, float],
    selfish: bool,
    demand: np.ndarray | None = None,
    like: np.ndarray | None = None,
) -> np.ndarray:
    """Whole numbers of drivers on routes, by best responses, which end: it is a potential game (Rosenthal 1973).

    With `selfish`, no driver can save any of its own travel time by another route: a pure Nash equilibrium. Otherwise
    no driver's move lowers the sum over drivers of the weighted travel time and toll, which is convex in the flows.

    Args:
        world: a `RouteChoiceWorld`; tolls must be those of marginal costs where they have weight.
        weights: on (scaled) travel time and toll, both >= 0.
        selfish: each for itself, rather than for the sum over all drivers.
        demand: drivers of each pair; by default in proportion to the demand.
        like: drivers on each route of another assignment to begin from; by default all routes alike.

    Returns:
        Drivers on each route, int64.

    Raises:
        ValueError: the tolls are random.
    """
    p, drivers = world.params[0], len(world.agents)
    time, toll = weights[0] / float(p["slowest"]), 0.0
    if weights[1]:
        if not p["toll_all"]:
            raise ValueError("assignments for random tolls are not known: weigh travel time alone")
        toll = weights[1] / _costliest(p, drivers)
    free, slope, quartic = time * p["free"], (time + toll) * p["slope"], (time + 4 * toll) * p["quartic"]
    if demand is None:
        places = np.searchsorted(p["edges"], (np.arange(drivers) + 0.5) / drivers, side="right")
        demand = np.bincount(places, minlength=len(p["first"]))
    count = np.zeros(len(p["length"]), np.int64)
    for first, choices, size in zip(p["first"], p["choices"], demand, strict=True):
        part = slice(first, first + choices)
        shares = np.ones(choices) if like is None or not like[part].any() else like[part]
        count[part] = _whole(shares / shares.sum() * size)
    flow = np.zeros(len(p["free"]), np.int64)
    np.add.at(flow, p["route"][p["route"] >= 0], np.repeat(count, p["length"]))
    _balance(
        p["route"].astype(np.int64), p["length"].astype(np.int64), p["first"].astype(np.int64),
        p["choices"].astype(np.int64), free, slope, quartic, flow, count, selfish,
    )  # fmt: skip
    return count


def _whole(amounts: np.ndarray) -> np.ndarray:
    """Whole numbers with the sum of `amounts`, which is whole: rounded down, and the largest remainders up."""
    found = np.floor(amounts + 1e-9).astype(np.int64)
    missing = round(amounts.sum()) - found.sum()
    found[np.argsort(found - amounts, kind="stable")[:missing]] += 1
    return found


def _costliest(p: np.void, drivers: int) -> float:
    return float(p["dearest"]) or float((drivers * p["slope"] + 4.0 * float(drivers) ** 4 * p["quartic"]).max())


def mean_vector(world, count: np.ndarray) -> tuple[np.ndarray, float]:
    """Mean reward vector and mean travel time of an assignment, with marginal-cost tolls.

    Args:
        world: a `RouteChoiceWorld`.
        count: drivers on each route.

    Returns:
        (2,) float64, and minutes.
    """
    p, drivers = world.params[0], len(world.agents)
    flow = np.zeros(len(p["free"]))
    np.add.at(flow, p["route"][p["route"] >= 0], np.repeat(count, p["length"]))
    time = float(flow @ (p["free"] + flow * p["slope"] + flow**4 * p["quartic"])) / drivers
    toll = float(flow @ (flow * p["slope"] + 4 * flow**4 * p["quartic"])) / drivers
    scaled = [time / float(p["slowest"]), toll / _costliest(p, drivers)]
    return -np.array(scaled) / float(p["longest"]), time


def known_front(world, weights: int) -> np.ndarray:
    """Supported points of the front of mean reward vectors: system optima for equally spaced weights.

    Sums over drivers of travel time and of toll are convex in the flows, so with many drivers nearly all of the front
    is supported.

    Args:
        world: a `RouteChoiceWorld` with marginal-cost tolls.
        weights: how many weightings.

    Returns:
        (points, 2) float64, by descending first component.
    """
    mixes = np.linspace(0, 1, weights)
    points = np.array([mean_vector(world, assign(world, (w, 1 - w), selfish=False))[0] for w in mixes])
    return points[front(points, 1e-9)]


class Dispatcher:
    """Sends drivers so that the mean weighted reward is greatest: the first of a pair to the first route, and so on.

    Args:
        world: a `RouteChoiceWorld`.
        weights: on travel time and toll; with random tolls travel time alone counts.
    """

    def __init__(self, world, weights: tuple[float, float] = (0.5, 0.5)):
        self._world = world
        self._weights = weights if world.params[0]["toll_all"] else (1.0, 0.0)
        self._known: dict[bytes, np.ndarray] = {}
        self._usual: np.ndarray | None = None

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Every driver's route."""
        p = self._world.params[0]
        if self._usual is None:
            self._usual = assign(self._world, self._weights, selfish=False)
        actions = np.zeros((len(states), len(self._world.agents)), np.int64)
        for row, pair in zip(actions, states["pair"], strict=True):
            demand = np.bincount(pair, minlength=len(p["first"]))
            key = demand.tobytes()
            if key not in self._known:
                if len(self._known) >= KEPT:
                    self._known.clear()
                self._known[key] = assign(self._world, self._weights, selfish=False, demand=demand, like=self._usual)
            count = self._known[key]
            order = np.argsort(pair, kind="stable")  # drivers pair by pair
            routes = np.repeat(np.arange(len(count)), count)
            row[order] = routes - p["first"][pair[order]]
        return actions


class RouteChoicePlayers(Players):
    """Drivers that are told their routes."""

    def expert(self):
        """Drivers that a dispatcher spreads; see `experts.Dispatcher`."""
        return Dispatcher(self.world)
