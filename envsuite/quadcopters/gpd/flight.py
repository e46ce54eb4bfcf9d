"""Flying drones as the learning environments of gym-pybullet-drones do.

240 Hz physics and 30 Hz control; an action becomes rotor speeds once a control step, directly or through the
DSL PID controller; the observation holds the kinematics and the actions of the last half second.
"""

from typing import Any, Literal

import numpy as np

from envsuite.core import fmath
from envsuite.core.declare import Record, field
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.layout import Block, Vector
from envsuite.quadcopters.attitude import rotate, to_euler
from envsuite.quadcopters.controllers import dsl_pid
from envsuite.quadcopters.dynamics import bullet, dyn, floor
from envsuite.quadcopters.dynamics.settings import Physics, physics
from envsuite.quadcopters.params import VEHICLES
from envsuite.quadcopters.state import BulletBody

PHYSICS_RATE = 240  # Hz
CONTROL_RATE = 30  # Hz
SUBSTEPS = PHYSICS_RATE // CONTROL_RATE
BUFFER = CONTROL_RATE // 2  # past actions in the observation
HORIZON = 8 * CONTROL_RATE + 2  # the original compares the time before it counts a step, and wants it beyond 8 s

VEHICLE_NAMES = tuple(name for name, vehicle in VEHICLES.items() if vehicle.thrust_to_weight > 0)

ACTION_SIZES = {"rpm": 4, "pid": 3, "vel": 4, "one_d_rpm": 1, "one_d_pid": 1}
ACTION_TYPES = tuple(ACTION_SIZES)
_RPM, _PID, _VEL, _ONE_D_RPM, _ONE_D_PID = range(len(ACTION_TYPES))

RPM_SHARE = 0.05  # an action of 1 changes the rotor speed by this share of the hover speed
CLIMB_STEP = 0.1  # m, an action of 1 of type one_d_pid

# Bounds of the repaired observation; the original has none. No flight within the task's limits reaches them.
POSITION_LIMIT = 10.0  # m
VELOCITY_LIMIT = 30.0  # m/s
RATE_LIMIT = 200.0  # rad/s


Act = Literal["rpm", "pid", "vel", "one_d_rpm", "one_d_pid"]
Mode = Literal["pyb", "dyn", "pyb_gnd", "pyb_drag", "pyb_dw", "pyb_gnd_drag_dw"]


class Flight(Record):
    """How drones fly."""

    physics = field(type=Physics)
    gains = field(type=dsl_pid.Gains)
    control_step = field(1 / CONTROL_RATE, "s")
    speed_limit = field(None, "m/s", "of velocity actions")
    act = field(None, type=np.uint8, meaning="index in `ACTION_TYPES`")
    compat = field(False, type=np.bool_, meaning="keep the original's quirks")


class Drone(dsl_pid.Steered, BulletBody):
    """One drone."""

    impact_speed = field(unit="m/s", meaning="the hardest contact of the episode")
    home = field(unit="m", meaning="x and y from which position actions count", shape=2)
    actions = field(type=np.float32, shape=(BUFFER, "action"), meaning="the past ones, a ring")
    oldest = field(type=np.uint8, meaning="its next row to be overwritten")
    contact = field(type=np.bool_, meaning="on the floor in the last physics step")


def flight(
    act: str, mode: str, vehicle_name: str, *, compat: bool, speed_limit: float | None, scalar: type
) -> np.record:
    """The record of a way to fly.

    Args:
        act: one of `ACTION_TYPES`.
        mode: a key of `quadcopters.dynamics.settings.MODES`.
        vehicle_name: one of `VEHICLE_NAMES`.
        compat: the original's quirks: singular downwash, no floor under the explicit dynamics, the controller
            of the X layout for every vehicle.
        speed_limit: speed of a full velocity action, m/s; None for 1, or with `compat` for 3 % of the
            vehicle's largest speed.
        scalar: type of the numbers, float32 or float64.

    Returns:
        A `Flight` record.

    Raises:
        ValueError: an unknown name, a vehicle that the PID controller cannot fly, or a speed that is not
            positive.
    """
    if vehicle_name not in VEHICLE_NAMES:
        raise ValueError(f"vehicle is {vehicle_name!r}, expected one of {', '.join(VEHICLE_NAMES)}")
    if speed_limit is None:
        speed_limit = 0.03 * VEHICLES[vehicle_name].max_speed if compat else 1.0
    if not 0 < speed_limit < np.inf:
        raise ValueError(f"speed_limit is {speed_limit!r}, expected a positive number of m/s")
    through_pid = not act.endswith("rpm")
    if through_pid and vehicle_name not in ("cf2x", "cf2p"):
        raise ValueError(f"act {act!r} needs the DSL PID controller, which does not fly {vehicle_name!r}")
    floor, timestep = not (compat and mode == "dyn"), 1 / PHYSICS_RATE
    return Flight.make(
        scalar,
        physics=physics(mode, vehicle_name, timestep=timestep, exact=compat, floor=floor, real=scalar),
        gains=dsl_pid.gains("cf2p" if vehicle_name == "cf2p" and not compat else "cf2x", scalar),
        speed_limit=speed_limit,
        act=ACTION_TYPES.index(act),
        compat=compat,
    ).view(np.recarray)[0]


