"""Swing up a pendulum whose speed is not seen."""

import math
from typing import Annotated

import numpy as np

from envsuite.core import Between, Block, Record, Reward, Vector, batch_loops, cut, field, fmath, kernel, rng
from envsuite.memory.popgym.base import NONE, PopState, PopWorld

GYMNASIUM = "Gymnasium 1.4, Pendulum-v1"
WORST = 16.2736044
"""Greatest cost of a step: pi^2 + 0.1 * 8^2 + 0.001 * 2^2, as popgym 1.0.7 rounds it."""


class Params(Record):
    """Constants of the pendulum, and the options that kernels know."""

    gravity = field(10.0, "m/s^2", source=GYMNASIUM)
    mass = field(1.0, "kg", source=GYMNASIUM)
    length = field(1.0, "m", source=GYMNASIUM)
    dt = field(0.05, "s", "of a step", source=GYMNASIUM)
    fastest = field(8.0, "rad/s", "speeds are held to this", source=GYMNASIUM)
    torque = field(2.0, "N m", "the strongest", source=GYMNASIUM)
    spin = field(1.0, "rad/s", "first speeds are uniform within this", source=GYMNASIUM)
    steps = field(type=np.int32, meaning="of an episode")
    noise = field(0.0, "", "standard deviation of what is added to both numbers", low=0)
    previous = field(type=np.int32, meaning="where the previous action is observed, -1 for nowhere")


class State(PopState):
    """The pendulum."""

    theta = field(type=np.float64, unit="rad", meaning="from upright, counter-clockwise; turns are counted")
    theta_dot = field(type=np.float64, unit="rad/s", meaning="its speed")
    torque = field(type=np.float64, unit="N m", meaning="of the last step")
    seen = field(type=np.float32, shape=2, meaning="what is observed")


class Info(Record):
    """The metrics."""

    angle = field(type=np.float32, unit="rad", meaning="from upright, from -pi to pi")


@kernel
def look(s, p):
    """Cosine and sine of the angle, with noise, within [-1, 1]."""
    if p.noise > 0.0:
        rng.normals(s.rng, rng.OBSERVATION, s.seen)
        sigma = np.float32(p.noise)
        s.seen[0], s.seen[1] = s.seen[0] * sigma, s.seen[1] * sigma
    else:
        s.seen[0], s.seen[1] = np.float32(0.0), np.float32(0.0)
    sine, cosine = fmath.sincos(s.theta)
    one = np.float32(1.0)
    s.seen[0] = min(max(s.seen[0] + np.float32(cosine), -one), one)
    s.seen[1] = min(max(s.seen[1] + np.float32(sine), -one), one)


@kernel
def reset(s, p):
    """Any angle, and a speed of at most 1 rad/s."""
    angle, speed, _, _ = rng.uniform4(s.rng, rng.RESET, -1.0, 1.0)
    s.theta, s.theta_dot, s.torque, s.last = math.pi * angle, p.spin * speed, 0.0, NONE
    look(s, p)


@kernel
def near(theta):
    """An angle from -pi to pi."""
    return theta - 2.0 * math.pi * math.floor(theta / (2.0 * math.pi) + 0.5)


@kernel
def step(s, p, action):
    """Turn. Reward; an episode only ends by its length."""
    torque = np.float64(action[0])
    angle = near(s.theta)
    cost = angle * angle + 0.1 * s.theta_dot * s.theta_dot + 0.001 * torque * torque
    pull = 1.5 * p.gravity / p.length * fmath.sin(s.theta) + 3.0 / (p.mass * p.length * p.length) * torque
    s.theta_dot = min(max(s.theta_dot + pull * p.dt, -p.fastest), p.fastest)
    s.theta += s.theta_dot * p.dt
    s.torque, s.last = torque, 0
    look(s, p)
    if s.clock.step >= p.steps:
        cut(s.clock)
    return (1.0 - 2.0 * cost / WORST) / p.steps, False


@kernel
def observe(s, p, observation, info):
    """Write cosine and sine, and the metrics."""
    observation[0], observation[1] = s.seen[0], s.seen[1]
    if p.previous >= 0:
        observation[p.previous] = s.torque
    info.angle = near(s.theta)


@kernel
def tell(s, p, info):
    """Write cosine, sine, and the speed as a share of the greatest."""
    sine, cosine = fmath.sincos(s.theta)
    info.privileged[0], info.privileged[1], info.privileged[2] = cosine, sine, s.theta_dot / p.fastest


class PendulumWorld(PopWorld):
    """Swing a pendulum up and hold it there by a torque that is too weak to lift it at once.

    Args:
        noise: standard deviation of the normal noise on both numbers seen.
        steps: of an episode.
        previous_action: the observation holds the previous torque.
        privileged: ``info["privileged"]`` holds the state for critics.
    """

    plain, full = batch_loops(reset, step, observe), batch_loops(reset, step, observe, tell)
    state_dtype = State.dtype()
    action = Vector((Block("torque", 1, -2.0, 2.0, "N m", "counter-clockwise"),), out_of_range="clip")

    def __init__(
        self,
        *,
        noise: Annotated[float, Between(0.0, 10.0)] = 0.0,
        steps: Annotated[int, Between(1, 10_000)] = 200,
        previous_action: bool = False,
        privileged: bool = False,
    ):
        self.noise, self.steps = noise, steps
        blocks = (
            Block("cosine of the angle", 1, -1.0, 1.0, "", "1 for upright"),
            Block("sine of the angle", 1, -1.0, 1.0, "", "above 0 for the left side"),
        )
        told = (Block("previous torque", 1, -2.0, 2.0, "N m", "0 at first"),)
        previous = self.sees(blocks, told if previous_action else (), np.float32)
        self.reports(Info, 3 if privileged else 0)
        self.params = Params.make(steps=steps, noise=noise, previous=previous)
        self.reward = Reward(low=np.array(-1 / steps), high=np.array(1 / steps))
