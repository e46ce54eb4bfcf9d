"""Constants of the disturbance task."""

from collections.abc import Mapping

import numpy as np

from envsuite.core.declare import Record, field
from envsuite.quadcopters.flying.settings import Flying, Terms
from envsuite.quadcopters.params import VehicleRecord
from envsuite.quadcopters.sampler import Ranges, ranges
from envsuite.quadcopters.weights import weights_field

CONTROL_RATE = 100  # Hz
EVERY = 6  # steps between points of the trail in pictures
TERMS = Terms(buffet=0.1, gust_time=0.5)
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


class Params(Record):
    """The constants."""

    flying = field(type=Flying)
    weights = weights_field(WEIGHTS)
    nominal = field(type=VehicleRecord, shape=1, meaning="whose proportions the drawn vehicles take")
    ranges = field(type=Ranges)
    strength = field(1.0, "", "of all disturbances but the gusts", low=0, high=1)
    sampled = field(True, type=np.bool_, meaning="draw a vehicle for every episode")


def parameters(
    flying, sampled: bool, changes: Mapping[str, tuple[float, float]] | None, strength: float, real: type
) -> np.ndarray:
    """The parameter record of the task.

    Args:
        flying: `Flying` record.
        sampled: draw a vehicle for every episode.
        changes: ranges of the sampler instead of its own, by name.
        strength: factor on the disturbances.
        real: float32 or float64.

    Returns:
        Array of shape (1,) of `Params`.

    Raises:
        ValueError: a range that is unknown or impossible, or a vehicle that cannot be drawn.
    """
    if flying["angles"] and sampled:
        raise ValueError("the model 'rpy' has no rotors, so its vehicles cannot be drawn; expected sampled=False")
    flying["losses"] = not flying["angles"]
    drawn = ranges(real, **(changes or {}))
    nominal = flying["physics"]["vehicle"]
    return Params.make(real, flying=flying, nominal=nominal, ranges=drawn, strength=strength, sampled=sampled)
