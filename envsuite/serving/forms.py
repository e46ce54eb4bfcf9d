"""Arrays as JSON and back, bit for bit, and what a world's declaration says of them."""

import math
from typing import Any

import numpy as np

from envsuite.cards import EnvCard
from envsuite.core.companions import Referee, companion
from envsuite.core.layout import Choice, Choices, Layout
from envsuite.core.world import World

_NAMES = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
"""Numbers that JSON has not, by the texts that stand for them (as in Pydantic)."""


def plain(array: np.ndarray) -> Any:
    """An array as nested lists; a float32 becomes the double of the same value, so nothing is lost.

    Args:
        array: of numbers or truth values.
    """
    values = array.tolist()
    return _named(values) if array.dtype.kind == "f" and not np.isfinite(array).all() else values


def _named(value: Any) -> Any:
    if isinstance(value, list):
        return [_named(one) for one in value]
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def array(values: Any, dtype: Any) -> np.ndarray:
    """The array that `plain` was given.

    Args:
        values: nested lists, or one number.
        dtype: of the array.
    """
    try:
        return np.array(values, dtype)
    except ValueError:
        return np.array(_numbers(values), dtype)


def _numbers(value: Any) -> Any:
    return [_numbers(one) for one in value] if isinstance(value, list) else _NAMES.get(value, value)


def space_form(space: Any) -> dict[str, Any]:
    """A Gymnasium space as JSON.

    Args:
        space: a ``Box``, ``Discrete`` or ``MultiDiscrete``.
    """
    form = {"space": type(space).__name__, "shape": list(space.shape), "dtype": str(space.dtype)}
    if form["space"] == "Box":
        return {**form, "low": plain(space.low), "high": plain(space.high)}
    return {**form, "n": plain(space.nvec) if form["space"] == "MultiDiscrete" else int(space.n)}


def space_of(form: dict[str, Any]) -> Any:
    """The space that `space_form` was given.

    Raises:
        ValueError: another kind of space.
    """
    from gymnasium import spaces

    dtype: Any = np.dtype(form["dtype"])
    if form["space"] == "Box":
        return spaces.Box(array(form["low"], dtype), array(form["high"], dtype), dtype=dtype.type)
    if form["space"] == "Discrete":
        return spaces.Discrete(form["n"])
    if form["space"] == "MultiDiscrete":
        return spaces.MultiDiscrete(np.array(form["n"]))
    raise ValueError(f"a space of kind {form['space']!r}, expected Box, Discrete or MultiDiscrete")


def declaration(card: EnvCard, world: World) -> dict[str, Any]:
    """All that a client needs to be the environment again.

    Args:
        card: of the environment.
        world: made from it.
    """
    fields = {name: world.info_dtype[name] for name in world.info_dtype.names or ()}
    return {
        "env_id": card.id,
        "options": {name: one for name, one in card.options.items() if isinstance(one, str | int | float | bool)},
        "behaviour": card.behaviour,
        "max_episode_steps": card.horizon,
        "agents": list(world.agents),
        "objectives": list(world.reward.objectives),
        "rivals": bool(companion(world, Referee).zero_sum),
        "reward_dtype": str(np.dtype(world.reward.dtype)),
        "observation_space": space_form(world.observation.space()),
        "action_space": space_form(world.action.space()),
        "info": {name: {"dtype": str(one.base), "shape": list(one.shape)} for name, one in fields.items()},
    }


def schemas(card: EnvCard, world: World) -> dict[str, dict[str, Any]]:
    """JSON schemas (draft 2020-12) of actions, observations and states, by these names.

    Args:
        card: of the environment.
        world: made from it.
    """
    name = card.id.split("/")[-1].rsplit("-v", 1)[0]
    one, seen, words = _of_layout(world.action), _of_layout(world.observation, bounds=False), {"type": "string"}
    number, flag, table = {"type": "number"}, {"type": "boolean"}, {"type": "object"}
    optional = {"metadata": table}
    action = {
        "title": f"{name}Action",
        "type": "object",
        "properties": {
            "action": _for_agents(world, one),
            "text": {**_for_agents(world, words), "description": "The action in words, instead of `action`."},
            **optional,
        },
        "oneOf": [{"required": ["action"]}, {"required": ["text"]}],
        "additionalProperties": False,
    }
    observation = {
        "title": f"{name}Observation",
        "type": "object",
        "properties": {
            "observation": _for_agents(world, seen),
            "text": {**_for_agents(world, words), "description": "The situation in words, where a reset asked for it."},
            "agents": {"type": "array", "items": words, "description": "Agents whose episode goes on."},
            "turn": {**words, "description": "The agent whose turn it is, in games of turns."},
            "done": flag,
            "reward": {"anyOf": [number, {"type": "null"}]},
            **optional,
        },
        "required": ["observation", "done", "reward"],
        "additionalProperties": False,
    }
    state = {
        "title": f"{name}State",
        "type": "object",
        "properties": {
            "episode_id": {"anyOf": [words, {"type": "null"}]},
            "step_count": {"type": "integer", "minimum": 0},
            "env_id": words,
            "seed": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]},
            "done": flag,
            "last": {"anyOf": [table, {"type": "null"}]},
        },
        "required": ["episode_id", "step_count"],
    }
    return {"action": action, "observation": observation, "state": state}


def _for_agents(world: World, schema: dict[str, Any]) -> dict[str, Any]:
    """Of one agent, or an object with an entry an agent."""
    if not world.agents:
        return schema
    names = {"enum": list(world.agents)} if len(world.agents) <= 64 else {"type": "string"}
    return {"type": "object", "additionalProperties": schema, "propertyNames": names}


def _of_layout(layout: Layout, bounds: bool = True) -> dict[str, Any]:
    if isinstance(layout, Choice):
        said = "; ".join(f"{k}: {name}" for k, name in enumerate(layout.names[:64]))
        return {"type": "integer", "minimum": 0, "maximum": len(layout.names) - 1, "description": said}
    if isinstance(layout, Choices):
        heads: list[dict[str, Any]] = [
            {"type": "integer", "minimum": 0, "maximum": len(names) - 1, "description": f"{name}: {', '.join(names)}"}
            for name, names in layout.heads
        ]
        return {"type": "array", "prefixItems": heads, "minItems": len(heads), "maxItems": len(heads)}
    low, high = layout.low, layout.high
    item: dict[str, Any] = {"type": "integer" if low.dtype.kind in "iu" else "number"}
    if bounds and layout.out_of_range == "refuse" and np.isfinite([low.min(), high.max()]).all():
        item |= {"minimum": low.min().item(), "maximum": high.max().item()}
    if not bounds and low.dtype.kind == "f":
        item = {"anyOf": [item, {"enum": list(_NAMES)}]}
    for size in reversed(layout.shape):
        item = {"type": "array", "items": item, "minItems": size, "maxItems": size}
    told = [f"{one.size} x {one.name}{f' ({one.unit})' if one.unit else ''}" for one in layout.blocks[:64]]
    return {**item, "description": ", ".join(told)}
