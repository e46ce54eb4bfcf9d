"""Constants of the gate task."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.flying.settings import Flying, Terms
from envsuite.quadcopters.weights import weights_field

CONTROL_RATE = 48  # Hz
EVERY = 6  # steps between points of the trail in pictures
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


class Params(Record):
    """The constants."""

    flying = field(type=Flying)
    weights = weights_field(WEIGHTS)
    low = field(BOX[0], "m", "corner of the box that ends the flight", shape=3)
    high = field(BOX[1], "m", "corner opposite", shape=3)
    goal = field(GOAL, "m", shape=3)
    gate = field((*GATE, GATES["raised"][0]), "m", "middle of the opening", shape=3)
    yaw = field(YAW, "rad")
    half_width = field(HALF_WIDTH, "m")
    half_height = field(GATES["raised"][1], "m")
    hull = field(None, "m", "radius and half-height of the drone", shape=2)


def parameters(flying, vehicle: Vehicle, gate: str, real: type) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: `Flying` record.
        vehicle: that flies.
        gate: a key of `GATES`.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `Params`.

    Raises:
        ValueError: a vehicle that does not fit through it.
    """
    radius, height, _ = vehicle.hull
    if radius >= HALF_WIDTH:
        raise ValueError(f"a vehicle of {2 * radius:g} m does not fit through a gate of {2 * HALF_WIDTH:g} m")
    middle, half = GATES[gate]
    return Params.make(real, flying=flying, gate=(*GATE, middle), half_height=half, hull=(radius, height / 2))
