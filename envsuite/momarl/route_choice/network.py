"""Networks: links, their latency, origins and destinations, routes."""

import heapq
import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass


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
        routes: by (origin, destination), one or more; a route is a tuple of indices of links.
        places: (x, y) of the nodes in a picture, each in [0, 1].
        unit: minutes that rewards count for each link of the longest route; 0 for those of the slowest link with
            everybody on it, and of tolls, of the dearest.

    Raises:
        ValueError: demand and routes are not of the same pairs, demand is no share, or a route is broken.
    """

    name: str
    links: tuple[Link, ...]
    demand: Mapping[tuple[str, str], float]
    routes: Mapping[tuple[str, str], tuple[tuple[int, ...], ...]]
    places: Mapping[str, tuple[float, float]]
    unit: float = 0.0

    def __post_init__(self):
        bare = [pair for pair in self.demand if not self.routes.get(pair)]
        if bare or set(self.demand) != set(self.routes):
            raise ValueError(f"{self.name}: no routes or no demand for {bare or set(self.routes) - set(self.demand)}")
        if min(self.demand.values()) < 0 or abs(sum(self.demand.values()) - 1) > 1e-9:
            raise ValueError(f"{self.name}: demand adds up to {sum(self.demand.values())}, expected shares of 1")
        for (origin, destination), routes in self.routes.items():
            for route in routes:
                nodes = [self.links[route[0]].start, *(self.links[k].end for k in route)]
                joined = all(self.links[a].end == self.links[b].start for a, b in itertools.pairwise(route))
                if not joined or (nodes[0], nodes[-1]) != (origin, destination):
                    raise ValueError(f"{self.name}: route {route} does not lead from {origin} to {destination}")


def shortest_routes(
    links: Sequence[Link], origin: str, destination: str, count: int, closed: Collection[str] = ()
) -> tuple[tuple[int, ...], ...]:
    """The shortest simple routes without traffic, the shortest first, of equal ones in the order of their links.

    Best first by the way so far and the least way from there (A*). A least way that would cross the way so far is
    replaced by the least that does not, once it comes to its turn, so that all that is followed leads there.

    Args:
        links: of the network.
        origin: node.
        destination: node.
        count: how many at most; there may be fewer.
        closed: nodes that routes may begin and end at, but not pass.
    """
    leaving: dict[str, list[int]] = {}
    entering: dict[str, list[Link]] = {}
    for k, link in enumerate(links):
        leaving.setdefault(link.start, []).append(k)
        entering.setdefault(link.end, []).append(link)
    shut = set(closed) - {origin, destination}
    rest, onward = _least_ways(entering, destination, shut)
    queue: list[tuple[float, tuple[int, ...], bool, float, tuple[str, ...]]] = [(0.0, (), True, 0.0, (origin,))]
    found: list[tuple[int, ...]] = []
    while queue and len(found) < count:
        _, route, sure, minutes, nodes = heapq.heappop(queue)
        node = nodes[-1]
        if node == destination:
            found.append(route)
        elif not sure and _crosses(onward, nodes):
            free, _ = _least_ways(entering, destination, shut | set(nodes[:-1]), node)
            if node in free:
                heapq.heappush(queue, (minutes + free[node], route, True, minutes, nodes))
        else:
            for k in leaving.get(node, ()):
                end, so_far = links[k].end, minutes + links[k].free
                if end not in nodes and end in rest:
                    heapq.heappush(queue, (so_far + rest[end], (*route, k), False, so_far, (*nodes, end)))
    return tuple(found)


def _crosses(onward: Mapping[str, str], nodes: Sequence[str]) -> bool:
    """Whether the least way on from the last of some nodes passes another of them."""
    past, node = set(nodes[:-1]), nodes[-1]
    while node in onward:
        node = onward[node]
        if node in past:
            return True
    return False


def _least_ways(
    entering: Mapping[str, Sequence[Link]], destination: str, closed: Collection[str], until: str | None = None
) -> tuple[dict[str, float], dict[str, str]]:
    """Least minutes without traffic to a node (Dijkstra), and the next node on the way.

    Args:
        entering: links by their end.
        destination: node.
        closed: nodes that are not passed.
        until: the only node that is asked for; None for all.
    """
    ways: dict[str, float] = {}
    onward: dict[str, str] = {}
    queue: list[tuple[float, str, str | None]] = [(0.0, destination, None)]
    while queue and until not in ways:
        minutes, node, following = heapq.heappop(queue)
        if node in ways or node in closed:
            continue
        ways[node] = minutes
        if following is not None:
            onward[node] = following
        for link in entering.get(node, ()):
            if link.start not in ways:
                heapq.heappush(queue, (minutes + link.free, link.start, node))
    return ways, onward
