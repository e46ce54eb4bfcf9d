"""OpenSimplex noise in three dimensions, of which the worlds are made.

Kurt Spencer's OpenSimplex of 2014, as the package opensimplex has it: space is cut into tetrahedra and octahedra by a
lattice, and a value is the sum over the corners of the cell at hand and two more lattice points beside it of a random
gradient, fading with the distance d as (2 - d^2)^4.
"""

import math

import numpy as np

from envsuite.core import kernel, rng

ENTRIES = 256
"""Of the permutation that stands for a seed."""

STRETCH, SQUISH = -1.0 / 6.0, 1.0 / 3.0
"""From space to the lattice and back: (1/sqrt(4) - 1)/3 and (sqrt(4) - 1)/3."""
NORM = 103.0
"""Brings values to [-1, 1]; of the original."""

# 24 gradients: the corners of a rhombicuboctahedron, 11 along one axis and 4 along the others, signs counted in binary
GRADIENTS = np.array(
    [
        (11.0 if m % 3 == axis else 4.0) * (1 if positive else -1)
        for m in range(24)
        for axis, positive in enumerate((m // 3 % 2 == 1, m // 6 % 2 == 0, m < 12))
    ]
)


@kernel
def draw_permutation(g, permutation):
    """Draw a permutation of 0 to 255.

    Args:
        g: stream, of whose resets the numbers are taken.
        permutation: uint8 (256,), written.
    """
    for i in range(ENTRIES):
        permutation[i] = i
    rng.shuffle(g, rng.RESET, permutation)


@kernel
def _share(permutation, i, j, k, dx, dy, dz):
    """What a lattice point adds at a displacement from it."""
    near = 2.0 - dx * dx - dy * dy - dz * dz
    if near <= 0.0:
        return 0.0
    hashed = np.int64(permutation[i & 255])
    hashed = np.int64(permutation[(hashed + j) & 255])
    hashed = np.int64(permutation[(hashed + k) & 255])
    m = 3 * (hashed % 24)
    near *= near
    return near * near * (GRADIENTS[m] * dx + GRADIENTS[m + 1] * dy + GRADIENTS[m + 2] * dz)


@kernel
def _corner(permutation, i, j, k, dx, dy, dz, a, b, c):
    """`_share` of the point that lies (a, b, c) lattice steps from (i, j, k)."""
    slide = (a + b + c) * SQUISH
    return _share(permutation, i + a, j + b, k + c, dx - a - slide, dy - b - slide, dz - c - slide)


@kernel
def _tetrahedron(permutation, i, j, k, dx, dy, dz, u, v, w, turned):
    """Sum in the cell at the lattice point, or, `turned`, in the one opposite to it, with (u, v, w) from its tip.

    Offsets are written for the first; the second is its mirror image, o -> 1 - o.
    """
    base, sign = (1, -1) if turned else (0, 1)
    total = _corner(permutation, i, j, k, dx, dy, dz, base, base, base)
    total += _corner(permutation, i, j, k, dx, dy, dz, base + sign, base, base)
    total += _corner(permutation, i, j, k, dx, dy, dz, base, base + sign, base)
    total += _corner(permutation, i, j, k, dx, dy, dz, base, base, base + sign)
    middle = max(min(u, v), min(max(u, v), w))
    if 1.0 - u - v - w > middle:  # the tip is one of the two corners that are nearest
        # beside the nearest other corner: one step on along its axis, one back along each of the others
        near = (0 if u >= w else 2) if u >= v else (1 if v > w else 2)
        for other in range(3):
            if other != near:
                a, b, c = _step(near, other)
                total += _corner(permutation, i, j, k, dx, dy, dz, base + sign * a, base + sign * b, base + sign * c)
    else:  # the two other nearest corners together, and that with a step back along the third axis
        last = (1 if w > v else 2) if u >= v else (0 if w > u else 2)
        for back in range(2):
            a = -back if last == 0 else 1
            b = -back if last == 1 else 1
            c = -back if last == 2 else 1
            total += _corner(permutation, i, j, k, dx, dy, dz, base + sign * a, base + sign * b, base + sign * c)
    return total


@kernel
def _step(forward, back):
    """One step along an axis and one back along another."""
    return (
        (forward == 0) * 1 - (back == 0) * 1,
        (forward == 1) * 1 - (back == 1) * 1,
        (forward == 2) * 1 - (back == 2) * 1,
    )


@kernel
def _octahedron(permutation, i, j, k, dx, dy, dz, u, v, w):
    """Sum in the cell between the tetrahedra: six corners, and two points beside the two nearest of them."""
    total = _corner(permutation, i, j, k, dx, dy, dz, 1, 0, 0) + _corner(permutation, i, j, k, dx, dy, dz, 0, 1, 0)
    total += _corner(permutation, i, j, k, dx, dy, dz, 0, 0, 1) + _corner(permutation, i, j, k, dx, dy, dz, 1, 1, 0)
    total += _corner(permutation, i, j, k, dx, dy, dz, 1, 0, 1) + _corner(permutation, i, j, k, dx, dy, dz, 0, 1, 1)
    # opposite corners: along one axis alone (near the lattice point), or along the two others (far from it)
    p, q, r = v + w - 1.0, u + w - 1.0, u + v - 1.0
    left_out = 0 if abs(p) <= min(abs(q), abs(r)) else 2 if abs(r) <= abs(q) else 1
    first, second = (1 if left_out == 0 else 0), (1 if left_out == 2 else 2)
    far_first = (p if first == 0 else q) > 0.0
    far_second = (q if second == 1 else r) > 0.0
    if far_first and far_second:  # both far: the far tip, and two steps along the axis that they share
        total += _corner(permutation, i, j, k, dx, dy, dz, 1, 1, 1)
        total += _twice(permutation, i, j, k, dx, dy, dz, left_out)
    elif far_first or far_second:  # one step back from the far one; two steps along the axis of the near one
        far, near = (first, second) if far_first else (second, first)
        total += _back(permutation, i, j, k, dx, dy, dz, far)
        total += _twice(permutation, i, j, k, dx, dy, dz, near)
    else:  # both near: the lattice point, and both their axes with a step back along the third
        total += _corner(permutation, i, j, k, dx, dy, dz, 0, 0, 0)
        total += _back(permutation, i, j, k, dx, dy, dz, left_out)
    return total


@kernel
def _twice(permutation, i, j, k, dx, dy, dz, axis):
    """Two steps along an axis."""
    return _corner(permutation, i, j, k, dx, dy, dz, (axis == 0) * 2, (axis == 1) * 2, (axis == 2) * 2)


@kernel
def _back(permutation, i, j, k, dx, dy, dz, axis):
    """A step back along an axis, one on along both others."""
    a, b, c = 1 - (axis == 0) * 2, 1 - (axis == 1) * 2, 1 - (axis == 2) * 2
    return _corner(permutation, i, j, k, dx, dy, dz, a, b, c)


@kernel(apart=True)
def simplex(permutation, x, y, z):
    """The noise at a place.

    Args:
        permutation: uint8 (256,).
        x: coordinate.
        y: coordinate.
        z: coordinate.

    Returns:
        float64 in [-1, 1].
    """
    stretch = (x + y + z) * STRETCH
    xs, ys, zs = x + stretch, y + stretch, z + stretch
    i, j, k = math.floor(xs), math.floor(ys), math.floor(zs)
    squish = (i + j + k) * SQUISH
    dx, dy, dz = x - i - squish, y - j - squish, z - k - squish
    u, v, w = xs - i, ys - j, zs - k
    across = u + v + w
    if across <= 1.0:
        total = _tetrahedron(permutation, i, j, k, dx, dy, dz, u, v, w, False)
    elif across >= 2.0:
        total = _tetrahedron(permutation, i, j, k, dx, dy, dz, 1.0 - u, 1.0 - v, 1.0 - w, True)
    else:
        total = _octahedron(permutation, i, j, k, dx, dy, dz, u, v, w)
    return total / NORM
