"""Draws courses."""

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flying.gates import from_gate
from envsuite.quadcopters.gate_race.params import (
    APART,
    CLEAR,
    FIELD,
    GATE_SPREAD,
    INERTIA_SPREAD,
    LEAD,
    MASS_SPREAD,
    POLE_SPREAD,
    RING_APART,
    RING_FIELD,
    RING_HEIGHT,
    RINGS,
    START,
    START_HEIGHT,
    YAW_SPREAD,
)
from envsuite.quadcopters.sampler import load

_TRIES = 1000  # draws of one thing before the whole course is drawn anew


@kernel
def draw(s, p):
    """Write the course and the vehicle of an episode."""
    s.vehicle[0] = p.nominal[0]
    if p.course == RINGS:
        _draw_rings(s, p)
        return
    for i in range(s.gates.shape[0]):
        for k in range(4):
            s.gates[i, k] = p.gates[i, k]
    for i in range(s.poles.shape[0]):
        s.poles[i, 0], s.poles[i, 1] = p.poles[i, 0], p.poles[i, 1]
    if p.course == 3:
        while not _scatter(s):
            pass
    for i in range(s.gates.shape[0]):
        for k in range(4):
            s.known[i, k] = s.gates[i, k]
    if p.course >= 1:
        _load(s)
    if p.course >= 2:
        _shift(s, p.strength)


@kernel
def along(s, p):
    """Draw a gate to pass first, and a place on the straight way to it from the one before, m."""
    g, like = s.rng, s.gap
    first = rng.integers(g, rng.RESET, s.gates.shape[0])
    one = real(1.0, like)
    u = rng.uniform4(g, rng.RESET, -one, one)
    behind = LEAD * p.opening
    sine, cosine = fmath.sincos(s.gates[first, 3])
    to = from_gate(s.gates[first], sine, cosine, (-behind, real(0.0, like), real(0.0, like)))
    before = (real(START[0], like), real(START[1], like), real(START_HEIGHT, like))
    if p.course == RINGS:
        before = (real(0.0, like), real(0.0, like), real(RING_HEIGHT[0], like))
    if first > 0:
        sine, cosine = fmath.sincos(s.gates[first - 1, 3])
        before = from_gate(s.gates[first - 1], sine, cosine, (behind, real(0.0, like), real(0.0, like)))
    share, aside = 0.5 + 0.5 * u[3], 0.5 * p.opening
    return first, (
        before[0] + share * (to[0] - before[0]) + aside * u[0],
        before[1] + share * (to[1] - before[1]) + aside * u[1],
        before[2] + share * (to[2] - before[2]) + aside * u[2],
    )


@kernel
def _load(s):
    vehicle, g = s.vehicle[0], s.rng
    spread = real(MASS_SPREAD, vehicle.mass)
    vehicle.mass += rng.uniform(g, rng.RESET, -spread, spread)
    spread = real(INERTIA_SPREAD, spread)
    for k in range(3):
        vehicle.inertia[k] += rng.uniform(g, rng.RESET, -spread, spread)
    load(vehicle)


@kernel
def _shift(s, strength):
    """Move gates and poles a little from where they are known to be."""
    g, like = s.rng, s.gap
    for i in range(s.gates.shape[0]):
        moved = rng.uniform4(g, rng.RESET, real(-1.0, like), real(1.0, like))
        s.gates[i, 0] += strength * real(GATE_SPREAD[0], like) * moved[0]
        s.gates[i, 1] += strength * real(GATE_SPREAD[1], like) * moved[1]
        s.gates[i, 2] += strength * real(GATE_SPREAD[2], like) * moved[2]
        s.gates[i, 3] += strength * YAW_SPREAD * moved[3]
    spread = strength * POLE_SPREAD
    for i in range(s.poles.shape[0]):
        s.poles[i, 0] += rng.uniform(g, rng.RESET, -spread, spread)
        s.poles[i, 1] += rng.uniform(g, rng.RESET, -spread, spread)


@kernel
def _away(x, y, points, count, least):
    """Whether a place is far enough from the first points."""
    for j in range(count):
        dx, dy = x - points[j, 0], y - points[j, 1]
        if dx * dx + dy * dy < least * least:
            return False
    return True


