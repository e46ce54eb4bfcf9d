"""The leader's path: a sum of sines on each axis, never faster than `FASTEST`, begun smoothly."""

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.flying.blocks import norm
from envsuite.quadcopters.leader_follower.params import FASTEST, HEIGHT, PERIOD, RAMP, SIZE, WAVES


@kernel
def draw(s):
    """Draw a path whose speed has the bound sqrt(sum over axes of (sum of amplitude times frequency)^2)."""
    g, like = s.rng, s.separation
    turn, one = real(np.pi, like), real(1.0, like)
    bounds = (real(0.0, like), real(0.0, like), real(0.0, like))
    for k in range(3):
        total, steep = real(0.0, like), real(0.0, like)
        for j in range(WAVES):
            s.waves[k, j] = one * np.float32(j + 1)
            s.shift[k, j] = rng.uniform(g, rng.RESET, -turn, turn)
            s.extent[k, j] = rng.uniform(g, rng.RESET, real(0.2, like), one) / s.waves[k, j]
            total += s.extent[k, j]
        size = rng.uniform(g, rng.RESET, real(SIZE[k][0], like), real(SIZE[k][1], like)) / total
        for j in range(WAVES):
            s.extent[k, j] *= size
            steep += s.extent[k, j] * s.waves[k, j]
        bounds = (bounds[1], bounds[2], steep)
    slowest = real(2.0, like) * turn / rng.uniform(g, rng.RESET, real(PERIOD[0], like), real(PERIOD[1], like))
    s.pace = min(slowest, FASTEST / norm(bounds[0], bounds[1], bounds[2]))


@kernel
def phase_at(s, t):
    """Phase, rad, its rate, and the rate of that, at a time (s)."""
    ramp, half = real(RAMP, t), real(0.5, t)
    if t < RAMP:
        return 0.5 * s.pace * t * t / RAMP, s.pace * t / RAMP, s.pace / RAMP
    return s.pace * (t - half * ramp), s.pace, real(0.0, t)


@kernel
def leader_at(s, t):
    """Position (m), velocity (m/s) and acceleration (m/s^2): nine numbers."""
    phase, rate, change = phase_at(s, t)
    x, vx, ax = _axis(s, 0, phase, rate, change)
    y, vy, ay = _axis(s, 1, phase, rate, change)
    z, vz, az = _axis(s, 2, phase, rate, change)
    return x, y, z + HEIGHT, vx, vy, vz, ax, ay, az


@kernel
def _axis(s, k, phase, rate, change):
    place, speed, pull = real(0.0, phase), real(0.0, phase), real(0.0, phase)
    for j in range(WAVES):
        sine, cosine = fmath.sincos(s.waves[k, j] * phase + s.shift[k, j])
        size, wave = s.extent[k, j], s.waves[k, j]
        place += size * sine
        speed += size * cosine * wave * rate
        pull += size * (cosine * wave * change - sine * wave * wave * rate * rate)
    return place, speed, pull
