"""Walking at a wanted velocity: what the low-level controllers of the ants were trained on. No maze."""

import math
from typing import Literal

import numpy as np

from envsuite.core import Block, Record, Vector, field, fmath, kernel, rng
from envsuite.rigid import Scene
from envsuite.rigid.models import ANT, WEAK_ANT
from envsuite.rigid.world import Bodies, BodiesWorld, BodyState, drive, loops_of, shake

FEATURES = 29

ANTS: dict[str, tuple[Scene, float]] = {"strong": (ANT, 4.0), "weak": (WEAK_ANT, 3.0)}
"""The ants by name, with the fastest velocity that is asked for, m/s."""


class Params(Bodies):
    """The ant, and what it is asked for."""

    top_speed = field(unit="m/s", meaning="the fastest that is asked for")
    change = field(1 / 3, "1/s", "rate at which the wanted velocity is drawn anew")
    rest = field(0.15, meaning="probability that the ant is to stand")
    slow = field(0.25, meaning="least part of the top speed that is asked for, but for standing")
    effort = field(0.02, meaning="cost of the mean square of the action")
    low = field(0.2, "m", "height of the torso below which an episode ends; so it does when the ant lies on its back")


class State(BodyState):
    """One instance."""

    wanted = field(shape=2, meaning="velocity in the world as a part of the top speed")


class Info(Record):
    """The metrics."""

    error = field(unit="m/s", meaning="between velocity and wanted velocity")
    speed = field(unit="m/s", meaning="along the wanted direction")
    wanted = field(unit="m/s", shape=2)


@kernel
def _draw(s, p, purpose):
    angle, part = rng.uniform(s.rng, purpose, 0.0, 2.0 * math.pi), rng.uniform(s.rng, purpose, p.slow, 1.0)
    if rng.uniform(s.rng, purpose, 0.0, 1.0) < p.rest:
        part = 0.0
    s.wanted[0], s.wanted[1] = part * fmath.cos(angle), part * fmath.sin(angle)


@kernel
def reset(s, p):
    """Begin near the model's pose, with a velocity to keep."""
    shake(s, p, 0.1, True)
    _draw(s, p, rng.RESET)


@kernel
def upright(body):
    """Part of the torso's own axis that points upwards."""
    x, y = body.qpos[4], body.qpos[5]
    return 1.0 - 2.0 * (x * x + y * y)


@kernel
def step(s, p, w, action, info):
    """Paid for keeping the wanted velocity, less effort; falling over ends the episode."""
    x, y = s.body.qpos[0], s.body.qpos[1]
    square = drive(s, p, w, action)
    period = p.frame_skip * p.model.timestep
    vx, vy = (s.body.qpos[0] - x) / period, (s.body.qpos[1] - y) / period
    dx, dy = vx - p.top_speed * s.wanted[0], vy - p.top_speed * s.wanted[1]
    info.error = math.sqrt(dx * dx + dy * dy)
    part = math.sqrt(s.wanted[0] * s.wanted[0] + s.wanted[1] * s.wanted[1])
    info.speed = (vx * s.wanted[0] + vy * s.wanted[1]) / part if part > 0.0 else 0.0
    fallen = not (upright(s.body) > 0.0 and s.body.qpos[2] > p.low)
    reward = 2.0 - info.error / p.top_speed - p.effort * square / p.model.nu
    if rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0) < p.change * period:
        _draw(s, p, rng.DYNAMICS)
    return reward, fallen


@kernel
def _into_torso(q, x, y, z):
    """A vector of the world in the axes of the torso, whose quaternion is (w, x, y, z)."""
    a, b, c, d = q[3], -q[4], -q[5], -q[6]
    u, v, t = c * z - d * y, d * x - b * z, b * y - c * x
    return (
        x + 2.0 * (a * u + c * t - d * v),
        y + 2.0 * (a * v + d * u - b * t),
        z + 2.0 * (a * t + b * v - c * u),
    )


@kernel
def sense(body, wanted_x, wanted_y, features):
    """What the controller sees, in the torso's axes: the same wherever the ant is and whichever way it is turned.

    Args:
        body: `envsuite.rigid.layout.Physics` of an ant.
        wanted_x: velocity as a part of the top speed.
        wanted_y: likewise.
        features: (29,), written: height, upward direction, wanted velocity, angles, velocity, turning, their speeds.
    """
    q, v = body.qpos, body.qvel
    features[0] = q[2]
    features[1], features[2], features[3] = _into_torso(q, 0.0, 0.0, 1.0)
    features[4], features[5], features[6] = _into_torso(q, wanted_x, wanted_y, 0.0)
    features[15], features[16], features[17] = _into_torso(q, v[0], v[1], v[2])
    for k in range(8):
        features[7 + k], features[21 + k] = q[7 + k], v[6 + k]
    for k in range(3):
        features[18 + k] = v[3 + k]


@kernel
def observe(s, observation):
    """See `sense`."""
    sense(s.body, s.wanted[0], s.wanted[1], observation)


@kernel
def measure(s, p, info):
    """Write what is wanted from now on."""
    for k in range(2):
        info.wanted[k] = p.top_speed * s.wanted[k]


@kernel
def open_info(info):
    """What steps write of their own, before the first."""
    info.error = info.speed = 0.0


class AntDirectionWorld(BodiesWorld):
    """An ant has to walk at a velocity that it is told, which changes now and then.

    Args:
        ant: ``"strong"``, Gymnasium's, or ``"weak"``, that of D4RL and OGBench.
    """

    info_dtype = Info.dtype()
    loops = loops_of("medium", reset, step, observe, measure=measure, open_info=open_info)
    observation = Vector((Block("senses", FEATURES, -np.inf, np.inf),), dtype=np.float64)

    def __init__(self, *, ant: Literal["strong", "weak"] = "strong"):
        scene, top_speed = ANTS[ant]
        self.set_up(scene, Params, State, frame_skip=5, top_speed=top_speed)
