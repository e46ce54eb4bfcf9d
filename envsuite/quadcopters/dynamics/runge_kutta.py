"""What the integrators share: classical Runge-Kutta over (attitude 4, velocity 3, rates 3, the rotors' own)."""

from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import normalize


@kernel
def along10(x, h, k):
    """The first ten elements of x + h k."""
    return (
        x[0] + h * k[0],
        x[1] + h * k[1],
        x[2] + h * k[2],
        x[3] + h * k[3],
        x[4] + h * k[4],
        x[5] + h * k[5],
        x[6] + h * k[6],
        x[7] + h * k[7],
        x[8] + h * k[8],
        x[9] + h * k[9],
    )


@kernel
def weighted(a, b, c, d, dt):
    """What a step adds: a sixth of the outer slopes, a third of the inner ones."""
    return (1 / 6) * dt * (a + 2.0 * (b + c) + d)


@kernel
def move(body, x, x2, x3, x4, k1, k2, k3, k4, dt):
    """Write the body's position, velocity, rates and unit quaternion at the end of a step.

    Args:
        body: record with position, attitude, velocity and rates.
        x: stages x to x4 and their slopes k1 to k4; the slope of the position is the velocity of each stage.
        x2: second stage.
        x3: third stage.
        x4: fourth stage.
        k1: slope at x.
        k2: slope at x2.
        k3: slope at x3.
        k4: slope at x4.
        dt: s.
    """
    for k in range(3):
        body.position[k] += weighted(x[4 + k], x2[4 + k], x3[4 + k], x4[4 + k], dt)
        body.velocity[k] += weighted(k1[4 + k], k2[4 + k], k3[4 + k], k4[4 + k], dt)
        body.rates[k] += weighted(k1[7 + k], k2[7 + k], k3[7 + k], k4[7 + k], dt)
    turned = normalize(
        (
            x[0] + weighted(k1[0], k2[0], k3[0], k4[0], dt),
            x[1] + weighted(k1[1], k2[1], k3[1], k4[1], dt),
            x[2] + weighted(k1[2], k2[2], k3[2], k4[2], dt),
            x[3] + weighted(k1[3], k2[3], k3[3], k4[3], dt),
        )
    )
    for k in range(4):
        body.attitude[k] = turned[k]
