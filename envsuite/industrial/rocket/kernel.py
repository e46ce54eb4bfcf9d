"""The rocket on one record, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, batch_loops, fmath, kernel, rng
from envsuite.industrial.rocket.params import (
    ASIDE,
    FIRST_WIND,
    GROUND,
    HIGH,
    LEAN,
    LOW,
    MAIN_PLACE,
    RATE,
    SCALE,
    SIDE_HEIGHT,
    SIDE_PLACE,
    SINK,
    STANDING,
    WIDE,
    WRONG_HEIGHT,
    Params,
)
from envsuite.industrial.rocket.state import ACTION, EVERY, TRAIL, Info, State, observation
from envsuite.industrial.world import PlantWorld

DT = 1.0 / RATE


@kernel
def wind_at(p, clock):
    """Force of the wind at its clock, N, to the right: two sines that never repeat together."""
    k = np.float64(clock)
    return p.wind * fmath.tanh(fmath.sin(0.02 * k) + fmath.sin(0.01 * np.pi * k))


@kernel
def push(s, p, x, y, across, up):
    """Change velocity and spin by an impulse (N s) at a place relative to the centre of mass (m)."""
    s.velocity[0] += across / p.mass
    s.velocity[1] += up / p.mass
    s.spin += (x * up - y * across) / p.inertia


@kernel
def fire(s, p, action):
    """Fire the engines; each step draws how they stray, whether they burn or not."""
    stray1 = rng.uniform(s.rng, rng.DYNAMICS, -1.0, 1.0) / SCALE
    stray2 = rng.uniform(s.rng, rng.DYNAMICS, -1.0, 1.0) / SCALE
    sine, cosine = fmath.sincos(s.angle)
    s.main = s.side = 0.0
    # the hull's origin, from the centre of mass
    x, y = p.middle * sine, -p.middle * cosine
    if action[0] > 0.0:
        s.main = 0.5 * (min(np.float64(action[0]), 1.0) + 1.0)
        far = MAIN_PLACE + 2.0 * stray1
        across, down = sine * far - cosine * stray2, -cosine * far - sine * stray2
        push(s, p, x + across, y + down, -p.main * s.main * across, -p.main * s.main * down)
    if abs(action[1]) > 0.5:
        power = min(abs(np.float64(action[1])), 1.0)
        sign = 1.0 if action[1] > 0.0 else -1.0
        s.side = sign * power
        aside = 3.0 * stray2 + sign * SIDE_PLACE
        across, down = sine * stray1 - cosine * aside, -cosine * stray1 - sine * aside
        left, height = x + across - sine * p.side_height, y + down + cosine * SIDE_HEIGHT
        push(s, p, left, height, -p.side * power * across, -p.side * power * down)


@kernel
def fly(s, p, across, up, lever):
    """Move for one step under a force (N) on the hull; its horizontal part acts so far above the centre (m)."""
    s.velocity[0] += DT * across / p.mass
    s.velocity[1] += DT * (up / p.mass - p.gravity)
    s.spin -= DT * across * lever / p.inertia
    s.angle += DT * s.spin
    s.position[0] += DT * s.velocity[0]
    s.position[1] += DT * s.velocity[1]


@kernel
def blow(s, p):
    """The wind of this step; its clock goes on."""
    s.wind = wind_at(p, s.wind_clock)
    s.wind_clock += 1


@kernel
def seen(s, p):
    """Where the hull is and how it moves, as observed: x, height, both velocities."""
    sine, cosine = fmath.sincos(s.angle)
    x, y = s.position[0] + p.middle * sine, s.position[1] - p.middle * cosine
    above = p.hull_middle - p.middle
    across, up = s.velocity[0] - s.spin * above * cosine, s.velocity[1] - s.spin * above * sine
    half = 0.5 * HIGH
    return (
        (x - 0.5 * WIDE) / (0.5 * WIDE),
        (y - (GROUND + STANDING)) / half,
        across * (0.5 * WIDE) / RATE,
        up * half / RATE,
    )


@kernel
def potential(s, p):
    """What the reward is the rise of: nearness, slowness, uprightness."""
    x, y, across, up = seen(s, p)
    return -100.0 * (fmath.sqrt(x * x + y * y) + fmath.sqrt(across * across + up * up) + abs(s.angle))


@kernel
def remember(s, p):
    """Write the way that pictures show."""
    if s.clock.step % EVERY == 0:
        x, y, _, _ = seen(s, p)
        k = (s.clock.step // EVERY) % TRAIL
        s.trail[k, 0], s.trail[k, 1] = 0.5 * WIDE * (1.0 + x), GROUND + STANDING + 0.5 * HIGH * y


@kernel
def reset(s, p):
    """Push the hull at random, and let a step pass."""
    across = rng.uniform(s.rng, rng.RESET, -p.kick, p.kick)
    up = rng.uniform(s.rng, rng.RESET, -p.kick, p.kick)
    s.wind_clock = rng.integers(s.rng, rng.RESET, 2 * FIRST_WIND) - FIRST_WIND
    s.position[0], s.position[1] = 0.5 * WIDE, p.start + p.middle
    s.velocity[0] = s.velocity[1] = s.angle = s.spin = 0.0
    s.main = s.side = s.fuel = 0.0
    s.landed = s.crashed = False
    blow(s, p)
    fly(s, p, across + s.wind, up, p.kick_lever)
    s.shaping = potential(s, p)
    remember(s, p)


@kernel
def step(s, p, action):
    """Fly for a fiftieth of a second; returns the reward and whether the rocket came down."""
    fire(s, p, action)
    blow(s, p)
    fly(s, p, s.wind, 0.0, p.hull_middle - p.middle)
    remember(s, p)
    burnt = 0.3 * s.main + 0.03 * abs(s.side)
    s.fuel += burnt
    before, s.shaping = s.shaping, potential(s, p)
    _, y, across, up = seen(s, p)
    if y <= LOW:
        s.landed = abs(s.angle) < LEAN and abs(across) < ASIDE and abs(up) < SINK
        s.crashed = not s.landed
        return (100.0 if s.landed else -100.0), True
    return s.shaping - before - burnt, False


@kernel
def observe(s, p, o, info):
    """Write what an agent sees, and the metrics."""
    o.x, o.height, o.velocity_x, o.velocity_y = seen(s, p)
    o.angle, o.spin, o.wind = s.angle, 0.4 * s.spin, s.wind
    info.is_success, info.crashed = s.landed, s.crashed
    info.cost = 1.0 if s.crashed else 0.0
    info.wind, info.fuel = s.wind, s.fuel
    info.height = 0.5 * HIGH * seen(s, p)[1]
    info.speed = fmath.sqrt(s.velocity[0] * s.velocity[0] + s.velocity[1] * s.velocity[1])


class RocketRecoveryWorld(PlantWorld):
    """A rocket that is to land, in a wind that changes.

    Args:
        wind: greatest force of the wind, N.
        kick: greatest force of the push in the beginning, N, on each axis.
        compat: ``"neorl2"`` lets the side engines' place depend on the lean, as in the original; None repairs it.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """

    state_dtype, info_dtype = State.dtype(), Info.dtype()
    action = ACTION
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        wind: Annotated[float, Between(0.0, 100.0)] = 10.0,
        kick: Annotated[float, Between(0.0, 5000.0)] = 500.0,
        compat: Literal["neorl2"] | None = None,
    ):
        height = SIDE_HEIGHT if compat is None else WRONG_HEIGHT
        self.params = Params.make(wind=wind, kick=kick, side_height=height)
        self.observation = observation(wind)
