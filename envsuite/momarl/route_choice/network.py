"""Networks: links, their latency, origins and destinations, routes."""

import heapq
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

DRIVERS = 4200


@dataclass(frozen=True)
class Link:
    """A road in one direction.

    Attributes:
        start: node.
        end: node.
        free: minutes without traffic.
        slope: minutes more for each driver.
        quartic: minutes more, times the number of drivers to the fourth power: free times alpha / capacity ** 4 in
            the form of the Bureau of Public Roads.
    """

    start: str
    end: str
    free: float
    slope: float = 0.0
    quartic: float = 0.0


@dataclass(frozen=True)
class Network:
    """What drivers choose from.

    Attributes:
        name: of the network.
        links: all roads.
        demand: share of the drivers by (origin, destination); they add up to 1.
        routes: by (origin, destination), as many for each; a route is a tuple of indices of links.
        places: (x, y) of the nodes in a picture, each in [0, 1].
    """

    name: str
    links: tuple[Link, ...]
    demand: Mapping[tuple[str, str], float]
    routes: Mapping[tuple[str, str], tuple[tuple[int, ...], ...]]
    places: Mapping[str, tuple[float, float]]

    def __post_init__(self):
        sizes = {len(routes) for routes in self.routes.values()}
        if set(self.demand) != set(self.routes) or len(sizes) != 1:
            raise ValueError(f"{self.name}: every pair with demand needs routes, the same number each")
        if abs(sum(self.demand.values()) - 1) > 1e-9:
            raise ValueError(f"{self.name}: demand adds up to {sum(self.demand.values())}, expected 1")
        for (origin, destination), routes in self.routes.items():
            for route in routes:
                nodes = [self.links[route[0]].start, *(self.links[k].end for k in route)]
                joined = all(self.links[a].end == self.links[b].start for a, b in itertools.pairwise(route))
                if not joined or (nodes[0], nodes[-1]) != (origin, destination):
                    raise ValueError(f"{self.name}: route {route} does not lead from {origin} to {destination}")


def braess(order: int, drivers: int = DRIVERS) -> Network:
    """The generalised Braess graph of Roughgarden (2006), "On the severity of Braess's paradox", with its p-th order.

    Nodes s, v_i, w_i, t; latency in minutes. Latencies are scaled so that `drivers` is the whole demand.

    Args:
        order: p, from 1 on; there are 4 p + 1 links and 2 p + 1 routes.
        drivers: number of drivers.
    """
    p = order
    links: list[Link] = []
    index: dict[tuple[str, str], int] = {}

    def add(start: str, end: str, free: float = 0.0, slope: float = 0.0) -> None:
        index[start, end] = len(links)
        links.append(Link(start, end, free, slope))

    for i in range(1, p + 1):
        add("s", f"v{i}", slope=10 * p * (p - i + 1) / drivers)
    add("s", f"w{p}", 10.0)
    for i in range(1, p + 1):
        add(f"v{i}", f"w{i}")
    add("v1", "t", 10.0)
    for i in range(2, p + 1):
        add(f"v{i}", f"w{i - 1}", 10.0)
    for i in range(1, p + 1):
        add(f"w{i}", "t", slope=10 * p * i / drivers)

    def route(*nodes: str) -> tuple[int, ...]:
        return tuple(index[pair] for pair in itertools.pairwise(nodes))

    free = [route("s", f"v{i}", f"w{i}", "t") for i in range(p, 0, -1)]
    fixed = [route("s", f"v{i}", f"w{i - 1}", "t") for i in range(p, 1, -1)]
    routes = (*free, *fixed, route("s", f"w{p}", "t"), route("s", "v1", "t"))
    places = {"s": (0.06, 0.5), "t": (0.94, 0.5)}
    for i in range(1, p + 1):
        height = 0.12 + 0.76 * (i - 0.5) / p if p > 1 else 0.5
        spread = 0.28 if p == 1 else 0.0
        places |= {f"v{i}": (0.35, height - spread), f"w{i}": (0.65, height + spread)}
    pair = ("s", "t")
    return Network(f"Braess_{p}", tuple(links), {pair: 1.0}, {pair: routes}, places)


# Ortuzar and Willumsen (2011), "Modelling Transport", exercise 10.1: minutes without traffic, both ways
_OW_TIMES = (
    "AB 7 AC 5 AD 15 BD 11 BE 11 CD 7 CF 11 CG 9 DE 7 DG 7 DH 9 EH 7 FG 9 FI 13 GH 9 GJ 3 GK 13 HK 3 IJ 9 IL 2 JK 9 "
    "JL 12 JM 12 KM 2"
)
_OW_DEMAND = {("A", "L"): 600, ("A", "M"): 400, ("B", "L"): 300, ("B", "M"): 400}
_OW_SLOPE = 0.02  # minutes a driver
_OW_PLACES = {
    "A": (0.08, 0.2), "B": (0.08, 0.75), "C": (0.28, 0.2), "D": (0.27, 0.5), "E": (0.28, 0.84), "F": (0.5, 0.1),
    "G": (0.5, 0.42), "H": (0.5, 0.74), "I": (0.75, 0.14), "J": (0.7, 0.44), "K": (0.74, 0.76), "L": (0.93, 0.24),
    "M": (0.93, 0.72),
}  # fmt: skip


def ortuzar_willumsen() -> Network:
    """The network of Ortuzar and Willumsen with its demand, and the 16 shortest routes of each pair without traffic."""
    links, words = [], _OW_TIMES.split()
    for pair, minutes in zip(words[::2], words[1::2], strict=True):
        for start, end in (pair, pair[::-1]):
            links.append(Link(start, end, float(minutes), _OW_SLOPE))
    total = sum(_OW_DEMAND.values())
    demand = {pair: count / total for pair, count in _OW_DEMAND.items()}
    routes = {pair: shortest_routes(links, *pair, 16) for pair in demand}
    return Network("OW", tuple(links), demand, routes, _OW_PLACES)


def shortest_routes(links: Sequence[Link], origin: str, destination: str, count: int) -> tuple[tuple[int, ...], ...]:
    """The shortest simple routes without traffic, the shortest first, of equal ones in the order of their links.

    Args:
        links: of the network.
        origin: node.
        destination: node.
        count: how many.
    """
    leaving: dict[str, list[int]] = {}
    for k, link in enumerate(links):
        leaving.setdefault(link.start, []).append(k)
    queue: list[tuple[float, tuple[int, ...], tuple[str, ...]]] = [(0.0, (), (origin,))]
    found: list[tuple[int, ...]] = []
    while queue and len(found) < count:
        minutes, route, nodes = heapq.heappop(queue)
        if nodes[-1] == destination:
            found.append(route)
            continue
        for k in leaving.get(nodes[-1], ()):
            if links[k].end not in nodes:
                heapq.heappush(queue, (minutes + links[k].free, (*route, k), (*nodes, links[k].end)))
    return tuple(found)


def named_network(name: str, drivers: int) -> Network:
    """A network by its name.

    Args:
        name: ``"Braess_1"`` to ``"Braess_7"``, or ``"OW"``.
        drivers: number of drivers, for which the Braess graphs are scaled.

    Raises:
        ValueError: unknown name.
    """
    if name == "OW":
        return ortuzar_willumsen()
    stem, _, order = name.partition("_")
    if stem == "Braess" and order in set("1234567"):
        return braess(int(order), drivers)
    raise ValueError(f"problem is {name!r}, expected 'Braess_1' to 'Braess_7', 'OW', or a Network")
