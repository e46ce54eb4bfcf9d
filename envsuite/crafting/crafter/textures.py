"""Textures, drawn in code at any size: materials that fill a cell, and figures and items with transparent ground."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.crafting.crafter.things import BEINGS, ITEMS, MATERIALS, SIDES, VIEW

INK = (38, 34, 44)
WOOD, DARK_WOOD, ROCK, METAL, GEM = (150, 104, 58), (104, 68, 36), (136, 136, 140), (214, 176, 140), (150, 236, 244)
LEAF, BRIGHT = (46, 122, 52), (86, 176, 72)
SHIRTS = ((38, 118, 214), (226, 112, 30))
"""Of oneself, and of other players."""

Paint = Callable[["Pen"], Any]


class Pen:
    """Draws on a canvas whose sides are 1 long.

    Args:
        canvas: square.
        unit: its side, pixels.
    """

    def __init__(self, canvas: Canvas, unit: int):
        self._canvas, self._unit = canvas, unit

    def box(self, left: float, top: float, right: float, bottom: float, color, radius: float = 0.0) -> None:
        """Fill a rectangle."""
        u = self._unit
        self._canvas.rectangle((left * u, top * u, right * u, bottom * u), color, radius * u)

    def disc(self, x: float, y: float, radius: float, color) -> None:
        """Fill a circle."""
        u = self._unit
        self._canvas.circle((x * u, y * u), radius * u, color)

    def shape(self, points, color) -> None:
        """Fill a polygon."""
        self._canvas.polygon(np.asarray(points, np.float64) * self._unit, color)

    def line(self, points, color, width: float) -> None:
        """Draw a line."""
        self._canvas.line(np.asarray(points, np.float64) * self._unit, color, width * self._unit)


def _water(pen: Pen) -> None:
    pen.box(0, 0, 1, 1, (44, 108, 206))
    for x, y in ((0.08, 0.22), (0.5, 0.45), (0.15, 0.7), (0.6, 0.88)):
        pen.line([(x, y), (x + 0.1, y - 0.06), (x + 0.2, y), (x + 0.3, y - 0.06)], (124, 176, 240), 0.05)


def _grass(pen: Pen) -> None:
    pen.box(0, 0, 1, 1, (104, 170, 72))
    for x, y in ((0.2, 0.3), (0.7, 0.2), (0.45, 0.6), (0.82, 0.75), (0.15, 0.85)):
        pen.line([(x - 0.05, y - 0.1), (x, y), (x + 0.05, y - 0.1)], (78, 142, 54), 0.05)


def _stone(pen: Pen) -> None:
    pen.box(0, 0, 1, 1, (122, 122, 128))
    pen.box(0.06, 0.08, 0.5, 0.42, (146, 146, 152), 0.08)
    pen.box(0.58, 0.06, 0.94, 0.42, (138, 138, 144), 0.08)
    pen.box(0.06, 0.54, 0.36, 0.94, (138, 138, 144), 0.08)
    pen.box(0.44, 0.54, 0.94, 0.92, (146, 146, 152), 0.08)


def _path(pen: Pen) -> None:
    pen.box(0, 0, 1, 1, (182, 162, 138))
    for x, y in ((0.2, 0.25), (0.65, 0.15), (0.4, 0.55), (0.8, 0.6), (0.2, 0.85), (0.62, 0.88)):
        pen.disc(x, y, 0.06, (156, 136, 114))


def _sand(pen: Pen) -> None:
    pen.box(0, 0, 1, 1, (236, 218, 158))
    for x, y in ((0.2, 0.2), (0.7, 0.3), (0.4, 0.6), (0.85, 0.8), (0.15, 0.85)):
        pen.disc(x, y, 0.045, (212, 190, 126))


def _tree(pen: Pen) -> None:
    _grass(pen)
    pen.box(0.42, 0.6, 0.58, 0.98, DARK_WOOD)
    pen.disc(0.5, 0.4, 0.38, (30, 92, 42))
    pen.disc(0.42, 0.32, 0.24, LEAF)
    pen.disc(0.62, 0.46, 0.14, LEAF)


def _lava(pen: Pen) -> None:
    pen.box(0, 0, 1, 1, (226, 84, 22))
    for x, y, r in ((0.28, 0.3, 0.18), (0.72, 0.62, 0.2), (0.24, 0.82, 0.1), (0.78, 0.16, 0.1)):
        pen.disc(x, y, r, (252, 192, 48))


def _ore(color, shine) -> Paint:
    def paint(pen: Pen) -> None:
        _stone(pen)
        for x, y, r in ((0.3, 0.3, 0.17), (0.68, 0.45, 0.15), (0.38, 0.74, 0.16)):
            pen.disc(x, y, r, color)
            pen.disc(x - 0.04, y - 0.05, 0.4 * r, shine)

    return paint


def _diamond_ore(pen: Pen) -> None:
    _stone(pen)
    for x, y, r in ((0.32, 0.34, 0.22), (0.66, 0.64, 0.26)):
        pen.shape([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], (255, 255, 255))
        pen.shape([(x, y - 0.7 * r), (x + 0.7 * r, y), (x, y + 0.7 * r), (x - 0.7 * r, y)], GEM)


def _table(pen: Pen) -> None:
    pen.box(0, 0, 1, 1, DARK_WOOD)
    pen.box(0.06, 0.06, 0.94, 0.6, (196, 144, 84))
    pen.line([(0.06, 0.33), (0.94, 0.33)], WOOD, 0.05)
    pen.line([(0.25, 0.5), (0.6, 0.16)], INK, 0.08)  # a hammer
    pen.box(0.5, 0.08, 0.78, 0.24, (190, 190, 196))
    pen.box(0.1, 0.66, 0.24, 0.96, WOOD)
    pen.box(0.76, 0.66, 0.9, 0.96, WOOD)


def _furnace(pen: Pen) -> None:
    pen.box(0, 0, 1, 1, (92, 92, 98))
    pen.box(0.08, 0.08, 0.92, 0.3, (122, 122, 128))
    pen.box(0.2, 0.42, 0.8, 0.94, (40, 36, 40), 0.12)
    pen.shape([(0.3, 0.92), (0.38, 0.62), (0.48, 0.76), (0.58, 0.52), (0.7, 0.92)], (250, 130, 30))
    pen.shape([(0.4, 0.92), (0.5, 0.74), (0.6, 0.92)], (255, 220, 90))


def _player(side: int, shirt) -> Paint:
    def paint(pen: Pen) -> None:
        pen.box(0.3, 0.72, 0.46, 0.96, (62, 62, 84))
        pen.box(0.54, 0.72, 0.7, 0.96, (62, 62, 84))
        pen.box(0.22, 0.42, 0.78, 0.78, shirt, 0.08)
        pen.disc(0.5, 0.26, 0.22, (244, 204, 164))
        hair = (88, 54, 32)
        pen.shape([(0.28, 0.24), (0.3, 0.08), (0.5, 0.02), (0.7, 0.08), (0.72, 0.24), (0.5, 0.14)], hair)
        if side == 2:
            pen.disc(0.5, 0.23, 0.21, hair)
        else:
            shift = (-0.1, 0.1, 0.0, 0.0)[side]
            for eye in (-0.09, 0.09):
                pen.disc(0.5 + eye + shift, 0.28, 0.045, INK)
        start = ((0.3, 0.52), (0.7, 0.52), (0.78, 0.56), (0.5, 0.56))[side]
        tip = ((0.04, 0.6), (0.96, 0.6), (0.86, 0.1), (0.5, 0.92))[side]  # the hand that points the way
        pen.line([start, tip], (244, 204, 164), 0.12)

    return paint


def _asleep(shirt) -> Paint:
    def paint(pen: Pen) -> None:
        pen.box(0.04, 0.34, 0.96, 0.86, (240, 240, 244), 0.08)
        pen.box(0.36, 0.34, 0.96, 0.86, shirt, 0.08)
        pen.disc(0.24, 0.58, 0.17, (244, 204, 164))
        pen.line([(0.15, 0.58), (0.21, 0.6)], INK, 0.05)
        pen.line([(0.26, 0.6), (0.32, 0.58)], INK, 0.05)
        pen.line([(0.6, 0.06), (0.8, 0.06), (0.6, 0.26), (0.8, 0.26)], (250, 250, 255), 0.07)

    return paint


def _cow(pen: Pen) -> None:
    pen.box(0.14, 0.66, 0.26, 0.94, (70, 50, 40))
    pen.box(0.66, 0.66, 0.78, 0.94, (70, 50, 40))
    pen.box(0.08, 0.32, 0.84, 0.76, (248, 244, 238), 0.12)
    pen.disc(0.3, 0.48, 0.13, (96, 60, 44))
    pen.disc(0.56, 0.62, 0.11, (96, 60, 44))
    pen.box(0.66, 0.16, 0.98, 0.52, (96, 60, 44), 0.08)
    pen.box(0.7, 0.38, 0.98, 0.54, (240, 176, 170), 0.05)
    pen.disc(0.76, 0.28, 0.04, (255, 255, 255))
    pen.disc(0.9, 0.28, 0.04, (255, 255, 255))


def _zombie(pen: Pen) -> None:
    pen.box(0.3, 0.72, 0.46, 0.98, (44, 50, 96))
    pen.box(0.54, 0.72, 0.7, 0.98, (44, 50, 96))
    pen.box(0.24, 0.42, 0.76, 0.78, (28, 96, 100))
    pen.box(0.26, 0.04, 0.74, 0.44, (70, 146, 66))
    pen.box(0.34, 0.16, 0.45, 0.26, (200, 24, 24))
    pen.box(0.55, 0.16, 0.66, 0.26, (200, 24, 24))
    pen.box(0.38, 0.34, 0.62, 0.39, INK)
    pen.box(0.02, 0.44, 0.24, 0.56, (70, 146, 66))
    pen.box(0.76, 0.44, 0.98, 0.56, (70, 146, 66))


def _skeleton(pen: Pen) -> None:
    bone = (238, 238, 230)
    pen.box(0.3, 0.04, 0.7, 0.38, bone, 0.1)
    pen.disc(0.4, 0.2, 0.07, INK)
    pen.disc(0.6, 0.2, 0.07, INK)
    pen.line([(0.5, 0.36), (0.5, 0.72)], bone, 0.1)
    for y in (0.46, 0.58):
        pen.line([(0.3, y), (0.7, y)], bone, 0.08)
    pen.line([(0.5, 0.7), (0.34, 0.97)], bone, 0.1)
    pen.line([(0.5, 0.7), (0.66, 0.97)], bone, 0.1)
    pen.line([(0.84, 0.28), (0.94, 0.54), (0.84, 0.8)], WOOD, 0.07)  # a bow
    pen.line([(0.84, 0.28), (0.84, 0.8)], bone, 0.03)


def _arrow(side: int) -> Paint:
    dx, dy = ((-1, 0), (1, 0), (0, -1), (0, 1))[side]

    def at(along: float, across: float) -> tuple[float, float]:
        return 0.5 + along * dx - across * dy, 0.5 + along * dy + across * dx

    def paint(pen: Pen) -> None:
        pen.line([at(-0.4, 0), at(0.25, 0)], WOOD, 0.1)
        pen.shape([at(0.46, 0), at(0.16, 0.17), at(0.16, -0.17)], (226, 226, 232))
        pen.line([at(-0.44, 0.14), at(-0.3, 0)], (206, 60, 50), 0.08)
        pen.line([at(-0.44, -0.14), at(-0.3, 0)], (206, 60, 50), 0.08)

    return paint


def _plant(ripe: bool) -> Paint:
    def paint(pen: Pen) -> None:
        pen.line([(0.5, 0.94), (0.5, 0.4)], LEAF, 0.1)
        pen.shape([(0.5, 0.74), (0.16, 0.5), (0.36, 0.82)], LEAF)
        pen.shape([(0.5, 0.74), (0.84, 0.5), (0.64, 0.82)], LEAF)
        pen.disc(0.5, 0.36, 0.14, (190, 232, 140))
        if ripe:
            for x, y in ((0.5, 0.28), (0.26, 0.5), (0.74, 0.5)):
                pen.disc(x, y, 0.17, (222, 44, 66))
                pen.disc(x - 0.05, y - 0.06, 0.05, (255, 190, 196))

    return paint


def _heart(pen: Pen) -> None:
    red = (226, 50, 66)
    pen.disc(0.32, 0.36, 0.2, red)
    pen.disc(0.68, 0.36, 0.2, red)
    pen.shape([(0.14, 0.44), (0.86, 0.44), (0.5, 0.9)], red)


def _food(pen: Pen) -> None:
    pen.line([(0.6, 0.6), (0.86, 0.86)], (240, 236, 226), 0.14)
    pen.disc(0.42, 0.42, 0.3, (178, 96, 48))
    pen.disc(0.34, 0.34, 0.1, (214, 140, 84))


def _drop(pen: Pen) -> None:
    pen.shape([(0.5, 0.06), (0.76, 0.54), (0.24, 0.54)], (84, 160, 248))
    pen.disc(0.5, 0.62, 0.28, (84, 160, 248))


def _bolt(pen: Pen) -> None:
    pen.shape(
        [(0.58, 0.04), (0.2, 0.56), (0.46, 0.56), (0.36, 0.96), (0.8, 0.4), (0.54, 0.4)],
        (252, 214, 60),
    )


def _sapling(pen: Pen) -> None:
    pen.line([(0.5, 0.9), (0.5, 0.4)], WOOD, 0.1)
    pen.disc(0.34, 0.4, 0.18, BRIGHT)
    pen.disc(0.66, 0.3, 0.18, BRIGHT)


def _log(pen: Pen) -> None:
    pen.box(0.1, 0.3, 0.9, 0.72, WOOD, 0.1)
    pen.disc(0.8, 0.51, 0.21, (222, 178, 120))
    pen.disc(0.8, 0.51, 0.1, WOOD)


def _lump(color, shine) -> Paint:
    def paint(pen: Pen) -> None:
        pen.shape([(0.14, 0.64), (0.3, 0.24), (0.66, 0.16), (0.9, 0.52), (0.72, 0.86), (0.28, 0.86)], color)
        pen.shape([(0.34, 0.34), (0.6, 0.26), (0.46, 0.5)], shine)

    return paint


def _jewel(pen: Pen) -> None:
    pen.shape([(0.5, 0.94), (0.06, 0.4), (0.26, 0.14), (0.74, 0.14), (0.94, 0.4)], GEM)
    pen.shape([(0.5, 0.94), (0.34, 0.4), (0.66, 0.4)], (236, 255, 255))


def _pickaxe(color) -> Paint:
    def paint(pen: Pen) -> None:
        pen.line([(0.24, 0.9), (0.62, 0.34)], DARK_WOOD if color != WOOD else (204, 160, 108), 0.13)
        pen.line([(0.22, 0.3), (0.5, 0.14), (0.76, 0.26), (0.9, 0.6)], color, 0.18)

    return paint


def _sword(color) -> Paint:
    def paint(pen: Pen) -> None:
        pen.shape([(0.9, 0.08), (0.9, 0.26), (0.46, 0.7), (0.3, 0.54), (0.74, 0.08)], color)
        pen.line([(0.22, 0.5), (0.5, 0.78)], DARK_WOOD, 0.12)
        pen.line([(0.14, 0.88), (0.36, 0.66)], DARK_WOOD, 0.12)

    return paint


_ROCKY = (176, 176, 182)
_PAINTS: dict[str, Paint] = {
    "outside": lambda pen: pen.box(0, 0, 1, 1, (24, 24, 30)),
    "water": _water,
    "grass": _grass,
    "stone": _stone,
    "path": _path,
    "sand": _sand,
    "tree": _tree,
    "lava": _lava,
    "coal": _ore((36, 34, 40), (96, 94, 100)),
    "iron": _ore(METAL, (252, 232, 212)),
    "diamond": _diamond_ore,
    "table": _table,
    "furnace": _furnace,
    **{f"self {SIDES[k]}": _player(k, SHIRTS[0]) for k in range(4)},
    "self asleep": _asleep(SHIRTS[0]),
    **{f"other {SIDES[k]}": _player(k, SHIRTS[1]) for k in range(4)},
    "other asleep": _asleep(SHIRTS[1]),
    "cow": _cow,
    "zombie": _zombie,
    "skeleton": _skeleton,
    **{f"arrow {SIDES[k]}": _arrow(k) for k in range(4)},
    "plant": _plant(False),
    "ripe plant": _plant(True),
    "item health": _heart,
    "item food": _food,
    "item drink": _drop,
    "item energy": _bolt,
    "item sapling": _sapling,
    "item wood": _log,
    "item stone": _lump(ROCK, (176, 176, 180)),
    "item coal": _lump((62, 60, 68), (120, 118, 126)),
    "item iron": _lump(METAL, (250, 226, 200)),
    "item diamond": _jewel,
    "item wood_pickaxe": _pickaxe(WOOD),
    "item stone_pickaxe": _pickaxe(_ROCKY),
    "item iron_pickaxe": _pickaxe(METAL),
    "item wood_sword": _sword(WOOD),
    "item stone_sword": _sword(_ROCKY),
    "item iron_sword": _sword(METAL),
}
NAMES = (*_PAINTS,)
"""Names of the textures, in the order of `atlas`; materials stand at their numbers."""
assert NAMES[1 : 1 + len(MATERIALS)] == MATERIALS
SELF, OTHER, CREATURES = (NAMES.index(name) for name in ("self left", "other left", "cow"))
ARROWS, PLANTS, FIRST_ITEM = (NAMES.index(name) for name in ("arrow left", "plant", "item health"))
assert NAMES[CREATURES : CREATURES + 3] == BEINGS[1:4]
assert NAMES[FIRST_ITEM:] == tuple(f"item {name}" for name in ITEMS)

DIGITS = (
    "111101101101111",
    "010110010010111",
    "111001111100111",
    "111001111001111",
    "101101111001001",
    "111100111001111",
    "111100111101111",
    "111001010010010",
    "111101111101111",
    "111101111001111",
)
"""The digits 0 to 9, three wide and five high, row by row."""


@lru_cache(maxsize=8)
def atlas(unit: int) -> np.ndarray:
    """All textures at a size.

    Args:
        unit: side of a cell, pixels.

    Returns:
        uint8 (textures, unit, unit, 4): red, green, blue and how much they cover, 0 to 255.
    """
    made = np.zeros((len(NAMES), unit, unit, 4), np.uint8)
    for k, paint in enumerate(_PAINTS.values()):
        shades = []
        for ground in (0, 255):
            canvas = Canvas(unit, unit, (ground,) * 3, supersample=8 if unit < 20 else 3)
            paint(Pen(canvas, unit))
            shades.append(canvas.to_array().astype(np.float64))
        cover = 1.0 - (shades[1] - shades[0]).mean(axis=2) / 255.0  # what shows of the ground is not covered
        made[k, ..., 3] = np.round(255 * np.clip(cover, 0, 1))
        made[k, ..., :3] = np.round(np.clip(shades[0] / np.maximum(cover, 1e-6)[..., np.newaxis], 0, 255))
    return made


@lru_cache(maxsize=1)
def digits() -> np.ndarray:
    """The digits, uint8 (10, 5, 3), 1 where ink is."""
    return np.array([[int(mark) for mark in one] for one in DIGITS], np.uint8).reshape(10, 5, 3)


@lru_cache(maxsize=8)
def vignette(unit: int) -> np.ndarray:
    """How much of night's grain covers each pixel of a view of 9 x 7 cells: 1 - exp(-2 r^2), r from its middle.

    Args:
        unit: side of a cell, pixels.

    Returns:
        uint8 (7 unit, 9 unit), 255 for all.
    """
    v, u = (np.linspace(-1, 1, cells * unit) for cells in (VIEW[1], VIEW[0]))
    return np.round(255 * (1 - np.exp(-2 * (v[:, np.newaxis] ** 2 + u**2)))).astype(np.uint8)
