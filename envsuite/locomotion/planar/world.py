"""Runners in a plane, and a swimmer: rules on one record, and the worlds (Gymnasium 1.4, envs/mujoco)."""

from typing import Any, ClassVar

import numpy as np

from envsuite.core import Block, Record, Vector, field, kernel
from envsuite.core.fmath import sqrt
from envsuite.locomotion import models
from envsuite.locomotion.dynamics import LocomotionWorld
from envsuite.locomotion.options import Noise, Range, Skip, Weight, check_ranges
from envsuite.rigid import Scene
from envsuite.rigid.sampler import tell
from envsuite.rigid.world import Bodies, BodyState, driven_loops, shake

SIZE = "small"
SPEED_LIMIT = 10.0  # of what Hopper and Walker2d observe; _get_obs clips to it


class Params(Bodies):
    """The bodies, and what the reward is made of."""

    hidden = field(type=np.int32, meaning="coordinates at the front that are not observed")
    forward_reward_weight = field(1.0, "s/m", "reward for a speed of 1 m/s")
    ctrl_cost_weight = field(meaning="cost of the squares of the action")
    healthy_reward = field(0.0, meaning="for each step in a healthy state")
    terminate_when_unhealthy = field(type=np.uint8, meaning="whether an unhealthy state ends the episode")
    paid_to_the_end = field(type=np.uint8, meaning="before v5: pay the healthy reward in the last step too")
    healthy_state_range = field((-np.inf, np.inf), "m, rad, m/s, rad/s", "all but the first two coordinates", shape=2)
    healthy_z_range = field((-np.inf, np.inf), "m", "height of the torso", shape=2)
    healthy_angle_range = field((-np.inf, np.inf), "rad", "of the torso", shape=2)
    reset_noise_scale = field(meaning="spread of the beginning")
    normal_speeds = field(type=np.uint8, meaning="whether speeds at the beginning are normal, not uniform")
    clipped = field(type=np.uint8, meaning="whether observed speeds are clipped to 10")


class State(BodyState):
    """One instance."""

    x_velocity = field(unit="m/s", meaning="mean of the last step")
    y_velocity = field(unit="m/s", meaning="mean of the last step, of a swimmer")
    square = field(meaning="of the last action")
    reward_survive = field(meaning="in the last step")


class Info(Record):
    """The metrics."""

    x_position = field(type=np.float64, unit="m")
    x_velocity = field(type=np.float64, unit="m/s", meaning="mean of the last step")
    z_distance_from_origin = field(type=np.float64, unit="m", meaning="height above that of the model's pose")
    reward_forward = field(type=np.float64)
    reward_ctrl = field(type=np.float64)
    reward_survive = field(type=np.float64)
    overflow = field(type=np.int32, meaning="contacts that found no room in the episode; 0, or the physics is wrong")


class SwimmerInfo(Record):
    """The metrics of the swimmer."""

    x_position = field(type=np.float64, unit="m")
    y_position = field(type=np.float64, unit="m")
    distance_from_origin = field(type=np.float64, unit="m")
    x_velocity = field(type=np.float64, unit="m/s", meaning="mean of the last step")
    y_velocity = field(type=np.float64, unit="m/s", meaning="mean of the last step")
    reward_forward = field(type=np.float64)
    reward_ctrl = field(type=np.float64)
    overflow = field(type=np.int32, meaning="contacts that found no room in the episode; 0, or the physics is wrong")


@kernel
def reset(s, p):
    """Begin near the model's pose."""
    shake(s, p, p.reset_noise_scale, p.normal_speeds != 0)
    s.x_velocity = s.y_velocity = s.square = s.reward_survive = 0.0


@kernel
def step(s, p, w):
    """Paid for speed along x and for staying healthy, less the squares of the action."""
    s.square = w.square
    period = p.frame_skip * p.model.timestep
    s.x_velocity = (s.body.qpos[0] - w.before[0]) / period
    s.y_velocity = (s.body.qpos[1] - w.before[1]) / period
    healthy = is_healthy(s, p)
    over = p.terminate_when_unhealthy != 0 and not healthy
    paid = healthy or (p.paid_to_the_end != 0 and p.terminate_when_unhealthy != 0)
    s.reward_survive = p.healthy_reward if paid else 0.0
    reward = p.forward_reward_weight * s.x_velocity + s.reward_survive - p.ctrl_cost_weight * s.square
    return reward, over


@kernel
def is_healthy(s, p):
    """Whether height, angle and all other coordinates and speeds are within their ranges."""
    body, low, high = s.body, p.healthy_state_range[0], p.healthy_state_range[1]
    fine = True
    for i in range(2, p.model.nq):
        fine = fine and low < body.qpos[i] < high
    for i in range(p.model.nv):
        fine = fine and low < body.qvel[i] < high
    fine = fine and p.healthy_z_range[0] < body.qpos[1] < p.healthy_z_range[1]
    return fine and p.healthy_angle_range[0] < body.qpos[2] < p.healthy_angle_range[1]


