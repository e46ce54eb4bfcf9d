"""Achievements as subgoals, with what each takes: for curricula and for planners."""

from dataclasses import dataclass

import numpy as np

from envsuite.crafting.crafter.params import BUILT
from envsuite.crafting.crafter.things import ACHIEVEMENTS, ITEMS


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
    """
    p = params[0]
    start = dict(zip(ITEMS, p["start"].tolist(), strict=True))
    costs = {name: {ITEMS[i]: int(n) for i, n in enumerate(p["costs"][k]) if n} for k, name in enumerate(BUILT)}

    def source(item: str) -> str:
        return f"collect_{item}" if item in _COLLECT else f"make_{item}"

    found = {one.name: one for one in _OTHERS}
    for name in ACHIEVEMENTS:
        verb, _, what = name.partition("_")
        if name in found:
            continue
        if verb == "collect":
            tool, target = _COLLECT[what]
            items = {tool: 1} if tool else {}
            found[name] = Subgoal(name, _lacking(items, start, source), items, target=target)
        else:
            items = costs[what]
            near = () if verb == "place" else ("table", "furnace") if what.startswith("iron") else ("table",)
            before = (*_lacking(items, start, source), *(f"place_{one}" for one in near))
            found[name] = Subgoal(name, tuple(dict.fromkeys(before)), dict(items), near)
    ordered: list[Subgoal] = []
    while len(ordered) < len(found):
        known = {one.name for one in ordered}
        ordered += [one for name, one in found.items() if name not in known and set(one.after) <= known]
    return tuple(ordered)


def _lacking(items: dict[str, int], start: dict[str, int], source) -> tuple[str, ...]:
    return tuple(source(item) for item, amount in items.items() if start[item] < amount)
