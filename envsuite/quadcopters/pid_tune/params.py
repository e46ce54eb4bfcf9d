"""Constants of the tuning task, after gym-pybullet-drones' TuneAviary."""

import numpy as np

from envsuite.quadcopters.controllers.dsl_pid import gains_dtype
from envsuite.quadcopters.flying.settings import Terms, flying_dtype
from envsuite.quadcopters.params import find_vehicle

PHYSICS_RATE, CONTROL_RATE = 240, 48  # Hz
TERMS = Terms(floor=True)
STEPS = 240  # of the reference, which stays at its end afterwards
HORIZON = 242  # the original compares the time before it counts a step, and wants it beyond 5 s
AMPLITUDE, TURN, HEIGHT = 4.0, 0.006, 1.0  # the reference is (0, 4 cos(0.006 i), 1) m at control step i
START = 0.5  # m, away from the reference on each axis
GOOD = 0.15  # m, root mean square error of a success
GAINS = 6  # proportional, integral, derivative gain of the position, then of the attitude


def params_dtype(real: type) -> np.dtype:
    """Type of the parameter record.

    Args:
        real: scalar type of the numbers, float32 or float64.
    """
    return np.dtype(
        [
            ("flying", flying_dtype(real)),
            ("published", gains_dtype(real), (1,)),
            ("start", real, 3),  # m, of the original
            ("compat", np.bool_),
        ],
        align=True,
    )


def parameters(flying, vehicle: str, compat: bool, real: type) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: record of `flying_dtype`.
        vehicle: ``"cf2x"`` or ``"cf2p"``.
        compat: the original's start, observation and motors without lag.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype`.
    """
    params = np.zeros(1, params_dtype(real))
    _, height, offset = find_vehicle(vehicle).hull
    params[0]["flying"], params[0]["published"][0], params[0]["compat"] = flying, flying["dsl"], compat
    params[0]["start"] = (0.0, 0.0, height / 2 - offset + 0.1)
    return params
