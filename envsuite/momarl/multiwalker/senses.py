"""What walkers feel and see."""

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.jit import kernel
from envsuite.momarl.multiwalker.params import (
    BEAM_ANGLE,
    BEAMS,
    DT,
    HIP_SPEED,
    HULL,
    KNEE_SPEED,
    LEG_LENGTH,
    LEG_WIDTH,
    RANGE,
    SHANK,
    SPREAD,
    STEP,
    VELOCITY_UNITS,
)
from envsuite.momarl.multiwalker.state import PARTS

_CORNERS = np.array(HULL)


@kernel
def meeting(x, y, u, v, ax, ay, bx, by):
    """Where a ray from (x, y) along (u, v) meets the line from a to b, as a share of the ray; 1 where it does not."""
    ex, ey = bx - ax, by - ay
    across = u * ey - v * ex
    if across == 0.0:
        return 1.0
    share = ((ax - x) * ey - (ay - y) * ex) / across
    along = ((ax - x) * v - (ay - y) * u) / across
    return share if 0.0 <= share < 1.0 and 0.0 <= along <= 1.0 else 1.0


@kernel
def corner(body, part, k):
    """A corner of a part in its own frame: the hull has five, legs have four."""
    if part == 0:
        return _CORNERS[k, 0], _CORNERS[k, 1]
    half = LEG_WIDTH / 2 if part % 2 == 1 else SHANK * LEG_WIDTH / 2
    return (half if k == 1 or k == 2 else -half), (LEG_LENGTH / 2 if k > 1 else -LEG_LENGTH / 2)


@kernel
def beam(s, n, u, v):
    """How far a beam from a hull gets along (u, v), as a share of that: ground and walkers stop it, packages do not."""
    x, y = np.float64(s.body[PARTS * n, 0]), np.float64(s.body[PARTS * n, 1])
    best, last = 1.0, len(s.ground) - 2
    first = min(max(np.int64(np.floor(x / STEP)), 0), last)
    for k in range(first, min(last, np.int64(np.floor((x + u) / STEP))) + 1):
        best = min(best, meeting(x, y, u, v, k * STEP, s.ground[k], (k + 1) * STEP, s.ground[k + 1]))
    for b in range(len(s.body) - 1):
        body, part = s.body[b], b % PARTS
        dx, dy = np.float64(body[0]) - x, np.float64(body[1]) - y
        if s.gone[b // PARTS] != 0 or dx * dx + dy * dy > (RANGE + 2.0) * (RANGE + 2.0):
            continue
        sine, cosine = fmath.sincos(np.float64(body[2]))
        corners, nearest, crossings = 5 if part == 0 else 4, 1.0, 0
        cx, cy = corner(body, part, corners - 1)
        ax, ay = dx + cosine * cx - sine * cy, dy + sine * cx + cosine * cy
        for k in range(corners):
            cx, cy = corner(body, part, k)
            bx, by = dx + cosine * cx - sine * cy, dy + sine * cx + cosine * cy
            nearest = min(nearest, meeting(0.0, 0.0, u, v, ax, ay, bx, by))
            if (ay > 0.0) != (by > 0.0) and (bx - ax) * -ay / (by - ay) + ax > 0.0:
                crossings += 1
            ax, ay = bx, by
        if crossings % 2 == 0:  # what the beam begins in does not stop it
            best = min(best, nearest)
    return best


@kernel
def joint(s, n, k):
    """Angle (rad) and speed (rad/s) of joint k of a walker: hip, knee, hip, knee."""
    below = PARTS * n + 1 + k
    above = PARTS * n if k % 2 == 0 else below - 1
    angle = np.float64(s.body[below, 2]) - np.float64(s.body[above, 2])
    if k % 2 == 0:  # hips are at 0 as they begin
        angle -= SPREAD if k > 1 else -SPREAD
    return angle, np.float64(s.body[below, 5]) - np.float64(s.body[above, 5])


@kernel
def towards(s, p, n, other, out):
    """Write how far another body is from a hull, in package lengths, with noise."""
    for axis in range(2):
        gap = (np.float64(s.body[other, axis]) - np.float64(s.body[PARTS * n, axis])) / p.package
        out[axis] = rng.normal(s.rng, rng.OBSERVATION, gap, p.position_noise)


@kernel
def observe(s, p, observations, info):
    """Write what each walker sees, and the metrics; by index, since legs repeat and a walker that is gone sees 0."""
    count = len(s.fallen)
    box = PARTS * count
    for n in range(count):
        out, hull = observations[n], s.body[PARTS * n]
        info[n].carried = np.float64(s.body[box, 0]) - s.start
        info[n].tilt, info[n].dropped, info[n].fallen = s.body[box, 2], s.dropped != 0, s.fallen[n] != 0
        for k in range(len(out)):
            out[k] = 0.0
        if s.gone[n] != 0:
            continue
        out[0] = hull[2]
        out[1] = 2.0 * np.float64(hull[5]) * DT
        out[2] = VELOCITY_UNITS[0] * np.float64(hull[3])
        out[3] = VELOCITY_UNITS[1] * np.float64(hull[4])
        for k in range(4):
            angle, speed = joint(s, n, k)
            at = 4 + 2 * k + k // 2
            out[at] = angle + (1.0 if k % 2 == 1 else 0.0)
            out[at + 1] = speed / (KNEE_SPEED if k % 2 == 1 else HIP_SPEED)
        out[8], out[13] = s.touch[n, 0], s.touch[n, 1]
        for k in range(BEAMS):
            sine, cosine = fmath.sincos(BEAM_ANGLE * k)
            out[14 + k] = beam(s, n, sine * RANGE, -cosine * RANGE)
        if n > 0 and s.gone[n - 1] == 0:
            towards(s, p, n, PARTS * (n - 1), out[24:26])
        if n + 1 < count and s.gone[n + 1] == 0:
            towards(s, p, n, PARTS * (n + 1), out[26:28])
        towards(s, p, n, box, out[28:30])
        out[30] = rng.normal(s.rng, rng.OBSERVATION, np.float64(s.body[box, 2]), p.angle_noise)
