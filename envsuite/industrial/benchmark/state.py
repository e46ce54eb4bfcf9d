"""The state record, the metrics, the observation and the actions of the Industrial Benchmark."""

from itertools import product

import numpy as np

from envsuite.core import Block, Choice, Record, StateRecord, Vector, field, fmath
from envsuite.industrial.benchmark.goldstone import BETA, penalties
from envsuite.industrial.benchmark.params import BUFFER, PAID_SHIFT, SHIFT_BOUND, SPREAD

FRAME = 6
"""Numbers of a frame: setpoint, velocity, gain, shift, fatigue, consumption."""

_NORMAL = 6.7
"""Standard deviations that the project's normal numbers never exceed."""


class State(StateRecord):
    """What is seen and what is hidden of the plant."""

    setpoint = field(meaning="load, 0 to 100")
    drift = field(meaning="of the setpoint a step, where it moves")
    drift_steps = field(type=np.int32, meaning="that the drift lasts")
    drifted = field(type=np.int32, meaning="steps of the drift that have passed")
    velocity = field(meaning="steering, 0 to 100")
    gain = field(meaning="steering, 0 to 100")
    shift = field(meaning="steering, 0 to 100")
    costs = field(meaning="operational costs of the last steps, the newest last", shape=BUFFER)
    worn_velocity = field(meaning="hidden wear by velocity")
    worn_gain = field(meaning="hidden wear by gain")
    domain = field(type=np.int32, meaning="side to which the shift was last, 1 or -1")
    response = field(type=np.int32, meaning="1 while the direction turns with the shift, -1 against it")
    direction = field(type=np.int32, meaning="of the miscalibration, -6 to 6 of 24 places in a circle")
    penalty = field(meaning="potential of the shift's miscalibration, -1 at best")
    fatigue = field()
    consumption = field()
    cost = field(meaning="3 fatigue + consumption")
    frames = field(type=np.float32, meaning="what was seen, the newest first", shape=("frames", FRAME))


class Info(Record):
    """The metrics."""

    operating_cost = field(meaning="cost of the step, which the classic reward is the negative of", type=np.float32)
    fatigue = field(type=np.float32)
    consumption = field(type=np.float32)
    current_operational = field(meaning="operational cost of now, which is paid 5 to 9 steps later", type=np.float32)
    paid_operational = field(meaning="operational cost that is paid now", type=np.float32)
    miscalibration = field(meaning="consumption by the wrong shift, 0 to 25 for the best and for none", type=np.float32)
    worn_velocity = field(meaning="hidden wear by velocity; from 1.2 on it grows", type=np.float32)
    worn_gain = field(meaning="hidden wear by gain; from 1.2 on it grows", type=np.float32)
    direction = field(meaning="hidden direction of the miscalibration, -6 to 6", type=np.int32)


def _consumption_bounds() -> tuple[float, float]:
    """Least and greatest consumption, with the farthest draws of its noise."""
    worst = 0.0
    for row in penalties():
        r = row["radius"] + row["scale"] * fmath.pow(SHIFT_BOUND - row["place"], row["power"])
        worst = max(worst, BETA * r**4 + abs(row["bias"]) * r)
    hidden = fmath.exp(8.5) + PAID_SHIFT * (1.0 + worst)
    return -_NORMAL, float(hidden + _NORMAL * (1.0 + SPREAD * hidden))


def observation(frames: int) -> Vector:
    """What an agent sees.

    Args:
        frames: how many, the newest first.
    """
    low, high = _consumption_bounds()
    lows, highs = (0.0, 0.0, 0.0, 0.0, 0.0, low), (100.0, 100.0, 100.0, 100.0, 300.0, high)
    meaning = "setpoint, velocity, gain, shift, fatigue, consumption of each frame, the newest first"
    return Vector((Block("frames", frames * FRAME, lows * frames, highs * frames, "", meaning),))


LEVERS = ("velocity", "gain", "shift")

CONTINUOUS = Vector(
    tuple(Block(name, 1, -1.0, 1.0, "", f"change of the {name}") for name in LEVERS), out_of_range="clip"
)

DISCRETE = Choice(
    tuple(
        "-".join(f"{name}_{sign}" for name, sign in zip(LEVERS, signs, strict=True))
        for signs in product(("down", "keep", "up"), repeat=len(LEVERS))
    )
)
