"""Configurations of worlds as JSON: their schema, their checks, and the records made of them."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from envsuite.core.batch import Batch
from envsuite.core.world import World
from envsuite.crafting.crafter.params import BUILT, COSTS, GROUPS, START, Params
from envsuite.crafting.crafter.things import COW, DRINK, FOOD, GRASS, ITEMS, MOST, PATH, SAND, TREE, WATER

SIZES = (24, 128)
"""Least and greatest width and height of a world, cells."""
SIZE = (64, 64)
HORIZON = 10_000  # steps of an episode, which a body without food or water has to last
SAMPLED = 8
"""Worlds that are drawn to see whether a configuration can be survived."""


def schema() -> dict[str, Any]:
    """The JSON schema of configurations, made of the declarations of the constants.

    Returns:
        A JSON schema (draft 2020-12); every key may be left out.
    """
    amounts = {"type": "integer", "minimum": 0, "maximum": MOST}
    items = {"type": "object", "additionalProperties": False, "properties": dict.fromkeys(ITEMS, amounts)}
    side = {"type": "integer", "minimum": SIZES[0], "maximum": SIZES[1], "default": SIZE[0]}
    groups: dict[str, Any] = {
        "world": {"type": "object", "additionalProperties": False, "properties": {"width": side, "height": side}},
        "start": {**items, "description": "what a player has at first; the others as by default", "default": START},
        "costs": {
            "type": "object",
            "additionalProperties": False,
            "properties": {name: {**items, "default": COSTS[name]} for name in BUILT},
        },
    }
    for group, record in GROUPS.items():
        groups[group] = {
            "type": "object",
            "description": (record.__doc__ or "").partition("\n")[0],
            "additionalProperties": False,
            "properties": {
                name: {
                    "type": "integer" if one.type is np.int64 else "number",
                    "minimum": one.low,
                    "maximum": one.high,
                    "default": one.default,
                    "description": " ".join(filter(None, (one.meaning, f"({one.unit})" if one.unit else ""))),
                }
                for name, one in record.fields.items()
            },
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A world of Crafter",
        "type": "object",
        "additionalProperties": False,
        "properties": groups,
    }


def read(text: str) -> dict[str, Any]:
    """Read a configuration from JSON, as a language model may have written it.

    Args:
        text: a JSON object.

    Returns:
        For the option ``config``.

    Raises:
        ValueError: not JSON, not an object, or with keys or values that the schema does not allow.
    """
    try:
        config = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"config is no JSON: {error}") from error
    make_params(config)
    return config


def size_of(config: Mapping[str, Any]) -> tuple[int, int]:
    """Width and height of a world, cells.

    Raises:
        ValueError: naming the key and the value.
    """
    group = _group(config, "world", ("width", "height"))
    width, height = (_whole(f"world.{name}", group.get(name, SIZE[0]), *SIZES) for name in ("width", "height"))
    return width, height


def make_params(
    config: Mapping[str, Any], rules: Mapping[str, Any] | None = None, original: bool = False
) -> np.ndarray:
    """The parameter record of a configuration.

    Args:
        config: groups of constants by name.
        rules: a configuration that stands behind it, where it says nothing.
        original: with the defects of Crafter 1.8.3.

    Returns:
        (1,) of type `Params`.

    Raises:
        ValueError: naming the key and the value.
    """
    known = ("world", "start", "costs", *GROUPS)
    if not isinstance(config, Mapping):
        raise ValueError(f"config is {config!r}, expected an object with some of the keys {', '.join(known)}")
    if unknown := sorted(map(str, set(config) - set(known))):
        raise ValueError(f"config has no key {unknown[0]!r}; its keys are {', '.join(known)}")
    size_of(config)
    behind = rules or {}
    made = Params.make(original=original)
    for group, record in GROUPS.items():
        given = {**behind.get(group, {}), **_group(config, group, tuple(record.fields))}
        for name, one in record.fields.items():
            value = given.get(name, one.default)
            kind = int | np.integer if one.type is np.int64 else int | float | np.number
            low, high = one.low or 0, one.high or 0
            if isinstance(value, bool) or not isinstance(value, kind) or not low <= value <= high:
                number = "a whole number" if one.type is np.int64 else "a number"
                raise ValueError(f"config {group}.{name} is {value!r}, expected {number} from {low:g} to {high:g}")
            made[0][group][name] = value
    start = {**START, **_amounts(config, "start")}
    for item, amount in start.items():
        made[0]["start"][ITEMS.index(item)] = amount
    if start["health"] == 0:
        raise ValueError("config start.health is 0, expected at least 1: the player would be dead from the start")
    given = {**behind.get("costs", {}), **_group(config, "costs", BUILT)}
    for k, name in enumerate(BUILT):
        for item, amount in (_amounts(given, name, "costs.") if name in given else COSTS[name]).items():
            made[0]["costs"][k, ITEMS.index(item)] = amount
    return made


def _group(config: Mapping[str, Any], group: str, known: tuple[str, ...]) -> Mapping[str, Any]:
    given = config.get(group, {})
    if not isinstance(given, Mapping):
        raise ValueError(f"config {group} is {given!r}, expected an object with some of the keys {', '.join(known)}")
    if unknown := sorted(map(str, set(given) - set(known))):
        raise ValueError(f"config {group} has no key {unknown[0]!r}; its keys are {', '.join(known)}")
    return given


def _amounts(config: Mapping[str, Any], group: str, path: str = "") -> dict[str, int]:
    given = config.get(group, {})
    if not isinstance(given, Mapping):
        raise ValueError(f"config {path}{group} is {given!r}, expected amounts by item")
    if unknown := sorted(map(str, set(given) - set(ITEMS))):
        raise ValueError(f"config {path}{group} has no item {unknown[0]!r}; the items are {', '.join(ITEMS)}")
    return {item: _whole(f"{path}{group}.{item}", amount, 0, MOST) for item, amount in given.items()}


def _whole(name: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise ValueError(f"config {name} is {value!r}, expected a whole number from {low} to {high}")
    return int(value)


def check_worlds(world: World) -> None:
    """Refuse configurations in which nobody can survive or do anything, by worlds drawn from them.

    Args:
        world: made with the configuration.

    Raises:
        ValueError: naming the lack, and the keys that decide on it.
    """
    batch = Batch(world, SAMPLED, num_threads=1)
    batch.seed(np.arange(SAMPLED))
    batch.reset()
    p, states = world.params[0], batch.states
    terrain, farming, creatures = states["terrain"], p["farming"], p["creatures"]
    water = (terrain == WATER).any(axis=(1, 2))
    dry = int(p["body"]["thirst"]) * int(p["start"][DRINK]) < HORIZON
    if dry and not water.any():
        raise ValueError(
            f"config makes worlds without water ({SAMPLED} of {SAMPLED} drawn): lower terrain.water, which is "
            f"{float(p['terrain']['water']):g}, or raise body.thirst, which is {int(p['body']['thirst'])}"
        )
    grass = terrain == GRASS
    cows = (grass.any() and creatures["cow_spawn"] > 0) or bool((states["beings"] == COW).any())
    plants = grass.any() and farming["sapling_chance"] > 0 and farming["plant_food"] > 0
    hungry = int(p["body"]["hunger"]) * int(p["start"][FOOD]) < HORIZON
    if hungry and not (cows and farming["cow_food"] > 0) and not plants:
        raise ValueError(
            f"config makes worlds without food ({SAMPLED} of {SAMPLED} drawn): raise creatures.cow_share or "
            f"cow_spawn, which are {float(creatures['cow_share']):g} and {float(creatures['cow_spawn']):g}, or "
            f"farming.sapling_chance, which is {float(farming['sapling_chance']):g}"
        )
    place = (states["players"]["x"], states["players"]["y"])
    first = terrain[np.arange(SAMPLED)[:, np.newaxis], place[0], place[1]]
    if not np.isin(first, (GRASS, PATH, SAND)).all():
        raise ValueError(
            f"config lets players begin where nobody can stand: raise terrain.meadow, which is "
            f"{float(p['terrain']['meadow']):g}, to 4 or more"
        )
    if not (terrain == TREE).any() and not p["start"][4:].any() and not (plants or cows):
        raise ValueError("config makes worlds in which nothing can be collected: raise terrain.tree_share")
