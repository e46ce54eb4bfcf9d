"""Configurations of worlds as JSON: their schema, their checks, and the records made of them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from envsuite.crafting.crafter.params import BUILT, COSTS, GROUPS, START, Params
from envsuite.crafting.crafter.things import ITEMS, MOST

SIZES = (24, 128)
"""Least and greatest width and height of a world, cells."""
SIZE = (64, 64)


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
        ValueError: not JSON, not an object, with a key twice, or with keys or values that the schema does not allow.
    """
    try:
        config = json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise ValueError(f"config is no JSON: {error}") from error
    except RecursionError as error:
        raise ValueError("config is no JSON that can be read: it is nested too deeply") from error
    make_params(config)
    return config


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"config has the key {next(name for name in names if names.count(name) > 1)!r} twice")
    return found


def size_of(config: Mapping[str, Any]) -> tuple[int, int]:
    """Width and height of a world, cells.

    Raises:
        ValueError: naming the key and the value.
    """
    group = _group(config, "world", ("width", "height"))
    width, height = (_number(f"world.{name}", group.get(name, SIZE[0]), *SIZES) for name in ("width", "height"))
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
            whole, value = one.type is np.int64, given.get(name, one.default)
            made[0][group][name] = _number(f"{group}.{name}", value, one.low or 0, one.high or 0, whole)
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
    return {item: _number(f"{path}{group}.{item}", amount, 0, MOST) for item, amount in given.items()}


def _number(name: str, value: Any, low: float, high: float, whole: bool = True) -> Any:
    """A number as given; a whole one also where it is written 2.0, as in JSON schemas."""
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not number or not low <= value <= high or (whole and value != int(value)):
        kind = "a whole number" if whole else "a number"
        raise ValueError(f"config {name} is {value!r}, expected {kind} from {low:g} to {high:g}")
    return int(value) if whole else value
