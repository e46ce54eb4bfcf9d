"""Achievements as subgoals, with what each takes: for curricula and for planners."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from envsuite.crafting.crafter.params import BUILT
from envsuite.crafting.crafter.things import ACHIEVEMENTS, ITEMS, MOST, NUMBER


@dataclass(frozen=True)
class Subgoal:
    """One achievement.

    Attributes:
        name: of the achievement.
        after: achievements that have to come before, whatever one does.
        items: least amounts of items that one has to have at the time.
        near: materials that have to be within one cell, also diagonally.
        target: what one has to face; empty for none.
    """

    name: str
    after: tuple[str, ...]
    items: dict[str, int]
    near: tuple[str, ...] = ()
    target: str = ""


_COLLECT = {
    "coal": ("wood_pickaxe", "coal"),
    "diamond": ("iron_pickaxe", "diamond"),
    "drink": ("", "water"),
    "iron": ("stone_pickaxe", "iron"),
    "sapling": ("", "grass"),
    "stone": ("wood_pickaxe", "stone"),
    "wood": ("", "tree"),
}
_OTHERS = (
    Subgoal("defeat_skeleton", (), {}, target="skeleton"),
    Subgoal("defeat_zombie", (), {}, target="zombie"),
    Subgoal("eat_cow", (), {}, target="cow"),
    Subgoal("eat_plant", ("place_plant",), {}, target="ripe plant"),
    Subgoal("wake_up", (), {}),
)


def subgoals(params: np.ndarray) -> tuple[Subgoal, ...]:
    """The 22 achievements with their prerequisites, which depend on costs and on what players begin with.

    Args:
        params: of a `envsuite.crafting.crafter.world.CrafterWorld`.

    Returns:
        In an order in which each comes after its prerequisites.

    Raises:
        ValueError: costs by which achievements wait for each other, so that none of them can be done.
    """
    p = params[0]
    start = dict(zip(ITEMS, p["start"].tolist(), strict=True))
    costs = {name: {ITEMS[i]: int(n) for i, n in enumerate(p["costs"][k]) if n} for k, name in enumerate(BUILT)}
    found = {one.name: one for one in _OTHERS}
    for name in ACHIEVEMENTS:
        verb, _, what = name.partition("_")
        if verb == "collect":
            tool, target = _COLLECT[what]
            items = {tool: 1} if tool else {}
            found[name] = Subgoal(name, _sources(items, start), items, target=target)
        elif verb in ("make", "place"):
            near = () if verb == "place" else ("table", "furnace") if what.startswith("iron") else ("table",)
            before = (*_sources(costs[what], start), *(f"place_{one}" for one in near))
            found[name] = Subgoal(name, before, costs[what], near)
    changed = True
    while changed:  # what one begins with may be too little only together with what the prerequisites use up
        changed = False
        for name, one in found.items():
            before = _before(found, name)
            used = (Counter(found[other].items) for other in before if not other.startswith("collect_"))
            more = set(_sources(sum(used, Counter(one.items)), start)) - before
            if more:
                found[name], changed = replace(one, after=(*one.after, *sorted(more))), True
    ordered: list[Subgoal] = []
    while len(ordered) < len(found):
        known = {one.name for one in ordered}
        new = [one for name, one in found.items() if name not in known and set(one.after) <= known]
        if not new:
            circle = sorted(name for name in found if name in _before(found, name))
            raise ValueError(f"costs make achievements that have to come before themselves: {', '.join(circle)}")
        ordered += new
    return tuple(ordered)


def _sources(items: Mapping[str, int], start: Mapping[str, int]) -> tuple[str, ...]:
    """Achievements that give what is lacking; there is none for health, food and energy."""
    lacking = (item for item, amount in items.items() if start[item] < amount)
    names = (f"collect_{item}" if item in _COLLECT else f"make_{item}" for item in lacking)
    return tuple(name for name in names if name in NUMBER)


def _before(goals: Mapping[str, Subgoal], name: str) -> set[str]:
    """All that has to come before a goal; also itself, where goals wait for each other."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = set(goals[waiting.pop()].after) - found
        found |= new
        waiting += new
    return found


_MOUNTAINS: dict[str, Any] = {"mountain": 0.0}
_MORE: dict[str, dict[str, Any]] = {
    "tree": {"terrain": {"tree_share": 0.5}},
    "water": {"terrain": {"water": 0.1}},
    "stone": {"terrain": _MOUNTAINS},
    "coal": {"terrain": {**_MOUNTAINS, "coal_share": 0.5}},
    "iron": {"terrain": {**_MOUNTAINS, "iron_noise": 0.1, "iron_share": 0.5}},
    "diamond": {"terrain": {**_MOUNTAINS, "diamond_share": 0.05}},
    "cow": {"creatures": {"cow_share": 0.06}},
    "zombie": {"creatures": {"zombie_share": 0.03, "zombie_day": 2.0}},
    "skeleton": {"terrain": {**_MOUNTAINS, "tunnel": 0.2}, "creatures": {"skeleton_share": 0.15}},
    "ripe plant": {"farming": {"ripe_after": 30}},
}
"""What makes a target common: about four times as many, or nearer."""
_TIRED = 3
"""Energy with which one falls asleep soon."""


def chain(goals: Sequence[Subgoal], name: str) -> tuple[Subgoal, ...]:
    """A goal and all that has to come before it, itself last.

    Args:
        goals: see `subgoals`.
        name: of one of them.

    Raises:
        ValueError: no such goal.
    """
    known = {one.name: one for one in goals}
    if name not in known:
        raise ValueError(f"goal is {name!r}, expected one of {', '.join(known)}")
    needed = {name} | _before(known, name)
    return tuple(one for one in goals if one.name in needed)


def practice(goals: Sequence[Subgoal], name: str, own: int) -> dict[str, Any]:
    """A world in which to practise a goal: its target is common, and a player begins with what the first links give.

    What cannot be given, a table, a furnace or a plant, is given as what it costs.

    Args:
        goals: see `subgoals`.
        name: of the goal.
        own: links at the end of the goal's `chain` that are left to the player, at least 1; with all of them nothing
            is given.

    Returns:
        For the option ``config``. It holds nothing else: whoever has goals of a world with other costs or another
        start adds these.

    Raises:
        ValueError: no such goal, no link left, or more to be given than one can carry.
    """
    links = chain(goals, name)
    if own < 1:
        raise ValueError(f"own is {own}, expected at least 1")
    done, left = {one.name: one for one in links[:-own]}, links[-own:]
    start: dict[str, int] = {}
    for one in left:
        for item, amount in one.items.items():
            if f"make_{item}" in done:
                start[item] = 1
            elif f"collect_{item}" in done:
                start[item] = start.get(item, 0) + amount
    for place in sorted({other for one in left for other in one.after if other.startswith("place_")} & set(done)):
        for item, amount in done[place].items.items():
            start[item] = start.get(item, 0) + amount
    for item, amount in start.items():
        if amount > MOST:
            raise ValueError(
                f"practice of {name!r} with own {own} gives {amount} {item}, and one carries {MOST} at most"
            )
    if name == "wake_up":
        start["energy"] = _TIRED
    config = {group: dict(values) for group, values in _MORE.get(links[-1].target, {}).items()}
    return config | ({"start": start} if start else {})
