"""A pole on a cart of which only positions, or only velocities, are seen."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Block, Choice, Record, Reward, batch_loops, cut, field, fmath, kernel, rng
from envsuite.memory.popgym.base import NONE, Compat, Info, PopState, PopWorld, before, clear, mark

GYMNASIUM = "Gymnasium 1.4, CartPole-v1"
START = 0.05


class Params(Record):
    """Constants of the cart and the pole, and the options that kernels know."""

    gravity = field(9.8, "m/s^2", source=GYMNASIUM)
    cart = field(1.0, "kg", "mass of the cart", source=GYMNASIUM)
    pole = field(0.1, "kg", "mass of the pole", source=GYMNASIUM)
    half = field(0.5, "m", "half the pole's length", source=GYMNASIUM)
    force = field(10.0, "N", "to the left or to the right", source=GYMNASIUM)
    dt = field(0.02, "s", "of a step (Euler)", source=GYMNASIUM)
    far = field(2.4, "m", "from the middle, where the episode ends", source=GYMNASIUM)
    steep = field(12 * 2 * np.pi / 360, "rad", "from upright, where the episode ends", source=GYMNASIUM)
    steps = field(type=np.int32, meaning="of an episode at most")
    moving = field(type=np.int32, meaning="1 if velocities are seen, 0 for positions")
    opening = field(type=np.int32, meaning="the same for the first observation")
    noise = field(0.0, "", "standard deviation of what is added to both numbers", low=0)
    previous = field(type=np.int32, meaning="where the previous action is observed, -1 for nowhere")


class State(PopState):
    """The cart and the pole."""

    x = field(type=np.float64, unit="m", meaning="of the cart, to the right")
    x_dot = field(type=np.float64, unit="m/s", meaning="its velocity")
    theta = field(type=np.float64, unit="rad", meaning="of the pole, to the right")
    theta_dot = field(type=np.float64, unit="rad/s", meaning="its velocity")
    seen = field(type=np.float32, shape=2, meaning="what is observed")
    fallen = field(type=np.uint8, meaning="1 once a bound was passed")


@kernel
def look(s, p, moving):
    """What is seen, with noise within the bounds of positions."""
    if p.noise > 0.0:
        rng.normals(s.rng, rng.OBSERVATION, s.seen)
        sigma = np.float32(p.noise)
        s.seen[0], s.seen[1] = s.seen[0] * sigma, s.seen[1] * sigma
    else:
        s.seen[0], s.seen[1] = np.float32(0.0), np.float32(0.0)
    s.seen[0] += np.float32(s.x_dot if moving else s.x)
    s.seen[1] += np.float32(s.theta_dot if moving else s.theta)
    if p.moving == 0:
        wide, high = np.float32(2.0 * p.far), np.float32(2.0 * p.steep)
        s.seen[0], s.seen[1] = min(max(s.seen[0], -wide), wide), min(max(s.seen[1], -high), high)


@kernel
def reset(s, p):
    """All four numbers are uniform within 0.05 of 0."""
    s.x, s.x_dot, s.theta, s.theta_dot = rng.uniform4(s.rng, rng.RESET, -START, START)
    s.last, s.fallen = NONE, 0
    look(s, p, p.opening)


@kernel
def move(s, p, force):
    """The cart and the pole after one step; Florian (2005), Correct equations for the dynamics of the cart-pole."""
    sine, cosine = fmath.sincos(s.theta)
    mass, moment = p.cart + p.pole, p.pole * p.half
    push = (force + moment * (s.theta_dot * s.theta_dot) * sine) / mass
    turn = (p.gravity * sine - cosine * push) / (p.half * (4.0 / 3.0 - p.pole * (cosine * cosine) / mass))
    pull = push - moment * turn * cosine / mass
    s.x += p.dt * s.x_dot
    s.x_dot += p.dt * pull
    s.theta += p.dt * s.theta_dot
    s.theta_dot += p.dt * turn


@kernel
def step(s, p, action):
    """Push. Reward and whether the cart is too far off or the pole too steep."""
    move(s, p, p.force if action == 1 else -p.force)
    s.last = action
    s.fallen = abs(s.x) > p.far or abs(s.theta) > p.steep
    look(s, p, p.moving)
    if s.clock.step >= p.steps:
        cut(s.clock)
    return 1.0 / p.steps, s.fallen != 0


@kernel
def observe(s, p, observation, info):
    """Write the two numbers, and the metrics."""
    clear(observation)
    observation[0], observation[1] = s.seen[0], s.seen[1]
    if p.previous >= 0:
        mark(observation, p.previous, s.last)
    info.progress = np.float32(s.clock.step / p.steps)
    info.is_success = s.fallen == 0 and s.clock.step >= p.steps


@kernel
def tell(s, p, info):
    """Write positions and velocities."""
    told = info.privileged
    told[0], told[1], told[2], told[3] = s.x, s.x_dot, s.theta, s.theta_dot


class CartPoleWorld(PopWorld):
    """Balance a pole by pushing its cart to the left or to the right.

    Args:
        hide: the half of the state that is not seen.
        noise: standard deviation of the normal noise on each number seen, m and rad, or m/s and rad/s.
        steps: of an episode at most.
        previous_action: the observation holds the previous push.
        privileged: ``info["privileged"]`` holds the state for critics.
        compat: ``"popgym-1.0.7"``: where positions are hidden, the first observation shows them instead of velocities.
    """

    plain, full = batch_loops(reset, step, observe), batch_loops(reset, step, observe, tell)
    state_dtype = State.dtype()
    action = Choice(("left", "right"))

    def __init__(
        self,
        *,
        hide: Literal["velocities", "positions"] = "velocities",
        noise: Annotated[float, Between(0.0, 10.0)] = 0.0,
        steps: Annotated[int, Between(1, 10_000)] = 200,
        previous_action: bool = False,
        privileged: bool = False,
        compat: Compat | None = None,
    ):
        self.hide, self.noise, self.steps = hide, noise, steps
        moving = hide == "positions"
        params = Params.make(steps=steps, moving=moving, opening=moving and compat is None, noise=noise, previous=NONE)
        far, steep = 2 * params["far"][0], 2 * params["steep"][0]
        blocks = (
            (
                Block("velocity of the cart", 1, -np.inf, np.inf, "m/s", "to the right"),
                Block("velocity of the pole", 1, -np.inf, np.inf, "rad/s", "to the right"),
            )
            if moving
            else (
                Block("position of the cart", 1, -far, far, "m", "to the right of the middle"),
                Block("angle of the pole", 1, -steep, steep, "rad", "to the right"),
            )
        )
        params["previous"] = self.sees(blocks, before(2) if previous_action else (), np.float32)
        self.params = params
        self.reports(Info, 4 if privileged else 0)
        self.reward = Reward(low=np.array(1 / steps), high=np.array(1 / steps))
