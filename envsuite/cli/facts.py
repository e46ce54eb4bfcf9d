"""What is known of an environment once its world is built, as plain data: for `envsuite info` and the documentation."""

import inspect
from typing import Any, get_type_hints

import numpy as np

from envsuite.cards import EnvCard
from envsuite.core.companions import Pictures, Referee, companion
from envsuite.core.declare import Record, allowed, declarations
from envsuite.core.layout import Choice, Layout, Vector
from envsuite.core.world import make_world


def facts(card: EnvCard) -> dict[str, Any]:
    """Layouts, info fields and options of an environment's world.

    Args:
        card: the environment.

    Returns:
        ``observation`` and ``action`` (space and blocks), ``info`` (field names), ``joint_reward`` (what
        `gymnasium.make` gives of several agents' rewards: their ``"sum"``, or that of the ``"first"``),
        ``options_known`` (defaults by name), ``options_allowed`` (what an option may be, by name), and ``declared``:
        the tables of constants, state and metrics, by name.
    """
    world = make_world(card.world, **card.options)
    parameters = inspect.signature(type(world)).parameters.values()
    hints = get_type_hints(type(world).__init__, include_extras=True)
    return {
        "observation": _layout(world.observation),
        "action": _layout(world.action),
        "info": list(world.info_dtype.names or ()),
        "joint_reward": ("first" if companion(world, Referee).zero_sum else "sum") if world.agents else "",
        "options_known": {one.name: repr(card.options.get(one.name, one.default)) for one in parameters},
        "options_allowed": {one.name: allowed(hints[one.name]) for one in parameters if one.name in hints},
        "declared": {name: _record(one) for name, one in declarations(type(world)).items()},
        "render_fps": companion(world, Pictures).fps,
    }


def _record(record: type[Record]) -> list[dict[str, str]]:
    """A row a field; nested records are named by their type."""
    rows = []
    for one in record.fields.values():
        value = "" if one.default is None else f"{np.asarray(one.default).tolist()}"
        bounds = "" if one.low is None and one.high is None else f"{_side(one.low)} to {_side(one.high)}"
        rows.append(
            {
                "name": one.name,
                "type": one.kind(),
                "default": value,
                "bounds": bounds,
                "unit": one.unit,
                "meaning": one.meaning,
                "source": one.source,
            }
        )
    return rows


def _side(bound: float | None) -> str:
    return "any" if bound is None else f"{bound:g}"


def _layout(layout: Layout) -> dict[str, Any]:
    if isinstance(layout, Vector):
        blocks, start = [], 0
        for block in layout.blocks:
            end = start + block.size - 1
            blocks.append(
                {
                    "elements": str(start) if end == start else f"{start}..{end}",
                    "name": block.name,
                    "low": _bound(block.low),
                    "high": _bound(block.high),
                    "unit": block.unit,
                    "meaning": block.meaning,
                }
            )
            start = end + 1
    else:
        heads = [("choice", layout.names)] if isinstance(layout, Choice) else layout.heads
        cells = ("elements", "name", "low", "high", "unit", "meaning")
        blocks = [
            dict(zip(cells, (str(k), name, "0", str(len(names) - 1), "", _listed(names)), strict=True))
            for k, (name, names) in enumerate(heads)
        ]
    space = layout.space()
    return {"space": f"{type(space).__name__}, shape {space.shape}, {space.dtype}", "blocks": blocks}


def _listed(names: tuple[str, ...]) -> str:
    """Names of alternatives; of hundreds the first ones and the last."""
    return ", ".join(names if len(names) <= 200 else (*names[:20], "...", names[-1]))


def _bound(bound: Any) -> str:
    values = np.unique(np.asarray(bound, np.float64))
    return ", ".join(f"{value:g}" for value in values)
