"""Constants of the flocking task."""

import numpy as np

from envsuite.quadcopters.flying.settings import Terms, flying_dtype
from envsuite.quadcopters.flying.swarm_world import hull_of, read_contact
from envsuite.quadcopters.params import check_count
from envsuite.quadcopters.weights import weights_dtype

PHYSICS_RATE, CONTROL_RATE = 240, 48  # Hz, as gym-pybullet-drones
TERMS = Terms(floor=True)
FEWEST, MOST = 4, 64
NEIGHBOURS = 6
SPACING = (0.5, 1.5)  # m: mean distance to the nearest neighbour that costs nothing
LINKED = 2.0  # m: neighbours in the graph whose connectivity counts
REGION = (6.0, 6.0, 1.0)  # m, half-sizes of the patrol region
CENTER = (0.0, 0.0, 1.5)  # m, its middle
BOX = ((-15.0, -15.0, 0.0), (15.0, 15.0, 6.0))  # m
START_GAP = 0.8  # m, between starts
START_HEIGHT, START_SPREAD = 1.5, 0.15  # m, and on each axis around the places
FULL_SPEED = 1.0  # m/s of the mean velocity that earns all
ALIGNED = 0.8  # mean order parameter of a success
WEIGHTS = {"order": 1.0, "pace": 1.0, "spacing": 1.0, "variance": 1.0, "stray": 0.1, "hit": 5.0, "crash": 10.0}
"""Weights of the reward's parts, see the README."""


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
            ("starts", real, (count, 3)),
            ("low", real, 3),
            ("high", real, 3),
            ("apart", real),  # m, between centres of drones that touch
            ("contact", np.uint8),
            ("compat", np.bool_),
        ],
        align=True,
    )


def parameters(flying, num_drones: int, contact: str, reward: str, real: type) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: record of `flying_dtype`.
        num_drones: 4 to 64.
        contact: one of `flying.swarm.CONTACTS`.
        reward: ``"flock"`` or ``"gpd2021"``.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype`.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """
    check_count(num_drones, FEWEST, MOST)
    if reward not in ("flock", "gpd2021"):
        raise ValueError(f"reward is {reward!r}, expected 'flock' or 'gpd2021'")
    side = int(np.ceil(np.sqrt(num_drones)))
    index = np.arange(num_drones)
    starts = START_GAP * np.column_stack([index % side, index // side, np.zeros(num_drones)])
    starts -= starts.mean(axis=0)
    starts[:, 2] = START_HEIGHT
    params = np.zeros(1, params_dtype(real, num_drones))
    values = {
        "flying": flying, "starts": starts, "low": BOX[0], "high": BOX[1],
        "apart": 2 * hull_of(flying["physics"]["vehicle"]), "contact": read_contact(contact),
        "compat": reward == "gpd2021",
    }  # fmt: skip
    for name, value in values.items():
        params[0][name] = value
    return params
