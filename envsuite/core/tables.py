"""A picture and a description that any world can have: its fields with their values."""

from typing import TYPE_CHECKING

import numpy as np

from envsuite.core.canvas import Canvas

if TYPE_CHECKING:
    from envsuite.core.world import World

_HIDDEN = ("rng",)
_SHOWN = 4  # elements of an array that fit a line


def fields_of(record: np.void, prefix: str = "") -> list[tuple[str, np.ndarray]]:
    """The plain fields of a record by their dotted names, nested records opened, random streams left out.

    Args:
        record: of any structured type.
        prefix: put before the names.
    """
    found: list[tuple[str, np.ndarray]] = []
    for name in record.dtype.names or ():
        value = record[name]
        if name in _HIDDEN:
            continue
        if isinstance(value, np.void | np.record) and value.dtype.names:
            found += fields_of(value, f"{prefix}{name}.")
        elif np.asarray(value).dtype.names is None:
            found.append((prefix + name, np.asarray(value)))
        else:
            for k, one in enumerate(np.asarray(value).reshape(-1)):
                found += fields_of(one, f"{prefix}{name}[{k}].")
    return found


def value_text(value: np.ndarray) -> str:
    """A number, or the first elements of an array."""
    flat = np.asarray(value).reshape(-1)
    shown = ", ".join(f"{one:.4g}" if flat.dtype.kind == "f" else str(one) for one in flat[:_SHOWN])
    more = f", ... ({len(flat)})" if len(flat) > _SHOWN else ""
    return shown if value.ndim == 0 else f"[{shown}{more}]"


def draw_record(record: np.void, size: tuple[int, int]) -> np.ndarray:
    """A table of a record's fields.

    Args:
        record: of any structured type.
        size: (width, height) in pixels.

    Returns:
        uint8 array (height, width, 3).
    """
    width, height = size
    canvas = Canvas(width, height, (250, 250, 247))
    rows = fields_of(record)
    pitch = min(height / max(1, len(rows) + 1), height / 12)
    letters = max(1.0, min(0.7 * pitch, width / 40))
    for k, (name, value) in enumerate(rows):
        y = (k + 0.5) * pitch
        canvas.text((0.04 * width, y), name, (90, 90, 90), letters)
        canvas.text((0.42 * width, y), value_text(value), (20, 40, 90), letters)
    return canvas.to_array()


def describe_observation(world: "World", state: np.void, agent: int) -> str:
    """What an agent sees, block by block, with units.

    Args:
        world: the simulator.
        state: one record of its ``state_dtype``.
        agent: index of the agent.
    """
    from envsuite.core.layout import Vector
    from envsuite.core.world import observe

    seen = observe(world, state)
    row = (seen[agent] if world.agents else seen).reshape(-1)
    if not isinstance(world.observation, Vector):
        return f"You see {value_text(row)}."
    parts, at = [], 0
    for block in world.observation.blocks:
        text = value_text(row[at : at + block.size] if block.size > 1 else np.asarray(row[at]))
        parts.append(f"{block.name} {text}{' ' + block.unit if block.unit else ''}")
        at += block.size
    return f"Step {int(state['clock']['step'])}. You see: {'; '.join(parts)}."
