"""Instruments in pictures: dials and recorded curves."""

from collections.abc import Sequence

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.drawing import Color

PAPER, INK, FAINT = (248, 248, 245), (48, 54, 60), (196, 200, 202)
BLUE, ORANGE, GREEN, RED = (0, 114, 178), (213, 120, 20), (0, 140, 100), (190, 40, 40)
_SWEEP = np.deg2rad(240.0)  # of a dial, from its least to its greatest value
_TICKS = 7


def dial(
    canvas: Canvas,
    center: tuple[float, float],
    radius: float,
    value: float,
    bounds: tuple[float, float],
    label: str,
    mark: float | None = None,
) -> None:
    """Draw a round instrument with a needle, its value below, and a mark for where it should be.

    Args:
        canvas: to draw on.
        center: pixels.
        radius: pixels.
        value: that the needle shows, kept within the bounds.
        bounds: least and greatest value.
        label: what it shows.
        mark: a value that is marked on the rim.
    """
    low, high = bounds

    def at(number: float, far: float) -> tuple[float, float]:
        share = min(max((number - low) / (high - low), 0.0), 1.0)
        angle = np.pi / 2 + _SWEEP / 2 - share * _SWEEP
        return center[0] + far * radius * np.cos(angle), center[1] - far * radius * np.sin(angle)

    canvas.circle(center, radius, (255, 255, 255), INK, max(1.0, radius / 20))
    for number in np.linspace(low, high, _TICKS):
        canvas.line([at(number, 0.82), at(number, 0.95)], INK, max(1.0, radius / 30))
    if mark is not None:
        canvas.line([at(mark, 0.7), at(mark, 1.05)], ORANGE, max(2.0, radius / 9))
    canvas.line([center, at(value, 0.78)], RED, max(1.0, radius / 14))
    canvas.circle(center, radius / 12, INK)
    size = max(8.0, radius / 3.2)
    canvas.text((center[0], center[1] + 0.55 * radius), f"{value:.0f}", INK, size, "mm")
    canvas.text((center[0], center[1] + radius + size), label, INK, size, "mm")


def curves(
    canvas: Canvas,
    box: tuple[float, float, float, float],
    lines: Sequence[tuple[str, Color, Sequence[float] | np.ndarray]],
    bounds: tuple[float, float],
    length: int,
) -> None:
    """Draw recorded curves, the newest value at the right edge.

    Args:
        canvas: to draw on.
        box: left, top, right, bottom, pixels.
        lines: name, colour, and values from the oldest to the newest.
        bounds: least and greatest value of the axis.
        length: values that the width holds.
    """
    left, top, right, bottom = box
    low, high = bounds
    canvas.rectangle(box, (255, 255, 255))
    canvas.polygon([(left, top), (right, top), (right, bottom), (left, bottom)], None, FAINT)
    size = max(8.0, (bottom - top) / 12)
    for number in (low, (low + high) / 2, high):
        y = bottom - (number - low) / (high - low) * (bottom - top)
        canvas.line([(left, y), (right, y)], FAINT)
        canvas.text((left - 4, y), f"{number:g}", INK, size, "rm")
    for k, (name, color, values) in enumerate(lines):
        kept = np.clip(np.asarray(values, np.float64)[-length:], low, high)
        across = right - (right - left) * np.arange(len(kept) - 1, -1, -1) / max(1, length - 1)
        down = bottom - (kept - low) / (high - low) * (bottom - top)
        if len(kept) > 1:
            canvas.line(np.column_stack([across, down]), color, 2.0)
        canvas.text((left + 6 + k * (right - left) / max(1, len(lines)), top + 4), name, color, size)
