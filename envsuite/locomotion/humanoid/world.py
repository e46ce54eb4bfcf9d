"""A body with arms and legs, which runs or stands up: rules on one record, and the worlds (Gymnasium 1.4)."""

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from envsuite.core import Block, Record, Vector, field, kernel
from envsuite.core.fmath import sqrt
from envsuite.locomotion import models
from envsuite.locomotion.dynamics import LocomotionWorld
from envsuite.locomotion.options import Noise, Range, Skip, Weight, check_ranges
from envsuite.rigid import Scene
from envsuite.rigid.external import contact_wrenches
from envsuite.rigid.integrate import forward
from envsuite.rigid.sampler import tell
from envsuite.rigid.world import Bodies, BodyState, driven_loops, shake

SIZE = "large"
BODIES = 14  # the world included
MOTORS = 17
FREE = 6  # coordinates of the torso
TENDONS = (("left_hip_y", "left_knee"), ("right_hip_y", "right_knee"))  # length: knee less hip
Solver = Literal["PGS", "Newton"]


class Params(Bodies):
    """The bodies, and what the reward is made of."""

    forward_reward_weight = field(0.0, meaning="reward for a speed of 1 m/s; standing up, for a height")
    ctrl_cost_weight = field(0.1, meaning="cost of the squares of the action")
    contact_cost_weight = field(meaning="cost of the squares of contact forces")
    contact_cost_range = field((-np.inf, 10.0), meaning="to which this cost is clipped", shape=2)
    healthy_reward = field(0.0, meaning="for each step in a healthy state")
    terminate_when_unhealthy = field(type=np.uint8, meaning="whether an unhealthy state ends the episode")
    healthy_z_range = field((-np.inf, np.inf), "m", "height of the torso", shape=2)
    reset_noise_scale = field(0.01, meaning="spread of the beginning")
    hidden = field(type=np.int32, meaning="coordinates at the front that are not observed")
    first_body = field(1, type=np.int32, meaning="of those observed; before v5 the world, whose numbers are all 0")
    unfelt = field(type=np.uint8, meaning="v2: whether contact forces are 0")
    paid_to_the_end = field(type=np.uint8, meaning="before v5: pay the healthy reward in the last step too")
    parts = field(type=np.uint8, shape=4, meaning="whether inertias, velocities, motor and contact forces are observed")
    tendons = field(
        type=np.int32, shape=(2, 4), meaning="coordinates, then speeds, of the hip and the knee of each leg"
    )


class State(BodyState):
    """One instance. What follows ``body`` belongs to the beginning of the last step of physics."""

    centre = field(unit="m", shape=2, meaning="x and y of the centre of mass")
    speed = field(unit="m/s", shape=2, meaning="of the centre of mass, mean of the last step")
    inertias = field(shape=(BODIES, 10), meaning="of bodies about the centre of mass")
    velocities = field(shape=(BODIES, 6), meaning="of bodies about the centre of mass, turning first")
    motors = field(unit="N m", shape=MOTORS, meaning="torques of motors")
    wrenches = field(unit="N m, N", shape=(BODIES, 6), meaning="of contacts, torques first")
    reward_ctrl = field(meaning="in the last step")
    reward_contact = field(meaning="in the last step")
    reward_survive = field(meaning="in the last step")


class Info(Record):
    """The metrics of running."""

    x_position = field(type=np.float64, unit="m")
    y_position = field(type=np.float64, unit="m")
    tendon_length = field(type=np.float64, unit="rad", shape=2, meaning="knee less hip, left and right")
    tendon_velocity = field(type=np.float64, unit="rad/s", shape=2)
    distance_from_origin = field(type=np.float64, unit="m")
    x_velocity = field(type=np.float64, unit="m/s", meaning="of the centre of mass, mean of the last step")
    y_velocity = field(type=np.float64, unit="m/s")
    reward_survive = field(type=np.float64)
    reward_forward = field(type=np.float64)
    reward_ctrl = field(type=np.float64)
    reward_contact = field(type=np.float64)
    overflow = field(type=np.int32, meaning="contacts that found no room in the episode; 0, or the physics is wrong")


