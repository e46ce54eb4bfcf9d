"""The networks that are known by a name."""

import itertools
from functools import lru_cache

from envsuite.momarl.route_choice.network import Link, Network, shortest_routes

DRIVERS = 4200


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


def double_braess(order: int, drivers: int = DRIVERS) -> Network:
    """The Braess graph with two pairs, whose latencies grow like Fibonacci's numbers.

    From Lin, Roughgarden, Tardos and Walkover (2011), "Stronger bounds on Braess's paradox and the maximum latency of
    selfish routing". Half of the drivers go from s1 to t1, which the links from a to w_i tempt, and half from s2 to t2.
    Slopes and shares are those of Stefanello's instances (BBraess in Ramos et al. 2020), routes all simple ones.

    Args:
        order: p, odd; there are 2 p + 6 nodes.
        drivers: number of drivers.
    """
    p = order
    unit = 10.0 / (drivers if p == 1 else 5 / 7 * drivers)
    fibonacci = [0, 1]
    while len(fibonacci) <= p:
        fibonacci.append(sum(fibonacci[-2:]))
    links = [Link("w0", "w1", 0.0, unit)]
    for i in range(1, p, 2):
        links += [Link(f"w{i}", f"w{i + 1}", 0.0), Link(f"w{i}", f"v{i}", 0.0)]
        links += [Link(f"w{i + 1}", f"w{i + 2}", 0.0, unit * fibonacci[i + 2])]
        links += [Link(f"v{i}", f"v{i + 1}", 0.0, unit * fibonacci[i + 1])]
        links += [Link(f"v{i + 1}", f"w{i + 1}", 0.0), Link(f"v{i + 1}", f"v{i + 2}", 0.0)]
    links += [Link(f"w{p}", f"v{p}", 0.0), Link(f"w{p}", "t2", 0.0), Link(f"v{p}", "t1", 0.0), Link("s2", "w0", 0.0)]
    links += [Link("s2", f"v{i}", 0.0) for i in range(1, p, 2)]
    links += [Link("s1", "w0", 0.0), Link("s1", "a", 10.0), Link("a", "w1", 0.0)]
    links += [Link("a", f"w{i}", 0.0) for i in range(2, p, 2)]
    demand = {("s2", "t2"): 0.5, ("s1", "t1"): 0.5}
    routes = {pair: shortest_routes(links, *pair, 1000) for pair in demand}
    places = {"s2": (0.05, 0.8), "s1": (0.05, 0.2), "a": (0.16, 0.04), "t1": (0.95, 0.2), "t2": (0.95, 0.8)}
    for i in range(p + 1):
        places[f"w{i}"] = (0.16 + 0.68 * i / p, 0.68)
        if i:
            places[f"v{i}"] = (0.16 + 0.68 * i / p, 0.36)
    return Network(f"BBraess_{p}", tuple(links), demand, routes, places)


