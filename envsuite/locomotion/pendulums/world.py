"""One pole and two poles on a cart: rules on one record, and the worlds (Gymnasium 1.4, envs/mujoco)."""

from typing import Any

import numpy as np

from envsuite.core import Block, Record, Vector, field, kernel
from envsuite.core.fmath import cos, sin
from envsuite.locomotion import models
from envsuite.locomotion.dynamics import GROUND, LocomotionWorld
from envsuite.locomotion.options import Noise, Skip, Weight
from envsuite.rigid.integrate import forward
from envsuite.rigid.sampler import tell
from envsuite.rigid.spatial import rotate
from envsuite.rigid.world import Bodies, BodyState, driven_loops, shake

SIZE = "small"
LIMIT = 10.0  # of observed speeds and forces of the double pendulum
VARIES = tuple(name for name in GROUND if name != "friction")  # nothing touches


class Params(Bodies):
    """The bodies, and what the reward is made of."""

    healthy_reward = field(1.0, meaning="for each step upright")
    paid_to_the_end = field(type=np.uint8, meaning="before v5: pay it in the last step too")
    reset_noise_scale = field(meaning="spread of the beginning")
    forces = field(1, type=np.int32, meaning="forces of constraints that are observed: one, before v5 all three")


class State(BodyState):
    """One instance."""

    tip = field(
        unit="m", shape=2, meaning="x and height of the upper end, at the beginning of the last step of physics"
    )
    force = field(unit="N, N m", shape=3, meaning="of constraints, at the same time")
    reward_survive = field(meaning="in the last step")


class Info(Record):
    """The metrics of the single pendulum."""

    reward_survive = field(type=np.float64)


class DoubleInfo(Record):
    """The metrics of the double pendulum."""

    distance_penalty = field(type=np.float64)
    velocity_penalty = field(type=np.float64)
    reward_survive = field(type=np.float64)


@kernel
def reset(s, p):
    """Begin nearly upright."""
    shake(s, p, p.reset_noise_scale, False)
    s.reward_survive = 0.0


@kernel
def step(s, p):
    """Paid for each step upright."""
    angle = s.body.qpos[1]
    over = not abs(angle) <= 0.2  # nan too
    for i in range(2):
        x, v = s.body.qpos[i], s.body.qvel[i]
        over = over or x - x != 0 or v - v != 0
    s.reward_survive = p.healthy_reward if p.paid_to_the_end != 0 or not over else 0.0
    return s.reward_survive, over


@kernel
def observe(s, observation):
    """Coordinates and speeds."""
    for i in range(2):
        observation[i], observation[2 + i] = s.body.qpos[i], s.body.qvel[i]


@kernel
def measure(s, p, info):
    """Write the metrics."""
    info.reward_survive = s.reward_survive
    tell(s, p, info)


@kernel
def reset_double(s, p, w):
    """Begin nearly upright, at normal speeds."""
    shake(s, p, p.reset_noise_scale, True)
    forward(p.model, s.body, w)
    _remember(s, p, w)
    s.reward_survive = 0.0


@kernel
def _remember(s, p, w):
    """Keep what observations and rewards take from the last pass."""
    body = p.model.site_bodyid[0]
    x, _, z = rotate(w.xmat[body], p.model.site_pos[0])
    s.tip[0], s.tip[1] = w.xpos[body, 0] + x, w.xpos[body, 2] + z
    for i in range(3):
        s.force[i] = w.qfrc_constraint[i]


@kernel
def step_double(s, p, w):
    """Paid for each step upright, less what the tip is away from its highest place, and what it moves."""
    _remember(s, p, w)
    over = s.tip[1] <= 1
    s.reward_survive = p.healthy_reward if p.paid_to_the_end != 0 or not over else 0.0
    return s.reward_survive - _distance_penalty(s) - _velocity_penalty(s), over


