"""The reference: a Lissajous curve whose pace rises over the first second."""

import numpy as np

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.track_lissajous.params import CENTER, RAMP


@kernel
def phase_at(s, t):
    """Phase (rad), its rate and the rate of that, at a time (s)."""
    rate, ramp = (2 * np.pi) / s.period, real(RAMP, t)
    if t < RAMP:
        pace = rate * t / RAMP
        return 0.5 * pace * t, pace, rate / RAMP
    return rate * (t - real(0.5, t) * ramp), rate, real(0.0, t)


@kernel
def reference(s, t):
    """Position (m), velocity (m/s) and acceleration (m/s^2) at a time (s): nine numbers."""
    phase, rate, change = phase_at(s, t)
    x, vx, ax = _axis(s, 0, phase, rate, change)
    y, vy, ay = _axis(s, 1, phase, rate, change)
    z, vz, az = _axis(s, 2, phase, rate, change)
    return x, y, z + CENTER, vx, vy, vz, ax, ay, az


@kernel
def point(s, t):
    """Position at a time, m."""
    phase = phase_at(s, t)[0]
    return (
        s.extent[0] * fmath.sin(s.waves[0] * phase + s.shift[0]),
        s.extent[1] * fmath.sin(s.waves[1] * phase + s.shift[1]),
        s.extent[2] * fmath.sin(s.waves[2] * phase + s.shift[2]) + CENTER,
    )


@kernel
def _axis(s, k, phase, rate, change):
    sine, cosine = fmath.sincos(s.waves[k] * phase + s.shift[k])
    wave, size = s.waves[k], s.extent[k]
    speed = wave * rate
    return size * sine, size * cosine * speed, size * (cosine * wave * change - sine * speed * speed)
