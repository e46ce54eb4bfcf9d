"""Identified second-order response of the Euler angles to commanded angles: the "so_rpy" models of drone-models.

    v' = c T R e_z / m - g e_z (+ R D R^T (v - wind) / m),   angle'' = a angle + b angle' + k command

as crazyflow uses them (arXiv 2606.01478), integrated by RK4. The commands are three angles and a thrust; there are no
rotors. Three forms: the thrust at once, with first-order lag, and with lag and drag.
"""

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import rotate, rotate_back, to_euler, up
from envsuite.quadcopters.dynamics.runge_kutta import along10, move, weighted

FORMS = ("plain", "rotor", "rotor_drag")
"""Forms of the model, in the order of `Vehicle.thrust_gain` and `Vehicle.thrust_lag`."""

_LEAST_COSINE = 0.02  # of the pitch: nearer to gimbal lock, rates of Euler angles grow no more


@kernel
def step(body, vehicle, form, dt):
    """One classical Runge-Kutta step with constant commands, wind and external wrench.

    Args:
        body: record with the fields of `state.WindyBody`; `command` holds roll, pitch, yaw (rad) and thrust (N),
            the first element of `rotor_speed` the thrust after its lag (N).
        vehicle: record of `params.VehicleRecord`, with an attitude response.
        form: index into `FORMS`.
        dt: s.
    """
    q, v, w = body.attitude, body.velocity, body.rates
    x = (q[0], q[1], q[2], q[3], v[0], v[1], v[2], w[0], w[1], w[2], body.rotor_speed[0])
    if form == 0:
        x = (q[0], q[1], q[2], q[3], v[0], v[1], v[2], w[0], w[1], w[2], body.command[3])
    half = 0.5 * dt
    k1 = _slope(x, body, vehicle, form)
    x2 = _along(x, half, k1)
    k2 = _slope(x2, body, vehicle, form)
    x3 = _along(x, half, k2)
    k3 = _slope(x3, body, vehicle, form)
    x4 = _along(x, dt, k3)
    k4 = _slope(x4, body, vehicle, form)
    move(body, x, x2, x3, x4, k1, k2, k3, k4, dt)
    body.rotor_speed[0] = x[10] + weighted(k1[10], k2[10], k3[10], k4[10], dt)


@kernel
def _slope(x, body, vehicle, form):
    """Time derivative of (attitude, velocity, rates, thrust)."""
    zero, one = real(0.0, x[0]), real(1.0, x[0])
    q, w0, w1, w2 = (x[0], x[1], x[2], x[3]), x[7], x[8], x[9]
    lift = vehicle.thrust_gain[form] * x[10]
    along = up(q)
    fx, fy, fz = lift * along[0], lift * along[1], lift * along[2]
    if form == 2:
        air = rotate_back(q, (x[4] - body.wind[0], x[5] - body.wind[1], x[6] - body.wind[2]))
        d = vehicle.body_drag
        drag = rotate(q, (-d[0] * air[0], -d[1] * air[1], -d[2] * air[2]))
        fx, fy, fz = fx + drag[0], fy + drag[1], fz + drag[2]
    roll, pitch, yaw = to_euler(q)
    sr, cr = fmath.sincos(roll)
    sp, cp = fmath.sincos(pitch)
    cp = max(cp, _LEAST_COSINE)
    # rates of the Euler angles, and what the model says of their change
    turn = (sr * w1 + cr * w2) / cp
    roll_rate, pitch_rate, yaw_rate = w0 + sp * turn, cr * w1 - sr * w2, turn
    a = vehicle.attitude_response
    rolling = a[0, 0] * roll + a[0, 1] * roll_rate + a[0, 2] * body.command[0]
    pitching = a[1, 0] * pitch + a[1, 1] * pitch_rate + a[1, 2] * body.command[1]
    yawing = a[2, 0] * yaw + a[2, 1] * yaw_rate + a[2, 2] * body.command[2]
    # derivative of w = E(roll, pitch) (roll', pitch', yaw')
    b0 = rolling - sp * yawing - cp * pitch_rate * yaw_rate
    b1 = cr * pitching + sr * cp * yawing - sr * roll_rate * pitch_rate
    b1 += (cr * cp * roll_rate - sr * sp * pitch_rate) * yaw_rate
    b2 = -sr * pitching + cr * cp * yawing - cr * roll_rate * pitch_rate
    b2 -= (sr * cp * roll_rate + cr * sp * pitch_rate) * yaw_rate
    ease, lightness = vehicle.inverse_inertia, vehicle.effect[0, 0]
    lag = (body.command[3] - x[10]) / vehicle.thrust_lag[form] if form > 0 else zero
    return (
        -0.5 * (x[1] * w0 + x[2] * w1 + x[3] * w2),
        0.5 * (x[0] * w0 + x[2] * w2 - x[3] * w1),
        0.5 * (x[0] * w1 + x[3] * w0 - x[1] * w2),
        0.5 * (x[0] * w2 + x[1] * w1 - x[2] * w0),
        lightness * (fx + body.force[0]),
        lightness * (fy + body.force[1]),
        lightness * (fz + body.force[2]) - vehicle.gravity * one,
        b0 + ease[0] * body.torque[0],
        b1 + ease[1] * body.torque[1],
        b2 + ease[2] * body.torque[2],
        lag,
    )


@kernel
def _along(x, h, k):
    return (*along10(x, h, k), x[10] + h * k[10])
