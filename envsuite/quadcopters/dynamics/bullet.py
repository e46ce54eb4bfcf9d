"""The PyBullet physics of gym-pybullet-drones in closed form, without contacts.

The engine integrates semi-implicitly: velocities first, then the pose with the new velocities, the attitude
by the exact exponential map. Three habits of the original are kept because they change trajectories: link
forces are turned with the attitude of one step ago, the default damping is never switched off and has a
quadratic part, and rotor drag uses the speeds of the previous step.

The engine keeps the angular velocity in the world frame. Rotating it with the body by exactly the increment
that it causes leaves its body components unchanged, so here it stays in the body frame.

Not modelled: contacts (see `floor`), and that the engine cuts every component of the world velocity (m/s) and angular
velocity (rad/s) at 100.
"""

import numpy as np

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import (
    GIMBAL_LOCK,
    from_rotation_vector,
    multiply,
    normalize,
    rotate,
    rotate_back,
    up,
)


@kernel
def place(body, position, attitude):
    """Put a body at rest.

    Args:
        body: record of `state.BulletBody`; every field is written.
        position: m, world.
        attitude: unit quaternion.
    """
    for k in range(3):
        body.position[k] = position[k]
        body.velocity[k] = 0.0
        body.rates[k] = 0.0
    for k in range(4):
        body.attitude[k] = attitude[k]
        body.previous_attitude[k] = attitude[k]
        body.command[k] = 0.0
        body.rotor_speed[k] = 0.0
    body.downwash = 0.0
    body.active = True


@kernel
def step(body, vehicle, physics):
    """One physics step of one body, apart from the influence of others (its field `downwash` says it).

    Args:
        body: record of `state.BulletBody`; `command` holds the rotor speeds.
        vehicle: record of `params.VehicleRecord`.
        physics: record of `settings.Physics`.
    """
    dt = physics.timestep
    attitude = (body.attitude[0], body.attitude[1], body.attitude[2], body.attitude[3])
    previous_up = up(body.previous_attitude)

    lift, sx, sy, spin = _rotor_sums(body.command, vehicle)
    fx, fy, fz = lift * previous_up[0], lift * previous_up[1], lift * previous_up[2]
    # every rotor pushes along the lagged axis, seen from the present body frame
    axis = rotate_back(attitude, previous_up)
    tx = sy * axis[2] + spin * axis[0]
    ty = -sx * axis[2] + spin * axis[1]
    tz = sx * axis[1] - sy * axis[0] + spin * axis[2]

    refreshed = physics.ground_effect  # its height query refreshes the engine's cached poses
    if physics.ground_effect:
        gain, gx, gy = _ground_effect(body, vehicle)
        axis_now = up(attitude)
        fx, fy, fz = fx + gain * axis_now[0], fy + gain * axis_now[1], fz + gain * axis_now[2]
        tx, ty = tx + gy, ty - gx
    if physics.drag:
        dx, dy, dz = _rotor_drag(body, vehicle, refreshed)
        fx, fy, fz = fx + dx, fy + dy, fz + dz
    if physics.downwash:
        ux, uy, uz = up(attitude) if refreshed else previous_up
        fx, fy, fz = fx - body.downwash * ux, fy - body.downwash * uy, fz - body.downwash * uz

    v, w = body.velocity, body.rates
    brake = physics.damping * (1.0 + fmath.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]))
    ax = fx / vehicle.mass - brake * v[0]
    ay = fy / vehicle.mass - brake * v[1]
    az = fz / vehicle.mass - vehicle.gravity - brake * v[2]
    jx, jy, jz = vehicle.inertia[0], vehicle.inertia[1], vehicle.inertia[2]
    brake = physics.damping * (1.0 + fmath.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]))
    bx = (tx - (jz - jy) * w[1] * w[2]) / jx - brake * w[0]
    by = (ty - (jx - jz) * w[2] * w[0]) / jy - brake * w[1]
    bz = (tz - (jy - jx) * w[0] * w[1]) / jz - brake * w[2]
    advance(body, (ax, ay, az), (bx, by, bz), dt)


