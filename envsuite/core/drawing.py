"""Pictures as lists of shapes, taken from what worlds draw on a `envsuite.core.canvas.Canvas`."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Color = tuple[int, ...]


@dataclass
class Drawing:
    """What was drawn on one canvas, to be drawn again elsewhere: in a browser, as vectors, at any size.

    Attributes:
        size: (width, height), pixels.
        background: a colour, or an array (height, width, 3) uint8.
        shapes: in order; each the name of the canvas method and its arguments by name, all of them.
    """

    size: tuple[int, int]
    background: Color | np.ndarray
    shapes: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


_recording: ContextVar[list[Drawing] | None] = ContextVar("recording", default=None)


@contextmanager
def recorded() -> Generator[list[Drawing]]:
    """Record what canvases are made to draw, instead of drawing it.

    Yields:
        The drawings, one for each canvas made inside, in order; their pictures stay empty.
    """
    drawings: list[Drawing] = []
    token = _recording.set(drawings)
    try:
        yield drawings
    finally:
        _recording.reset(token)


def current() -> list[Drawing] | None:
    """The drawings being recorded in this context, if any."""
    return _recording.get()