@kernel
def _distance_penalty(s):
    return 0.01 * s.tip[0] * s.tip[0] + (s.tip[1] - 2) * (s.tip[1] - 2)


@kernel
def _velocity_penalty(s):
    return 1e-3 * s.body.qvel[1] * s.body.qvel[1] + 5e-3 * s.body.qvel[2] * s.body.qvel[2]


@kernel
def observe_double(s, p, observation):
    """Place of the cart, sines and cosines of angles, speeds, forces of constraints."""
    observation[0] = s.body.qpos[0]
    for i in range(2):
        observation[1 + i], observation[3 + i] = sin(s.body.qpos[1 + i]), cos(s.body.qpos[1 + i])
    for i in range(3):
        observation[5 + i] = min(max(s.body.qvel[i], -LIMIT), LIMIT)
    for i in range(p.forces):
        observation[8 + i] = min(max(s.force[i], -LIMIT), LIMIT)


@kernel
def measure_double(s, p, info):
    """Write the metrics."""
    info.reward_survive = s.reward_survive
    info.distance_penalty, info.velocity_penalty = -_distance_penalty(s), -_velocity_penalty(s)
    tell(s, p, info)


class InvertedPendulumWorld(LocomotionWorld):
    """A pole on a cart.

    Args:
        reset_noise_scale: of the beginning.
        frame_skip: steps of physics in a step of the environment.
        **options: those of `LocomotionWorld`. Before v5 the last step is paid too.
    """

    info_dtype = Info.dtype()
    observation = Vector(
        (
            Block("cart", 1, -np.inf, np.inf, "m"),
            Block("pole", 1, -np.inf, np.inf, "rad"),
            Block("cart velocity", 1, -np.inf, np.inf, "m/s"),
            Block("pole velocity", 1, -np.inf, np.inf, "rad/s"),
        ),
        dtype=np.float64,
    )
    loops = driven_loops(SIZE, reset, step, observe, measure=measure)
    varies = VARIES

    def __init__(self, *, reset_noise_scale: Noise = 0.01, frame_skip: Skip = 2, **options: Any):
        super().__init__(**options)
        self.set_up(
            models.INVERTED_PENDULUM,
            Params,
            State,
            reset_noise_scale=reset_noise_scale,
            frame_skip=frame_skip,
            paid_to_the_end=self.compat != "v5",
        )


class InvertedDoublePendulumWorld(LocomotionWorld):
    """Two poles on a cart, one upon the other.

    Args:
        healthy_reward: for each step upright.
        reset_noise_scale: of the beginning.
        frame_skip: steps of physics in a step of the environment.
        **options: those of `LocomotionWorld`. Before v5 the last step is paid too, and two more forces are
            observed, which are 0.
    """

    info_dtype = DoubleInfo.dtype()
    loops = driven_loops(SIZE, reset_double, step_double, observe_double, measure=measure_double)
    varies = VARIES

    def __init__(
        self,
        *,
        healthy_reward: Weight = 10.0,
        reset_noise_scale: Noise = 0.1,
        frame_skip: Skip = 5,
        **options: Any,
    ):
        super().__init__(**options)
        self.set_up(
            models.INVERTED_DOUBLE_PENDULUM,
            Params,
            State,
            healthy_reward=healthy_reward,
            reset_noise_scale=reset_noise_scale,
            frame_skip=frame_skip,
            paid_to_the_end=self.compat != "v5",
            forces=1 if self.compat == "v5" else 3,
        )
        self.observation = Vector(
            (
                Block("cart", 1, -np.inf, np.inf, "m"),
                Block("sine of angles", 2, -1, 1),
                Block("cosine of angles", 2, -1, 1),
                Block("velocities", 3, -LIMIT, LIMIT, "m/s, rad/s"),
                Block("constraint force", 1 if self.compat == "v5" else 3, -LIMIT, LIMIT, "N"),
            ),
            dtype=np.float64,
        )
