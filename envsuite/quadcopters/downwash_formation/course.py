"""Where the drones should be: columns, pairs that cross above each other, pairs that swap places."""

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.downwash_formation import params as c


@kernel
def draw(s, p):
    """Draw the course and its references."""
    g, like = s.rng, p.apart
    s.course = p.course
    if p.course == 0:
        s.course = np.uint8(c.COLUMN + rng.integers(g, rng.RESET, 3))
    s.period = rng.uniform(g, rng.RESET, real(c.PERIOD[0], like), real(c.PERIOD[1], like))
    width = rng.uniform(g, rng.RESET, real(c.WIDTH[0], like), real(c.WIDTH[1], like))
    sway = rng.uniform(g, rng.RESET, real(c.SWAY[0], like), real(c.SWAY[1], like))
    ellipse = rng.uniform(g, rng.RESET, real(c.SWAP_WIDTH[0], like), real(c.SWAP_WIDTH[1], like))
    if s.course == c.SCRIPT:
        s.period, width = c.SCRIPT_PERIOD, real(c.SCRIPT_WIDTH, like)
    zero, half, level = real(0.0, like), real(0.5, like), real(c.APART, like)
    pairs = s.crafts.shape[0] // 2
    for n in range(s.crafts.shape[0]):
        # the even ones fly above
        side = real(1.0, like) if n % 2 == 0 else -real(1.0, like)
        lane = real(c.LANE, like) * (real(1.0, like) * np.float32(n // 2) - half * np.float32(pairs - 1))
        for k in range(3):
            s.center[n, k] = s.swing[n, k] = s.sway[n, k] = 0.0
        if s.course == c.COLUMN:
            s.center[n, 2] = real(c.LOWEST, like) + level * np.float32(n)
            s.swing[n, 0] = sway
            continue
        s.center[n, 1] = lane
        if s.course == c.SWAP:
            s.center[n, 2] = c.LOWEST + half * level
            s.swing[n, 2] = side * 0.5 * c.APART
            s.sway[n, 0] = side * ellipse
        else:
            s.center[n, 2] = c.LOWEST + (level if n % 2 == 0 else zero)
            s.swing[n, 0] = side * width


@kernel
def reference(s, n, t):
    """Position (m), velocity (m/s) and acceleration (m/s^2) of drone n's reference: nine numbers."""
    rate, half, ramp = (2 * np.pi) / s.period, real(0.5, t), real(c.RAMP, t)
    phase, pace, change = rate * (t - half * ramp), rate, real(0.0, t)
    if s.course == c.SCRIPT:  # the original's begins at once, where it is slow
        phase = rate * t
    elif t < c.RAMP:
        phase, pace, change = 0.5 * rate * t * t / c.RAMP, rate * t / c.RAMP, rate / c.RAMP
    sine, cosine = fmath.sincos(phase)
    x, vx, ax = _axis(s, n, 0, sine, cosine, pace, change)
    y, vy, ay = _axis(s, n, 1, sine, cosine, pace, change)
    z, vz, az = _axis(s, n, 2, sine, cosine, pace, change)
    return x, y, z, vx, vy, vz, ax, ay, az


@kernel
def _axis(s, n, k, sine, cosine, pace, change):
    swing, sway = s.swing[n, k], s.sway[n, k]
    along, across = sway * cosine - swing * sine, swing * cosine + sway * sine
    return s.center[n, k] + across, along * pace, along * change - across * pace * pace
