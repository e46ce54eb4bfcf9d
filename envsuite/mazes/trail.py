"""The last places of a point, kept in its record for pictures."""

import numpy as np

from envsuite.core.jit import kernel

LENGTH = 64
"""Places kept."""

TRAIL = np.dtype([("count", np.int64), ("points", np.float32, (LENGTH, 2))], align=True)
"""`count` places were noted in this episode; the last `LENGTH` of them are in `points`, as a ring."""


@kernel
def begin(trail):
    """Forget the past."""
    trail.count = 0


@kernel
def note(trail, x, y):
    """Append a place, m."""
    at = trail.count % LENGTH
    trail.points[at, 0] = np.float32(x)
    trail.points[at, 1] = np.float32(y)
    trail.count += 1


def read(trail: np.void) -> np.ndarray:
    """The places, oldest first, float32 (n, 2), m."""
    count = int(trail["count"])
    ring = np.asarray(trail["points"])
    return ring[:count] if count <= LENGTH else np.roll(ring, -(count % LENGTH), axis=0)
