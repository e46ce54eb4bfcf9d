"""The dynamics of Learning to Fly in Seconds: RK4 over the rigid body and its lagging rotors.

No aerodynamics, no floor, no contacts.
"""

from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import normalize
from envsuite.quadcopters.dynamics.runge_kutta import along10


@kernel(inline=True)
def step(body, vehicle, dt):
    """One classical Runge-Kutta step with constant commands and disturbances.

    Rotor speeds relax towards the command with the time constant of speeding up or slowing down; afterwards
    they are clamped to the vehicle's limits and the quaternion is normalised.

    Args:
        body: record of `state.DisturbedBody`.
        vehicle: record of `params.VehicleRecord`, with motor time constants.
        dt: s.
    """
    p, q, v, w = body.position, body.attitude, body.velocity, body.rates
    x = (q[0], q[1], q[2], q[3], v[0], v[1], v[2], w[0], w[1], w[2])
    half, third, sixth = 0.5 * dt, (1 / 3) * dt, (1 / 6) * dt
    push, gyration = _push(body, vehicle), vehicle.gyration

    target = (body.command[0], body.command[1], body.command[2], body.command[3])
    u = (body.rotor_speed[0], body.rotor_speed[1], body.rotor_speed[2], body.rotor_speed[3])
    pull = _pull(target, u, vehicle)
    m1 = _rotor_slope(target, u, pull)
    u2 = _along4(u, half, m1)
    m2 = _rotor_slope(target, u2, pull)
    u3 = _along4(u, half, m2)
    m3 = _rotor_slope(target, u3, pull)
    u4 = _along4(u, dt, m3)
    m4 = _rotor_slope(target, u4, pull)

    k1 = _slope(x, _drive(u, vehicle), push, gyration)
    x2 = along10(x, half, k1)
    k2 = _slope(x2, _drive(u2, vehicle), push, gyration)
    x3 = along10(x, half, k2)
    k3 = _slope(x3, _drive(u3, vehicle), push, gyration)
    x4 = along10(x, dt, k3)
    k4 = _slope(x4, _drive(u4, vehicle), push, gyration)

    # the slope of the position at each stage is the velocity there
    for k in range(3):
        p[k] += _mean(x[4 + k], x2[4 + k], x3[4 + k], x4[4 + k], third, sixth)
        v[k] = x[4 + k] + _mean(k1[4 + k], k2[4 + k], k3[4 + k], k4[4 + k], third, sixth)
        w[k] = x[7 + k] + _mean(k1[7 + k], k2[7 + k], k3[7 + k], k4[7 + k], third, sixth)
    turned = normalize(
        (
            x[0] + _mean(k1[0], k2[0], k3[0], k4[0], third, sixth),
            x[1] + _mean(k1[1], k2[1], k3[1], k4[1], third, sixth),
            x[2] + _mean(k1[2], k2[2], k3[2], k4[2], third, sixth),
            x[3] + _mean(k1[3], k2[3], k3[3], k4[3], third, sixth),
        )
    )
    for k in range(4):
        q[k] = turned[k]
        speed = u[k] + _mean(m1[k], m2[k], m3[k], m4[k], third, sixth)
        body.rotor_speed[k] = min(max(speed, 0.0), vehicle.command_high)


@kernel
def _mean(a, b, c, d, third, sixth):
    """The weighted sum of four slopes that ends a Runge-Kutta step."""
    return sixth * (a + d) + third * (b + c)


@kernel
def _push(body, vehicle):
    """Accelerations that stay constant over the step: by gravity and disturbance force (3), by torque (3)."""
    lightness, ease = vehicle.effect[0, 0], vehicle.inverse_inertia
    return (
        body.force[0] * lightness,
        body.force[1] * lightness,
        body.force[2] * lightness - vehicle.gravity,
        body.torque[0] * ease[0],
        body.torque[1] * ease[1],
        body.torque[2] * ease[2],
    )


@kernel
def _slope(x, drive, push, gyration):
    """Time derivative of (attitude, velocity, rates) under the rotors' accelerations and the constant ones."""
    q0, q1, q2, q3 = x[0], x[1], x[2], x[3]
    w0, w1, w2 = x[7], x[8], x[9]
    h0, h1, h2 = 0.5 * w0, 0.5 * w1, 0.5 * w2
    lift = 2.0 * drive[0]
    return (
        -(q1 * h0 + q2 * h1 + q3 * h2),
        q0 * h0 + q2 * h2 - q3 * h1,
        q0 * h1 + q3 * h0 - q1 * h2,
        q0 * h2 + q1 * h1 - q2 * h0,
        (q1 * q3 + q0 * q2) * lift + push[0],
        (q2 * q3 - q0 * q1) * lift + push[1],
        (0.5 - (q1 * q1 + q2 * q2)) * lift + push[2],
        drive[1] + gyration[0] * w1 * w2 + push[3],
        drive[2] + gyration[1] * w2 * w0 + push[4],
        drive[3] + gyration[2] * w0 * w1 + push[5],
    )


@kernel
def _drive(u, vehicle):
    """Acceleration along body z (m/s^2) and angular accelerations (rad/s^2) by the rotors at speeds u."""
    c0, c1, c2 = vehicle.thrust_curve[0], vehicle.thrust_curve[1], vehicle.thrust_curve[2]
    e = vehicle.effect
    f0 = c0 + (c1 + c2 * u[0]) * u[0]
    f1 = c0 + (c1 + c2 * u[1]) * u[1]
    f2 = c0 + (c1 + c2 * u[2]) * u[2]
    f3 = c0 + (c1 + c2 * u[3]) * u[3]
    return (
        e[0, 0] * ((f0 + f1) + (f2 + f3)),
        (e[1, 0] * f0 + e[1, 1] * f1) + (e[1, 2] * f2 + e[1, 3] * f3),
        (e[2, 0] * f0 + e[2, 1] * f1) + (e[2, 2] * f2 + e[2, 3] * f3),
        (e[3, 0] * f0 + e[3, 1] * f1) + (e[3, 2] * f2 + e[3, 3] * f3),
    )


@kernel
def _pull(target, u, vehicle):
    """Inverse time constants.

    No stage passes the command while dt is below the time constant, so each rotor keeps its own throughout.
    """
    rise, fall = vehicle.motor_pull[0], vehicle.motor_pull[1]
    return (
        rise if target[0] >= u[0] else fall,
        rise if target[1] >= u[1] else fall,
        rise if target[2] >= u[2] else fall,
        rise if target[3] >= u[3] else fall,
    )


@kernel
def _rotor_slope(target, u, pull):
    return (
        (target[0] - u[0]) * pull[0],
        (target[1] - u[1]) * pull[1],
        (target[2] - u[2]) * pull[2],
        (target[3] - u[3]) * pull[3],
    )


@kernel
def _along4(x, h, k):
    return x[0] + h * k[0], x[1] + h * k[1], x[2] + h * k[2], x[3] + h * k[3]
