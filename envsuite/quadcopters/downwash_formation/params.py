"""Constants of the downwash task."""

import numpy as np

from envsuite.quadcopters.flying.settings import Terms, flying_dtype
from envsuite.quadcopters.flying.swarm_world import hull_of, read_contact
from envsuite.quadcopters.params import check_count
from envsuite.quadcopters.weights import weights_dtype

PHYSICS_RATE, CONTROL_RATE = 240, 48  # Hz, as gym-pybullet-drones
SECONDS = 12  # s, as its example of the downwash
FEWEST, MOST = 2, 9
COURSES = ("mix", "column", "crossing", "swap", "script")
COLUMN, CROSSING, SWAP, SCRIPT = range(1, len(COURSES))
APART = 0.5  # m, between levels
LOWEST = 0.5  # m, of the lower drones of pairs, and of the column
LANE = 1.0  # m, between pairs, along y
WIDTH, PERIOD = (0.3, 0.7), (4.0, 7.0)  # m and s, of crossings and swaps
SWAY = (0.0, 0.3)  # m, of columns
SWAP_WIDTH = (0.3, 0.5)  # m, of the ellipses on which pairs swap places
SCRIPT_WIDTH, SCRIPT_PERIOD = 0.5, 5.0  # m and s, of the original's example
RAMP = 1.0  # s in which the pace rises
START = 0.03  # m, away from the reference on each axis
FUTURE, AHEAD = 5, 0.1  # points of the reference that a drone sees, and s between them
NEIGHBOURS = 2
LOST = 1.0  # m from the reference: a crash
GOOD = 0.1  # m, root mean square error of a success
WEIGHTS = {"position": 1.0, "velocity": 0.05, "crash": 10.0}
"""Weights of the reward's parts, see the README."""


def terms_of(downwash: bool) -> Terms:
    """The task's terms.

    Args:
        downwash: whether drones push down those below them.
    """
    return Terms(floor=True, downwash=downwash)


def params_dtype(real: type) -> np.dtype:
    """Type of the parameter record.

    Args:
        real: scalar type of the numbers, float32 or float64.
    """
    return np.dtype(
        [
            ("flying", flying_dtype(real)),
            ("weights", weights_dtype(WEIGHTS, real)),
            ("apart", real),  # m, between centres of drones that touch
            ("contact", np.uint8),
            ("course", np.uint8),
        ],
        align=True,
    )


def parameters(flying, num_drones: int, course: str, contact: str, real: type) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: record of `flying_dtype`.
        num_drones: 2 to 9.
        course: one of `COURSES`.
        contact: one of `flying.swarm.CONTACTS`.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype`.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """
    check_count(num_drones, FEWEST, MOST)
    if course not in COURSES:
        raise ValueError(f"course is {course!r}, expected one of {', '.join(COURSES)}")
    params = np.zeros(1, params_dtype(real))
    values = {
        "flying": flying, "apart": 2 * hull_of(flying["physics"]["vehicle"]), "contact": read_contact(contact),
        "course": COURSES.index(course),
    }  # fmt: skip
    for name, value in values.items():
        params[0][name] = value
    return params