# LeBlanc, Morlok and Pierskalla (1975), "An efficient approach to solving the road network equilibrium traffic
# assignment problem", Transportation Research 9: of each road, the same both ways, its ends, the minutes without
# traffic, and what they grow by, in 1e-18 minutes a (vehicle ** 4)
_SF_ROADS = (
    "1 2 6 2, 1 3 4 2, 2 6 5 1241, 3 4 4 7, 3 12 4 2, 4 5 2 3, 4 11 6 1550, 5 6 4 1001, 5 9 5 75, 6 8 2 521, 7 8 "
    "3 119, 7 18 2 1, 8 9 10 2306, 8 16 5 1157, 9 10 3 12, 10 11 5 75, 10 15 6 27, 10 16 4 1080, 10 17 8 1930, 11 "
    "12 6 1550, 11 14 4 1061, 12 13 3 1, 13 24 4 893, 14 15 5 1085, 14 23 4 1020, 15 19 3 10, 15 22 3 53, 16 17 2 "
    "401, 16 18 3 3, 17 19 2 554, 18 20 4 2, 19 20 4 958, 20 21 6 1373, 20 22 5 1130, 21 22 2 401, 21 24 3 790, "
    "22 23 4 960, 23 24 2 451"
)
# likewise: trips in hundreds of vehicles, a row for each origin
_SF_TRIPS = (
    "0 1 1 5 2 3 5 8 5 13 5 2 5 3 5 5 4 1 3 3 1 4 3 1",
    "1 0 1 2 1 4 2 4 2 6 2 1 3 1 1 4 2 0 1 1 0 1 0 0",
    "1 1 0 2 1 3 1 2 1 3 3 2 1 1 1 2 1 0 0 0 0 1 1 0",
    "5 2 2 0 5 4 4 7 7 12 14 6 6 5 5 8 5 1 2 3 2 4 5 2",
    "2 1 1 5 0 2 2 5 8 10 5 2 2 1 2 5 2 0 1 1 1 2 1 0",
    "3 4 3 4 2 0 4 8 4 8 4 2 2 1 2 9 5 1 2 3 1 2 1 1",
    "5 2 1 4 2 4 0 10 6 19 5 7 4 2 5 14 10 2 4 5 2 5 2 1",
    "8 4 2 7 5 8 10 0 8 16 8 6 6 4 6 22 14 3 7 9 4 5 3 2",
    "5 2 1 7 8 4 6 8 0 28 14 6 6 6 9 14 9 2 4 6 3 7 5 2",
    "13 6 3 12 10 8 19 16 28 0 40 20 19 21 40 44 39 7 18 25 12 26 18 8",
    "5 2 3 15 5 4 5 8 14 39 0 14 10 16 14 14 10 1 4 6 4 11 13 6",
    "2 1 2 6 2 2 7 6 6 20 14 0 13 7 7 7 6 2 3 4 3 7 7 5",
    "5 3 1 6 2 2 4 6 6 19 10 13 0 6 7 6 5 1 3 6 6 13 8 8",
    "3 1 1 5 1 1 2 4 6 21 16 7 6 0 13 7 7 1 3 5 4 12 11 4",
    "5 1 1 5 2 2 5 6 10 40 14 7 7 13 0 12 15 2 8 11 8 26 10 4",
    "5 4 2 8 5 9 14 22 14 44 14 7 6 7 12 0 28 5 13 16 6 12 5 3",
    "4 2 1 5 2 5 10 14 9 39 10 6 5 7 15 28 0 6 17 17 6 17 6 3",
    "1 0 0 1 0 1 2 3 2 7 2 2 1 1 2 5 6 0 3 4 1 3 1 0",
    "3 1 0 2 1 2 4 7 4 18 4 3 3 3 8 13 17 3 0 12 4 12 3 1",
    "3 1 0 3 1 3 5 9 6 25 6 5 6 5 11 16 17 4 12 0 12 24 7 4",
    "1 0 0 2 1 1 2 4 3 12 4 3 6 4 8 6 6 1 4 12 0 18 7 5",
    "4 1 1 4 2 2 5 5 7 26 11 7 13 12 26 12 17 3 12 24 18 0 21 11",
    "3 0 1 5 1 1 2 3 5 18 13 7 8 11 10 5 6 1 3 7 7 21 0 7",
    "1 0 0 2 0 1 1 2 2 8 6 5 7 4 4 3 3 0 1 4 5 11 7 0",
)
_SF_VEHICLES = 360_600
_SF_UNIT = 10.0  # minutes: with all vehicles on one link it would take decades
_SF_PLACES = (
    "1 0 0, 2 3 0, 3 0 1, 4 1 1, 5 2 1, 6 3 1, 9 2 2, 8 3 2, 7 4 2, 12 0 3, 11 1 3, 10 2 3, 16 3 3, 18 4 3, 17 3 4, "
    "14 1 5, 15 2 5, 19 3 5, 23 1 6, 22 2 6, 13 0 7, 24 1 7, 21 2 7, 20 3 7"
)


def sioux_falls(drivers: int = _SF_VEHICLES) -> Network:
    """Sioux Falls with its trips, and the 16 shortest routes of each of the 552 pairs of nodes without traffic.

    Args:
        drivers: number of drivers, who stand for 360,600 vehicles.
    """
    links, weight = [], _SF_VEHICLES / drivers
    roads = sorted(
        (int(start), int(end), float(minutes), float(growth))
        for first, second, minutes, growth in map(str.split, _SF_ROADS.split(", "))
        for start, end in ((first, second), (second, first))
    )
    for start, end, minutes, growth in roads:
        links.append(Link(str(start), str(end), minutes, 0.0, 1e-18 * growth * weight**4))
    demand = {
        (str(origin), str(destination)): int(trips) * 100 / _SF_VEHICLES
        for origin, row in enumerate(_SF_TRIPS, 1)
        for destination, trips in enumerate(row.split(), 1)
        if origin != destination
    }
    routes = {pair: shortest_routes(links, *pair, 16) for pair in demand}
    places = {node: (0.1 + 0.2 * int(x), 0.04 + 0.13 * int(y)) for node, x, y in map(str.split, _SF_PLACES.split(", "))}
    return Network("SF", tuple(links), demand, routes, places, _SF_UNIT)


@lru_cache(maxsize=16)  # Sioux Falls takes a second
def named_network(name: str, drivers: int) -> Network:
    """A network by its name.

    Args:
        name: ``"Braess_1"`` to ``"Braess_7"``, ``"BBraess_1"``, ``"BBraess_3"``, ``"BBraess_5"``, ``"BBraess_7"``,
            ``"OW"``, or ``"SF"``.
        drivers: number of drivers, for which the Braess graphs and Sioux Falls are scaled.

    Raises:
        ValueError: unknown name.
    """
    if name == "OW":
        return ortuzar_willumsen()
    if name == "SF":
        return sioux_falls(drivers)
    stem, _, order = name.partition("_")
    if stem == "Braess" and order in set("1234567"):
        return braess(int(order), drivers)
    if stem == "BBraess" and order in set("1357"):
        return double_braess(int(order), drivers)
    raise ValueError(
        f"problem is {name!r}, expected 'Braess_1' to 'Braess_7', 'BBraess_1' (3, 5, 7), 'OW', 'SF', or a Network"
    )