class StandupInfo(Record):
    """The metrics of standing up."""

    x_position = field(type=np.float64, unit="m")
    y_position = field(type=np.float64, unit="m")
    z_distance_from_origin = field(type=np.float64, unit="m", meaning="height above that of the model's pose")
    tendon_length = field(type=np.float64, unit="rad", shape=2, meaning="knee less hip, left and right")
    tendon_velocity = field(type=np.float64, unit="rad/s", shape=2)
    reward_linup = field(type=np.float64)
    reward_quadctrl = field(type=np.float64)
    reward_impact = field(type=np.float64)
    overflow = field(type=np.int32, meaning="contacts that found no room in the episode; 0, or the physics is wrong")


@kernel
def reset(s, p, w):
    """Begin near the model's pose."""
    shake(s, p, p.reset_noise_scale, False)
    forward(p.model, s.body, w)
    for b in range(BODIES):
        for k in range(6):
            w.cfrc_ext[b, k] = 0.0  # nothing computes them in a reset
    _remember(s, p, w)
    s.speed[0] = s.speed[1] = s.reward_ctrl = s.reward_contact = s.reward_survive = 0.0


@kernel
def _remember(s, p, w):
    """Keep what observations and rewards take from the last pass."""
    for k in range(2):
        s.centre[k] = w.subtree_com[0, k]
    for b in range(BODIES):
        for k in range(10):
            s.inertias[b, k] = w.cinert[b, k]
        for k in range(6):
            s.velocities[b, k] = w.cvel[b, k]
            s.wrenches[b, k] = w.cfrc_ext[b, k] if p.unfelt == 0 else 0.0
    for k in range(MOTORS):
        s.motors[k] = w.qfrc_actuator[FREE + k]


@kernel
def _pay(s, p, w):
    """Write the costs."""
    s.reward_ctrl = -p.ctrl_cost_weight * w.square
    contact_wrenches(p.model, s.body, w)
    _remember(s, p, w)
    total = 0.0
    for b in range(BODIES):
        for k in range(6):
            total += s.wrenches[b, k] * s.wrenches[b, k]
    cost = min(max(p.contact_cost_weight * total, p.contact_cost_range[0]), p.contact_cost_range[1])
    s.reward_contact = -cost


@kernel
def step(s, p, w):
    """Paid for the speed of the centre of mass along x and for staying upright, less costs."""
    x, y = s.centre[0], s.centre[1]
    _pay(s, p, w)
    period = p.frame_skip * p.model.timestep
    s.speed[0], s.speed[1] = (s.centre[0] - x) / period, (s.centre[1] - y) / period
    healthy = p.healthy_z_range[0] < s.body.qpos[2] < p.healthy_z_range[1]
    paid = healthy or (p.paid_to_the_end != 0 and p.terminate_when_unhealthy != 0)
    s.reward_survive = p.healthy_reward if paid else 0.0
    reward = p.forward_reward_weight * s.speed[0] + s.reward_survive + s.reward_ctrl + s.reward_contact
    return reward, p.terminate_when_unhealthy != 0 and not healthy


@kernel
def step_up(s, p, w):
    """Paid for the height of the torso by the time step, less costs, and 1."""
    _pay(s, p, w)
    return p.forward_reward_weight * s.body.qpos[2] / p.model.timestep + s.reward_ctrl + s.reward_contact + 1, False


@kernel
def observe(s, p, observation):
    """Coordinates but for the hidden ones, speeds, and of the bodies inertias, velocities, motor and contact forces."""
    at = 0
    for i in range(p.hidden, p.model.nq):
        observation[at] = s.body.qpos[i]
        at += 1
    for i in range(p.model.nv):
        observation[at] = s.body.qvel[i]
        at += 1
    if p.parts[0] != 0:
        at = _put(observation, at, s.inertias, p.first_body)
    if p.parts[1] != 0:
        at = _put(observation, at, s.velocities, p.first_body)
    if p.parts[2] != 0:
        for _ in range(0 if p.first_body else FREE):  # the torso's own coordinates have no motors
            observation[at] = 0.0
            at += 1
        for k in range(MOTORS):
            observation[at] = s.motors[k]
            at += 1
    if p.parts[3] != 0:
        at = _put(observation, at, s.wrenches, p.first_body)


@kernel
def _put(observation, at, values, first):
    """Write the values of all bodies from the first one on."""
    for b in range(first, BODIES):
        for k in range(values.shape[1]):
            observation[at] = values[b, k] if b > 0 else 0.0
            at += 1
    return at


@kernel
def _measure_tendons(s, p, info):
    q, v = s.body.qpos, s.body.qvel
    for i in range(2):
        info.tendon_length[i] = q[p.tendons[i, 1]] - q[p.tendons[i, 0]]
        info.tendon_velocity[i] = v[p.tendons[i, 3]] - v[p.tendons[i, 2]]


