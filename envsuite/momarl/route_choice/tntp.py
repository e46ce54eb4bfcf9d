"""Reads networks and trips in the format of Transportation Networks for Research (TNTP)."""

import math
import re
from pathlib import Path

from envsuite.momarl.route_choice.network import Link, Network, shortest_routes

_COLUMNS = ("start", "end", "capacity", "length", "free-flow time", "B", "power")


def read_tntp(
    net: str | Path,
    trips: str | Path,
    drivers: int,
    *,
    nodes: str | Path | None = None,
    routes: int = 16,
    unit: float = 10.0,
) -> Network:
    """A network with the trips of files in the format TNTP, such as those of Anaheim and of parts of Berlin.

    Latencies are those of the Bureau of Public Roads, ``t (1 + B (f / c) ** 4)``. The drivers stand for all vehicles.
    Pairs without trips are left out, and so are trips that end where they begin.

    Args:
        net: file of the links.
        trips: file of the demand.
        drivers: number of drivers.
        nodes: file of the places, for pictures; without it nodes lie on a circle.
        routes: of a pair, the shortest without traffic, at most.
        unit: see `Network`, min.

    Raises:
        OSError: a file cannot be read.
        ValueError: a file is not of this format, a power is not 4, or no route leads where trips go.
    """
    thru, rows = _links(Path(net))
    demand = _trips(Path(trips))
    total = sum(demand.values())
    if not total:
        raise ValueError(f"{trips}: no trips")
    links = [
        Link(start, end, free, 0.0, free * growth / (capacity * drivers / total) ** 4)
        for start, end, capacity, free, growth in rows
    ]
    closed = [node for link in links for node in (link.start, link.end) if int(node) < thru]
    found = {pair: shortest_routes(links, *pair, routes, closed) for pair in demand}
    shares = {pair: count / total for pair, count in demand.items()}
    names = dict.fromkeys(node for link in links for node in (link.start, link.end))
    places = _circle(list(names)) if nodes is None else _places(Path(nodes), set(names))
    return Network(Path(net).stem, tuple(links), shares, found, places, unit)


def _links(path: Path) -> tuple[int, list[tuple[str, str, float, float, float]]]:
    """The first node that routes may pass; start, end, capacity, minutes and B of each link."""
    text = path.read_text()
    first = re.search(r"<FIRST THRU NODE>\s*(\d+)", text)
    rows = []
    for line in text.rpartition(">")[2].splitlines():
        words = line.partition("~")[0].replace(";", " ").split()
        if not words:
            continue
        try:
            start, end = str(int(words[0])), str(int(words[1]))
            capacity, _, free, growth, power = map(float, words[2:7])
        except (ValueError, IndexError) as error:
            raise ValueError(f"{path}: {line!r}, expected {', '.join(_COLUMNS)}") from error
        if power != 4 and growth:
            raise ValueError(f"{path}: power is {power:g} on link {start}-{end}, expected 4")
        if capacity <= 0 or free < 0 or growth < 0:
            raise ValueError(f"{path}: {line!r}, expected a positive capacity, and minutes and B from 0 on")
        rows.append((start, end, capacity, free, growth))
    if not rows:
        raise ValueError(f"{path}: no links")
    return (int(first[1]) if first else 1), rows


def _trips(path: Path) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], float] = {}
    _, *parts = re.split(r"^\s*Origin\s+(\d+)", path.read_text(), flags=re.MULTILINE)
    for origin, text in zip(parts[::2], parts[1::2], strict=True):
        for destination, count in re.findall(r"(\d+)\s*:\s*([-+.\deE]+)\s*;", text):
            if float(count) < 0:
                raise ValueError(f"{path}: {count} trips from {origin} to {destination}, expected 0 or more")
            if float(count) and destination != origin:
                found[origin, destination] = float(count)
    return found


def _places(path: Path, nodes: set[str]) -> dict[str, tuple[float, float]]:
    found = {}
    for line in path.read_text().splitlines():
        words = line.replace(";", " ").split()
        if len(words) >= 3 and words[0] in nodes:
            found[words[0]] = (float(words[1]), float(words[2]))
    if set(found) != nodes:
        raise ValueError(f"{path}: no places of nodes {sorted(nodes - set(found))[:5]}")
    left, right = min(x for x, _ in found.values()), max(x for x, _ in found.values())
    low, high = min(y for _, y in found.values()), max(y for _, y in found.values())
    size = max(right - left, high - low) or 1.0
    return {node: (0.05 + 0.9 * (x - left) / size, 0.95 - 0.9 * (y - low) / size) for node, (x, y) in found.items()}


def _circle(nodes: list[str]) -> dict[str, tuple[float, float]]:
    turns = [2 * math.pi * k / len(nodes) for k in range(len(nodes))]
    return {
        node: (0.5 + 0.45 * math.cos(turn), 0.5 + 0.45 * math.sin(turn))
        for node, turn in zip(nodes, turns, strict=True)
    }
