"""More thrust near the floor: each rotor gains c (r / 4h)^2 of its thrust at height h.

The form of gym-pybullet-drones (arXiv 2103.02142, eq. 8), with its limits: no more gain below `ground_clip`, none
for a drone on its side or back.
"""

from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import rotate, up


@kernel
def lift(body, vehicle, speed):
    """Add the extra thrust and its torque.

    Args:
        body: `force` and `torque` are added to.
        vehicle: record of `params.VehicleRecord`.
        speed: rotor speeds, (4,).
    """
    c0, c1, c2 = vehicle.thrust_curve[0], vehicle.thrust_curve[1], vehicle.thrust_curve[2]
    zero = real(0.0, c0)
    axis = up(body.attitude)
    if axis[2] <= 0.0:
        return
    total, tx, ty = zero, zero, zero
    for i in range(4):
        rx, ry = vehicle.rotors[i, 0], vehicle.rotors[i, 1]
        arm = rotate(body.attitude, (rx, ry, zero))
        ratio = vehicle.propeller_radius / (4.0 * max(vehicle.ground_clip, body.position[2] + arm[2]))
        thrust = c0 + (c1 + c2 * speed[i]) * speed[i]
        extra = thrust * vehicle.ground_effect * ratio * ratio
        total += extra
        tx += ry * extra
        ty -= rx * extra
    for k in range(3):
        body.force[k] += total * axis[k]
    body.torque[0] += tx
    body.torque[1] += ty
