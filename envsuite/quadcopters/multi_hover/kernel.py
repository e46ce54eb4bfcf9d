"""The task of QuadMultiHover on one record, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.declare import Between
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.core.world import Reward, World
from envsuite.quadcopters.attitude import from_euler
from envsuite.quadcopters.gpd import flight
from envsuite.quadcopters.multi_hover.params import FEWEST, MOST, parameters
from envsuite.quadcopters.multi_hover.state import Info, State, observation_layout
from envsuite.quadcopters.params import find_vehicle


@kernel
def reset(s, p):
    """Start at rest, level, side by side just above the floor."""
    g, zero = s.rng, real(0.0, p.near)
    for n in range(s.drones.shape[0]):
        drone, spawn = s.drones[n], p.spawn[n]
        x = spawn[0] + rng.uniform(g, rng.RESET, -p.spawn_side, p.spawn_side)
        y = spawn[1] + rng.uniform(g, rng.RESET, -p.spawn_side, p.spawn_side)
        z = spawn[2] + rng.uniform(g, rng.RESET, -p.spawn_height, p.spawn_height)
        yaw = rng.uniform(g, rng.RESET, -p.spawn_yaw, p.spawn_yaw)
        home = (zero, zero)
        if not p.flight.compat:
            home = (spawn[0], spawn[1])
        flight.place(drone, (x, y, z), from_euler(zero, zero, yaw), home)
        if not p.flight.compat:
            flight.forget(drone)
        s.total[n] = 0.0
        s.crashed[n] = 0
        s.collided[n] = 0
        s.terminated[n] = 0
        s.truncated[n] = 0
    s.separation = np.inf
    _mind_the_gaps(s, p)


@kernel
def step(s, p, actions, rewards):
    """Fly for one control step; writes the rewards, and the flags into the record."""
    count = s.drones.shape[0]
    for n in range(count):
        if s.drones[n].active:
            flight.command(s.drones[n], p.flight, actions[n])
    flight.fly(s.drones, p.flight)
    _mind_the_gaps(s, p)
    for n in range(count):
        rewards[n] = 0.0
        if s.drones[n].active:
            s.crashed[n] = np.uint8(s.collided[n] != 0 or _out(s, p, n))
            square = _square_distance(s, p, n)
            if p.flight.compat or s.crashed[n] == 0:
                rewards[n] = max(0.0, 2.0 - square * square)
            s.total[n] += rewards[n]
    if p.flight.compat:
        _end_together(s, p)
    else:
        for n in range(count):
            if s.crashed[n] != 0:
                s.terminated[n] = 1
                s.drones[n].active = False


@kernel
def _end_together(s, p):
    """The original's rule: all at their targets ends the episode, one beyond the limits cuts it off."""
    total = real(0.0, p.near)
    cut = s.clock.step >= flight.HORIZON
    for n in range(s.drones.shape[0]):
        total += fmath.sqrt(_square_distance(s, p, n))
        cut = cut or s.crashed[n] != 0
    for n in range(s.drones.shape[0]):
        s.terminated[n] = np.uint8(total < p.goal)
        s.truncated[n] = np.uint8(cut)


@kernel
def _mind_the_gaps(s, p):
    """Note the least distance between flying drones, and who collides (never in the original's form)."""
    for n in range(s.drones.shape[0]):
        for i in range(n):
            if s.drones[n].active and s.drones[i].active:
                a, b = s.drones[n].position, s.drones[i].position
                x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
                distance = fmath.sqrt(x * x + y * y + z * z)
                s.separation = min(s.separation, distance)
                if distance < p.apart and not p.flight.compat:
                    s.collided[n] = 1
                    s.collided[i] = 1


@kernel
def _square_distance(s, p, n):
    """From drone n to its target, m^2."""
    position, target = s.drones[n].position, p.target[n]
    x, y, z = target[0] - position[0], target[1] - position[1], target[2] - position[2]
    return x * x + y * y + z * z


