"""The disturbance task on one record, and the world."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.declare import Between
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.attitude import from_rotation_vector
from envsuite.quadcopters.disturbance_dr.params import (
    CONTROL_RATE,
    EVENTS,
    EVERY,
    LEASH_ARMS,
    LOAD,
    LOSS,
    PUSH,
    SEEDING_ARMS,
    SETTLED,
    SETTLING,
    START_ANGLE,
    START_RATES,
    START_VELOCITY,
    TERMS,
    TORQUE,
    WEIGHTS,
    Params,
    parameters,
)
from envsuite.quadcopters.disturbance_dr.state import Info, State, observation_layout
from envsuite.quadcopters.flying import blocks
from envsuite.quadcopters.flying.craft import launch, trace
from envsuite.quadcopters.flying.fly import fly, sense
from envsuite.quadcopters.flying.settings import Act, Model, Precision
from envsuite.quadcopters.flying.world import DroneWorld
from envsuite.quadcopters.sampler import load, sample


@kernel
def reset(s, p):
    """Draw the vehicle, its start, and what will happen to it."""
    g, vehicle, zero, one = s.rng, s.vehicle[0], real(0.0, p.strength), real(1.0, p.strength)
    s.vehicle[0] = p.nominal[0]
    if p.sampled:
        sample(g, rng.RESET, vehicle, p.nominal[0], p.ranges)
    s.arm = 0.0
    for i in range(4):
        s.arm = max(s.arm, blocks.norm(vehicle.rotors[i, 0], vehicle.rotors[i, 1], zero))
    x = rng.uniform4(g, rng.RESET, -one, one)
    v = rng.uniform4(g, rng.RESET, -real(START_VELOCITY, one), real(START_VELOCITY, one))
    w = rng.uniform4(g, rng.RESET, -real(START_RATES, one), real(START_RATES, one))
    reach = SEEDING_ARMS * s.arm
    place = (reach * x[0], reach * x[1], reach * x[2])
    attitude = _lean(g, rng.uniform(g, rng.RESET, zero, real(START_ANGLE, one)))
    launch(s.craft, vehicle, p.flying, g, place, attitude, (v[0], v[1], v[2]), (w[0], w[1], w[2]))
    s.craft.heading = 0.0
    _draw_disturbances(s, p)
    s.squares = 0.0
    for i in range(s.history.shape[0]):
        for k in range(4):
            s.history[i, k] = 0.0


@kernel
def _lean(g, angle):
    """A turn by an angle about any axis."""
    zero, one = real(0.0, angle), real(1.0, angle)
    x, y = rng.normal(g, rng.RESET, zero, one), rng.normal(g, rng.RESET, zero, one)
    z = rng.normal(g, rng.RESET, zero, one)
    scale = angle / max(blocks.norm(x, y, z), 1e-6)
    return from_rotation_vector((scale * x, scale * y, scale * z))


@kernel
def _draw_disturbances(s, p):
    g, vehicle, zero, one = s.rng, s.vehicle[0], real(0.0, p.strength), real(1.0, p.strength)
    weight = vehicle.mass * vehicle.gravity
    lift = 4.0 * vehicle.max_rotor_thrust / weight
    multiple = rng.uniform(g, rng.RESET, zero, PUSH * max(lift - 1.0, 1e-3))
    force = p.strength * multiple * lift * vehicle.mass / 3.0
    torque = p.strength * TORQUE * weight * s.arm
    for k in range(3):
        s.craft.push_force[k] += rng.normal(g, rng.RESET, zero, force)
        s.craft.push_torque[k] += rng.normal(g, rng.RESET, zero, torque)
    change, span = real(LOAD, one), EVENTS[1] - EVENTS[0]
    s.loss = p.strength * rng.uniform(g, rng.RESET, zero, real(LOSS, one))
    s.load = p.strength * rng.uniform(g, rng.RESET, -change, change)
    s.failing = np.uint32(rng.integers(g, rng.RESET, 4))
    s.fails_at = np.uint32(EVENTS[0] + rng.integers(g, rng.RESET, span))
    s.loads_at = np.uint32(EVENTS[0] + rng.integers(g, rng.RESET, span))


@kernel
def step(s, p, action):
    """Fly for one control step; returns the reward and whether the drone is lost."""
    craft, one, weights = s.craft, real(1.0, p.strength), p.weights
    if s.clock.step == s.fails_at:
        craft.efficiency[s.failing] *= 1.0 - s.loss
    if s.clock.step == s.loads_at:
        s.vehicle[0].mass *= 1.0 + s.load
        load(s.vehicle[0])
    fly(craft, s.vehicle[0], p.flying, s.rng, action)
    trace(craft, s.clock.step, EVERY)
    length = s.history.shape[0] // 2
    slot = (np.int64(s.clock.step) + length - 1) % length
    for k in range(len(action)):
        s.history[slot, k] = s.history[slot + length, k] = action[k]
    error = _distance(s)
    if s.clock.step > SETTLING:
        s.squares += error * error
    if lost(s):
        return -weights.crash, True
    reward = weights.alive - weights.position * error - weights.velocity * blocks.speed_of(craft)
    reward -= weights.attitude * blocks.tilt_cost(craft) + weights.change * (one * craft.change)
    return max(reward, 0.0), False


@kernel
def _distance(s):
    zero = real(0.0, s.arm)
    return blocks.distance_to(s.craft, (zero, zero, zero))


@kernel
def lost(s):
    """Whether the drone is too far away; a position that is not a number is too."""
    return not _distance(s) <= LEASH_ARMS * s.arm


@kernel
def observe(s, p, o, info):
    """Write the observation and the metrics."""
    craft, vehicle, zero = s.craft, s.vehicle[0], real(0.0, p.strength)
    rest = (zero, zero, zero)
    sense(craft, p.flying, s.rng)
    blocks.put_kinematics(o, craft.seen, rest, rest)
    blocks.put_history(o, s.history, np.int64(s.clock.step) % (s.history.shape[0] // 2))
    blocks.measure(info, craft, vehicle, p.flying, rest, rest)
    steps = max(np.int64(s.clock.step) - SETTLING, 1)
    info.rmse = fmath.sqrt(np.float32(s.squares) / np.float32(steps))
    info.crashed = lost(s)
    info.is_success = info.distance < SETTLED and not info.crashed
    info.mass, info.arm = vehicle.mass, s.arm
    info.thrust_to_weight = 4.0 * vehicle.max_rotor_thrust / (vehicle.mass * vehicle.gravity)
    reach = zero
    for i in range(4):
        reach += max(vehicle.rotors[i, 1], 0.0)
    info.torque_to_inertia = reach * vehicle.max_rotor_thrust / vehicle.inertia[0]
    info.motor_rise, info.motor_fall = vehicle.motor_rise, vehicle.motor_fall


class DisturbanceDRWorld(DroneWorld):
    """A drone of unknown make that has to hold its position under disturbances.

    Args:
        sampled: draw a vehicle for every episode; otherwise `vehicle` itself flies.
        ranges: of the sampler, (low, high) by name, instead of `quadcopters.sampler.RANGES`.
        strength: of the constant wrench, the failing motor and the change of load, 0 to 1; see also the term `buffet`.
        history: past actions in the observation: 1 as RAPTOR, 16 as the successor of L2F, 32 as L2F.
        model: dynamics, see `quadcopters.flying.settings.flying`.
        vehicle: name or constants of the vehicle whose proportions and thrust curve the drawn ones take.
        act: kind of action.
        terms: changes to the optional physics, see `quadcopters.flying.settings.Terms`.
        weights: changes to the weights of the reward, see `disturbance_dr.params.WEIGHTS`.
        precision: scalar type of the physics.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """

    control_rate = CONTROL_RATE
    terms = TERMS
    info_dtype = Info.dtype()
    reward_weights = WEIGHTS
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        sampled: bool = True,
        ranges: Mapping[str, tuple[float, float]] | None = None,
        strength: Annotated[float, Between(0, 1)] = 1.0,
        history: Literal[1, 16, 32] = 1,
        model: Model = "l2f",
        vehicle: str | Vehicle = "l2f_cf2024",
        act: Act = "motor",
        terms: Mapping[str, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        precision: Precision = "float32",
    ):
        flying = self.set_up(model, vehicle, act, terms, precision)
        # the sampled vehicles are of the l2f model: whatever the action, no controller of a named vehicle fits them
        flying["through_dsl"] &= not sampled
        self.params = parameters(flying, sampled, ranges, strength, self.scalar)
        self.set_reward_weights(weights)
        self.state_dtype = State.dtype(self.scalar, rows=2 * history)
        self.observation = observation_layout(act, history)

    def set_strength(self, strength: float) -> None:
        """Change the strength of the disturbances in all instances, from their next episode on.

        Args:
            strength: 0 to 1, see the constructor.

        Raises:
            ValueError: it is out of range.
        """
        Params.fields["strength"].check(strength)
        self.params[0]["strength"] = strength

    def goal(self, state):
        """The origin."""
        return np.zeros(3)
