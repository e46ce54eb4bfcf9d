"""The tuning task on one record, and the world."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.quadcopters.attitude import rotate, to_euler
from envsuite.quadcopters.controllers import dsl_pid
from envsuite.quadcopters.flying import blocks
from envsuite.quadcopters.flying.craft import launch, trace
from envsuite.quadcopters.flying.fly import advance, sense
from envsuite.quadcopters.flying.settings import Precision
from envsuite.quadcopters.flying.world import DroneWorld
from envsuite.quadcopters.params import find_vehicle
from envsuite.quadcopters.pid_tune.params import (
    AMPLITUDE,
    CONTROL_RATE,
    EVERY,
    GAINS,
    GOOD,
    HEIGHT,
    PHYSICS_RATE,
    START,
    STEPS,
    TERMS,
    TURN,
    Params,
)
from envsuite.quadcopters.pid_tune.state import ACTION, Info, State, observation_layout


@kernel
def reference(like, index):
    """Where the drone should be at a control step, m: x, y, z."""
    last = min(np.int64(index), STEPS - 1)
    phase = real(TURN, like) * (real(1.0, like) * np.float32(last))
    return real(0.0, like), AMPLITUDE * fmath.cos(phase), real(HEIGHT, like)


@kernel
def pace(p, index):
    """The reference's velocity along y, m/s: its last step, as the original has it."""
    like = p.flying.dt
    if index < 1 or index >= STEPS:
        return real(0.0, like)
    return (reference(like, index)[1] - reference(like, index - 1)[1]) / p.flying.control_step


@kernel
def reset(s, p):
    """Hover near the beginning of the reference, or, as the original, near the floor four metres away."""
    zero, one = real(0.0, p.flying.dt), real(1.0, p.flying.dt)
    x, y, z = p.start[0], p.start[1], p.start[2]
    if not p.compat:
        place, aside = reference(zero, 0), rng.uniform4(s.rng, rng.RESET, -one, one)
        x, y, z = place[0] + START * aside[0], place[1] + START * aside[1], place[2] + START * aside[2]
    rest = (zero, zero, zero)
    launch(s.craft, p.flying.physics.vehicle, p.flying, s.rng, (x, y, z), (one, zero, zero, zero), rest, rest)
    s.gains[0] = p.published[0]
    for k in range(GAINS):
        s.last_action[k] = 0.0
    s.squares = 0.0


@kernel
def tune(s, p, action):
    """Multiply the published gains by the action plus one."""
    like, gain, published = p.flying.dt, s.gains[0], p.published[0]
    for k in range(GAINS):
        factor = real(1.0, like) * action[k] + real(1.0, like)
        for axis in range(3):
            if k < 3:
                gain.force[k, axis] = factor * published.force[k, axis]
            else:
                gain.torque[k - 3, axis] = factor * published.torque[k - 3, axis]
        s.last_action[k] = action[k]


@kernel
def step(s, p, action):
    """Fly for one control step; returns the reward, and that nothing ends the episode."""
    craft, vehicle, zero = s.craft, p.flying.physics.vehicle, real(0.0, p.flying.dt)
    index = np.int64(s.clock.step) - 1
    place = reference(zero, index)
    tune(s, p, action)
    velocity = (zero, pace(p, index), zero)
    dsl_pid.control(craft, vehicle, s.gains[0], craft.pid, place, velocity, zero, p.flying.control_step)
    for k in range(4):
        craft.wanted[k] = craft.command[k]
    craft.contact = False
    for _ in range(p.flying.substeps):
        advance(craft, vehicle, p.flying)
    trace(craft, s.clock.step, EVERY)
    error = blocks.distance_to(craft, place)
    s.squares += error * error
    # a drone that falls should not outweigh all others
    return -error * error if p.compat else -min(error * error, 1.0), False