@kernel
def _scatter(s):
    """Try to draw a random course; whether everything found a place."""
    g, like = s.rng, s.gap
    apart, clear, one = real(APART, like), real(CLEAR, like), real(1.0, like)
    wide, deep = real(FIELD[0], like) - 0.3, real(FIELD[1], like) - 0.3
    for i in range(s.gates.shape[0]):
        placed = False
        for _ in range(_TRIES):
            u = rng.uniform4(g, rng.RESET, -one, one)
            x, y = wide * u[0], deep * u[1]
            dx, dy = x - real(START[0], like), y - real(START[1], like)
            if dx * dx + dy * dy > 1.0 and _away(x, y, s.gates, i, apart):
                s.gates[i, 0], s.gates[i, 1] = x, y
                s.gates[i, 2] = real(0.7, like) if u[2] < 0.0 else real(1.2, like)
                s.gates[i, 3] = np.pi * u[3]
                placed = True
                break
        if not placed:
            return False
    for i in range(s.poles.shape[0]):
        placed = False
        for _ in range(_TRIES):
            u = rng.uniform4(g, rng.RESET, -one, one)
            x, y = wide * u[0], deep * u[1]
            dx, dy = x - real(START[0], like), y - real(START[1], like)
            far = dx * dx + dy * dy > clear * clear
            if far and _away(x, y, s.gates, s.gates.shape[0], clear) and _away(x, y, s.poles, i, clear):
                s.poles[i, 0], s.poles[i, 1] = x, y
                placed = True
                break
        if not placed:
            return False
    return True


@kernel
def _draw_rings(s, p):
    """Each at some distance from the last, facing half way between where one comes from and where one goes."""
    g, like, count = s.rng, s.gap, s.gates.shape[0]
    side, low, high = real(RING_FIELD, like), real(RING_HEIGHT[0], like), real(RING_HEIGHT[1], like)
    near, far = real(RING_APART[0], like), real(RING_APART[1], like)
    x, y, z = real(0.0, like), real(0.0, like), real(1.5, like)
    for i in range(count):
        for _ in range(_TRIES):
            s.gates[i, 0] = rng.uniform(g, rng.RESET, -side, side)
            s.gates[i, 1] = rng.uniform(g, rng.RESET, -side, side)
            s.gates[i, 2] = rng.uniform(g, rng.RESET, low, high)
            dx, dy, dz = s.gates[i, 0] - x, s.gates[i, 1] - y, s.gates[i, 2] - z
            flat, distance = dx * dx + dy * dy, fmath.sqrt(dx * dx + dy * dy + dz * dz)
            # not steeper than 45 degrees
            if near < distance and distance < far and flat > dz * dz and _free(s, i):
                break
        x, y, z = s.gates[i, 0], s.gates[i, 1], s.gates[i, 2]
    for i in range(count):
        bx, by = real(0.0, like), real(0.0, like)
        if i > 0:
            bx, by = s.gates[i - 1, 0], s.gates[i - 1, 1]
        cx, cy = s.gates[i, 0] - bx, s.gates[i, 1] - by
        size = fmath.sqrt(cx * cx + cy * cy)
        cx, cy = cx / size, cy / size
        if i + 1 < count:
            nx, ny = s.gates[i + 1, 0] - s.gates[i, 0], s.gates[i + 1, 1] - s.gates[i, 1]
            size = fmath.sqrt(nx * nx + ny * ny)
            # where the way turns back, the bisector would not face it: lean towards where one comes from
            cx, cy = 1.2 * cx + nx / size, 1.2 * cy + ny / size
        s.gates[i, 3] = fmath.atan2(cy, cx)
        for k in range(4):
            s.known[i, k] = s.gates[i, k]
    s.poles[0, 0], s.poles[0, 1] = p.poles[0, 0], p.poles[0, 1]


@kernel
def _free(s, i):
    """Whether ring i keeps its distance from all before it."""
    least = real(3.0, s.gap)
    for j in range(i):
        dx, dy, dz = s.gates[i, 0] - s.gates[j, 0], s.gates[i, 1] - s.gates[j, 1], s.gates[i, 2] - s.gates[j, 2]
        if dx * dx + dy * dy + dz * dz < least * least:
            return False
    return True
