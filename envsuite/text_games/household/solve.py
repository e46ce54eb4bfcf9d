"""Shortest solutions, with all knowledge or with what a player has seen.

A solution is a row of *deeds*: taking, putting, treating or slicing a thing, or using a lamp. Each happens at a
receptacle, and going there is one command, or two from another room; so the direct way is the shortest. A receptacle is
opened right before the first deed that needs it open, and closing one never helps. Of receptacles that differ in
their numbers alone one is tried. A* (Hart, Nilsson and Raphael 1968) over deeds therefore finds a shortest solution.
Its bound counts deeds that are still missing, and ways between them.
"""

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

import numpy as np

from envsuite.text_games.household.goals import LIGHT, TOOL, TWO
from envsuite.text_games.household.kinds import ALWAYS, CAN_HOLD, DESKLAMP, IS_SHARP, NEVER
from envsuite.text_games.household.rules import WANTED_TRAIT
from envsuite.text_games.household.state import (
    CARRIED,
    CLEAN_IT,
    COOL_IT,
    GO,
    HEAT_IT,
    LIT,
    MOST_SPOTS,
    MOVE,
    NONE,
    OPEN_IT,
    SLICE,
    SLICED,
    TAKE,
    THINGS,
    USE,
)

TREAT = (NONE, NONE, CLEAN_IT, HEAT_IT, COOL_IT, NONE)
"""The verb of each task's treatment."""


class Node(NamedTuple):
    """What changes while a task is done.

    Attributes:
        room: where the player is.
        spot: at which receptacle; -1 for none.
        held: the thing in hand; -1 for none.
        places: of the things that matter, in the order of `House.things`.
        traits: theirs.
        opened: receptacles that are open.
    """

    room: int
    spot: int
    held: int
    places: tuple[int, ...]
    traits: tuple[int, ...]
    opened: frozenset[int]


