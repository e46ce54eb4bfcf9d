"""Constants of the formation task."""

import numpy as np

from envsuite.quadcopters.flying.settings import Terms, flying_dtype
from envsuite.quadcopters.flying.swarm_world import hull_of, read_contact
from envsuite.quadcopters.params import check_count
from envsuite.quadcopters.weights import weights_dtype

PHYSICS_RATE, CONTROL_RATE = 240, 48  # Hz, as gym-pybullet-drones
TERMS = Terms(floor=True)
FEWEST, MOST = 2, 8
SPACING = 0.5  # m, between rows and columns of the V
WAVES = 3  # sines that a path is made of, on each axis
SIZE = ((0.5, 0.9), (0.5, 0.9), (0.1, 0.25))  # m, ranges of the path's half-extent on each axis
FASTEST = 0.8  # m/s
PERIOD = (8.0, 16.0)  # s, of the slowest sine
RAMP = 1.0  # s in which the leader gets under way
HEIGHT = 1.2  # m, of the middle of the path
START = 0.1  # m, away from the slot on each axis
CLOSE, SLOT = 0.2, 0.1  # m: too close to another; root mean square error of a success
NEIGHBOURS = 2
BOX = ((-6.0, -6.0, 0.0), (6.0, 6.0, 4.0))  # m
WEIGHTS = {"slot": 1.0, "close": 0.5, "change": 0.02, "crash": 10.0}
"""Weights of the reward's parts, see the README."""


def offsets(count: int) -> np.ndarray:
    """Slots of the followers behind the leader, m, (count, 3): a V; the leader's own is the origin.

    Args:
        count: number of drones.
    """
    index = np.arange(count)
    row = (index + 1) // 2
    side = np.where(index % 2 == 1, 1.0, -1.0)
    return SPACING * np.column_stack([-row, side * row, np.zeros(count)])


def params_dtype(real: type, count: int) -> np.dtype:
    """Type of the parameter record.

    Args:
        real: scalar type of the numbers, float32 or float64.
        count: number of drones.
    """
    return np.dtype(
        [
            ("flying", flying_dtype(real)),
            ("weights", weights_dtype(WEIGHTS, real)),
            ("offsets", real, (count, 3)),
            ("low", real, 3),
            ("high", real, 3),
            ("apart", real),  # m, between centres of drones that touch
            ("contact", np.uint8),
            ("scripted", np.bool_),
            ("compat", np.bool_),
        ],
        align=True,
    )


def parameters(flying, num_drones: int, leader: str, contact: str, reward: str, real: type) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: record of `flying_dtype`.
        num_drones: 2 to 8, the leader included.
        leader: ``"scripted"`` or ``"learned"``.
        contact: one of `flying.swarm.CONTACTS`.
        reward: ``"slot"`` or ``"gpd2021"``.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype`.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """
    check_count(num_drones, FEWEST, MOST)
    if leader not in ("scripted", "learned"):
        raise ValueError(f"leader is {leader!r}, expected 'scripted' or 'learned'")
    if reward not in ("slot", "gpd2021"):
        raise ValueError(f"reward is {reward!r}, expected 'slot' or 'gpd2021'")
    params = np.zeros(1, params_dtype(real, num_drones))
    values = {
        "flying": flying, "offsets": offsets(num_drones), "low": BOX[0], "high": BOX[1],
        "apart": 2 * hull_of(flying["physics"]["vehicle"]), "contact": read_contact(contact),
        "scripted": leader == "scripted", "compat": reward == "gpd2021",
    }  # fmt: skip
    for name, value in values.items():
        params[0][name] = value
    return params
