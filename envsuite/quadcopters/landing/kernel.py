"""The landing task on one record, and the world."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.attitude import from_euler, up
from envsuite.quadcopters.flying import blocks
from envsuite.quadcopters.flying.actions import remember
from envsuite.quadcopters.flying.craft import launch, trace
from envsuite.quadcopters.flying.fly import fly, sense
from envsuite.quadcopters.flying.settings import Act, Model, Precision, Terms
from envsuite.quadcopters.flying.world import DroneWorld
from envsuite.quadcopters.landing import render
from envsuite.quadcopters.landing.params import (
    CONTROL_RATE,
    EVERY,
    HEAVE,
    HEAVE_PERIOD,
    MOTION,
    PAD_PERIOD,
    PAD_SPEED,
    RADIUS,
    SOFT,
    SUBSTEPS,
    TERMS,
    UPRIGHT,
    WEIGHTS,
    Params,
)
from envsuite.quadcopters.landing.state import Info, State, observation_layout


@kernel
def reset(s, p):
    """Put the drone somewhere above the pad, moving, and draw the pad's motion."""
    g, zero, turn = s.rng, real(0.0, p.hull), real(2 * np.pi, p.hull)
    place = (
        rng.uniform(g, rng.RESET, p.first[0], p.last[0]),
        rng.uniform(g, rng.RESET, p.first[1], p.last[1]),
        rng.uniform(g, rng.RESET, p.first[2], p.last[2]),
    )
    v = rng.uniform4(g, rng.RESET, -real(MOTION, zero), real(MOTION, zero))
    yaw = 0.5 * rng.uniform(g, rng.RESET, -turn, turn)
    vehicle, rest = p.flying.physics.vehicle, (zero, zero, zero)
    launch(s.craft, vehicle, p.flying, g, place, from_euler(zero, zero, yaw), (v[0], v[1], v[2]), rest)
    s.course[1], s.course[0] = fmath.sincos(rng.uniform(g, rng.RESET, zero, turn))
    s.rhythm[0] = (2 * np.pi) / rng.uniform(g, rng.RESET, real(PAD_PERIOD[0], zero), real(PAD_PERIOD[1], zero))
    s.rhythm[1] = (2 * np.pi) / rng.uniform(g, rng.RESET, real(HEAVE_PERIOD[0], zero), real(HEAVE_PERIOD[1], zero))
    s.phase[0], s.phase[1] = rng.uniform(g, rng.RESET, zero, turn), rng.uniform(g, rng.RESET, zero, turn)
    s.landed = s.soft = False
    s.touchdown = s.miss = 0.0


@kernel
def pad_at(s, p, step):
    """Where a drone on the pad has its centre (m), its velocity (m/s) and acceleration (m/s^2): nine numbers."""
    t = real(1.0, p.hull) * np.float32(step) * p.flying.control_step
    sine, cosine = fmath.sincos(s.rhythm[0] * t + s.phase[0])
    reach = p.pad_speed / s.rhythm[0]
    away, speed, change = reach * sine, p.pad_speed * cosine, -p.pad_speed * s.rhythm[0] * sine
    sine, cosine = fmath.sincos(s.rhythm[1] * t + s.phase[1])
    x, y, beat = s.course[0], s.course[1], p.heave * s.rhythm[1]
    height = p.hull + p.heave * (1.0 + sine)
    return (
        x * away, y * away, height, x * speed, y * speed, beat * cosine, x * change, y * change,
        -beat * s.rhythm[1] * sine,
    )  # fmt: skip


@kernel
def step(s, p, action):
    """Fly for one control step; returns the reward and whether the drone crashed or missed."""
    craft, one = s.craft, real(1.0, p.hull)
    if s.soft:
        _rest(s, p, action)
        return one, False
    fly(craft, p.flying.physics.vehicle, p.flying, s.rng, action)
    trace(craft, s.clock.step, EVERY)
    pad = pad_at(s, p, s.clock.step)
    x, v = craft.position, craft.velocity
    s.miss = blocks.norm(x[0] - pad[0], x[1] - pad[1], real(0.0, one))
    above = x[2] - pad[2]
    on_pad = s.miss < RADIUS
    # beside the pad there is the floor
    if (on_pad and above <= 0.0) or x[2] <= p.hull:
        return touch_down(s, p)
    if blocks.outside(craft, p.low, p.high):
        return -p.weights.crash, True
    sink = v[2] - pad[5] + 0.5 * min(max(above, 0.0), 1.0)
    return p.weights.approach * fmath.exp(-2.0 * s.miss) * fmath.exp(-abs(sink)), False


