"""An arm of two links that reaches a target in a plane: rules on one record, and the world (Gymnasium 1.4)."""

from typing import Any

import numpy as np

from envsuite.core import Block, Record, Vector, field, kernel, rng
from envsuite.core.fmath import cos, sin, sqrt
from envsuite.locomotion import models
from envsuite.locomotion.dynamics import LocomotionWorld
from envsuite.locomotion.options import Skip, Weight
from envsuite.rigid.integrate import forward
from envsuite.rigid.sampler import sample, tell
from envsuite.rigid.world import Bodies, BodyState, driven_loops

SIZE = "small"
REACH = 0.2  # m, targets lie within this distance of the shoulder
FINGERTIP, TARGET = 3, 4  # bodies


class Params(Bodies):
    """The bodies, and what the reward is made of."""

    reward_dist_weight = field(1.0, "1/m", "cost of the distance from the target")
    reward_control_weight = field(1.0, meaning="cost of the squares of the action")
    early = field(type=np.uint8, meaning="before v5: the distance before the step counts")
    three = field(type=np.uint8, meaning="before v5: the difference's third coordinate, always 0, is observed")


class State(BodyState):
    """One instance."""

    away = field(unit="m", shape=3, meaning="fingertip minus target, at the beginning of the last step of physics")
    reward_dist = field(meaning="in the last step")
    reward_ctrl = field(meaning="in the last step")


class Info(Record):
    """The metrics."""

    reward_dist = field(type=np.float64)
    reward_ctrl = field(type=np.float64)


@kernel
def reset(s, p, w):
    """Begin nearly at rest, the target anywhere in a disc."""
    s.body = p.start
    sample(s, p)
    q, v = s.body.qpos, s.body.qvel
    for i in range(2):
        q[i] += rng.uniform(s.rng, rng.RESET, -0.1, 0.1)
        v[i] += rng.uniform(s.rng, rng.RESET, -0.005, 0.005)
    q[2] = q[3] = REACH
    while q[2] * q[2] + q[3] * q[3] >= REACH * REACH:
        q[2] = rng.uniform(s.rng, rng.RESET, -REACH, REACH)
        q[3] = rng.uniform(s.rng, rng.RESET, -REACH, REACH)
    forward(p.model, s.body, w)
    _remember(s, w)
    s.reward_dist = s.reward_ctrl = 0.0


@kernel
def _remember(s, w):
    for k in range(3):
        s.away[k] = w.xpos[FINGERTIP, k] - w.xpos[TARGET, k]


@kernel
def _distance(s):
    return sqrt(s.away[0] * s.away[0] + s.away[1] * s.away[1] + s.away[2] * s.away[2])


@kernel
def step(s, p, w):
    """Costs: the distance from the target and the squares of the action."""
    before = _distance(s)
    _remember(s, w)
    s.reward_dist = -p.reward_dist_weight * (before if p.early != 0 else _distance(s))
    s.reward_ctrl = -p.reward_control_weight * w.square
    return s.reward_dist + s.reward_ctrl, False


@kernel
def observe(s, p, observation):
    """Cosines and sines of the joints, the target, speeds of the joints, the way from the target."""
    for i in range(2):
        observation[i], observation[2 + i] = cos(s.body.qpos[i]), sin(s.body.qpos[i])
        observation[4 + i], observation[6 + i] = s.body.qpos[2 + i], s.body.qvel[i]
        observation[8 + i] = s.away[i]
    if p.three != 0:
        observation[10] = s.away[2]


@kernel
def measure(s, p, info):
    """Write the metrics."""
    info.reward_dist, info.reward_ctrl = s.reward_dist, s.reward_ctrl
    tell(s, p, info)


class ReacherWorld(LocomotionWorld):
    """An arm that reaches a target.

    Args:
        reward_dist_weight: cost of the distance.
        reward_control_weight: cost of the squares of the action.
        frame_skip: steps of physics in a step of the environment.
        **options: those of `LocomotionWorld`. Before v5 the distance before the step counts, and a third coordinate is
            observed, which is always 0.
    """

    info_dtype = Info.dtype()
    loops = driven_loops(SIZE, reset, step, observe, measure=measure)
    varies = ("mass", "damping", "power")

    def __init__(
        self,
        *,
        reward_dist_weight: Weight = 1.0,
        reward_control_weight: Weight = 1.0,
        frame_skip: Skip = 2,
        **options: Any,
    ):
        super().__init__(**options)
        self.set_up(
            models.REACHER,
            Params,
            State,
            reward_dist_weight=reward_dist_weight,
            reward_control_weight=reward_control_weight,
            frame_skip=frame_skip,
            early=self.compat != "v5",
            three=self.compat != "v5",
        )
        self.observation = Vector(
            (
                Block("cosine of joints", 2, -1, 1),
                Block("sine of joints", 2, -1, 1),
                Block("target", 2, -np.inf, np.inf, "m"),
                Block("joint velocities", 2, -np.inf, np.inf, "rad/s"),
                Block("fingertip from target", 2 if self.compat == "v5" else 3, -np.inf, np.inf, "m"),
            ),
            dtype=np.float64,
        )