@kernel
def observe(s, p, observation):
    """Coordinates but for the hidden ones, and speeds."""
    at = 0
    for i in range(p.hidden, p.model.nq):
        observation[at] = s.body.qpos[i]
        at += 1
    for i in range(p.model.nv):
        speed = s.body.qvel[i]
        observation[at] = min(max(speed, -SPEED_LIMIT), SPEED_LIMIT) if p.clipped != 0 else speed
        at += 1


@kernel
def measure(s, p, info):
    """Write the metrics of a runner."""
    info.x_position, info.x_velocity = s.body.qpos[0], s.x_velocity
    info.z_distance_from_origin = s.body.qpos[1] - p.model.qpos0[1]
    info.reward_forward = p.forward_reward_weight * s.x_velocity
    info.reward_ctrl, info.reward_survive = -p.ctrl_cost_weight * s.square, s.reward_survive
    info.overflow = s.body.overflow
    tell(s, p, info)


@kernel
def measure_swim(s, p, info):
    """Write the metrics of the swimmer."""
    x, y = s.body.qpos[0], s.body.qpos[1]
    info.x_position, info.y_position, info.distance_from_origin = x, y, sqrt(x * x + y * y)
    info.x_velocity, info.y_velocity = s.x_velocity, s.y_velocity
    info.reward_forward, info.reward_ctrl = p.forward_reward_weight * s.x_velocity, -p.ctrl_cost_weight * s.square
    info.overflow = s.body.overflow
    tell(s, p, info)


class PlanarWorld(LocomotionWorld):
    """A body that moves in a plane.

    Attributes:
        coordinates: (name, unit) of each, in the order of the observation.
        params_type: declaration of the constants.
    """

    coordinates: ClassVar[tuple[tuple[str, str], ...]]
    params_type: ClassVar[type[Params]] = Params
    info_dtype = Info.dtype()
    loops = driven_loops(SIZE, reset, step, observe, measure=measure)

    def begin(self, scene: Scene, hidden: int, **values) -> None:
        """Take over a scene, and the reward's constants."""
        check_ranges(values)
        self.set_up(scene, self.params_type, State, hidden=hidden, **values)
        names, limit = self.coordinates, SPEED_LIMIT if values.get("clipped") else np.inf
        places = [Block(name, 1, -np.inf, np.inf, unit) for name, unit in names[hidden:]]
        speeds = [Block(f"{name} velocity", 1, -limit, limit, f"{unit}/s") for name, unit in names]
        self.observation = Vector((*places, *speeds), dtype=np.float64)


_RUNNER = (("x", "m"), ("z", "m"), ("angle", "rad"))


class HopperWorld(PlanarWorld):
    """One leg that hops.

    Args:
        forward_reward_weight: reward for a speed of 1 m/s.
        ctrl_cost_weight: cost of the squares of the action.
        healthy_reward: for each step in a healthy state.
        terminate_when_unhealthy: whether an unhealthy state ends the episode.
        healthy_state_range: of all coordinates but the first two, and of speeds.
        healthy_z_range: of the torso's height, m.
        healthy_angle_range: of the torso's angle, rad.
        reset_noise_scale: of the beginning.
        exclude_current_positions_from_observation: whether x is not observed.
        frame_skip: steps of physics in a step of the environment.
        **options: those of `LocomotionWorld`. Before v5 the healthy reward is paid in the last step too.
    """

    coordinates = (*_RUNNER, ("thigh", "rad"), ("leg", "rad"), ("foot", "rad"))

    def __init__(
        self,
        *,
        forward_reward_weight: Weight = 1.0,
        ctrl_cost_weight: Weight = 1e-3,
        healthy_reward: Weight = 1.0,
        terminate_when_unhealthy: bool = True,
        healthy_state_range: Range = (-100.0, 100.0),
        healthy_z_range: Range = (0.7, np.inf),
        healthy_angle_range: Range = (-0.2, 0.2),
        reset_noise_scale: Noise = 5e-3,
        exclude_current_positions_from_observation: bool = True,
        frame_skip: Skip = 4,
        **options: Any,
    ):
        super().__init__(**options)
        self.begin(
            models.HOPPER,
            int(exclude_current_positions_from_observation),
            forward_reward_weight=forward_reward_weight,
            ctrl_cost_weight=ctrl_cost_weight,
            healthy_reward=healthy_reward,
            terminate_when_unhealthy=terminate_when_unhealthy,
            healthy_state_range=healthy_state_range,
            healthy_z_range=healthy_z_range,
            healthy_angle_range=healthy_angle_range,
            reset_noise_scale=reset_noise_scale,
            frame_skip=frame_skip,
            paid_to_the_end=self.compat != "v5",
            clipped=True,
        )


