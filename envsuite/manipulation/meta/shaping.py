"""Pieces of Meta-World's rewards (McLean et al. 2025, metaworld 3.1.1, `utils/reward_utils.py`, `sawyer_xyz_env.py`).

Points are tuples (x, y, z), m.
"""

from envsuite.core import kernel
from envsuite.core.fmath import exp, log, sqrt

LOW = 0.1  # what is left of 1 at the margin


@kernel
def point(v):
    """A row of a record as a point."""
    return v[0], v[1], v[2]


@kernel
def plus(a, x, y, z):
    """A point moved."""
    return a[0] + x, a[1] + y, a[2] + z


@kernel
def apart(a, b):
    """Distance of two points."""
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return sqrt(x * x + y * y + z * z)


@kernel
def flat(a, b):
    """Distance of two points from above."""
    x, y = a[0] - b[0], a[1] - b[1]
    return sqrt(x * x + y * y)


@kernel
def scaled(a, b, x, y, z):
    """Distance of two points with factors for the axes."""
    x, y, z = x * (a[0] - b[0]), y * (a[1] - b[1]), z * (a[2] - b[2])
    return sqrt(x * x + y * y + z * z)


@kernel
def tolerance(x, low, high, margin):
    """1 between the bounds; a margin outside LOW, with a long tail."""
    if low <= x <= high:
        return 1.0
    if margin == 0.0:
        return 0.0
    d = ((low - x) if x < low else (x - high)) / margin
    return 1.0 / (d * d * (1.0 / LOW - 1.0) + 1.0)


@kernel
def near(x, bound, margin):
    """`tolerance` of a distance."""
    return tolerance(x, 0.0, bound, margin)


@kernel
def close(x, bound, margin):
    """As `near`, falling like a normal density."""
    if x <= bound:
        return 1.0
    if margin == 0.0:
        return 0.0
    d = (x - bound) / margin
    return exp(d * d * log(LOW))


@kernel
def both(a, b):
    """Hamacher product."""
    return a * b / (a + b - a * b) if a + b - a * b > 0.0 else 0.0


@kernel
def within(p, zero, one):
    """1 outside a box; inside it grows from 0 in one corner to 1 in the opposite one."""
    found = 1.0
    for i in range(3):
        part = (p[i] - zero[i]) / (one[i] - zero[i])
        if part < 0.0 or part > 1.0:
            return 1.0
        found *= part
    return found


@kernel
def funnel(rho, edge, slope, height):
    """Least height over a place, which grows like a logarithm with the distance from it."""
    return 0.0 if rho <= edge else slope * log(rho - edge) + height


@kernel
def above(z, floor, bound, margin):
    """Whether something is over that height, or by how much not."""
    return 1.0 if z >= floor else near(floor - z, bound, margin)


@kernel
def cage(k, o, o0, sizes, effort):
    """How well the fingers are around an object, and how well they hold it.

    Args:
        k: the look.
        o: the object.
        o0: where it was at the beginning.
        sizes: its radius, the distance of the pads, and that in the plane of x and z that counts as there, m.
        effort: closing action that is enough.
    """
    radius, pad, xz = sizes
    left = tolerance(abs(k.left[1] - o[1]), radius, pad, abs(abs(k.left[1] - o0[1]) - pad))
    right = tolerance(abs(k.right[1] - o[1]), radius, pad, abs(abs(k.right[1] - o0[1]) - pad))
    caged = both(both(left, right), _level(k, o, o0, xz))
    grip = min(max(k.grip, 0.0), effort) / effort
    return caged, both(caged, grip if caged > 0.97 else 0.0)


@kernel
def _level(k, o, o0, xz):
    here, before = (o[0], 0.0, o[2]), (o0[0], 0.0, o0[2])
    start = apart(before, (k.tcp0[0], 0.0, k.tcp0[2])) - xz
    return near(apart(here, (k.tcp[0], 0.0, k.tcp[2])), xz, start)


@kernel
def grasped(k, o, sizes):
    """`cage`, half for being around and half for holding (the original's high density)."""
    caged, held = cage(k, o, point(k.obj0), sizes, 1.0)
    return 0.5 * (caged + held)


@kernel
def pad_cage(k, o, radius, gap, xz):
    """As `cage` with fingers that may be apart by no more than a gap (the original's own variants).

    The original compares with where the pads were at reset, but reads where they are now; so does this.
    """
    o0 = point(k.obj0)
    left, right = k.left[1] - o[1], o[1] - k.right[1]
    wide_left, wide_right = abs(abs(o[1] - k.left[1]) - 0.05), abs(abs(o[1] - k.right[1]) - 0.05)
    y = both(tolerance(left, radius, 0.05, wide_left), tolerance(right, radius, 0.05, wide_right))
    tight = both(tolerance(left, radius, radius + gap, wide_left), tolerance(right, radius, radius + gap, wide_right))
    caged = both(y, _level(k, o, o0, xz))
    return 0.5 * (caged + (tight if caged > 0.95 else 0.0))


@kernel
def lifts(k, o, reach, height):
    """Whether the object is between open fingers and higher than at the beginning."""
    return apart(o, point(k.tcp)) < reach and k.opening > 0.0 and o[2] - height > k.obj0[2]