@kernel
def measure(s, p, info):
    """Write the metrics of running."""
    x, y = s.body.qpos[0], s.body.qpos[1]
    info.x_position, info.y_position, info.distance_from_origin = x, y, sqrt(x * x + y * y)
    info.x_velocity, info.y_velocity = s.speed[0], s.speed[1]
    info.reward_forward, info.reward_ctrl = p.forward_reward_weight * s.speed[0], s.reward_ctrl
    info.reward_contact, info.reward_survive = s.reward_contact, s.reward_survive
    info.overflow = s.body.overflow
    _measure_tendons(s, p, info)
    tell(s, p, info)


@kernel
def measure_up(s, p, info):
    """Write the metrics of standing up."""
    info.x_position, info.y_position = s.body.qpos[0], s.body.qpos[1]
    info.z_distance_from_origin = s.body.qpos[2] - p.model.qpos0[2]
    info.reward_linup = p.forward_reward_weight * s.body.qpos[2] / p.model.timestep
    info.reward_quadctrl, info.reward_impact = s.reward_ctrl, s.reward_contact
    info.overflow = s.body.overflow
    _measure_tendons(s, p, info)
    tell(s, p, info)


class _Humanoid(LocomotionWorld):
    around = True

    def begin(self, scene: Scene, solver: Solver, hidden: int, parts: tuple[bool, bool, bool, bool], **values) -> None:
        """Take over a scene, and the reward's constants."""
        check_ranges(values)
        scene = replace(scene, option=replace(scene.option, solver=solver))
        old = self.compat != "v5"
        versions = {"first_body": 0 if old else 1, "unfelt": self.compat == "v2", "paid_to_the_end": old}
        self.set_up(scene, Params, State, hidden=hidden, parts=parts, **versions, **values)
        made = self.compiled
        places = [[made.qposadr[one] for one in pair] + [made.dofadr[one] for one in pair] for pair in TENDONS]
        self.params[0]["tendons"] = places
        hinges = list(made.joint)[1:]
        blocks = [
            *([Block("place", 2, -np.inf, np.inf, "m")] if not hidden else []),
            Block("height", 1, -np.inf, np.inf, "m"),
            Block("turn", 4, -np.inf, np.inf, meaning="quaternion (w, x, y, z)"),
            *(Block(name, 1, -np.inf, np.inf, "rad") for name in hinges),
            Block("velocity", 3, -np.inf, np.inf, "m/s"),
            Block("turning", 3, -np.inf, np.inf, "rad/s", "about the torso's own axes"),
            *(Block(f"{name} velocity", 1, -np.inf, np.inf, "rad/s") for name in hinges),
        ]
        bodies = BODIES if old else BODIES - 1
        more = (
            Block("inertias", 10 * bodies, -np.inf, np.inf, "kg m^2, kg m, kg", "of each, about the centre of mass"),
            Block("velocities", 6 * bodies, -np.inf, np.inf, "rad/s, m/s", "each body's, about the centre of mass"),
            Block("motors", MOTORS + FREE * old, -np.inf, np.inf, "N m", "torques on the hinges"),
            Block("contact", 6 * bodies, -np.inf, np.inf, "N m, N", "each body's"),
        )
        blocks += [one for one, wanted in zip(more, parts, strict=True) if wanted]
        self.observation = Vector(tuple(blocks), dtype=np.float64)