def scalar_of(compat: str | None, precision: str | None) -> type:
    """The scalar type of a precision; by default single, with `compat` double."""
    return np.dtype(precision or ("float64" if compat else "float32")).type


def action_layout(act: str, shape: tuple[int, ...] = (), *, out_of_range: Any = "clip") -> Vector:
    """What an action of one drone holds.

    Args:
        act: one of `ACTION_TYPES`.
        shape: shape of the array; by default one axis.
        out_of_range: see `Vector`.
    """
    blocks = {
        "rpm": (Block("rotor speeds", 4, -1.0, 1.0, "5 % of the hover speed", "away from it"),),
        "pid": (
            Block(
                "target position",
                3,
                -1.0,
                1.0,
                "m",
                "x and y from home, height; approached at most 1 m ahead",
            ),
        ),
        "vel": (
            Block("direction", 3, -1.0, 1.0, "", "of the target velocity, world"),
            Block("speed", 1, -1.0, 1.0, "", "share of the speed limit; its sign is ignored"),
        ),
        "one_d_rpm": (Block("speed of all rotors", 1, -1.0, 1.0, "5 % of the hover speed", "away from it"),),
        "one_d_pid": (Block("climb", 1, -1.0, 1.0, "0.1 m", "of the target position above the present one"),),
    }
    return Vector(blocks[act], shape=shape, out_of_range=out_of_range)


def observation_blocks(act: str, compat: bool) -> tuple[tuple[Block, ...], Block]:
    """What an observation of one drone holds: the kinematics, and the past actions.

    Args:
        act: one of `ACTION_TYPES`.
        compat: the original's bounds, infinite but for the height.
    """
    far, fast, spin, turn = POSITION_LIMIT, VELOCITY_LIMIT, RATE_LIMIT, float(np.float32(np.pi))
    if compat:
        far = fast = spin = turn = np.inf
    kinematics = (
        Block("position", 3, (-far, -far, 0.0), far, "m", "world"),
        Block("roll, pitch, yaw", 3, -turn, turn, "rad"),
        Block("velocity", 3, -fast, fast, "m/s", "world"),
        Block("angular velocity", 3, -spin, spin, "rad/s", "world"),
    )
    size = BUFFER * ACTION_SIZES[act]
    return kinematics, Block("past actions", size, -1.0, 1.0, "", "of the last half second, oldest first")


@kernel
def forget(drone):
    """Clear what the original carries from one episode to the next: past actions and the controller's memory."""
    dsl_pid.clear(drone.pid)
    for i in range(drone.actions.shape[0]):
        for k in range(drone.actions.shape[1]):
            drone.actions[i, k] = 0.0
    drone.oldest = 0


@kernel
def place(drone, position, attitude, home):
    """Put a drone at rest; its memory of past actions stays.

    Args:
        drone: `Drone` record.
        position: m, world.
        attitude: unit quaternion.
        home: m, x and y from which position actions count.
    """
    bullet.place(drone, position, attitude)
    drone.home[0], drone.home[1] = home[0], home[1]
    drone.impact_speed = 0.0
    drone.contact = False


