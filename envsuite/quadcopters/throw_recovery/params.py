"""Constants of the throw-recovery task."""

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.controllers.geometric import gains
from envsuite.quadcopters.flying.settings import Flying, Terms
from envsuite.quadcopters.weights import weights_field

CONTROL_RATE = 100  # Hz
EVERY = 6  # steps between points of the trail in pictures
TERMS = Terms()
TARGET = (0.0, 0.0, 3.0)  # m
THROW = 3.0  # m/s, on each axis
SPIN = 10.0  # rad/s, on each axis
UPRIGHT = 3.0  # how much of the upright attitude a throw without strength mixes in, beside normal numbers
BOX = ((-10.0, -10.0, 0.0), (10.0, 10.0, 13.0))  # m; the floor takes the place of its lower side
NEAR, SLOW = 0.5, 0.3  # m and m/s: a success
EARLY = 150  # step at which `settled_early` looks
WEIGHTS = {"position": 40.0, "orientation": 5.0, "velocity": 1.0, "action": 1.0, "crash": 10.0}
"""Weights of the reward's parts, see the README."""


class Params(Record):
    """The constants."""

    flying = field(type=Flying)
    target = field(TARGET, "m", shape=3)
    low = field(BOX[0], "m", "corner of the box that ends the flight", shape=3)
    high = field(BOX[1], "m", "corner opposite", shape=3)
    reward_constant = field(2.0)
    reward_scale = field(0.5)
    action_baseline = field(None, "", "normalised action that costs nothing")
    strength = field(1.0, "", "of the throw, 0 is held still", low=0, high=1)
    weights = weights_field(WEIGHTS)


def parameters(flying, strength: float, real: type) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: `Flying` record.
        strength: of the throw, 0 to 1.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `Params`.
    """
    body = flying["physics"]
    calmer = gains("tumbling", scalar=real)
    for name in ("attitude", "rates"):  # the lead stays that of the vehicle
        flying["pilot"][name] = calmer[name]
    return Params.make(
        real,
        flying=flying,
        low=(*BOX[0][:2], body["floor_height"]),
        action_baseline=2 * body["vehicle"]["command_hover"] / body["vehicle"]["command_high"] - 1,
        strength=strength,
    )
