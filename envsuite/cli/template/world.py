"""A pole on a cart, after Barto, Sutton and Anderson (1983) with the constants of Gymnasium's CartPole-v1."""

import numpy as np

from envsuite.core import (
    Block,
    Choice,
    Players,
    Record,
    StateRecord,
    Vector,
    World,
    batch_loops,
    field,
    fmath,
    kernel,
    rng,
)

SPEED_LIMIT = 50.0  # m/s and rad/s; no episode of 500 steps comes near it


class Params(Record):
    """The constants."""

    gravity = field(9.8, "m/s^2")
    cart_mass = field(1.0, "kg", low=0.01)
    pole_mass = field(0.1, "kg", low=0.001)
    half_length = field(0.5, "m", "half the pole's length", low=0.01)
    force = field(10.0, "N")
    dt = field(0.02, "s", "a step")
    position_limit = field(2.4, "m", "beyond it the episode ends")
    angle_limit = field(np.deg2rad(12.0), "rad", "beyond it the episode ends")
    start = field(0.05, "", "initial values are uniform within this distance of 0")


class State(StateRecord):
    """What moves."""

    position = field(unit="m")
    velocity = field(unit="m/s")
    angle = field(unit="rad", meaning="from upright")
    angular_velocity = field(unit="rad/s")


class Info(Record):
    """The metrics."""

    lean = field(unit="rad", meaning="size of the angle")


@kernel
def reset(s, p):
    """Start near upright and at rest."""
    s.position, s.velocity, s.angle, s.angular_velocity = rng.uniform4(s.rng, rng.RESET, -p.start, p.start)


@kernel
def step(s, p, action):
    """Push the cart for one time step (explicit Euler); the reward is 1 a step, the one that fails included."""
    sine, cosine = fmath.sincos(s.angle)
    mass, moment = p.cart_mass + p.pole_mass, p.pole_mass * p.half_length
    push = ((p.force if action == 1 else -p.force) + moment * s.angular_velocity * s.angular_velocity * sine) / mass
    inertia = p.half_length * (4.0 / 3.0 - p.pole_mass * cosine * cosine / mass)
    turn = (p.gravity * sine - cosine * push) / inertia
    s.position += p.dt * s.velocity
    s.velocity += p.dt * (push - moment * turn * cosine / mass)
    s.angle += p.dt * s.angular_velocity
    s.angular_velocity += p.dt * turn
    return 1.0, abs(s.position) > p.position_limit or abs(s.angle) > p.angle_limit


@kernel
def observe(s, o, info):
    """Write what the agent sees, and the metrics."""
    o.position, o.angle = s.position, s.angle
    o.velocity = min(max(s.velocity, -SPEED_LIMIT), SPEED_LIMIT)
    o.angular_velocity = min(max(s.angular_velocity, -SPEED_LIMIT), SPEED_LIMIT)
    info.lean = abs(s.angle)


class ToyWorld(World):
    """A pole on a cart."""

    params, state_dtype, info_dtype = Params.make(), State.dtype(), Info.dtype()
    observation = Vector(
        (  # twice the limits at which an episode ends, so that the last observation fits too
            Block("position", 1, -4.8, 4.8, "m"),
            Block("velocity", 1, -SPEED_LIMIT, SPEED_LIMIT, "m/s"),
            Block("angle", 1, -np.deg2rad(24.0), np.deg2rad(24.0), "rad", "from upright"),
            Block("angular velocity", 1, -SPEED_LIMIT, SPEED_LIMIT, "rad/s"),
        )
    )
    action = Choice(("left", "right"))
    loops = batch_loops(reset, step, observe)


class ToyWorldPlayers(Players):
    """A linear controller: towards the side that the pole is about to fall to."""

    def expert(self):
        """The gains are those of a linear-quadratic regulator of the dynamics linearised at rest, scaled."""
        from envsuite.agents.policy import Rule

        return Rule(lambda observations: observations @ np.array([1.0, 2.0, 30.0, 6.0]) > 0, np.int64)
