"""Outlines of the prisms: polygons, and what follows from them.

The tasks name ten shapes and four more (HEPi, ICLR 2025, appendix); their meshes have no licence that lets them be
copied, so the outlines here are our own, all with a radius of `RADIUS`.
"""

import math
from collections.abc import Sequence

import numpy as np

from envsuite.core import fmath

RADIUS = 0.12
"""Distance of a shape's farthest corner from its centre, m."""
THICKNESS = 0.06
"""Height of the prisms, m."""
CORNERS = 12
"""Of the shape that has most."""


def _regular(corners: int) -> list[tuple[float, float]]:
    """A regular polygon with a corner at the top."""
    angles = [math.pi / 2 + 2 * math.pi * k / corners for k in range(corners)]
    return [(fmath.cos(a), fmath.sin(a)) for a in angles]


# as the C library's sines had them when the datasets of these shapes were made; other libraries differ in the last bit
_PENTAGON = [
    *((6.123233995736766e-17, 1.0), (-0.9510565162951535, 0.3090169943749475)),
    *((-0.5877852522924732, -0.8090169943749473), (0.5877852522924729, -0.8090169943749476)),
    (0.9510565162951536, 0.3090169943749472),
]
_DENTS = [
    *((-0.2938926261462365, 0.4045084971874737), (-0.4755282581475768, -0.15450849718747364)),
    *((-9.184850993605148e-17, -0.5), (0.47552825814757677, -0.1545084971874738)),
    (0.2938926261462367, 0.4045084971874736),
]
"""Of the star, halfway to the centre."""

_DRAWN: dict[str, list[tuple[float, float]]] = {
    "plus": [
        *((3, 1), (1, 1), (1, 3), (-1, 3), (-1, 1), (-3, 1)),
        *((-3, -1), (-1, -1), (-1, -3), (1, -3), (1, -1), (3, -1)),
    ],
    "pentagon": _PENTAGON,
    "star": [corner for pair in zip(_PENTAGON, _DENTS, strict=True) for corner in pair],
    "T": [(3, 3), (-3, 3), (-3, 1), (-1, 1), (-1, -3), (1, -3), (1, 1), (3, 1)],
    "A": [(1, 3), (-1, 3), (-3, -3), (-1.4, -3), (-0.8, -1), (0.8, -1), (1.4, -3), (3, -3)],
    "E": [
        *((3, 5), (-3, 5), (-3, -5), (3, -5), (3, -3), (-1, -3)),
        *((-1, -1), (3, -1), (3, 1), (-1, 1), (-1, 3), (3, 3)),
    ],
    "diamond": [(0, 3), (-2, 0), (0, -3), (2, 0)],
    "heart": [
        *((0, -3.2), (1.6, -1.6), (2.8, 0), (3, 1.4), (2.3, 2.5), (1.2, 2.7)),
        *((0, 1.75), (-1.2, 2.7), (-2.3, 2.5), (-3, 1.4), (-2.8, 0), (-1.6, -1.6)),
    ],
    "hexagon": _regular(6),
    "triangle": _regular(3),
    "L": [(-2, 3), (-2, -3), (2, -3), (2, -1), (0, -1), (0, 3)],
    "M": [(3, 3), (1.5, 3), (0, 0.5), (-1.5, 3), (-3, 3), (-3, -3), (3, -3)],
    "V": [(3, 3), (1.2, 3), (0, -0.5), (-1.2, 3), (-3, 3), (-0.9, -3), (0.9, -3)],
    "rectangle": [(3, 1.8), (-3, 1.8), (-3, -1.8), (3, -1.8)],
}


def area(outline: np.ndarray) -> float:
    """Area of a polygon, positive where its corners go round anticlockwise.

    Args:
        outline: (c, 2), m.
    """
    return 0.5 * float(_crosses(outline).sum())


def centroid(outline: np.ndarray) -> np.ndarray:
    """(2,) centre of a polygon's area.

    Args:
        outline: (c, 2), m.
    """
    following = np.roll(outline, -1, axis=0)
    return ((outline + following) * _crosses(outline)[:, None]).sum(axis=0) / (6 * area(outline))


def moments(outline: np.ndarray) -> tuple[float, float, float]:
    """Means of x^2, y^2 and x y over a polygon's area, m^2.

    Args:
        outline: (c, 2), m.
    """
    (x, y), (u, v) = outline.T, np.roll(outline, -1, axis=0).T
    weight = _crosses(outline) / area(outline)
    parts = (x * x + x * u + u * u, y * y + y * v + v * v, x * v + 2 * x * y + 2 * u * v + u * y)
    # one after the other: a matrix product adds up in an order of its own on each processor
    xx, yy, xy = (float(np.cumsum(part * weight)[-1]) for part in parts)
    return xx / 12, yy / 12, xy / 24