class Walker2dWorld(PlanarWorld):
    """Two legs that walk.

    Args:
        forward_reward_weight: reward for a speed of 1 m/s.
        ctrl_cost_weight: cost of the squares of the action.
        healthy_reward: for each step in a healthy state.
        terminate_when_unhealthy: whether an unhealthy state ends the episode.
        healthy_z_range: of the torso's height, m.
        healthy_angle_range: of the torso's angle, rad.
        reset_noise_scale: of the beginning.
        exclude_current_positions_from_observation: whether x is not observed.
        frame_skip: steps of physics in a step of the environment.
        **options: those of `LocomotionWorld`. Before v5 the right foot has less friction, 0.9 in place of 1.9, and the
            healthy reward is paid in the last step too.
    """

    coordinates = (
        *_RUNNER,
        *((f"{part}{side}", "rad") for side in ("", " left") for part in ("thigh", "leg", "foot")),
    )

    def __init__(
        self,
        *,
        forward_reward_weight: Weight = 1.0,
        ctrl_cost_weight: Weight = 1e-3,
        healthy_reward: Weight = 1.0,
        terminate_when_unhealthy: bool = True,
        healthy_z_range: Range = (0.8, 2.0),
        healthy_angle_range: Range = (-1.0, 1.0),
        reset_noise_scale: Noise = 5e-3,
        exclude_current_positions_from_observation: bool = True,
        frame_skip: Skip = 4,
        **options: Any,
    ):
        super().__init__(**options)
        self.begin(
            models.WALKER2D if self.compat == "v5" else models.WALKER2D_V4,
            int(exclude_current_positions_from_observation),
            forward_reward_weight=forward_reward_weight,
            ctrl_cost_weight=ctrl_cost_weight,
            healthy_reward=healthy_reward,
            terminate_when_unhealthy=terminate_when_unhealthy,
            healthy_z_range=healthy_z_range,
            healthy_angle_range=healthy_angle_range,
            reset_noise_scale=reset_noise_scale,
            frame_skip=frame_skip,
            paid_to_the_end=self.compat != "v5",
            clipped=True,
        )


class HalfCheetahWorld(PlanarWorld):
    """Two legs and a back that run.

    Args:
        forward_reward_weight: reward for a speed of 1 m/s.
        ctrl_cost_weight: cost of the squares of the action.
        reset_noise_scale: of the beginning.
        exclude_current_positions_from_observation: whether x is not observed.
        frame_skip: steps of physics in a step of the environment.
        **options: those of `LocomotionWorld`.
    """

    coordinates = (
        *_RUNNER,
        *((f"{side} {part}", "rad") for side in ("back", "front") for part in ("thigh", "shin", "foot")),
    )

    def __init__(
        self,
        *,
        forward_reward_weight: Weight = 1.0,
        ctrl_cost_weight: Weight = 0.1,
        reset_noise_scale: Noise = 0.1,
        exclude_current_positions_from_observation: bool = True,
        frame_skip: Skip = 5,
        **options: Any,
    ):
        super().__init__(**options)
        self.begin(
            models.HALF_CHEETAH,
            int(exclude_current_positions_from_observation),
            forward_reward_weight=forward_reward_weight,
            ctrl_cost_weight=ctrl_cost_weight,
            reset_noise_scale=reset_noise_scale,
            frame_skip=frame_skip,
            normal_speeds=True,
        )


class SwimmerWorld(PlanarWorld):
    """Three rods in a viscous fluid.

    Args:
        forward_reward_weight: reward for a speed of 1 m/s.
        ctrl_cost_weight: cost of the squares of the action.
        reset_noise_scale: of the beginning.
        exclude_current_positions_from_observation: whether x and y are not observed.
        frame_skip: steps of physics in a step of the environment.
        **options: those of `LocomotionWorld`.
    """

    coordinates = (("x", "m"), ("y", "m"), ("angle", "rad"), ("first joint", "rad"), ("second joint", "rad"))
    info_dtype = SwimmerInfo.dtype()
    loops = driven_loops(SIZE, reset, step, observe, measure=measure_swim)
    varies = ("mass", "power", "push")

    def __init__(
        self,
        *,
        forward_reward_weight: Weight = 1.0,
        ctrl_cost_weight: Weight = 1e-4,
        reset_noise_scale: Noise = 0.1,
        exclude_current_positions_from_observation: bool = True,
        frame_skip: Skip = 4,
        **options: Any,
    ):
        super().__init__(**options)
        self.begin(
            models.SWIMMER,
            2 * exclude_current_positions_from_observation,
            forward_reward_weight=forward_reward_weight,
            ctrl_cost_weight=ctrl_cost_weight,
            reset_noise_scale=reset_noise_scale,
            frame_skip=frame_skip,
        )
