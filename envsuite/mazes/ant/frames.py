"""Four ways to see an ant, which looks the same after a quarter turn.

A controller works in the frame in which the wanted direction lies within 45 degrees of +x, so that the ant need not
turn. Legs are numbered there from 0, that between +x and +y, counter-clockwise.
"""

from envsuite.core import kernel


@kernel
def turned(quarters, x, y):
    """A vector after so many quarter turns, clockwise."""
    if quarters == 1:
        return y, -x
    if quarters == 2:
        return -x, -y
    if quarters == 3:
        return -y, x
    return x, y


@kernel
def into_torso(q, x, y, z):
    """A vector of the world in the axes of the torso, whose quaternion is (w, x, y, z)."""
    a, b, c, d = q[3], -q[4], -q[5], -q[6]
    u, v, t = c * z - d * y, d * x - b * z, b * y - c * x
    return (
        x + 2.0 * (a * u + c * t - d * v),
        y + 2.0 * (a * v + d * u - b * t),
        z + 2.0 * (a * t + b * v - c * u),
    )


@kernel
def frame_of(body, wanted_x, wanted_y):
    """Quarter turns from the torso to the frame of the controller, counter-clockwise."""
    x, y, _ = into_torso(body.qpos, wanted_x, wanted_y, 0.0)
    if abs(y) <= abs(x):
        return 0 if x >= 0.0 else 2
    return 1 if y > 0.0 else 3


@kernel
def bend_of(leg):
    """Sign of the angles of a leg's ankle."""
    return -1.0 if leg == 1 or leg == 2 else 1.0


@kernel
def motors_of(leg):
    """Number of the first of a leg's two motors: the last leg's come first."""
    return 2 * ((leg + 1) % 4)
