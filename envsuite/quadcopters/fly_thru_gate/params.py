"""Constants of the gate task."""

import numpy as np

from envsuite.quadcopters.flying.settings import Terms, flying_dtype
from envsuite.quadcopters.weights import weights_dtype

CONTROL_RATE = 48  # Hz
SUBSTEPS = 5
TERMS = Terms(floor=True)
GOAL = (0.0, -2.0, 0.75)  # m
GATE = (0.0, -1.0)  # m, x and y
YAW = -np.pi / 2  # it is flown through along -y
HALF_WIDTH = 0.275  # m, of the opening
# Height of the middle of the opening and half its height, m. The original's gate is lower than the path it rewards: its
# columns stand on the floor, and the lintel's lower edge is at 0.525 m.
GATES = {"raised": (0.75, 0.25), "original": (0.2625, 0.2625)}
RIM = 0.05  # m, of the frame
BOX = ((-1.5, -3.0, -0.1), (1.5, 1.0, 2.0))  # m
SIDE = 0.05  # m, of the starting square
HEIGHT = (0.1, 0.2)  # m, of the start
NEAR = 0.1  # m, of the goal: a success
WEIGHTS = {"progress": 5.0, "gate": 10.0, "goal": 1.0, "crash": 10.0}
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
            ("low", real, 3),
            ("high", real, 3),
            ("goal", real, 3),
            ("gate", real, 3),  # m, middle of the opening
            ("yaw", real),
            ("half_width", real),  # m
            ("half_height", real),
            ("hull", real, 2),  # m, radius and half-height of the drone
        ],
        align=True,
    )


def parameters(flying, vehicle, gate: str, real: type) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: record of `flying_dtype`.
        vehicle: constants of the vehicle.
        gate: a key of `GATES`.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `params_dtype`.

    Raises:
        ValueError: an unknown gate, or a vehicle that does not fit through it.
    """
    if gate not in GATES:
        raise ValueError(f"gate is {gate!r}, expected one of {', '.join(GATES)}")
    radius, height, _ = vehicle.hull
    if radius >= HALF_WIDTH:
        raise ValueError(f"a vehicle of {2 * radius:g} m does not fit through a gate of {2 * HALF_WIDTH:g} m")
    params = np.zeros(1, params_dtype(real))
    middle, half = GATES[gate]
    values = {
        "flying": flying, "low": BOX[0], "high": BOX[1], "goal": GOAL, "gate": (*GATE, middle), "yaw": YAW,
        "half_width": HALF_WIDTH, "half_height": half, "hull": (radius, height / 2),
    }  # fmt: skip
    for name, value in values.items():
        params[0][name] = value
    return params
