"""Rules of exported games, written in the language of the package ``textworld``."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from envsuite.text_games.textworld.facts import HEATERS, traits_in
from envsuite.text_games.textworld.state import (
    CHOPPED,
    CONSUMED,
    DICED,
    DIRECTIONS,
    EDIBLE_ONLY,
    EXAMINE_DOORS,
    EXAMINE_HELD,
    NO_SENSES,
    RECIPE_DONE,
    RECIPE_PARTS,
    SLICED,
)

Rule = tuple[str, str, str]
"""A name, what has to hold before and what holds after it, and the command. What is marked with a dollar stays."""

_TYPES = {
    "t": ("d", "o", "c", "s"),
    "o": ("k", "f"),
    "c": ("oven", "toaster"),
    "s": ("stove",),
    "f": ("meal",),
}
_ROOTS = ("P", "I", "r", "t", "number", "ingredient", "RECIPE")
_HERE = "$at(P, r)"
_DOOR = f"{_HERE} & $link(r, d, r') & $link(r', d, r)"
_WAYS = "free(r, r') & free(r', r)"
_LIDS = (
    ("open/c", f"{_HERE} & $at(c, r) & closed(c) -> open(c)", "open {c}"),
    ("close/c", f"{_HERE} & $at(c, r) & open(c) -> closed(c)", "close {c}"),
    ("open/d", f"{_DOOR} & closed(d) -> open(d) & {_WAYS}", "open {d}"),
    ("close/d", f"{_DOOR} & open(d) & {_WAYS} -> closed(d)", "close {d}"),
    *(
        (
            f"{verb}/{x}",
            f"{here} & $in(k, I) & $match(k, {x}) & {before}({x}) -> {after}({x})",
            f"{verb} {{{x}}} with {{k}}",
        )
        for x, here in (("c", f"{_HERE} & $at(c, r)"), ("d", _DOOR))
        for verb, before, after in (("lock", "closed", "locked"), ("unlock", "locked", "closed"))
    ),
)
_SENSES = (
    ("look", "at(P, r) -> at(P, r)", "look"),
    ("inventory", "at(P, r) -> at(P, r)", "inventory"),
    ("examine/t", f"{_HERE} & $at(t, r) -> at(t, r)", "examine {t}"),
    ("examine/s", f"{_HERE} & $at(s, r) & on(o, s) -> on(o, s)", "examine {o}"),
    ("examine/c", f"{_HERE} & $at(c, r) & $open(c) & in(o, c) -> in(o, c)", "examine {o}"),
)
_EXAMINE_HELD = ("examine/I", "in(o, I) -> in(o, I)", "examine {o}")
_EXAMINE_DOOR = ("examine/d", f"at(P, r) & {_DOOR.removeprefix(_HERE + ' & ')} -> at(P, r)", "examine {d}")
_SPOTS = (
    ("take", "drop", _HERE, "at(o, r)", "take {o}", "drop {o}"),
    ("take/s", "put", f"{_HERE} & $at(s, r)", "on(o, s)", "take {o} from {s}", "put {o} on {s}"),
    ("take/c", "insert", f"{_HERE} & $at(c, r) & $open(c)", "in(o, c)", "take {o} from {c}", "insert {o} into {c}"),
)
"""Rules of taking and laying down, where that is, and where the thing is then."""
_FEW, _MANY, _NEXT = " & carrying(number)", " & carrying(number')", " & $next(number, number')"
"""How much is carried before and after something is taken."""
_CUTS = {"slice": SLICED, "dice": DICED, "chop": CHOPPED}


def knowledge(g: np.void, limited: bool) -> str:
    """The document of types, rules and commands of a game.

    Args:
        g: a record `Game`.
        limited: not everything can be carried: what is carried is counted.
    """
    rules = list(rules_of(g, limited))
    parents = {kind: parent for parent, kinds in _TYPES.items() for kind in kinds}
    types = [f"type {kind} {{\n}}\n" for kind in _ROOTS if kind != "P"]
    types += [f"type {kind} : {parent} {{\n}}\n" for kind, parent in parents.items()]
    lines = "".join(f"        {name} :: {logic};\n" for name, logic, _ in rules)
    commands = "".join(f'            {name} :: "{command}" :: "{command}";\n' for name, _, command in rules)
    told = f"    inform7 {{\n        commands {{\n{commands}        }}\n    }}\n"
    return "".join((f"type P {{\n    rules {{\n{lines}    }}\n{told}}}\n", *types))


def rules_of(g: np.void, limited: bool) -> Iterator[Rule]:
    """The rules of a game.

    Args:
        g: a record `Game`.
        limited: see `knowledge`.
    """
    flags = int(g["rules"])
    for side in DIRECTIONS:
        way = f"${side}_of(r', r) & $free(r, r') & $free(r', r)"
        yield f"go/{side}", f"at(P, r) & {way} -> at(P, r')", f"go {side}"
    few, many, next_to = (_FEW, _MANY, _NEXT) if limited else ("", "", "")
    spare = " & $spare(number)" if limited else ""
    for take, leave, here, there, taking, leaving in _SPOTS:
        yield take, f"{here} & {there}{few}{next_to}{spare} -> in(o, I){many}", taking
        yield leave, f"{here} & in(o, I){many}{next_to} -> {there}{few}", leaving
    yield from _LIDS
    if not flags & NO_SENSES:
        yield from _SENSES
        if flags & EXAMINE_HELD:
            yield _EXAMINE_HELD
        if flags & EXAMINE_DOORS:
            yield _EXAMINE_DOOR
    (gone,) = traits_in(CONSUMED, flags)
    edible = " & edible(f)" if flags & EDIBLE_ONLY else ""
    yield "eat", f"in(f, I){edible}{many}{next_to} -> {gone}(f){few}", "eat {f}"
    yield "drink", f"in(f, I) & drinkable(f){many}{next_to} -> {gone}(f){few}", "drink {f}"
    if g["meal"] >= 0:
        yield from _cooking()
        yield _meal(g, limited)


def _cooking() -> Iterator[Rule]:
    for (_, heat), heater in HEATERS.items():
        here, (done,) = f"{_HERE} & $at({heater}, r) & $in(f, I)", traits_in(heat)
        command = f"cook {{f}} with {{{heater}}}"
        yield f"cook/{heater}/burned", f"{here} & cooked(f) & edible(f) -> burned(f) & inedible(f)", command
        yield f"cook/{heater}/raw", f"{here} & raw(f) -> {done}(f) & cooked(f)", command
        after = f"{done}(f) & edible(f) & cooked(f)"
        yield f"cook/{heater}/inedible", f"{here} & needs_cooking(f) & inedible(f) -> {after}", command
    for verb, cut in _CUTS.items():
        (done,) = traits_in(cut)
        yield verb, f"$in(f, I) & $in(o, I) & $sharp(o) & uncut(f) -> {done}(f)", f"{verb} {{f}} with {{o}}"


def _meal(g: np.void, limited: bool) -> Rule:
    """Prepares the meal of ingredients that are done as the recipe says, or, in some games, of the first one alone."""
    parts = 1 if g["rules"] & RECIPE_PARTS else int(g["recipe_length"])
    before = [_HERE, "$cooking_location(r, RECIPE)", "$out(meal, RECIPE)"]
    after = ["in(meal, I)", "edible(meal)", "raw(meal)"]
    for k in range(parts):
        food = "f" + k * "'"
        before += [f"in({food}, I)", f"$ingredient_{k + 1}({food})"]
        if g["rules"] & RECIPE_DONE:
            before += [f"${trait}({food})" for trait in traits_in(int(g["wanted"][k]))]
        after.append(f"used({food})")
    if limited and parts > 1:
        number = ["number" + k * "'" for k in range(parts)]
        before += [f"carrying({number[-1]})", *(f"$next({a}, {b})" for a, b in pairwise(number))]
        after.append("carrying(number)")
    name = "make/recipe/1" if g["rules"] & RECIPE_PARTS else "make/recipe"
    return name, f"{' & '.join(before)} -> {' & '.join(after)}", "prepare meal"
