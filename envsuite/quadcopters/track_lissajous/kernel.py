"""The tracking task on one record, and the world."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.declare import Between
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.attitude import up
from envsuite.quadcopters.flying import blocks
from envsuite.quadcopters.flying.craft import launch, trace
from envsuite.quadcopters.flying.fly import fly, sense
from envsuite.quadcopters.flying.settings import Act, Model, Precision
from envsuite.quadcopters.flying.world import DroneWorld
from envsuite.quadcopters.track_lissajous import render
from envsuite.quadcopters.track_lissajous.curve import point, reference
from envsuite.quadcopters.track_lissajous.params import (
    AHEAD,
    CLIMB,
    CONTROL_RATE,
    CURVES,
    EVERY,
    FIGURE8,
    FUTURE,
    GOOD,
    HELIX,
    HISTORY,
    LOST,
    TERMS,
    TURNS,
    VERTICAL8,
    WEIGHTS,
    Params,
)
from envsuite.quadcopters.track_lissajous.state import Info, State, observation_layout


@kernel
def time_of(s, p):
    """Seconds since the episode began."""
    return real(1.0, p.pace) * np.float32(s.clock.step) * p.flying.control_step


@kernel
def reset(s, p):
    """Draw a curve and hover near its beginning."""
    _draw_curve(s, p)
    g, zero, one = s.rng, real(0.0, p.pace), real(1.0, p.pace)
    x, y, z = point(s, zero)
    x += rng.uniform(g, rng.RESET, -p.start, p.start)
    y += rng.uniform(g, rng.RESET, -p.start, p.start)
    z += rng.uniform(g, rng.RESET, -p.start, p.start)
    rest = (zero, zero, zero)
    launch(s.craft, p.flying.physics.vehicle, p.flying, g, (x, y, z), (one, zero, zero, zero), rest, rest)
    s.squares = s.largest = s.jerk = 0.0
    for i in range(2 * HISTORY):
        for k in range(4):
            s.history[i, k] = 0.0


@kernel
def _draw_curve(s, p):
    for k in range(3):
        s.shift[k] = 0.0
    if p.curve == 0:
        g = s.rng
        shape = rng.integers(g, rng.RESET, p.shapes.shape[0])
        for k in range(3):
            s.waves[k] = p.shapes[shape, k]
        s.extent[0] = rng.uniform(g, rng.RESET, p.width[0], p.width[1])
        s.extent[1] = rng.uniform(g, rng.RESET, p.width[0], p.width[1])
        s.extent[2] = rng.uniform(g, rng.RESET, p.height[0], p.height[1])
        s.period = rng.uniform(g, rng.RESET, p.period[0], p.period[1])
        return
    s.period = p.pace
    s.extent[0], s.extent[1], s.extent[2] = p.half_width, p.half_width, 0.0
    s.waves[0], s.waves[1], s.waves[2] = 1.0, 1.0, 0.0
    if p.curve == FIGURE8:
        s.extent[1], s.waves[1] = 0.5 * p.half_width, 2.0
    elif p.curve == VERTICAL8:
        s.extent[1], s.extent[2], s.waves[2] = 0.0, 0.5 * p.half_width, 2.0
    else:
        s.shift[0] = 0.5 * np.pi
        if p.curve == HELIX:
            s.extent[2], s.waves[2] = CLIMB, 1 / TURNS


@kernel
def step(s, p, action):
    """Fly for one control step; returns the reward and whether the reference is lost."""
    craft, w, one = s.craft, p.weights, real(1.0, p.pace)
    fly(craft, p.flying.physics.vehicle, p.flying, s.rng, action)
    trace(craft, s.clock.step, EVERY)
    slot = (np.int64(s.clock.step) + HISTORY - 1) % HISTORY
    for k in range(len(action)):
        s.history[slot, k] = s.history[slot + HISTORY, k] = action[k]
    r = reference(s, time_of(s, p))
    error, v = blocks.distance_to(craft, (r[0], r[1], r[2])), craft.velocity
    slip = blocks.norm(v[0] - r[3], v[1] - r[4], v[2] - r[5])
    s.squares += error * error
    s.largest = max(s.largest, error)
    change = one * craft.change
    s.jerk += fmath.sqrt(change)
    if not error <= LOST:
        return -w.crash, True
    ratio = error * 5.0
    reward = w.position * fmath.exp(-ratio * ratio) + w.velocity * fmath.exp(-slip)
    return reward - w.tilt * _lean(craft, p, r) - w.change * change, False


@kernel
def _lean(craft, p, r):
    """1 - cosine of the angle between the thrust and the one that the reference's acceleration takes."""
    ax, ay, az = r[6], r[7], r[8] + p.flying.physics.vehicle.gravity
    axis = up(craft.attitude)
    return 1.0 - (axis[0] * ax + axis[1] * ay + axis[2] * az) / max(blocks.norm(ax, ay, az), 1e-3)


