"""What the drone's sensors say of its state: white noise, and a bias that stays for an episode.

Position, velocity and body rates get independent noise on each axis, m, m/s and rad/s; the attitude is turned by a
random rotation vector, rad, in the body frame.
"""

from envsuite.core import rng
from envsuite.core.declare import Record, field
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.quadcopters.attitude import from_rotation_vector, multiply

QUANTITIES = ("position", "velocity", "rates", "attitude")
"""Order of standard deviations, and of groups of three in `bias`."""


class Reading(Record):
    """What is sensed."""

    # first, since Numba takes a record whose first fields are those of another for a subtype of it, and warns
    bias = field(meaning="of the episode, three of each of `QUANTITIES`", shape=12)
    position = field(unit="m", meaning="world", shape=3)
    attitude = field(meaning="unit quaternion w, x, y, z, body to world", shape=4)
    velocity = field(unit="m/s", meaning="world", shape=3)
    rates = field(unit="rad/s", meaning="body", shape=3)


@kernel
def calibrate(g, seen, spread):
    """Draw the episode's bias.

    Args:
        g: random stream.
        seen: record of `Reading`.
        spread: standard deviations in the order of `QUANTITIES`.
    """
    for j in range(4):
        for k in range(3):
            seen.bias[3 * j + k] = 0.0
            if spread[j] > 0.0:
                seen.bias[3 * j + k] = rng.normal(g, rng.RESET, real(0.0, spread[j]), spread[j])


@kernel
def read(g, seen, body, noise, noisy):
    """Sense the present state.

    Args:
        g: random stream.
        seen: record of `Reading` to write.
        body: record with the fields of `state.Body`.
        noise: standard deviations in the order of `QUANTITIES`.
        noisy: whether there is any noise or bias.
    """
    if not noisy:
        for k in range(3):
            seen.position[k] = body.position[k]
            seen.velocity[k] = body.velocity[k]
            seen.rates[k] = body.rates[k]
        for k in range(4):
            seen.attitude[k] = body.attitude[k]
        return
    zero = real(0.0, noise[0])
    for k in range(3):
        seen.position[k] = body.position[k] + seen.bias[k] + rng.normal(g, rng.OBSERVATION, zero, noise[0])
        seen.velocity[k] = body.velocity[k] + seen.bias[3 + k] + rng.normal(g, rng.OBSERVATION, zero, noise[1])
        seen.rates[k] = body.rates[k] + seen.bias[6 + k] + rng.normal(g, rng.OBSERVATION, zero, noise[2])
    tx = seen.bias[9] + rng.normal(g, rng.OBSERVATION, zero, noise[3])
    ty = seen.bias[10] + rng.normal(g, rng.OBSERVATION, zero, noise[3])
    tz = seen.bias[11] + rng.normal(g, rng.OBSERVATION, zero, noise[3])
    turned = multiply(body.attitude, from_rotation_vector((tx, ty, tz)))
    for k in range(4):
        seen.attitude[k] = turned[k]
