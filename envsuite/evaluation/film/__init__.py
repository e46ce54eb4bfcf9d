"""What worlds draw as lists of shapes, for ``draw.js`` to draw again in a browser."""

import base64
import io
from importlib.resources import files
from typing import Any

import numpy as np

from envsuite.core.companions import Pictures, companion
from envsuite.core.drawing import Color, Drawing, recorded
from envsuite.core.world import World

DRAW = files("envsuite.evaluation.film") / "draw.js"
"""The script: ``window.drawing`` with `backgrounds`, `fit` and `frame`."""


class Film:
    """Frames of one size, with colours and backgrounds listed once.

    Args:
        size: (width, height), pixels.

    Attributes:
        size: the same.
        colors: CSS colours, with their places in the list that shapes refer to.
        backgrounds: CSS colours or data URIs of pictures, likewise.
        frames: each the place of its background, and its shapes: the name of a canvas method and what it takes.
    """

    def __init__(self, size: tuple[int, int]):
        self.size = size
        self.colors: dict[str, int] = {}
        self.backgrounds: dict[str, int] = {}
        self.frames: list[dict[str, Any]] = []
        self._pictures: dict[int, tuple[np.ndarray, int]] = {}

    def add(self, world: World, state: np.void) -> None:
        """Draw a record.

        Args:
            world: the simulator.
            state: one record of its ``state_dtype``.
        """
        with recorded() as drawings:
            picture = companion(world, Pictures).draw(state, self.size)
        # a world that draws without canvases, or on several, gives a picture
        drawing = drawings[0] if len(drawings) == 1 else Drawing(self.size, picture)
        self.frames.append(
            {
                "background": self._background(drawing.background),
                "shapes": [self._shape(*one) for one in drawing.shapes],
            }
        )

    def _background(self, background: Color | np.ndarray) -> int:
        if not isinstance(background, np.ndarray):
            return self.backgrounds.setdefault(_css(background), len(self.backgrounds))
        if found := self._pictures.get(id(background)):
            return found[1]
        place = self.backgrounds.setdefault(_data_uri(background), len(self.backgrounds))
        if not background.flags.writeable:  # of many frames; kept alive here, so that its id stays its own
            self._pictures[id(background)] = background, place
        return place

    def _shape(self, method: str, arguments: dict[str, Any]) -> list[Any]:
        found: list[Any] = [method]
        for name, value in arguments.items():
            if name in ("fill", "outline", "color"):
                css = None if value is None else _css(value)
                found.append(None if css is None else self.colors.setdefault(css, len(self.colors)))
            elif name in ("text", "anchor"):
                found.append(value)
            else:
                found.append(np.round(np.asarray(value, np.float64).reshape(-1), 1).tolist())
        return found


def _css(color: Color) -> str:
    red, green, blue, *alpha = (int(k) for k in color)
    return f"rgb({red} {green} {blue} / {round((alpha or [255])[0] / 255, 3)})"


def _data_uri(picture: np.ndarray) -> str:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(picture).convert("P", palette=Image.Palette.ADAPTIVE).save(file, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