@kernel
def command(drone, flight, action):
    """Turn an action into rotor speeds and remember it.

    Where the original computes with float32 actions, so does this.
    """
    vehicle, p = flight.physics.vehicle, drone.position
    for k in range(drone.actions.shape[1]):
        drone.actions[drone.oldest, k] = action[k]
    drone.oldest = np.uint8((drone.oldest + 1) % BUFFER)
    if flight.act == _RPM or flight.act == _ONE_D_RPM:
        for k in range(4):
            share = action[0] if flight.act == _ONE_D_RPM else action[k]
            factor = np.float32(1.0) + np.float32(RPM_SHARE) * share
            drone.command[k] = vehicle.command_hover * factor
        return
    zero = real(0.0, flight.control_step)
    position, velocity, yaw = (p[0], p[1], p[2]), (zero, zero, zero), zero
    if flight.act == _PID:
        position = _at_most_one_metre(p, drone.home, action)
    elif flight.act == _VEL:
        velocity, yaw = _velocity(flight, action), to_euler(drone.attitude)[2]
    else:
        position = (p[0], p[1], p[2] + real(CLIMB_STEP, zero) * action[0])
    dsl_pid.control(drone, vehicle, flight.gains, drone.pid, position, velocity, yaw, flight.control_step)


@kernel
def _at_most_one_metre(p, home, goal):
    """The goal, or the point one metre towards it."""
    x, y, z = home[0] + goal[0] - p[0], home[1] + goal[1] - p[1], goal[2] - p[2]
    distance = fmath.sqrt(x * x + y * y + z * z)
    one = real(1.0, distance)
    share = 1.0 / distance if distance > 1.0 else one
    return p[0] + x * share, p[1] + y * share, p[2] + z * share


@kernel
def _velocity(flight, action):
    # NumPy's float32 norm: products in single precision, their sum in double
    square = np.float64(action[0] * action[0]) + np.float64(action[1] * action[1]) + np.float64(action[2] * action[2])
    size = fmath.sqrt(np.float32(square))
    speed = np.float32(flight.speed_limit) * abs(action[3])
    if size == np.float32(0.0):
        size = np.float32(1.0)
    one = real(1.0, flight.speed_limit)
    return (
        one * (speed * (action[0] / size)),
        one * (speed * (action[1] / size)),
        one * (speed * (action[2] / size)),
    )


@kernel
def fly(drones, flight):
    """Move active drones for one control step."""
    physics = flight.physics
    count = drones.shape[0]
    for _ in range(SUBSTEPS):
        if physics.downwash and count > 1:
            bullet.feel_downwash(drones, physics)
        for n in range(count):
            drone = drones[n]
            if drone.active:
                if physics.explicit:
                    dyn.step(drone, physics.vehicle, physics)
                else:
                    bullet.step(drone, physics.vehicle, physics)
                if physics.floor:
                    impact = floor.touch(drone, physics)
                    drone.contact = impact > 0.0
                    drone.impact_speed = max(drone.impact_speed, impact)


@kernel
def leaning(drone, limit):
    """Whether roll or pitch is beyond a limit (rad)."""
    roll, pitch, _ = to_euler(drone.attitude)
    return abs(roll) > limit or abs(pitch) > limit


@kernel
def observe(drone, flight, o):
    """Write kinematics and past actions."""
    euler = to_euler(drone.attitude)
    w = rotate(drone.attitude, drone.rates)
    for k in range(3):
        o.position[k] = drone.position[k]
        o.roll_pitch_yaw[k] = euler[k]
        o.velocity[k] = drone.velocity[k]
        o.angular_velocity[k] = w[k]
    if not flight.compat:
        for k in range(3):
            o.position[k] = _clip(o.position[k], np.float32(POSITION_LIMIT))
            o.roll_pitch_yaw[k] = _clip(o.roll_pitch_yaw[k], np.float32(np.pi))
            o.velocity[k] = _clip(o.velocity[k], np.float32(VELOCITY_LIMIT))
            o.angular_velocity[k] = _clip(o.angular_velocity[k], np.float32(RATE_LIMIT))
        o.position[2] = max(o.position[2], 0.0)
    size = drone.actions.shape[1]
    for i in range(BUFFER):
        row = (np.int64(drone.oldest) + i) % BUFFER
        for k in range(size):
            o.past_actions[size * i + k] = drone.actions[row, k]


@kernel
def _clip(value, limit):
    return min(max(value, -limit), limit)
