"""Constants of the disturbance task."""

from collections.abc import Mapping

import numpy as np

from envsuite.quadcopters.flying.settings import Terms, flying_dtype
from envsuite.quadcopters.params import check_strength, vehicle_dtype
from envsuite.quadcopters.sampler import ranges, ranges_dtype
from envsuite.quadcopters.weights import weights_dtype

CONTROL_RATE = 100  # Hz
TERMS = Terms(buffet=0.1, gust_time=0.5)
HISTORIES = (1, 16, 32)  # past actions seen: as RAPTOR, as L2F's successor, as L2F
SEEDING_ARMS = 10.0  # start, arm lengths on each axis, as L2F's successor
LEASH_ARMS = 20.0  # arm lengths from the goal: a crash, likewise
START_ANGLE = 1.0  # rad, likewise
START_VELOCITY, START_RATES = 1.0, 1.0  # m/s and rad/s on each axis, as L2F
# Constant force, N: standard deviation uniform up to 0.1 (t2w - 1), times t2w m / 3; L2F's successor writes it so,
# without g.
PUSH = 0.1
TORQUE = 1 / 400  # constant torque: standard deviation per weight and arm; L2F's m g / 10,000 for its Crazyflie
LOSS, LOAD = 0.2, 0.2  # largest loss of one motor's thrust, largest change of mass
EVENTS = (100, 900)  # steps between which these happen
SETTLING = 100  # steps that the root mean square error leaves out
SETTLED = 0.2  # m, a success
WEIGHTS = {"alive": 1.0, "position": 0.5, "velocity": 0.1, "attitude": 0.1, "change": 0.05, "crash": 10.0}
"""Weights of the reward's parts, see the README."""


def params_dtype(real: type) -> np.dtype:
    """Type of the parameter record.

    Args:
        real: scalar type of the numbers, float32 or float64.
    """
    return np.dtype(
        [
            ("flying", flying_dtype(real)),
            ("weights", weights_dtype(WEIGHTS, real)),
            ("nominal", vehicle_dtype(real), (1,)),
            ("ranges", ranges_dtype(real)),
            ("strength", real),  # of all disturbances but the gusts
            ("sampled", np.bool_),
        ],
        align=True,
    )


def parameters(
    flying, sampled: bool, changes: Mapping[str, tuple[float, float]] | None, strength: float, real: type
) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: record of `flying_dtype`.
        sampled: draw a vehicle for every episode.
        changes: ranges of the sampler instead of its own, by name.
        strength: factor on the disturbances.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype`.

    Raises:
        ValueError: a range that is unknown or impossible, a strength that is not a number >= 0.
    """
    check_strength(strength)
    if flying["angles"] and sampled:
        raise ValueError("the model 'rpy' has no rotors, so its vehicles cannot be drawn; expected sampled=False")
    params = np.zeros(1, params_dtype(real))
    params[0]["flying"] = flying
    params[0]["flying"]["losses"] = not flying["angles"]
    params[0]["nominal"][0] = flying["physics"]["vehicle"]
    params[0]["ranges"] = ranges(real, **(changes or {}))
    params[0]["strength"], params[0]["sampled"] = strength, sampled
    return params
