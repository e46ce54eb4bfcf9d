"""The curve that a rope is to take."""

import numpy as np

from envsuite.manipulation.rope.params import MOST

_FINE, _ROUNDS = 20_001, 100
_HEIGHT, _DENT, _SLANT = 0.36, 0.12, 0.05
"""In widths: half the height of strokes, how much lower the middle peak is, and the slant of a right-handed writer."""


def letter_w(count: int = MOST) -> np.ndarray:
    """A handwritten W: two waves of a cosine, with a lower peak between them.

    The original traces the W of the LASA handwriting data, whose licence does not let it go into this package.

    Args:
        count: number of points, at least 2.

    Returns:
        (count, 2), neighbours equally far apart, 1 long all together, around the middle of the ends.
    """
    t = np.linspace(0, 1, _FINE)
    y = _HEIGHT * np.cos(4 * np.pi * t) - _DENT * np.sin(np.pi * t) ** 2
    fine = np.stack([t + _SLANT * y, y], axis=1)
    places = np.linspace(0, 1, count)
    for _ in range(_ROUNDS):  # shift points along the curve until all are equally far from their neighbours
        points = np.stack([np.interp(places, t, fine[:, k]) for k in range(2)], axis=1)
        way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
        places = np.interp(np.linspace(0, way[-1], count), way, places)
    points -= (points[0] + points[-1]) / 2
    return points / np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
