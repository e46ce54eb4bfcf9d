"""Constants of the waypoint and velocity tasks."""

import numpy as np

from envsuite.quadcopters.flying.settings import flying_dtype
from envsuite.quadcopters.weights import weights_dtype

CONTROL_RATE = 48  # Hz
SUBSTEPS = 5
TASKS = ("waypoints", "velocity")

WAYPOINTS = 4
NEAREST, FARTHEST = 1.0, 4.5  # m, from one waypoint to the next
LOWEST = 0.3  # m
HIGHEST = 4.0  # m
SIDE = 5.0  # m, of the half-square that waypoints lie in
REACHED = 0.2  # m
BOX = ((-7.0, -7.0, -0.1), (7.0, 7.0, 6.0))  # m
START = 1.0  # m, height
WEIGHTS = {"progress": 3.0, "waypoint": 10.0, "time": 0.01, "velocity": 1.0, "crash": 10.0}
"""Weights of the reward's parts, see the README."""

WIDE = 50.0  # m, of the half-cube of the velocity task
GOAL_SPEED = 1.0  # m/s on each axis, of the velocity task
CLOSE = 0.2  # m/s, a success there


def params_dtype(real: type) -> np.dtype:
    """Type of the parameter record.

    Args:
        real: scalar type of the numbers, float32 or float64.
    """
    return np.dtype(
        [
            ("flying", flying_dtype(real)),
            ("weights", weights_dtype(WEIGHTS, real)),
            ("low", real, 3),
            ("high", real, 3),
            ("reached", real),  # m
            ("velocity", np.bool_),  # the velocity task
        ],
        align=True,
    )


def parameters(flying, task: str, real: type) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: record of `flying_dtype`.
        task: one of `TASKS`.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype`.

    Raises:
        ValueError: an unknown task.
    """
    if task not in TASKS:
        raise ValueError(f"task is {task!r}, expected one of {', '.join(TASKS)}")
    params = np.zeros(1, params_dtype(real))
    params[0]["flying"] = flying
    params[0]["low"], params[0]["high"] = BOX
    params[0]["reached"] = REACHED
    params[0]["velocity"] = task == "velocity"
    if task == "velocity":  # it leads anywhere within ten seconds
        params[0]["low"], params[0]["high"] = -WIDE, WIDE
    return params
