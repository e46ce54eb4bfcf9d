"""Linear drag along the body axes, in moving air: F = -R D R^T (v - wind)."""

from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import rotate, rotate_back


@kernel
def resist(body, vehicle):
    """Add the drag.

    Args:
        body: `force` is added to; `wind` is the velocity of the air, m/s, world.
        vehicle: record of `params.VehicleRecord`.
    """
    v, wind, d = body.velocity, body.wind, vehicle.body_drag
    air = rotate_back(body.attitude, (v[0] - wind[0], v[1] - wind[1], v[2] - wind[2]))
    push = rotate(body.attitude, (-d[0] * air[0], -d[1] * air[1], -d[2] * air[2]))
    for k in range(3):
        body.force[k] += push[k]
