"""The take-off task on one record, and the world."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.attitude import from_euler
from envsuite.quadcopters.flying import blocks
from envsuite.quadcopters.flying.craft import launch, trace
from envsuite.quadcopters.flying.fly import fly, sense
from envsuite.quadcopters.flying.settings import Act, Model, Precision
from envsuite.quadcopters.flying.world import DroneWorld
from envsuite.quadcopters.takeoff.params import (
    CONTROL_RATE,
    EVERY,
    HELD,
    NEAR,
    SLOW,
    SUBSTEPS,
    TARGET,
    TERMS,
    WEIGHTS,
    Params,
)
from envsuite.quadcopters.takeoff.state import Info, State, observation_layout


@kernel
def reset(s, p):
    """Stand on the floor near the origin, facing anywhere."""
    g, zero = s.rng, real(0.0, p.side)
    x, y = rng.uniform(g, rng.RESET, -p.side, p.side), rng.uniform(g, rng.RESET, -p.side, p.side)
    yaw = rng.uniform(g, rng.RESET, real(-np.pi, zero), real(np.pi, zero))
    rest = (zero, zero, zero)
    place = (x, y, p.flying.physics.floor_height)
    launch(s.craft, p.flying.physics.vehicle, p.flying, g, place, from_euler(zero, zero, yaw), rest, rest)
    s.held, s.settled_at, s.overshoot = 0, 0, 0.0


@kernel
def step(s, p, action):
    """Fly for one control step; returns the reward and whether the drone left the box."""
    craft = s.craft
    fly(craft, p.flying.physics.vehicle, p.flying, s.rng, action)
    trace(craft, s.clock.step, EVERY)
    one, w = real(1.0, p.side), p.weights
    distance, speed = blocks.distance_to(craft, p.target), blocks.speed_of(craft)
    s.held = s.held + np.uint32(1) if distance < NEAR and speed < SLOW else np.uint32(0)
    if s.held >= HELD and s.settled_at == 0:
        s.settled_at = s.clock.step
    s.overshoot = max(s.overshoot, craft.position[2] - p.target[2])
    if blocks.outside(craft, p.low, p.high):
        return -w.crash, True
    if p.original:
        height = craft.position[2]
        return (real(-5.0, one) if height < 0.02 else -0.1 / height), False
    reward = w.position * fmath.exp(-2.0 * distance) - w.tilt * blocks.tilt_cost(craft)
    if distance < 0.1:
        reward += w.slow * fmath.exp(-speed)
    return reward - w.change * (one * craft.change), False


@kernel
def observe(s, p, o, info):
    """Write the observation and the metrics."""
    craft, zero = s.craft, real(0.0, p.side)
    rest = (zero, zero, zero)
    sense(craft, p.flying, s.rng)
    blocks.put_kinematics(o, craft.seen, p.target, rest)
    blocks.put_action(o, craft.last_action)
    blocks.measure(info, craft, p.flying.physics.vehicle, p.flying, p.target, rest)
    info.crashed = blocks.outside(craft, p.low, p.high)
    info.is_success = s.settled_at > 0
    info.settled_at = np.float32(s.settled_at) / CONTROL_RATE
    info.overshoot = s.overshoot


class TakeoffWorld(DroneWorld):
    """A drone on the floor that has to settle a metre above it.

    Args:
        reward: ``"settle"``, or ``"gpd2021"`` for the reward of gym-pybullet-drones' TakeoffAviary.
        model: dynamics, see `quadcopters.flying.settings.flying`.
        vehicle: name or constants of a vehicle.
        act: kind of action.
        terms: changes to the optional physics, see `quadcopters.flying.settings.Terms`.
        weights: changes to the weights of the reward, see `takeoff.params.WEIGHTS`.
        precision: scalar type of the physics.
    """

    control_rate = CONTROL_RATE
    substeps = SUBSTEPS
    terms = TERMS
    info_dtype = Info.dtype()
    reward_weights = WEIGHTS
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        reward: Literal["settle", "gpd2021"] = "settle",
        model: Model = "bullet",
        vehicle: str | Vehicle = "cf2x",
        act: Act = "motor",
        terms: Mapping[str, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        precision: Precision = "float32",
    ):
        flying = self.set_up(model, vehicle, act, terms, precision)
        self.params = Params.make(self.scalar, flying=flying, original=reward == "gpd2021")
        self.set_reward_weights(weights)
        self.state_dtype = State.dtype(self.scalar)
        self.observation = observation_layout(act)

    def goal(self, state):
        """A metre above the floor."""
        return np.array(TARGET)
