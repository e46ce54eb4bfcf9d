"""Contact with a flat floor at z = 0: no bounce, Coulomb friction, and a hull that comes to lie level."""

from envsuite.core import fmath
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import from_rotation_vector, multiply, normalize, rotate_back


@kernel
def touch(body, physics):
    """Stop a body that sinks into the floor; call it after each physics step.

    Args:
        body: record of `state.BulletBody`.
        physics: record of `settings.Physics`.

    Returns:
        The vertical speed that the floor took away, m/s; 0 without contact.
    """
    v, w = body.velocity, body.rates
    zero, one = real(0.0, physics.timestep), real(1.0, physics.timestep)
    impact = -v[2]
    if not (body.position[2] < physics.floor_height and impact > 0.0):
        return zero
    body.position[2] = physics.floor_height
    v[2] = 0.0
    sliding, grip = fmath.sqrt(v[0] * v[0] + v[1] * v[1]), physics.floor_friction * impact
    keep = 1.0 - grip / sliding if sliding > grip else zero
    v[0] *= keep
    v[1] *= keep
    share = physics.floor_leveling * physics.timestep
    w[0] *= 1.0 - share
    w[1] *= 1.0 - share
    # turn about the horizontal axis that brings the body's z axis upright, by a share of the sine of the tilt
    above = rotate_back(body.attitude, (zero, zero, one))
    leveled = normalize(multiply(body.attitude, from_rotation_vector((-above[1] * share, above[0] * share, zero))))
    for k in range(4):
        body.attitude[k] = leveled[k]
    return impact
