"""The last places of a point, kept in its record for pictures."""

import numpy as np

from envsuite.core import Record, field, kernel

LENGTH = 64
"""Places kept."""


class Trail(Record):
    """A ring of the last places."""

    count = field(type=np.int64, meaning="places noted in this episode")
    points = field(unit="m", type=np.float32, shape=(LENGTH, 2), meaning="the last of them, as a ring")


@kernel
def begin(trail, place):
    """Forget the past, and note a first place."""
    trail.count = 0
    note(trail, place[0], place[1])


@kernel
def note(trail, x, y):
    """Append a place, m."""
    at = trail.count % LENGTH
    trail.points[at, 0], trail.points[at, 1] = x, y
    trail.count += 1


def read(trail: np.void) -> np.ndarray:
    """The places, oldest first, float32 (n, 2), m."""
    count = int(trail["count"])
    ring = np.asarray(trail["points"])
    return ring[:count] if count <= LENGTH else np.roll(ring, -(count % LENGTH), axis=0)
