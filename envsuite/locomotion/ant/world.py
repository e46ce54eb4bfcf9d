"""A four-legged body that runs: rules on one record, and the world (Gymnasium 1.4, envs/mujoco/ant_v5.py)."""

from typing import Any

import numpy as np

from envsuite.core import Block, Record, Vector, field, kernel
from envsuite.core.fmath import sqrt
from envsuite.locomotion import models
from envsuite.locomotion.dynamics import LocomotionWorld
from envsuite.locomotion.options import Noise, Range, Skip, Weight, check_ranges
from envsuite.rigid.external import contact_wrenches
from envsuite.rigid.integrate import forward
from envsuite.rigid.sampler import tell
from envsuite.rigid.world import Bodies, BodyState, driven_loops, shake

SIZE = "medium"
BODIES = 14  # the world included
TORSO = 1


class Params(Bodies):
    """The bodies, and what the reward is made of."""

    forward_reward_weight = field(1.0, "s/m", "reward for a speed of 1 m/s")
    ctrl_cost_weight = field(0.5, meaning="cost of the squares of the action")
    contact_cost_weight = field(5e-4, meaning="cost of the squares of clipped contact forces")
    healthy_reward = field(1.0, meaning="for each step in a healthy state")
    terminate_when_unhealthy = field(type=np.uint8, meaning="whether an unhealthy state ends the episode")
    healthy_z_range = field((0.2, 1.0), "m", "height of the torso, bounds included", shape=2)
    contact_force_range = field((-1.0, 1.0), "N, N m", "to which contact forces are clipped", shape=2)
    reset_noise_scale = field(0.1, meaning="spread of the beginning")
    hidden = field(type=np.int32, meaning="coordinates at the front that are not observed")
    forces_observed = field(type=np.uint8, meaning="whether contact forces are observed")
    first_body = field(1, type=np.int32, meaning="whose contact force is observed first; before v5 the world (0)")
    unfelt = field(type=np.uint8, meaning="v2: whether contact forces are 0")
    paid_to_the_end = field(type=np.uint8, meaning="before v5: pay the healthy reward in the last step too")


class State(BodyState):
    """One instance."""

    torso = field(unit="m", shape=2, meaning="x and y of the torso at the beginning of the last step of physics")
    speed = field(unit="m/s", shape=2, meaning="mean of the last step")
    wrenches = field(unit="N m, N", shape=(BODIES, 6), meaning="of contacts at the same time, torques first")
    reward_ctrl = field(meaning="in the last step")
    reward_contact = field(meaning="in the last step")
    reward_survive = field(meaning="in the last step")


class Info(Record):
    """The metrics."""

    x_position = field(type=np.float64, unit="m")
    y_position = field(type=np.float64, unit="m")
    distance_from_origin = field(type=np.float64, unit="m")
    x_velocity = field(type=np.float64, unit="m/s", meaning="mean of the last step")
    y_velocity = field(type=np.float64, unit="m/s", meaning="mean of the last step")
    reward_forward = field(type=np.float64)
    reward_ctrl = field(type=np.float64)
    reward_contact = field(type=np.float64)
    reward_survive = field(type=np.float64)
    overflow = field(type=np.int32, meaning="contacts that found no room in the episode; 0, or the physics is wrong")


@kernel
def reset(s, p, w):
    """Begin near the model's pose."""
    shake(s, p, p.reset_noise_scale, True)
    forward(p.model, s.body, w)
    for k in range(2):
        s.torso[k], s.speed[k] = w.xpos[TORSO, k], 0.0
    for b in range(BODIES):
        for k in range(6):
            s.wrenches[b, k] = 0.0
    s.reward_ctrl = s.reward_contact = s.reward_survive = 0.0


@kernel
def step(s, p, w):
    """Paid for the torso's speed along x and for staying healthy, less squares of the action and of contact forces."""
    x, y = s.torso[0], s.torso[1]
    s.reward_ctrl = -p.ctrl_cost_weight * w.square
    contact_wrenches(p.model, s.body, w)
    _remember(s, p, w)
    period = p.frame_skip * p.model.timestep
    s.speed[0], s.speed[1] = (s.torso[0] - x) / period, (s.torso[1] - y) / period
    s.reward_contact = -p.contact_cost_weight * _squares(s, p)
    healthy = _is_healthy(s, p)
    paid = healthy or (p.paid_to_the_end != 0 and p.terminate_when_unhealthy != 0)
    s.reward_survive = p.healthy_reward if paid else 0.0
    reward = p.forward_reward_weight * s.speed[0] + s.reward_survive + s.reward_ctrl + s.reward_contact
    return reward, p.terminate_when_unhealthy != 0 and not healthy


@kernel
def _remember(s, p, w):
    """Keep what observations and rewards take from the last pass."""
    for k in range(2):
        s.torso[k] = w.xpos[TORSO, k]
    for b in range(BODIES):
        for k in range(6):
            s.wrenches[b, k] = w.cfrc_ext[b, k] if p.unfelt == 0 else 0.0


@kernel
def _clipped(p, force):
    return min(max(force, p.contact_force_range[0]), p.contact_force_range[1])


@kernel
def _squares(s, p):
    total = 0.0
    for b in range(BODIES):
        for k in range(6):
            force = _clipped(p, s.wrenches[b, k])
            total += force * force
    return total