@kernel
def observe(s, p, o, info):
    """Write the observation and the metrics."""
    craft, one = s.craft, real(1.0, p.pace)
    now = time_of(s, p)
    r = reference(s, now)
    position, velocity = (r[0], r[1], r[2]), (r[3], r[4], r[5])
    sense(craft, p.flying, s.rng)
    blocks.put_kinematics(o, craft.seen, position, velocity)
    x = craft.seen.position
    for j in range(FUTURE):
        ahead = point(s, now + real(AHEAD, one) * (one * np.float32(j + 1)))
        blocks.put_row(o.future_reference, j, (ahead[0] - x[0], ahead[1] - x[1], ahead[2] - x[2]), blocks.FAR)
    blocks.put_history(o, s.history, np.int64(s.clock.step) % HISTORY)
    blocks.measure(info, craft, p.flying.physics.vehicle, p.flying, position, velocity)
    steps = max(np.float32(s.clock.step), 1.0)
    info.rmse = fmath.sqrt(s.squares / (one * steps))
    info.max_error = s.largest
    info.action_change = np.float32(s.jerk) / steps
    info.crashed = not info.distance <= LOST
    info.completion = min(np.float32(now) / 10.0, 1.0)
    info.is_success = info.rmse < GOOD and not info.crashed


class TrackLissajousWorld(DroneWorld):
    """A drone that has to follow a moving point.

    Args:
        curve: ``"random"``, ``"figure8"``, ``"circle"``, ``"helix"`` or ``"vertical8"``, see README.md.
        size: half-width of a figure eight, or radius of a circle or helix, m.
        period: of these, of a turn of the helix, s.
        start: how far from the curve's beginning the drone may start on each axis, m.
        preset: of the reference policy, see `controllers.geometric.PRESETS`.
        model: dynamics, see `quadcopters.flying.settings.flying`.
        vehicle: name or constants of a vehicle.
        act: kind of action.
        terms: changes to the optional physics, see `quadcopters.flying.settings.Terms`.
        weights: changes to the weights of the reward, see `track_lissajous.params.WEIGHTS`.
        precision: scalar type of the physics.
    """

    control_rate = CONTROL_RATE
    terms = TERMS
    info_dtype = Info.dtype()
    reward_weights = WEIGHTS
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        curve: Literal["random", "figure8", "circle", "helix", "vertical8"] = "random",
        size: Annotated[float, Between(0.01, 100)] = 1.0,
        period: Annotated[float, Between(0.01, 1000)] = 5.5,
        start: Annotated[float, Between(0, LOST / 2)] = 0.1,
        preset: Literal["agile", "robust"] = "agile",
        model: Model = "l2f",
        vehicle: str | Vehicle = "l2f_cf2023",
        act: Act = "motor",
        terms: Mapping[str, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        precision: Precision = "float32",
    ):
        flying = self.set_up(model, vehicle, act, terms, precision, preset=preset)
        self.params = Params.make(
            self.scalar, flying=flying, half_width=size, pace=period, start=start, curve=CURVES.index(curve)
        )
        self.set_reward_weights(weights)
        self.state_dtype = State.dtype(self.scalar)
        self.observation = observation_layout(act)

    def goal(self, state):
        """Where the reference is."""
        return render.curve(state, [int(state["clock"]["step"]) / CONTROL_RATE])[0]