class House:
    """What stays the same while a task is done: the receptacles and things that matter.

    Args:
        state: a record `envsuite.text_games.household.state.State`.
        known: only what the player has seen.
    """

    def __init__(self, state: np.void, known: bool = False):
        g = state["game"]
        self.state, self.task = state, int(g["task"])
        self.kinds, self.trait = g["thing_kind"].tolist(), WANTED_TRAIT[self.task]
        self.spot_kinds, self.spot_rooms = g["spot_kind"].tolist(), g["spot_room"].tolist()
        self.slices, self.goal = bool(g["slices"]), int(g["goal"])
        self.many = 2 if self.task == TWO else 1
        entered, seen = state["entered"].tolist(), state["seen"].tolist()
        self.spots = [k for k in range(int(g["spot_count"])) if entered[self.spot_rooms[k]] or not known]
        there = [t for t in range(int(g["thing_count"])) if seen[t] or not known]
        self.wanted = [t for t in there if self.kinds[t] == int(g["wanted"])]
        self.knives = [t for t in there if self.slices and IS_SHARP[self.kinds[t]]]
        self.lamps = [t for t in there if self.task == LIGHT and self.kinds[t] == DESKLAMP]
        self.things = [*self.wanted, *self.knives, *self.lamps]
        carried = int(state["carried"])
        if carried >= 0 and carried not in self.things:
            self.things.append(carried)
        self.row = {t: k for k, t in enumerate(self.things)}

    def start(self) -> Node:
        """Where the record is."""
        s = self.state
        return Node(
            int(s["room"]),
            int(s["spot"]),
            int(s["carried"]),
            tuple(int(s["place"][t]) for t in self.things),
            tuple(int(s["traits"][t]) for t in self.things),
            frozenset(np.flatnonzero(s["open"]).tolist()),
        )

    def _kind_at(self, place: int) -> int:
        return self.spot_kinds[place] if place >= 0 else NONE

    def _placed(self, node: Node, t: int) -> bool:
        return self._kind_at(node.places[self.row[t]]) == self.goal

    def _ready(self, node: Node, t: int) -> bool:
        """Whether a thing is as it should be; where it is does not matter."""
        traits = node.traits[self.row[t]]
        return not (self.slices and not traits & SLICED) and not (self.trait and not traits & self.trait)

    def _missing(self, node: Node, t: int) -> int:
        """Commands at least until a thing is as and where it should be, from when the player is where it is."""
        traits, held = node.traits[self.row[t]], node.held == t
        slices, treats = self.slices and not traits & SLICED, bool(self.trait and not traits & self.trait)
        if not treats and self._placed(node, t):
            return int(slices)
        here = self._kind_at(node.spot if held else node.places[self.row[t]])
        walks = 1 + (here != TOOL[self.task]) if treats else here != self.goal
        return slices + treats + walks + (not held) + 1

    def bound(self, node: Node) -> int:
        """Commands at least until the goal is reached."""
        if self.done(node):
            return 0
        start = node.spot < 0 and node.held < 0
        if self.task == LIGHT:
            unlit = not any(node.traits[self.row[t]] & LIT for t in self.lamps)
            return start + (node.held not in self.wanted) + unlit
        least = sum(sorted(self._missing(node, t) for t in self.wanted)[: self.many])
        sliced = sum(bool(node.traits[self.row[t]] & SLICED) for t in self.wanted)
        fetches = self.slices and sliced < self.many and node.held not in self.knives
        full = node.held >= 0 and node.held not in self.wanted
        lying = sum(
            self._placed(node, t) and not (self.trait and not node.traits[self.row[t]] & self.trait)
            for t in self.wanted
        )
        return start + least + fetches + (full and lying < self.many)

    def done(self, node: Node) -> bool:
        """Whether the goal is reached."""
        if self.task == LIGHT:
            lit = any(node.traits[self.row[t]] & LIT and node.places[self.row[t]] == node.spot for t in self.lamps)
            return lit and node.held in self.wanted
        places = [node.places[self.row[t]] for t in self.wanted if self._placed(node, t) and self._ready(node, t)]
        return any(places.count(place) >= self.many for place in places)

    def holds(self, spot: int, t: int, node: Node) -> bool:
        """Whether a thing can be put into a receptacle."""
        rule = CAN_HOLD[self.spot_kinds[spot], self.kinds[t]]
        return rule == ALWAYS or bool(rule != NEVER and node.traits[self.row[t]] & SLICED)

    def different(self, node: Node) -> list[int]:
        """Receptacles without those that differ from an earlier one in their numbers alone.

        Args:
            node: where the player and the things are.
        """
        found: dict[tuple, int] = {}
        for spot in self.spots:
            alone = spot == node.spot or spot in node.places
            key = self.spot_rooms[spot], self.spot_kinds[spot], spot in node.opened, spot if alone else NONE
            found.setdefault(key, spot)
        return list(found.values())

    def way(self, node: Node, spot: int, entering: bool) -> list[tuple[int, int, int]]:
        """Commands until the player is at a receptacle, and it is open if that is needed.

        Args:
            node: where the player is.
            spot: where to go.
            entering: whether it has to be open.
        """
        rows = []
        if self.spot_rooms[spot] != node.room:
            rows.append((GO, THINGS + MOST_SPOTS + self.spot_rooms[spot], NONE))
        if spot != node.spot:
            rows.append((GO, THINGS + spot, NONE))
        if entering and spot not in node.opened:
            rows.append((OPEN_IT, THINGS + spot, NONE))
        return rows

    def _deed(self, node: Node, spot: int, row, *, entering=True, held=None, change=None):
        """Commands of a deed, and where they lead.

        Args:
            node: where they begin.
            spot: where it happens.
            row: its command; None for being there.
            entering: whether the receptacle has to be open.
            held: what is in hand afterwards, if that changes.
            change: a thing, and its place and traits afterwards.
        """
        rows = [*self.way(node, spot, entering), *([row] if row else [])]
        places, traits = list(node.places), list(node.traits)
        if change:
            k = self.row[change[0]]
            places[k], traits[k] = change[1:]
        opened = node.opened | {spot} if entering else node.opened
        after = Node(
            self.spot_rooms[spot],
            spot,
            node.held if held is None else held,
            tuple(places),
            tuple(traits),
            opened,
        )
        return rows, after

    def deeds(self, node: Node) -> Iterator[tuple[list[tuple[int, int, int]], Node]]:
        """All deeds that may be of use."""
        t = node.held
        if t < 0:
            for one in (*self.wanted, *self.knives):
                place, traits = node.places[self.row[one]], node.traits[self.row[one]]
                row = (TAKE, one, THINGS + place)
                yield self._deed(node, place, row, held=one, change=(one, CARRIED, traits))
            return
        traits, spots = node.traits[self.row[t]], self.different(node)
        if t in self.knives:
            for one in self.wanted:
                place, others = node.places[self.row[one]], node.traits[self.row[one]]
                if not others & SLICED:
                    yield self._deed(node, place, (SLICE, one, t), change=(one, place, others | SLICED))
        if t in self.wanted and self.trait and not traits & self.trait:
            for spot in spots:
                if self.spot_kinds[spot] == TOOL[self.task]:
                    row = (TREAT[self.task], t, THINGS + spot)
                    yield self._deed(node, spot, row, entering=False, change=(t, CARRIED, traits | self.trait))
        if t in self.wanted:
            for lamp in self.lamps:
                place, others = node.places[self.row[lamp]], node.traits[self.row[lamp]]
                row = None if others & LIT else (USE, lamp, NONE)
                yield self._deed(node, place, row, entering=False, change=(lamp, place, others | LIT))
        anywhere = t not in self.wanted or (self.slices and not traits & SLICED)
        for spot in spots:
            if (anywhere or self.spot_kinds[spot] == self.goal) and self.holds(spot, t, node):
                row = (MOVE, t, THINGS + spot)
                yield self._deed(node, spot, row, held=NONE, change=(t, spot, traits))


def solve(state: np.void, known: bool = False) -> list[list[int]]:
    """A shortest solution: verbs and arguments of its commands; empty if there is none.

    Args:
        state: a record `envsuite.text_games.household.state.State`.
        known: only things that the player has seen, and receptacles of rooms where he has been.
    """
    house, order = House(state, known), count()
    if len(house.wanted) < house.many:
        return []
    start = house.start()
    costs: dict[Node, int] = {start: 0}
    came: dict[Node, tuple[Node, list[tuple[int, int, int]]]] = {}
    queue = [(house.bound(start), 0, 0, start)]
    while queue:
        _, _, cost, node = heappop(queue)
        if cost > costs[node]:
            continue
        if house.done(node):
            solution: list[tuple[int, int, int]] = []
            while node in came:
                node, rows = came[node]
                solution = [*rows, *solution]
            return [list(row) for row in solution]
        for rows, after in house.deeds(node):
            total = cost + len(rows)
            if total < costs.get(after, total + 1):
                costs[after], came[after] = total, (node, rows)
                heappush(queue, (total + house.bound(after), next(order), total, after))
    return []
