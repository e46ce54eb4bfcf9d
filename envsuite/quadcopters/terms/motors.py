"""Motors that lag, and motors that lose thrust."""

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel


@kernel
def lag(body, vehicle, dt):
    """Move the rotor speeds of models without rotor dynamics towards their commands, exactly as first-order lag does.

    Args:
        body: `command` holds what is asked for and receives the speeds; `rotor_speed` holds the last ones.
        vehicle: record of `params.VehicleRecord`, with motor time constants.
        dt: s.
    """
    rise, fall = 1.0 - fmath.exp(-dt * vehicle.motor_pull[0]), 1.0 - fmath.exp(-dt * vehicle.motor_pull[1])
    for i in range(4):
        gap = body.command[i] - body.rotor_speed[i]
        body.command[i] = body.rotor_speed[i] + (rise if gap > 0.0 else fall) * gap


@kernel
def lose_thrust(body, vehicle, speed, efficiency):
    """Take away what rotors of less than full efficiency fail to give, torque about all axes included.

    Args:
        body: `force` and `torque` are added to.
        vehicle: record of `params.VehicleRecord`.
        speed: rotor speeds, (4,).
        efficiency: thrust given as a share of a healthy rotor's, (4,).
    """
    c0, c1, c2 = vehicle.thrust_curve[0], vehicle.thrust_curve[1], vehicle.thrust_curve[2]
    zero, q = real(0.0, c0), body.attitude
    lost, tx, ty, tz = zero, zero, zero, zero
    for i in range(4):
        missing = (1.0 - efficiency[i]) * (c0 + (c1 + c2 * speed[i]) * speed[i])
        lost += missing
        tx += vehicle.rotors[i, 1] * missing
        ty -= vehicle.rotors[i, 0] * missing
        tz += vehicle.spin[i] * missing
    body.force[0] -= lost * 2.0 * (q[1] * q[3] + q[0] * q[2])
    body.force[1] -= lost * 2.0 * (q[2] * q[3] - q[0] * q[1])
    body.force[2] -= lost * (1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]))
    body.torque[0] -= tx
    body.torque[1] -= ty
    body.torque[2] -= tz * vehicle.torque_per_thrust
