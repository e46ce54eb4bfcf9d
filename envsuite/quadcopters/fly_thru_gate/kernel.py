"""The gate task on one record, and the world."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.attitude import from_euler
from envsuite.quadcopters.fly_thru_gate.params import (
    CONTROL_RATE,
    EVERY,
    GOAL,
    HEIGHT,
    NEAR,
    RIM,
    SIDE,
    SUBSTEPS,
    TERMS,
    WEIGHTS,
    parameters,
)
from envsuite.quadcopters.fly_thru_gate.state import Info, State, observation_layout
from envsuite.quadcopters.flying import blocks, gates
from envsuite.quadcopters.flying.craft import launch, trace
from envsuite.quadcopters.flying.fly import fly, sense
from envsuite.quadcopters.flying.settings import Act, Model, Precision
from envsuite.quadcopters.flying.world import DroneWorld
from envsuite.quadcopters.params import find_vehicle


@kernel
def reset(s, p):
    """Hover near the origin, low, facing anywhere."""
    g, zero, side = s.rng, real(0.0, p.yaw), real(SIDE, p.yaw)
    place = (
        rng.uniform(g, rng.RESET, -side, side),
        rng.uniform(g, rng.RESET, -side, side),
        rng.uniform(g, rng.RESET, real(HEIGHT[0], zero), real(HEIGHT[1], zero)),
    )
    yaw = rng.uniform(g, rng.RESET, real(-np.pi, zero), real(np.pi, zero))
    rest = (zero, zero, zero)
    launch(s.craft, p.flying.physics.vehicle, p.flying, g, place, from_euler(zero, zero, yaw), rest, rest)
    s.passed = s.hit = False
    s.gap = blocks.distance_to(s.craft, p.gate)


@kernel
def step(s, p, action):
    """Fly for one control step; returns the reward and whether the drone crashed."""
    craft, w, one, c = s.craft, p.weights, real(1.0, p.yaw), s.craft.position
    before = (c[0], c[1], c[2])
    fly(craft, p.flying.physics.vehicle, p.flying, s.rng, action)
    trace(craft, s.clock.step, EVERY)
    wide, high = p.half_width - p.hull[0], p.half_height - p.hull[1]
    crossing = gates.cross(p.gate, p.yaw, wide, high, real(RIM, one), before, c)
    # a drone that has passed may come back through the opening
    s.hit = crossing == gates.FRAME or crossing == gates.BESIDE
    if s.hit or blocks.outside(craft, p.low, p.high):
        return -w.crash, True
    reward = w.progress * s.gap
    if s.passed:
        s.gap = blocks.distance_to(craft, p.goal)
    else:
        s.gap = blocks.distance_to(craft, p.gate)
    reward -= w.progress * s.gap
    if crossing == gates.INSIDE and not s.passed:
        s.passed = True
        s.gap = blocks.distance_to(craft, p.goal)
        reward += w.gate
    if s.passed:
        reward += w.goal * fmath.exp(-2.0 * s.gap)
    return reward, False


@kernel
def observe(s, p, o, info):
    """Write the observation and the metrics."""
    craft, zero = s.craft, real(0.0, p.yaw)
    rest = (zero, zero, zero)
    sense(craft, p.flying, s.rng)
    blocks.put_kinematics(o, craft.seen, p.goal, rest)
    blocks.put_action(o, craft.last_action)
    gates.put_corners(o.gate_corners, craft.seen, p.gate, p.yaw, p.half_width, p.half_height)
    blocks.measure(info, craft, p.flying.physics.vehicle, p.flying, p.goal, rest)
    info.passed = s.passed
    info.crashed = s.hit or blocks.outside(craft, p.low, p.high)
    info.is_success = s.passed and not info.crashed and info.distance < NEAR


class FlyThruGateWorld(DroneWorld):
    """A drone that flies through a gate to a place behind it.

    Args:
        gate: ``"raised"``, or ``"original"`` for the low gate of gym-pybullet-drones.
        model: dynamics, see `quadcopters.flying.settings.flying`.
        vehicle: name or constants of a vehicle.
        act: kind of action.
        terms: changes to the optional physics, see `quadcopters.flying.settings.Terms`.
        weights: changes to the weights of the reward, see `fly_thru_gate.params.WEIGHTS`.
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
        gate: Literal["raised", "original"] = "raised",
        model: Model = "bullet",
        vehicle: str | Vehicle = "cf2x",
        act: Act = "motor",
        terms: Mapping[str, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        precision: Precision = "float32",
    ):
        flying = self.set_up(model, vehicle, act, terms, precision)
        self.params = parameters(flying, find_vehicle(vehicle), gate, self.scalar)
        self.set_reward_weights(weights)
        self.state_dtype = State.dtype(self.scalar)
        self.observation = observation_layout(act)

    def goal(self, state):
        """Behind the gate."""
        return np.array(GOAL)