@kernel
def _is_healthy(s, p):
    fine = p.healthy_z_range[0] <= s.body.qpos[2] <= p.healthy_z_range[1]
    for i in range(p.model.nq):
        fine = fine and s.body.qpos[i] - s.body.qpos[i] == 0
    for i in range(p.model.nv):
        fine = fine and s.body.qvel[i] - s.body.qvel[i] == 0
    return fine


@kernel
def observe(s, p, observation):
    """Coordinates but for the hidden ones, speeds, clipped contact forces of all bodies."""
    at = 0
    for i in range(p.hidden, p.model.nq):
        observation[at] = s.body.qpos[i]
        at += 1
    for i in range(p.model.nv):
        observation[at] = s.body.qvel[i]
        at += 1
    if p.forces_observed != 0:
        for b in range(p.first_body, BODIES):
            for k in range(6):
                observation[at] = _clipped(p, s.wrenches[b, k])
                at += 1


@kernel
def measure(s, p, info):
    """Write the metrics."""
    x, y = s.body.qpos[0], s.body.qpos[1]
    info.x_position, info.y_position, info.distance_from_origin = x, y, sqrt(x * x + y * y)
    info.x_velocity, info.y_velocity = s.speed[0], s.speed[1]
    info.reward_forward, info.reward_ctrl = p.forward_reward_weight * s.speed[0], s.reward_ctrl
    info.reward_contact, info.reward_survive = s.reward_contact, s.reward_survive
    info.overflow = s.body.overflow
    tell(s, p, info)


class AntWorld(LocomotionWorld):
    """A body on four legs.

    Args:
        forward_reward_weight: reward for a speed of 1 m/s.
        ctrl_cost_weight: cost of the squares of the action.
        contact_cost_weight: cost of the squares of clipped contact forces; by default 5e-4, or 0 in v4 where they are
            not observed.
        healthy_reward: for each step in a healthy state.
        terminate_when_unhealthy: whether an unhealthy state ends the episode.
        healthy_z_range: of the torso's height, m.
        contact_force_range: to which contact forces are clipped, N and N m.
        reset_noise_scale: of the beginning.
        exclude_current_positions_from_observation: whether x and y are not observed.
        include_cfrc_ext_in_observation: whether contact forces are observed (v4's ``use_contact_forces``); by default
            they are, but for v4.
        frame_skip: steps of physics in a step of the environment.
        **options: those of `LocomotionWorld`. Before v5 the healthy reward is paid in the last step too, and the
            world's contact force, which is always 0, is observed with the others; in v2 all of them are 0, as with
            mujoco-py 2.0.
    """

    info_dtype = Info.dtype()
    loops = driven_loops(SIZE, reset, step, observe, measure=measure)
    around = True

    def __init__(
        self,
        *,
        forward_reward_weight: Weight = 1.0,
        ctrl_cost_weight: Weight = 0.5,
        contact_cost_weight: Weight | None = None,
        healthy_reward: Weight = 1.0,
        terminate_when_unhealthy: bool = True,
        healthy_z_range: Range = (0.2, 1.0),
        contact_force_range: Range = (-1.0, 1.0),
        reset_noise_scale: Noise = 0.1,
        exclude_current_positions_from_observation: bool = True,
        include_cfrc_ext_in_observation: bool | None = None,
        frame_skip: Skip = 5,
        **options: Any,
    ):
        super().__init__(**options)
        ranges = {"healthy_z_range": healthy_z_range, "contact_force_range": contact_force_range}
        check_ranges(ranges)
        hidden, old = 2 * exclude_current_positions_from_observation, self.compat != "v5"
        shown = include_cfrc_ext_in_observation
        shown = self.compat != "v4" if shown is None else shown
        if contact_cost_weight is None:
            contact_cost_weight = 5e-4 if shown or self.compat != "v4" else 0.0
        self.set_up(
            models.ANT,
            Params,
            State,
            forward_reward_weight=forward_reward_weight,
            ctrl_cost_weight=ctrl_cost_weight,
            contact_cost_weight=contact_cost_weight,
            healthy_reward=healthy_reward,
            terminate_when_unhealthy=terminate_when_unhealthy,
            reset_noise_scale=reset_noise_scale,
            frame_skip=frame_skip,
            hidden=hidden,
            forces_observed=shown,
            first_body=0 if old else 1,
            unfelt=self.compat == "v2",
            paid_to_the_end=old,
            **ranges,
        )
        hinges = [f"{joint}_{leg}" for leg in range(1, 5) for joint in ("hip", "ankle")]
        low, high = contact_force_range
        self.observation = Vector(
            (
                *((Block("place", 2, -np.inf, np.inf, "m"),) if not hidden else ()),
                Block("height", 1, -np.inf, np.inf, "m"),
                Block("turn", 4, -np.inf, np.inf, meaning="quaternion (w, x, y, z)"),
                *(Block(name, 1, -np.inf, np.inf, "rad") for name in hinges),
                Block("velocity", 3, -np.inf, np.inf, "m/s"),
                Block("turning", 3, -np.inf, np.inf, "rad/s", "about the torso's own axes"),
                *(Block(f"{name} velocity", 1, -np.inf, np.inf, "rad/s") for name in hinges),
                *((Block("contact", 84 if old else 78, low, high, "N m, N", "each body's"),) if shown else ()),
            ),
            dtype=np.float64,
        )
