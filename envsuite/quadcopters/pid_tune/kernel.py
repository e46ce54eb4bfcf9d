"""The tuning task on one record, the batch loops, and the world."""

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
from envsuite.quadcopters.flying.world import DroneWorld
from envsuite.quadcopters.pid_tune.params import (
    AMPLITUDE,
    CONTROL_RATE,
    GAINS,
    GOOD,
    HEIGHT,
    PHYSICS_RATE,
    START,
    STEPS,
    TERMS,
    TURN,
    parameters,
)
from envsuite.quadcopters.pid_tune.state import ACTION, INFO, observation_layout, state_dtype

EVERY = 5  # steps between points of the trail


@kernel
def reference(like, index):
    """Where the drone should be at a control step, m: x, y, z."""
    last = min(np.int64(index), STEPS - 1)
    phase = real(TURN, like) * (real(1.0, like) * np.float32(last))
    return real(0.0, like), real(AMPLITUDE, like) * fmath.cos(phase), real(HEIGHT, like)


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
        spread = real(START, one)
        x, y, z = place[0] + spread * aside[0], place[1] + spread * aside[1], place[2] + spread * aside[2]
    rest = (zero, zero, zero)
    launch(s.craft, p.flying.physics.vehicle, p.flying, s.rng, (x, y, z), (one, zero, zero, zero), rest, rest)
    s.gains[0] = p.published[0]
    for k in range(GAINS):
        s.last_action[k] = np.float32(0.0)
    s.squares = zero


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
    return -error * error if p.compat else -min(error * error, real(1.0, zero)), False


@kernel
def observe(s, p, observation, info):
    """Write the observation and the metrics; errors are from where the drone should be next."""
    craft, zero, index = s.craft, real(0.0, p.flying.dt), np.int64(s.clock.step)
    place, velocity = reference(zero, index), (zero, pace(p, index), zero)
    sense(craft, p.flying, s.rng)
    if p.compat:
        _observe_as_the_original(s, observation)
    else:
        at = blocks.put_kinematics(observation, craft.seen, place, velocity)
        at = blocks.put(observation, at, craft.pid.position_integral, 2.0)
        for k in range(GAINS):
            observation[at + k] = s.last_action[k]
    blocks.measure(info, craft, p.flying.physics.vehicle, p.flying, reference(zero, max(index - 1, 0)), velocity)
    steps = max(np.float32(index), np.float32(1.0))
    info.rmse = fmath.sqrt(np.float32(s.squares) / steps)
    info.crashed = craft.contact
    info.is_success = info.rmse < np.float32(GOOD)


@kernel
def _observe_as_the_original(s, out):
    x, v = s.craft.seen.position, s.craft.seen.velocity
    euler, w = to_euler(s.craft.seen.attitude), rotate(s.craft.seen.attitude, s.craft.seen.rates)
    size, one = blocks.norm(w[0], w[1], w[2]), real(1.0, x[0])
    scale = one / size if size > real(0.0, size) else one
    for k in range(3):
        far, fast = (real(15.0, one), real(3.0, one)) if k < 2 else (real(5.0, one), one)
        out[k] = np.float32(min(max(x[k] / far, -one if k < 2 else real(0.0, one)), one))
        out[3 + k] = np.float32(min(max(euler[k] / real(np.pi, one), -one), one))
        out[6 + k] = np.float32(min(max(v[k], -fast), fast) / real(3.0, one))
        out[9 + k] = np.float32(min(max(w[k] * scale, -one), one))


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

    info_dtype = INFO
    action = ACTION
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        model: str = "bullet",
        vehicle: str = "cf2x",
        compat: Literal["gpd2021"] | None = None,
        terms: Mapping[str, Any] | None = None,
        precision: Literal["float32", "float64"] = "float32",
    ):
        if compat not in (None, "gpd2021"):
            raise ValueError(f"compat is {compat!r}, expected None or 'gpd2021'")
        dsl_pid.gains(vehicle)
        # the controller writes rotor speeds, as motor actions do
        flying = self.set_up(
            model,
            vehicle,
            "motor",
            terms,
            precision,
            defaults=TERMS,
            control_rate=CONTROL_RATE,
            substeps=PHYSICS_RATE // CONTROL_RATE,
        )
        if model in ("l2f", "fp", "rpy"):
            raise ValueError(f"model is {model!r}, but the controller speaks the rpm of 'bullet' and 'dyn'")
        self.action = ACTION
        self.params = parameters(flying, vehicle, compat == "gpd2021", self.scalar)
        self.state_dtype = state_dtype(self.scalar)
        self.observation = observation_layout(compat == "gpd2021")

    def goal(self, state):
        """Where the drone should be."""
        index = min(int(state["clock"]["step"]), STEPS - 1)
        return np.array([0.0, AMPLITUDE * np.cos(TURN * index), HEIGHT])