def shifted(outline: np.ndarray, distance: float) -> np.ndarray:
    """(c, 2) corners of a polygon whose edges lie farther out.

    Args:
        outline: (c, 2), m, anticlockwise.
        distance: m; below 0 the edges lie farther in.
    """
    before, after = outline - np.roll(outline, 1, axis=0), np.roll(outline, -1, axis=0) - outline
    (px, py), (qx, qy) = (_unit(before).T, _unit(after).T)
    one, two = np.stack([py, -px], axis=1), np.stack([qy, -qx], axis=1)  # outward normals of both edges
    share = distance / (1 + (one * two).sum(axis=1, keepdims=True))
    return outline + share * (one + two)


def dense(outline: np.ndarray, parts: int) -> np.ndarray:
    """(parts c, 2) points of a polygon: its corners and points that divide its edges evenly.

    Args:
        outline: (c, 2), m.
        parts: of each edge.
    """
    shares = np.arange(parts)[None, :, None] / parts
    following = np.roll(outline, -1, axis=0)
    return (outline[:, None] * (1 - shares) + following[:, None] * shares).reshape(-1, 2)


def _crosses(outline: np.ndarray) -> np.ndarray:
    following = np.roll(outline, -1, axis=0)
    return outline[:, 0] * following[:, 1] - outline[:, 1] * following[:, 0]


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def checked(name: str, corners: Sequence[Sequence[float]]) -> np.ndarray:
    """A polygon about its centroid, with its farthest corner at `RADIUS`.

    Args:
        name: of the shape, for messages.
        corners: (c, 2), anticlockwise, any unit.

    Returns:
        float64 (c, 2), m.

    Raises:
        ValueError: fewer than 3 corners or more than `CORNERS`, a number that is not finite, corners in a row that
            are the same, edges that cross, or corners that go round clockwise.
    """
    found = np.asarray(corners, np.float64)
    if found.ndim != 2 or found.shape[1] != 2 or not 3 <= len(found) <= CORNERS:
        raise ValueError(f"shape {name!r} has corners of shape {found.shape}, expected (3 to {CORNERS}, 2)")
    if not np.isfinite(found).all():
        raise ValueError(f"shape {name!r} has the corner {found[~np.isfinite(found).all(axis=1)][0]}: not finite")
    if (found == np.roll(found, 1, axis=0)).all(axis=1).any():
        raise ValueError(f"shape {name!r} has two corners in a row that are the same: its outline is not closed")
    if _crosses_itself(found):
        raise ValueError(f"shape {name!r} has edges that cross: its outline is not closed")
    if area(found) <= 0:
        raise ValueError(f"shape {name!r} has an area of {area(found):.3g}, expected corners that go anticlockwise")
    found = found - centroid(found)
    return found * (RADIUS / np.linalg.norm(found, axis=1).max())


def _crosses_itself(outline: np.ndarray) -> bool:
    """Whether two edges that are no neighbours have a point in common."""
    count, following = len(outline), np.roll(outline, -1, axis=0)
    pairs = ((i, j) for i in range(count) for j in range(i + 2, count - (i == 0)))
    return any(_meet(outline[i], following[i], outline[j], following[j]) for i, j in pairs)


def _meet(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> bool:
    """Whether two segments have a point in common."""
    sides = [_side(a, b, c), _side(a, b, d), _side(c, d, a), _side(c, d, b)]
    if sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0:
        return True
    ends = ((a, b, c), (a, b, d), (c, d, a), (c, d, b))
    return any(side == 0 and (p - r) @ (q - r) <= 0 for side, (p, q, r) in zip(sides, ends, strict=True))


def inside(outline: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(n,) bool, which points lie in a polygon.

    Args:
        outline: (c, 2), m.
        points: (n, 2), m.
    """
    (x, y), (u, v) = outline.T[:, None, :], np.roll(outline, -1, axis=0).T[:, None, :]
    px, py = points[:, :1], points[:, 1:]
    spans = (y > py) != (v > py)
    with np.errstate(divide="ignore", invalid="ignore"):
        left = px < x + (py - y) / (v - y) * (u - x)
    return (spans & left).sum(axis=1) % 2 == 1


def _side(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> float:
    return float((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))


OUTLINES = {name: checked(name, corners) for name, corners in _DRAWN.items()}
"""Corners of each shape about its centroid, m, anticlockwise."""

SHAPES = tuple(OUTLINES)[:10]
"""Those of sliding and pushing, in the original's order."""
INSERTED = tuple(name for name in SHAPES if name not in "AE")
"""Those of insertion."""
TRAINING = ("plus", "star", "pentagon")
"""What the original trains on to test on others."""
EXTRA = tuple(OUTLINES)[10:]
"""More, in no task by default."""