@kernel
def _out(s, p, n):
    """Whether drone n is beyond the limits of position or tilt."""
    position = s.drones[n].position
    x, y = position[0], position[1]
    if not p.flight.compat:
        # the original measures from the origin, so that drones 14 to 16 start beyond the limits
        x, y = x - p.spawn[n, 0], y - p.spawn[n, 1]
    out = abs(x) > p.reach or abs(y) > p.reach or position[2] > p.ceiling
    return out or flight.leaning(s.drones[n], p.lean)


@kernel
def observe_as_the_original(s, p, o):
    """Write what each drone sees, nothing of targets and neighbours."""
    for n in range(s.drones.shape[0]):
        flight.observe(s.drones[n], p.flight, o[n])


@kernel
def observe(s, p, o):
    """Write what each drone sees."""
    observe_as_the_original(s, p, o)
    for n in range(s.drones.shape[0]):
        _look_around(s, p, n, o[n])


@kernel
def _look_around(s, p, n, o):
    """Write the offset to the target, and offset and relative velocity of the nearest flying neighbour."""
    drone = s.drones[n]
    nearest, least = -1, real(np.inf, p.near)
    for i in range(s.drones.shape[0]):
        if i != n and s.drones[i].active:
            a, b = drone.position, s.drones[i].position
            x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
            square = x * x + y * y + z * z
            if square < least:
                nearest, least = i, square
    far, fast = np.float32(2.0 * flight.POSITION_LIMIT), np.float32(2.0 * flight.VELOCITY_LIMIT)
    for k in range(3):
        o.target_offset[k] = _clip(np.float32(p.target[n, k] - drone.position[k]), far)
        o.neighbour_offset[k] = 0.0
        o.neighbour_velocity[k] = 0.0
        if nearest >= 0:
            other = s.drones[nearest]
            o.neighbour_offset[k] = _clip(np.float32(other.position[k] - drone.position[k]), far)
            o.neighbour_velocity[k] = _clip(np.float32(other.velocity[k] - drone.velocity[k]), fast)


@kernel
def _clip(value, limit):
    return min(max(value, -limit), limit)


@kernel
def measure(s, p, info):
    """Write each drone's metrics."""
    for n in range(s.drones.shape[0]):
        drone = s.drones[n]
        distance = fmath.sqrt(_square_distance(s, p, n))
        info[n].distance = distance
        info[n].normalised_return = np.float32(s.total[n]) / (2.0 * flight.HORIZON)
        info[n].min_separation = s.separation
        info[n].impact_speed = drone.impact_speed
        info[n].is_success = drone.active and distance < p.near
        info[n].crashed = s.crashed[n] != 0
        info[n].collided = s.collided[n] != 0
        info[n].contact = drone.contact


_OWN = batch_loops(reset, step, observe, measure, ends="apart")
_ORIGINAL = batch_loops(reset, step, observe_as_the_original, measure, ends="apart")


class QuadMultiHover(World):
    """Climb side by side, each drone to its own height, and hover there.

    Args:
        num_drones: 2 to 16.
        act: action type: ``"rpm"``, ``"pid"``, ``"vel"``, ``"one_d_rpm"`` or ``"one_d_pid"``.
        physics: a key of `quadcopters.dynamics.settings.MODES`; those with ``dw`` let drones push down those below.
        vehicle: ``"cf2x"``, ``"cf2p"``, or for the rpm actions also ``"racer"`` or ``"hb"``.
        compat: ``"gpd"`` keeps the original's behaviour, see README.md; None repairs it.
        speed_limit: m/s, of velocity actions; by default 1, with `compat` the original's.
        precision: ``"float32"`` or ``"float64"``, of the physics; by default single, with `compat` double.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """

    info_dtype = Info.dtype()

    def __init__(
        self,
        *,
        num_drones: Annotated[int, Between(FEWEST, MOST)] = 2,
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
        self.params = parameters(num_drones, way, find_vehicle(vehicle), scalar)
        self.agents = tuple(f"drone_{n}" for n in range(num_drones))
        self.state_dtype = State.dtype(scalar, drones=num_drones, action=flight.ACTION_SIZES[act])
        self.observation = observation_layout(act, original)
        self.action = flight.action_layout(act, out_of_range="pass" if original else "clip")
        self.reward = Reward(dtype=scalar)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those of the observation."""
        return _ORIGINAL if self.params[0]["flight"]["compat"] else _OWN
