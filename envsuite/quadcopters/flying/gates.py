"""Gates: upright openings that a drone flies through, along the gate's x axis.

A gate's frame has x through the opening, y to the left along it, z up; its pose is a centre and a yaw.
"""

import numpy as np

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flying.blocks import FAR, body_point, put_row

NONE, INSIDE, FRAME, BESIDE = range(4)
"""What a step did: cross no gate's plane, pass through the opening, hit the frame, pass beside it."""


@kernel
def to_gate(center, sine, cosine, point):
    """A point in the gate's frame, m."""
    x, y = point[0] - center[0], point[1] - center[1]
    return cosine * x + sine * y, cosine * y - sine * x, point[2] - center[2]


@kernel
def from_gate(center, sine, cosine, point):
    """A point of the gate's frame in the world, m."""
    x = center[0] + cosine * point[0] - sine * point[1]
    return x, center[1] + sine * point[0] + cosine * point[1], center[2] + point[2]


@kernel
def cross(center, yaw, half_width, half_height, rim, before, after):
    """What a straight step does to a gate.

    Args:
        center: m, world.
        yaw: rad.
        half_width: m, of the opening that counts as passed.
        half_height: m, likewise.
        rim: m, outward from there, in which the frame is hit.
        before: m, world, where the step began.
        after: m, world, where it ended.

    Returns:
        `NONE`, `INSIDE` (only along the gate's x axis), `FRAME` or `BESIDE` (also for the opening taken backwards).
    """
    sine, cosine = fmath.sincos(yaw)
    a, b = to_gate(center, sine, cosine, before), to_gate(center, sine, cosine, after)
    if (a[0] < 0.0) == (b[0] < 0.0):
        return NONE
    share = a[0] / (a[0] - b[0])
    y, z = abs(a[1] + share * (b[1] - a[1])), abs(a[2] + share * (b[2] - a[2]))
    if y < half_width and z < half_height:
        return INSIDE if b[0] >= 0.0 else BESIDE
    if y < half_width + rim and z < half_height + rim:
        return FRAME
    return BESIDE


@kernel
def cross_ring(center, yaw, radius, rim, before, after):
    """As `cross`, for a ring.

    Args:
        center: m, world.
        yaw: rad.
        radius: m, of the opening that counts as passed.
        rim: m, outward from there, in which the ring is hit.
        before: m, world.
        after: m, world.
    """
    sine, cosine = fmath.sincos(yaw)
    a, b = to_gate(center, sine, cosine, before), to_gate(center, sine, cosine, after)
    if (a[0] < 0.0) == (b[0] < 0.0):
        return NONE
    share = a[0] / (a[0] - b[0])
    y, z = a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])
    away = fmath.sqrt(y * y + z * z)
    if away < radius:
        return INSIDE if b[0] >= 0.0 else BESIDE
    return FRAME if away < radius + rim else BESIDE


@kernel
def put_corners(block, seen, center, yaw, half_width, half_height):
    """Write the four corners of an opening as the drone sees them, in its body frame."""
    sine, cosine = fmath.sincos(yaw)
    zero = real(0.0, half_width)
    for i in range(4):
        side = half_width if i == 0 or i == 3 else -half_width
        height = half_height if i < 2 else -half_height
        put_row(block, i, body_point(seen, from_gate(center, sine, cosine, (zero, side, height))), FAR)


def corners(center, yaw: float, half_width: float, half_height: float) -> np.ndarray:
    """The corners of an opening, m, (4, 3), for pictures and tests."""
    left, up = np.array([-np.sin(yaw), np.cos(yaw), 0.0]), np.array([0.0, 0.0, 1.0])
    signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    return np.array([np.asarray(center) + y * half_width * left + z * half_height * up for y, z in signs])


def draw_frame(
    scene, center, yaw: float, inner: tuple[float, float], rim: float, color, depth: float = 0.04, below=None
) -> None:
    """Draw a frame of four beams around an opening.

    Args:
        scene: `core.canvas.Scene` of what stands above the floor.
        center: m.
        yaw: rad.
        inner: half-width and half-height of the opening, m.
        rim: width of the beams, m.
        color: of the beams.
        depth: of the beams, m.
        below: scene of what lies on the floor, for the frame's shadow; None draws none.
    """
    from envsuite.quadcopters.render import box

    ahead, left = np.array([np.cos(yaw), np.sin(yaw), 0.0]), np.array([-np.sin(yaw), np.cos(yaw), 0.0])
    up, center = np.array([0.0, 0.0, 1.0]), np.asarray(center, np.float64)
    axes, (wide, high) = np.column_stack([ahead, left, up]), inner
    for side in (-1, 1):
        upright = center + side * (wide + rim / 2) * left
        box(scene, upright, axes, (depth / 2, rim / 2, high + rim), color)
        for k in (-1, 0, 1):  # in pieces, so that what flies through is sorted rightly among them
            piece = center + side * (high + rim / 2) * up + k * (2 / 3) * wide * left
            box(scene, piece, axes, (depth / 2, wide / 3, rim / 2), color)
    if below is not None:
        foot, reach = center * (1.0, 1.0, 0.0), (wide + rim) * left
        corner = ((1, 1), (-1, 1), (-1, -1), (1, -1))
        below.polygon([foot + s * reach + t * depth / 2 * ahead for s, t in corner], (40, 50, 66, 60))
