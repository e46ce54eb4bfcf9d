"""What the twelve characters look like: colours, build and headgear, as tables for the kernels that draw."""

from dataclasses import dataclass

import numpy as np

from envsuite.core.raster import CORNERS

Point = tuple[float, float]
Color = tuple[int, int, int]

SKY, HILLS, FLOOR, LINE = (190, 206, 224), (164, 182, 200), (148, 132, 112), (112, 98, 82)
INK, WHITE, GOLD, RED, GREEN, BLUE, SHADE = (
    (30, 32, 40),
    (248, 248, 244),
    (236, 186, 48),
    (208, 60, 56),
    (74, 168, 90),
    (64, 120, 210),
    (60, 62, 70),
)


@dataclass(frozen=True)
class Figure:
    """Colours and build of a character.

    Attributes:
        suit: colour of torso and legs.
        skin: of head and arms.
        trim: of belt, hands and headgear.
        gear: one or two polygons on the head, px forwards and upwards from its middle.
        bulk: thickness of the limbs, px.
    """

    suit: Color
    skin: Color
    trim: Color
    gear: tuple[tuple[Point, ...], ...]
    bulk: float


FIGURES = (
    Figure((232, 232, 226), (226, 180, 140), (200, 60, 50),
           (((-8, 3), (8, 3), (8, 6), (-8, 6)), ((-8, 5), (-17, 1), (-15, 6))), 8),
    Figure((120, 72, 48), (206, 150, 110), (60, 44, 36),
           (((2, 6), (8, 15), (7, 5)), ((-4, 6), (-9, 15), (-8, 4))), 12),
    Figure((222, 90, 40), (240, 196, 160), (250, 200, 60), (((-7, 4), (-4, 16), (0, 9), (4, 15), (7, 4)),), 7),
    Figure((70, 100, 170), (236, 200, 170), (220, 230, 250),
           (((-9, -6), (-8, 8), (0, 12), (6, 8), (1, 5), (-3, -7)),), 8),
    Figure((60, 120, 80), (180, 130, 96), (226, 210, 130), (((-9, 5), (11, 5), (11, 8), (-9, 9)),), 8),
    Figure((120, 60, 160), (236, 190, 160), (90, 220, 210),
           (((-5, 7), (-22, 3), (-26, -8), (-12, 0)), ((-7, 5), (7, 5), (4, 10), (-5, 10))), 6),
    Figure((96, 104, 118), (190, 150, 120), (60, 66, 78),
           (((-9, 1), (9, 1), (8, 10), (-8, 10)), ((-2, 10), (2, 10), (2, 15), (-2, 15))), 13),
    Figure((240, 200, 90), (232, 184, 150), (250, 250, 240),
           (((-4, 4), (-18, 13), (-13, 4), (-6, 1)), ((-6, 5), (7, 5), (3, 10), (-4, 10))), 7),
    Figure((150, 40, 70), (240, 214, 196), (30, 30, 40), (((-2, -1), (9, -2), (8, 4), (-3, 5)),), 8),
    Figure((90, 110, 60), (200, 156, 120), (150, 90, 40),
           (((-13, 4), (14, 4), (8, 7), (6, 13), (-5, 13), (-7, 7)),), 8),
    Figure((40, 70, 90), (222, 178, 146), (230, 120, 60),
           (((-3, 7), (-16, 18), (-18, 8), (-7, 4)), ((-6, 6), (7, 6), (3, 10), (-4, 10))), 7),
    Figure((210, 214, 232), (214, 176, 150), (60, 190, 240), (((-8, 0), (9, 0), (9, 4), (-8, 5)),), 8),
)  # fmt: skip
"""By character, in the order of the cast."""


def _colors(field: str) -> np.ndarray:
    return np.array([getattr(figure, field) for figure in FIGURES], np.int32)


SUIT, SKIN, TRIM = _colors("suit"), _colors("skin"), _colors("trim")
BULK: np.ndarray = np.array([figure.bulk for figure in FIGURES], np.float64)
GEAR: np.ndarray = np.zeros((len(FIGURES), 2, CORNERS, 2), np.float64)
GEAR_CORNERS: np.ndarray = np.zeros((len(FIGURES), 2), np.int32)
for _k, _figure in enumerate(FIGURES):
    for _j, _polygon in enumerate(_figure.gear):
        GEAR[_k, _j, : len(_polygon)], GEAR_CORNERS[_k, _j] = _polygon, len(_polygon)
