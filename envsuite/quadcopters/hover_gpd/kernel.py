"""The task of QuadHoverGPD on one record, and the world."""

from typing import Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.clock import cut
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.core.world import Reward, World
from envsuite.quadcopters.attitude import from_euler
from envsuite.quadcopters.gpd import flight
from envsuite.quadcopters.hover_gpd.params import FULL_RETURN, NEAR_WINDOW, parameters
from envsuite.quadcopters.hover_gpd.state import Info, State, observation_layout


@kernel
def reset(s, p):
    """Start at rest, level, just above the floor."""
    g, drone = s.rng, s.drones[0]
    zero = real(0.0, p.near)
    x = rng.uniform(g, rng.RESET, -p.spawn_side, p.spawn_side)
    y = rng.uniform(g, rng.RESET, -p.spawn_side, p.spawn_side)
    z = rng.uniform(g, rng.RESET, p.spawn_low, p.spawn_high)
    yaw = rng.uniform(g, rng.RESET, -p.spawn_yaw, p.spawn_yaw)
    flight.place(drone, (x, y, z), from_euler(zero, zero, yaw), (zero, zero))
    if not p.flight.compat:
        flight.forget(drone)
    s.total = 0.0
    for k in range(NEAR_WINDOW):
        s.near[k] = 0
    s.near_steps = 0


@kernel
def step(s, p, action):
    """Fly for one control step; returns the reward and whether the episode terminated."""
    drone = s.drones[0]
    if action.ndim == 1:
        flight.command(drone, p.flight, action)
    else:  # one row a drone, as in the original
        flight.command(drone, p.flight, action[0])
    flight.fly(s.drones, p.flight)
    distance = _distance(s, p)
    crashed = _crashed(s, p)
    zero, square = real(0.0, p.near), distance * distance
    reward = max(0.0, 2.0 - square * square)
    terminated = crashed
    if p.flight.compat:
        # the original rewards a crash like any step and calls it a truncation
        terminated = distance < p.goal
        if crashed or s.clock.step >= flight.HORIZON:
            cut(s.clock)
    elif crashed:
        reward = zero
    s.total += reward
    near = np.uint8(distance < p.near)
    place = np.int64(s.clock.step) % NEAR_WINDOW
    s.near_steps = np.uint8(s.near_steps + near - s.near[place])
    s.near[place] = near
    return reward, terminated


@kernel
def _distance(s, p):
    """From the target, m."""
    position, target = s.drones[0].position, p.target
    x, y, z = target[0] - position[0], target[1] - position[1], target[2] - position[2]
    return fmath.sqrt(x * x + y * y + z * z)


@kernel
def _crashed(s, p):
    """Whether the drone is beyond the limits of position or tilt."""
    position = s.drones[0].position
    out = abs(position[0]) > p.reach or abs(position[1]) > p.reach or position[2] > p.ceiling
    return out or flight.leaning(s.drones[0], p.lean)


@kernel
def observe(s, p, o):
    """Write what the agent sees."""
    flight.observe(s.drones[0], p.flight, o)


@kernel
def measure(s, p, info):
    """Write the metrics."""
    drone = s.drones[0]
    info.distance = _distance(s, p)
    info.normalised_return = np.float32(s.total) / FULL_RETURN
    info.near_share = np.float32(s.near_steps) / NEAR_WINDOW
    info.impact_speed = drone.impact_speed
    info.is_success = _distance(s, p) < p.near
    info.crashed = _crashed(s, p)
    info.contact = drone.contact


class QuadHoverGPD(World):
    """Climb to one metre and hover there.

    Args:
        act: action type: ``"rpm"``, ``"pid"``, ``"vel"``, ``"one_d_rpm"`` or ``"one_d_pid"``.
        physics: a key of `quadcopters.dynamics.settings.MODES`.
        vehicle: ``"cf2x"``, ``"cf2p"``, or for the rpm actions also ``"racer"`` or ``"hb"``.
        compat: ``"gpd"`` keeps the original's behaviour, see README.md; None repairs it.
        speed_limit: m/s, of velocity actions; by default 1, with `compat` the original's.
        precision: ``"float32"`` or ``"float64"``, of the physics; by default single, with `compat` double.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """

    info_dtype = Info.dtype()
    loops = batch_loops(reset, step, observe, measure)

    def __init__(
        self,
        *,
        act: flight.Act = "rpm",
        physics: flight.Mode = "pyb",
        vehicle: Literal["cf2x", "cf2p", "racer", "hb"] = "cf2x",
        compat: Literal["gpd"] | None = None,
        speed_limit: float | None = None,
        precision: Literal["float32", "float64"] | None = None,
    ):
        original, scalar = compat is not None, flight.scalar_of(compat, precision)
        self.act = act
        way = flight.flight(act, physics, vehicle, compat=original, speed_limit=speed_limit, scalar=scalar)
        self.params = parameters(way, scalar)
        self.state_dtype = State.dtype(scalar, action=flight.ACTION_SIZES[act])
        self.observation = observation_layout(act, original)
        shape = (1, flight.ACTION_SIZES[act]) if original else ()
        self.action = flight.action_layout(act, shape, out_of_range="pass" if original else "clip")
        self.reward = Reward(dtype=scalar)
