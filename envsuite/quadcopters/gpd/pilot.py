"""The reference pilot: flies a drone to a point through any of the action types, seeing its true state.

Position, velocity and climb actions already go through the DSL PID controller; the pilot only says where to.
Rotor speed actions reach 5 % around hovering, too little for that controller, so they get a cascade that
shares the little there is: the climb, then tilt, then yaw.
"""

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import rotate_back, up
from envsuite.quadcopters.gpd.flight import ACTION_TYPES, CLIMB_STEP, RPM_SHARE

_RPM, _PID, _VEL, _ONE_D_RPM, _ONE_D_PID = range(len(ACTION_TYPES))

_APPROACH = 1.5  # 1/s, speed asked for per metre from the target, of velocity actions
_CLIMB_SHARE = 0.7  # of the rotor speed range that climbing may take
_BRAKING = 0.6  # share of the acceleration at full rotor action with which the approach plans to brake
_CLIMB_GAIN = 8.0  # 1/s, from an error in climb speed to acceleration
_SIDE_GAINS = (1.0, 1.8)  # 1/s^2 and 1/s, from errors in place and speed to acceleration
_TILT_LIMIT = 0.15  # rad
_TURN_GAINS = (60.0, 14.0)  # 1/s^2 and 1/s, from errors in tilt and rates to angular acceleration
_TILT_SHARE = 0.2  # of the rotor speed range that roll and pitch each may take
_YAW_SHARE = 0.05


@kernel
def steer(drone, flight, target, action):
    """Write the action that leads a drone to a target at rest, keeping its heading.

    Args:
        drone: record of `flight.Drone`.
        flight: record of `flight.Flight`.
        target: m, world, three numbers.
        action: array to write to.
    """
    p = drone.position
    x, y, z = target[0] - p[0], target[1] - p[1], target[2] - p[2]
    one = real(1.0, z)
    if flight.act == _PID:
        action[0] = _within(target[0] - drone.home[0], one)
        action[1] = _within(target[1] - drone.home[1], one)
        action[2] = _within(target[2], one)
    elif flight.act == _VEL:
        distance = fmath.sqrt(x * x + y * y + z * z)
        action[0], action[1], action[2] = _within(x, one), _within(y, one), _within(z, one)
        action[3] = min(_APPROACH * distance / flight.speed_limit, 1.0)
    elif flight.act == _ONE_D_PID:
        action[0] = _within(z / CLIMB_STEP, one)
    elif flight.act == _ONE_D_RPM:
        action[0] = _climb(drone, flight.physics.vehicle, z, one)
    else:
        _turn_rotors(drone, flight.physics.vehicle, x, y, z, action)


@kernel
def head_for(drones, flights, place, actions):
    """Write the action that flies one drone to a point.

    Args:
        drones: records of `flight.Drone`, the first counts; likewise
        flights: of `flight.Flight`.
        place: m, world, (3,).
        actions: float32 (1, A).
    """
    steer(drones[0], flights[0], place, actions[0])


@kernel
def _within(value, limit):
    return min(max(value, -limit), limit)


@kernel
def _climb(drone, vehicle, height, share):
    """Common rotor action, within +-share, that climbs by a height in nearly the least time."""
    strength = (2.0 * RPM_SHARE) * vehicle.gravity
    speed = fmath.sqrt((2.0 * _BRAKING) * strength * abs(height))
    # near the target the square root is too steep to follow: a straight line instead
    speed = min(speed, 2.5 * abs(height))
    if height < 0.0:
        speed = -speed
    return _within(_CLIMB_GAIN * (speed - drone.velocity[2]) / strength, share)


@kernel
def _turn_rotors(drone, vehicle, x, y, z, action):
    """Four rotor actions: the climb, and what tilts the thrust towards the target."""
    v, w, g = drone.velocity, drone.rates, vehicle.gravity
    limit = real(_TILT_LIMIT, g)
    near, damp = real(_SIDE_GAINS[0], g), real(_SIDE_GAINS[1], g)
    lean = (_within((near * x - damp * v[0]) / g, limit), _within((near * y - damp * v[1]) / g, limit))
    now = up(drone.attitude)
    # the turn, in the body frame, that takes the thrust direction to the one wanted; small angles
    turn = rotate_back(drone.attitude, (now[1] - lean[1], lean[0] - now[0], real(0.0, g)))
    stiff, brake = real(_TURN_GAINS[0], g), real(_TURN_GAINS[1], g)
    per_action = (0.5 * RPM_SHARE) * vehicle.mass * g
    rx, ry = abs(vehicle.rotors[0, 0]), abs(vehicle.rotors[1, 1])
    for k in range(2, 4):
        rx, ry = max(rx, abs(vehicle.rotors[k, 0])), max(ry, abs(vehicle.rotors[k, 1]))
    tilt, yaw_share = real(_TILT_SHARE, g), real(_YAW_SHARE, g)
    roll = _within(0.25 * (stiff * turn[0] - brake * w[0]) * vehicle.inertia[0] / (per_action * ry), tilt)
    pitch = _within(0.25 * (stiff * turn[1] - brake * w[1]) * vehicle.inertia[1] / (per_action * rx), tilt)
    lever = per_action * vehicle.torque_per_thrust
    yaw = _within(-0.5 * brake * w[2] * vehicle.inertia[2] / lever * 0.5, yaw_share)
    climb = _climb(drone, vehicle, z, real(_CLIMB_SHARE, g))
    for k in range(4):
        wanted = climb + roll * vehicle.rotors[k, 1] / ry - pitch * vehicle.rotors[k, 0] / rx + yaw * vehicle.spin[k]
        action[k] = _within(wanted, real(1.0, g))
