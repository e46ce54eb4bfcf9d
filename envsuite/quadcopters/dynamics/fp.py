"""First-principles dynamics with identified rotors, body drag and the propellers' angular momentum.

The model "first_principles" of drone-models, as crazyflow uses it (arXiv 2606.01478), integrated by RK4. The torque
that the propellers' angular momentum I S e_z exerts on the turning body is -w x (I S e_z), that is +w_y I S about x;
the original has the opposite sign there, which vanishes while the propellers' speeds cancel.
"""

import numpy as np

from envsuite.core.jit import kernel
from envsuite.quadcopters.dynamics.runge_kutta import along10, move, weighted

TURN = 2 * np.pi / 60  # rad/s per RPM: rotor speeds of vehicles with rotor inertia are in RPM


@kernel
def step(body, vehicle, dt):
    """One classical Runge-Kutta step with constant commands, wind and external wrench.

    Args:
        body: record with the fields of `state.WindyBody`.
        vehicle: record of `params.VehicleRecord`, with motor time constants.
        dt: s.
    """
    q, v, w, u = body.attitude, body.velocity, body.rates, body.rotor_speed
    x = (q[0], q[1], q[2], q[3], v[0], v[1], v[2], w[0], w[1], w[2], u[0], u[1], u[2], u[3])
    half = 0.5 * dt
    k1 = _slope(x, body, vehicle)
    x2 = _along(x, half, k1)
    k2 = _slope(x2, body, vehicle)
    x3 = _along(x, half, k2)
    k3 = _slope(x3, body, vehicle)
    x4 = _along(x, dt, k3)
    k4 = _slope(x4, body, vehicle)
    move(body, x, x2, x3, x4, k1, k2, k3, k4, dt)
    for k in range(4):
        speed = u[k] + weighted(k1[10 + k], k2[10 + k], k3[10 + k], k4[10 + k], dt)
        u[k] = min(max(speed, 0.0), vehicle.command_high)


@kernel
def _slope(x, body, vehicle):
    """Time derivative of (attitude, velocity, rates, rotor speeds)."""
    q0, q1, q2, q3 = x[0], x[1], x[2], x[3]
    w0, w1, w2 = x[7], x[8], x[9]
    s, e, gyration, ease = vehicle.spin, vehicle.effect, vehicle.gyration, vehicle.inverse_inertia
    f0, f1, f2, f3 = _thrust(x[10], vehicle), _thrust(x[11], vehicle), _thrust(x[12], vehicle), _thrust(x[13], vehicle)
    u0, u1 = _spin_up(x[10], body.command[0], vehicle), _spin_up(x[11], body.command[1], vehicle)
    u2, u3 = _spin_up(x[12], body.command[2], vehicle), _spin_up(x[13], body.command[3], vehicle)
    yaw = s[0] * _torque(x[10], vehicle) + s[1] * _torque(x[11], vehicle)
    yaw += s[2] * _torque(x[12], vehicle) + s[3] * _torque(x[13], vehicle)
    scale = TURN * vehicle.rotor_inertia
    momentum = scale * ((s[0] * x[10] + s[1] * x[11]) + (s[2] * x[12] + s[3] * x[13]))
    change = scale * ((s[0] * u0 + s[1] * u1) + (s[2] * u2 + s[3] * u3))

    # rotation matrix; drag acts along the body axes
    r0, r1, r2 = 1.0 - 2.0 * (q2 * q2 + q3 * q3), 2.0 * (q1 * q2 - q0 * q3), 2.0 * (q1 * q3 + q0 * q2)
    r3, r4, r5 = 2.0 * (q1 * q2 + q0 * q3), 1.0 - 2.0 * (q1 * q1 + q3 * q3), 2.0 * (q2 * q3 - q0 * q1)
    r6, r7, r8 = 2.0 * (q1 * q3 - q0 * q2), 2.0 * (q2 * q3 + q0 * q1), 1.0 - 2.0 * (q1 * q1 + q2 * q2)
    a0, a1, a2 = x[4] - body.wind[0], x[5] - body.wind[1], x[6] - body.wind[2]
    b0 = -vehicle.body_drag[0] * (r0 * a0 + r3 * a1 + r6 * a2)
    b1 = -vehicle.body_drag[1] * (r1 * a0 + r4 * a1 + r7 * a2)
    b2 = (f0 + f1) + (f2 + f3) - vehicle.body_drag[2] * (r2 * a0 + r5 * a1 + r8 * a2)
    lightness = e[0, 0]
    return (
        -0.5 * (q1 * w0 + q2 * w1 + q3 * w2),
        0.5 * (q0 * w0 + q2 * w2 - q3 * w1),
        0.5 * (q0 * w1 + q3 * w0 - q1 * w2),
        0.5 * (q0 * w2 + q1 * w1 - q2 * w0),
        lightness * (r0 * b0 + r1 * b1 + r2 * b2 + body.force[0]),
        lightness * (r3 * b0 + r4 * b1 + r5 * b2 + body.force[1]),
        lightness * (r6 * b0 + r7 * b1 + r8 * b2 + body.force[2]) - vehicle.gravity,
        (e[1, 0] * f0 + e[1, 1] * f1)
        + (e[1, 2] * f2 + e[1, 3] * f3)
        + gyration[0] * w1 * w2
        + ease[0] * (body.torque[0] + momentum * w1),
        (e[2, 0] * f0 + e[2, 1] * f1)
        + (e[2, 2] * f2 + e[2, 3] * f3)
        + gyration[1] * w2 * w0
        + ease[1] * (body.torque[1] - momentum * w0),
        gyration[2] * w0 * w1 + ease[2] * (body.torque[2] + yaw + change),
        u0,
        u1,
        u2,
        u3,
    )


@kernel
def _thrust(u, vehicle):
    return vehicle.thrust_curve[0] + (vehicle.thrust_curve[1] + vehicle.thrust_curve[2] * u) * u


@kernel
def _torque(u, vehicle):
    return vehicle.rotor_torque[0] + (vehicle.rotor_torque[1] + vehicle.rotor_torque[2] * u) * u


@kernel
def _spin_up(u, command, vehicle):
    """Acceleration of a rotor."""
    a = vehicle.response
    gap, squares = command - u, command * command - u * u
    return a[0] * gap + a[1] * squares if gap >= 0.0 else a[2] * gap + a[3] * squares


@kernel
def _along(x, h, k):
    rotors = (x[10] + h * k[10], x[11] + h * k[11], x[12] + h * k[12], x[13] + h * k[13])
    return along10(x, h, k) + rotors