@kernel
def advance(body, acceleration, angular_acceleration, dt):
    """Semi-implicit Euler step with the exponential map, shared with the explicit dynamics.

    Args:
        body: record of `state.BulletBody`.
        acceleration: m/s^2, world.
        angular_acceleration: rad/s^2, body.
        dt: s.
    """
    for k in range(3):
        body.velocity[k] += dt * acceleration[k]
        body.rates[k] += dt * angular_acceleration[k]
        body.position[k] += dt * body.velocity[k]
    turn = from_rotation_vector((body.rates[0] * dt, body.rates[1] * dt, body.rates[2] * dt))
    turned = normalize(multiply(body.attitude, turn))
    for k in range(4):
        body.previous_attitude[k] = body.attitude[k]
        body.attitude[k] = turned[k]
        body.rotor_speed[k] = body.command[k]


@kernel
def feel_downwash(bodies, physics):
    """Work out the downwash on every body from the present positions (item 5), before any body moves.

    Args:
        bodies: records with the fields of `state.BulletBody`, shape (a,).
        physics: record of `settings.Physics`.
    """
    vehicle = physics.vehicle
    strength, slope, offset = vehicle.downwash[0], vehicle.downwash[1], vehicle.downwash[2]
    for n in range(bodies.shape[0]):
        p = bodies[n].position
        total = real(0.0, slope)
        for i in range(bodies.shape[0]):
            other = bodies[i].position
            gap = other[2] - p[2]
            x, y = other[0] - p[0], other[1] - p[1]
            distance = fmath.sqrt(x * x + y * y)
            if bodies[i].active and gap > 0.0 and distance < 10.0:
                gap = max(gap, physics.downwash_min_gap)
                width = max(abs(slope * gap + offset), physics.downwash_min_width)
                ratio = vehicle.propeller_radius / (4.0 * gap)
                away = distance / width
                total += strength * ratio * ratio * fmath.exp(-0.5 * away * away)
        bodies[n].downwash = min(total, physics.downwash_max_force)


@kernel
def _rotor_sums(speed, vehicle):
    """Total thrust (N), first moments of thrust along x and y (N m), yaw reaction torque (N m)."""
    c0, c1, c2 = vehicle.thrust_curve[0], vehicle.thrust_curve[1], vehicle.thrust_curve[2]
    zero = real(0.0, c0)
    lift, sx, sy, spin = zero, zero, zero, zero
    for i in range(4):
        thrust = c0 + (c1 + c2 * speed[i]) * speed[i]
        lift += thrust
        sx += vehicle.rotors[i, 0] * thrust
        sy += vehicle.rotors[i, 1] * thrust
        spin += vehicle.spin[i] * thrust
    return lift, sx, sy, spin * vehicle.torque_per_thrust


@kernel
def _ground_effect(body, vehicle):
    """Extra thrust near the floor (N) and its first moments along x and y (N m); item 3."""
    c2, q = vehicle.thrust_curve[2], body.attitude
    zero = real(0.0, c2)
    total, mx, my = zero, zero, zero
    # |roll| and |pitch| below a right angle, the latter up to the engine's threshold of gimbal lock
    sine = 2.0 * abs(q[0] * q[2] - q[1] * q[3])
    if up(q)[2] > 0.0 and sine < GIMBAL_LOCK:
        for i in range(4):
            rx, ry = vehicle.rotors[i, 0], vehicle.rotors[i, 1]
            arm = rotate(q, (rx, ry, zero))
            height = max(vehicle.ground_clip, body.position[2] + arm[2])
            ratio = vehicle.propeller_radius / (4.0 * height)
            extra = c2 * body.command[i] * body.command[i] * vehicle.ground_effect * ratio * ratio
            total += extra
            mx += rx * extra
            my += ry * extra
    return total, mx, my


@kernel
def _rotor_drag(body, vehicle, refreshed):
    """Drag of the spinning rotors, N, world; item 4."""
    v, last = body.velocity, body.rotor_speed
    turns = (2.0 * np.pi / 60.0) * (last[0] + last[1] + last[2] + last[3])
    force = (
        -vehicle.drag[0] * turns * v[0],
        -vehicle.drag[1] * turns * v[1],
        -vehicle.drag[2] * turns * v[2],
    )
    if refreshed:
        return force
    return rotate(body.previous_attitude, rotate_back(body.attitude, force))
