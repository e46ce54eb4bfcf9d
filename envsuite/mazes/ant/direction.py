"""Walking at a wanted velocity: what the low-level controller of the weak ant was trained on. No maze.

The controller sees the ant, and moves it, in one of four frames (`envsuite.mazes.ant.frames`), and so learns one
direction only. Ankles bend there by positive angles.
"""

import math

import numpy as np

from envsuite.core import Block, Record, Vector, field, fmath, kernel, rng
from envsuite.mazes.ant.frames import bend_of, frame_of, into_torso, motors_of, turned
from envsuite.rigid.models import WEAK_ANT
from envsuite.rigid.world import Bodies, BodiesWorld, BodyState, act, loops_of, shake
from envsuite.rigid.world import move as go_on

FEATURES = 29


class Params(Bodies):
    """The ant, and what it is asked for."""

    top_speed = field(3.0, "m/s", meaning="the fastest that is asked for")
    change = field(1 / 3, "1/s", "rate at which the wanted velocity is drawn anew")
    rest = field(0.1, meaning="probability that the ant is to stand")
    slow = field(0.3, meaning="least part of the top speed that is asked for, but for standing")
    effort = field(0.02, meaning="cost of the mean square of the action")
    low = field(0.2, "m", "height of the torso below which an episode ends; so it does when the ant lies on its back")


class State(BodyState):
    """One instance."""

    wanted = field(shape=2, meaning="velocity in the world as a part of the top speed")
    moved = field(shape=8, meaning="last action, in the order of the motors")


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
    for k in range(8):
        s.moved[k] = 0.0
    _draw(s, p, rng.RESET)


@kernel
def upright(body):
    """Part of the torso's own axis that points upwards."""
    x, y = body.qpos[4], body.qpos[5]
    return 1.0 - 2.0 * (x * x + y * y)


@kernel
def sense(body, wanted_x, wanted_y, features):
    """What the controller sees, the same wherever the ant is and whichever way it is turned.

    Args:
        body: `envsuite.rigid.layout.Physics` of an ant.
        wanted_x: velocity in the world as a part of the top speed.
        wanted_y: likewise.
        features: (29,), written: height, upward direction, wanted velocity, velocity, turning, then hip, ankle and
            their speeds of each leg.
    """
    q, v, turns = body.qpos, body.qvel, frame_of(body, wanted_x, wanted_y)
    features[0] = q[2]
    for k in range(4):
        if k == 0:
            x, y, z = into_torso(q, 0.0, 0.0, 1.0)
        elif k == 1:
            x, y, z = into_torso(q, wanted_x, wanted_y, 0.0)
        elif k == 2:
            x, y, z = into_torso(q, v[0], v[1], v[2])
        else:
            x, y, z = v[3], v[4], v[5]
        features[1 + 3 * k], features[2 + 3 * k] = turned(turns, x, y)
        features[3 + 3 * k] = z
    for k in range(4):
        leg = (k + turns) % 4
        bend = bend_of(leg)
        features[13 + 4 * k], features[14 + 4 * k] = q[7 + 2 * leg], bend * q[8 + 2 * leg]
        features[15 + 4 * k], features[16 + 4 * k] = v[6 + 2 * leg], bend * v[7 + 2 * leg]


@kernel
def move(turns, moves, action):
    """The action of an ant, from that of the controller.

    Args:
        turns: the frame of the controller, see `frame_of`.
        moves: (8,), of hip and ankle of each leg as the controller numbers them.
        action: (8,), written, in the order of the motors: the fourth leg comes first.
    """
    for k in range(4):
        leg = (k + turns) % 4
        bend, at = bend_of(leg), motors_of(leg)
        action[at], action[at + 1] = moves[2 * k], bend * moves[2 * k + 1]


@kernel
def step(s, p, w, action, info):
    """Paid for keeping the wanted velocity, less effort; falling over ends the episode."""
    move(frame_of(s.body, s.wanted[0], s.wanted[1]), action, s.moved)
    act(s, p, w, s.moved)
    go_on(s, p, w)
    period = p.frame_skip * p.model.timestep
    vx, vy = (s.body.qpos[0] - w.before[0]) / period, (s.body.qpos[1] - w.before[1]) / period
    dx, dy = vx - p.top_speed * s.wanted[0], vy - p.top_speed * s.wanted[1]
    info.error = math.sqrt(dx * dx + dy * dy)
    part = math.sqrt(s.wanted[0] * s.wanted[0] + s.wanted[1] * s.wanted[1])
    info.speed = (vx * s.wanted[0] + vy * s.wanted[1]) / part if part > 0.0 else 0.0
    fallen = not (upright(s.body) > 0.0 and s.body.qpos[2] > p.low)
    reward = 1.5 - info.error / p.top_speed - p.effort * w.square / p.model.nu
    if rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0) < p.change * period:
        _draw(s, p, rng.DYNAMICS)
    return reward, fallen


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
    """The weak ant has to walk at a velocity that it is told, which changes now and then."""

    info_dtype = Info.dtype()
    loops = loops_of("medium", reset, step, observe, measure=measure, open_info=open_info)
    observation = Vector((Block("senses", FEATURES, -np.inf, np.inf),), dtype=np.float64)

    def __init__(self):
        self.set_up(WEAK_ANT, Params, State, frame_skip=5)