@kernel
def observe(s, p, o, info):
    """Write the observation and the metrics; errors are from where the drone should be next."""
    zero, index = real(0.0, p.flying.dt), np.int64(s.clock.step)
    sense(s.craft, p.flying, s.rng)
    blocks.put_kinematics(o, s.craft.seen, reference(zero, index), (zero, pace(p, index), zero))
    blocks.put(o.position_integral, s.craft.pid.position_integral, 2.0)
    for k in range(GAINS):
        o.last_action[k] = s.last_action[k]
    _measure(s, p, info)


@kernel
def observe_as_the_original(s, p, o, info):
    """Write the original's observation, and the metrics."""
    sense(s.craft, p.flying, s.rng)
    x, v = s.craft.seen.position, s.craft.seen.velocity
    euler, w = to_euler(s.craft.seen.attitude), rotate(s.craft.seen.attitude, s.craft.seen.rates)
    size, one = blocks.norm(w[0], w[1], w[2]), real(1.0, x[0])
    scale = 1.0 / size if size > 0.0 else one
    for k in range(3):
        far, fast = (real(15.0, one), real(3.0, one)) if k < 2 else (real(5.0, one), one)
        o.position[k] = min(max(x[k] / far, -one if k < 2 else real(0.0, one)), 1.0)
        o.roll_pitch_yaw[k] = min(max(euler[k] / np.pi, -1.0), 1.0)
        o.velocity[k] = np.float32(min(max(v[k], -fast), fast) / 3.0)
        o.angular_velocity[k] = min(max(w[k] * scale, -1.0), 1.0)
    _measure(s, p, info)


@kernel
def _measure(s, p, info):
    craft, zero, index = s.craft, real(0.0, p.flying.dt), np.int64(s.clock.step)
    place, velocity = reference(zero, max(index - 1, 0)), (zero, pace(p, index), zero)
    blocks.measure(info, craft, p.flying.physics.vehicle, p.flying, place, velocity)
    steps = max(np.float32(index), 1.0)
    info.rmse = fmath.sqrt(np.float32(s.squares) / steps)
    info.crashed = craft.contact
    info.is_success = info.rmse < GOOD


_OWN = batch_loops(reset, step, observe)
_ORIGINAL = batch_loops(reset, step, observe_as_the_original)


class PIDTuneWorld(DroneWorld):
    """A drone flown by a PID controller, whose gains the agent changes.

    Args:
        model: ``"bullet"`` or ``"dyn"``, or a physics mode of gym-pybullet-drones.
        vehicle: ``"cf2x"`` or ``"cf2p"``, which the controller knows.
        compat: ``"gpd2021"`` keeps the original's start and observation; None repairs them, see README.md.
        terms: changes to the optional physics, see `quadcopters.flying.settings.Terms`.
        precision: scalar type of the physics.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """

    control_rate = CONTROL_RATE
    substeps = PHYSICS_RATE // CONTROL_RATE
    terms = TERMS
    info_dtype = Info.dtype()
    action = ACTION

    def __init__(
        self,
        *,
        model: Literal["bullet", "dyn", "pyb", "pyb_gnd", "pyb_drag", "pyb_dw", "pyb_gnd_drag_dw"] = "bullet",
        vehicle: Literal["cf2x", "cf2p"] = "cf2x",
        compat: Literal["gpd2021"] | None = None,
        terms: Mapping[str, Any] | None = None,
        precision: Precision = "float32",
    ):
        # the controller writes rotor speeds, as motor actions do
        flying = self.set_up(model, vehicle, "motor", terms, precision)
        self.action = ACTION
        _, height, offset = find_vehicle(vehicle).hull
        start = (0.0, 0.0, height / 2 - offset + 0.1)
        self.params = Params.make(
            self.scalar, flying=flying, published=flying["dsl"], start=start, compat=compat is not None
        )
        self.state_dtype = State.dtype(self.scalar)
        self.observation = observation_layout(compat is not None)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those of the observation."""
        return _ORIGINAL if self.params[0]["compat"] else _OWN

    def goal(self, state):
        """Where the drone should be."""
        index = min(int(state["clock"]["step"]), STEPS - 1)
        return np.array([0.0, AMPLITUDE * np.cos(TURN * index), HEIGHT])