class HumanoidWorld(_Humanoid):
    """A body that runs on two legs.

    Args:
        forward_reward_weight: reward for a speed of 1 m/s.
        ctrl_cost_weight: cost of the squares of the action.
        contact_cost_weight: cost of the squares of contact forces; by default 5e-7, before v5 0.
        contact_cost_range: to which this cost is clipped.
        healthy_reward: for each step upright.
        terminate_when_unhealthy: whether falling ends the episode.
        healthy_z_range: of the torso's height, m.
        reset_noise_scale: of the beginning.
        exclude_current_positions_from_observation: whether x and y are not observed.
        include_cinert_in_observation: whether inertias of bodies are observed.
        include_cvel_in_observation: whether velocities of bodies are observed.
        include_qfrc_actuator_in_observation: whether torques of motors are observed.
        include_cfrc_ext_in_observation: whether contact forces are observed.
        frame_skip: steps of physics in a step of the environment.
        solver: ``"PGS"`` as in Gymnasium, which stops before the end; ``"Newton"`` goes to it, and is quicker.
        **options: those of `LocomotionWorld`. Before v5 the healthy reward is paid in the last step too, and the world
            and motors of the torso, whose numbers are 0, are observed with the others; in v2 contact forces are 0, as
            with mujoco-py 2.0.
    """

    info_dtype = Info.dtype()
    loops = driven_loops(SIZE, reset, step, observe, measure=measure)

    def __init__(
        self,
        *,
        forward_reward_weight: Weight = 1.25,
        ctrl_cost_weight: Weight = 0.1,
        contact_cost_weight: Weight | None = None,
        contact_cost_range: Range = (-np.inf, 10.0),
        healthy_reward: Weight = 5.0,
        terminate_when_unhealthy: bool = True,
        healthy_z_range: Range = (1.0, 2.0),
        reset_noise_scale: Noise = 1e-2,
        exclude_current_positions_from_observation: bool = True,
        include_cinert_in_observation: bool = True,
        include_cvel_in_observation: bool = True,
        include_qfrc_actuator_in_observation: bool = True,
        include_cfrc_ext_in_observation: bool = True,
        frame_skip: Skip = 5,
        solver: Solver = "PGS",
        **options: Any,
    ):
        super().__init__(**options)
        if contact_cost_weight is None:
            contact_cost_weight = 5e-7 if self.compat == "v5" else 0.0
        self.begin(
            models.HUMANOID,
            solver,
            2 * exclude_current_positions_from_observation,
            (
                include_cinert_in_observation,
                include_cvel_in_observation,
                include_qfrc_actuator_in_observation,
                include_cfrc_ext_in_observation,
            ),
            forward_reward_weight=forward_reward_weight,
            ctrl_cost_weight=ctrl_cost_weight,
            contact_cost_weight=contact_cost_weight,
            contact_cost_range=contact_cost_range,
            healthy_reward=healthy_reward,
            terminate_when_unhealthy=terminate_when_unhealthy,
            healthy_z_range=healthy_z_range,
            reset_noise_scale=reset_noise_scale,
            frame_skip=frame_skip,
        )


class HumanoidStandupWorld(_Humanoid):
    """A body that lies on its back and stands up.

    Args:
        ctrl_cost_weight: cost of the squares of the action.
        impact_cost_weight: cost of the squares of contact forces.
        impact_cost_range: to which this cost is clipped.
        reset_noise_scale: of the beginning.
        exclude_current_positions_from_observation: whether x and y are not observed.
        include_cinert_in_observation: whether inertias of bodies are observed.
        include_cvel_in_observation: whether velocities of bodies are observed.
        include_qfrc_actuator_in_observation: whether torques of motors are observed.
        include_cfrc_ext_in_observation: whether contact forces are observed.
        frame_skip: steps of physics in a step of the environment.
        solver: ``"PGS"`` as in Gymnasium, which stops before the end; ``"Newton"`` goes to it, and is quicker.
        **options: those of `LocomotionWorld`; what they change is as in `HumanoidWorld`.
    """

    info_dtype = StandupInfo.dtype()
    loops = driven_loops(SIZE, reset, step_up, observe, measure=measure_up)

    def __init__(
        self,
        *,
        ctrl_cost_weight: Weight = 0.1,
        impact_cost_weight: Weight = 5e-7,
        impact_cost_range: Range = (-np.inf, 10.0),
        reset_noise_scale: Noise = 1e-2,
        exclude_current_positions_from_observation: bool = True,
        include_cinert_in_observation: bool = True,
        include_cvel_in_observation: bool = True,
        include_qfrc_actuator_in_observation: bool = True,
        include_cfrc_ext_in_observation: bool = True,
        frame_skip: Skip = 5,
        solver: Solver = "PGS",
        **options: Any,
    ):
        super().__init__(**options)
        check_ranges({"impact_cost_range": impact_cost_range})
        self.begin(
            models.HUMANOID_STANDUP,
            solver,
            2 * exclude_current_positions_from_observation,
            (
                include_cinert_in_observation,
                include_cvel_in_observation,
                include_qfrc_actuator_in_observation,
                include_cfrc_ext_in_observation,
            ),
            forward_reward_weight=1.0,
            ctrl_cost_weight=ctrl_cost_weight,
            contact_cost_weight=impact_cost_weight,
            contact_cost_range=impact_cost_range,
            reset_noise_scale=reset_noise_scale,
            frame_skip=frame_skip,
        )