@kernel
def touch_down(s, p):
    """End the flight on the pad or beside it, with the velocity that the drone has; returns as `step`."""
    craft, v = s.craft, s.craft.velocity
    pad = pad_at(s, p, s.clock.step)
    s.landed = True
    s.touchdown = blocks.norm(v[0] - pad[3], v[1] - pad[4], v[2] - pad[5])
    craft.impact_speed = max(craft.impact_speed, pad[5] - v[2])
    craft.contact = True
    on_pad = s.miss < RADIUS
    s.soft = on_pad and s.touchdown < SOFT and up(craft.attitude)[2] > UPRIGHT
    return (p.weights.landing if s.soft else -p.weights.crash), not s.soft


@kernel
def _rest(s, p, action):
    """Stay on the pad, motors cut."""
    craft = s.craft
    pad = pad_at(s, p, s.clock.step)
    remember(craft, action)
    trace(craft, s.clock.step, EVERY)
    before = pad_at(s, p, s.clock.step - np.uint32(1))
    for k in range(3):
        craft.position[k] += pad[k] - before[k]
        craft.velocity[k], craft.rates[k] = pad[3 + k], 0.0
    for k in range(4):
        craft.rotor_speed[k] = craft.command[k] = 0.0
    craft.contact = True


@kernel
def observe(s, p, o, info):
    """Write the observation and the metrics."""
    craft = s.craft
    pad = pad_at(s, p, s.clock.step)
    place, motion = (pad[0], pad[1], pad[2]), (pad[3], pad[4], pad[5])
    sense(craft, p.flying, s.rng)
    blocks.put_kinematics(o, craft.seen, place, motion)
    blocks.put(o.pad_velocity, motion, 2.0)
    blocks.put_action(o, craft.last_action)
    blocks.measure(info, craft, p.flying.physics.vehicle, p.flying, place, motion)
    info.crashed = (s.landed and not s.soft) or blocks.outside(craft, p.low, p.high)
    info.is_success = s.soft
    info.touchdown_speed = s.touchdown
    info.miss = s.miss


class LandingWorld(DroneWorld):
    """A drone in the air that has to land on a pad.

    Args:
        pad: ``"fixed"`` or ``"moving"``.
        model: dynamics, see `quadcopters.flying.settings.flying`.
        vehicle: name or constants of a vehicle.
        act: kind of action.
        terms: changes to the optional physics, see `quadcopters.flying.settings.Terms`.
        weights: changes to the weights of the reward, see `landing.params.WEIGHTS`.
        precision: scalar type of the physics.
    """

    control_rate = CONTROL_RATE
    substeps = SUBSTEPS
    info_dtype = Info.dtype()
    reward_weights = WEIGHTS
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        pad: Literal["fixed", "moving"] = "fixed",
        model: Model = "bullet",
        vehicle: str | Vehicle = "cf2x",
        act: Act = "motor",
        terms: Mapping[str, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        precision: Precision = "float32",
    ):
        # `rpy` has no rotors that the ground could help
        self.terms = Terms() if model == "rpy" else TERMS
        flying = self.set_up(model, vehicle, act, terms, precision)
        hull = flying["physics"]["floor_height"]
        moves: dict[str, Any] = {"pad_speed": PAD_SPEED, "heave": HEAVE} if pad == "moving" else {}
        self.params = Params.make(self.scalar, flying=flying, hull=hull, **moves)
        self.set_reward_weights(weights)
        self.state_dtype = State.dtype(self.scalar)
        self.observation = observation_layout(act)

    def goal(self, state):
        """The middle of the pad."""
        return render.pad_of(state, self.params[0])
