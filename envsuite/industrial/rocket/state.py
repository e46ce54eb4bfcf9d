"""The state record, the metrics, the observation and the action of the rocket."""

import numpy as np

from envsuite.core import Block, Record, StateRecord, Vector, field

TRAIL = 128  # points of the way that pictures show
EVERY = 4  # steps between them


class State(StateRecord):
    """How the rocket flies."""

    position = field(unit="m", meaning="of the centre of mass of hull and legs", shape=2)
    velocity = field(unit="m/s", meaning="likewise", shape=2)
    angle = field(unit="rad", meaning="to the left of upright")
    spin = field(unit="rad/s")
    wind_clock = field(type=np.int64, unit="steps", meaning="that the wind goes by")
    wind = field(unit="N", meaning="of the last step, to the right")
    main = field(meaning="power of the main engine in the last step, 0 or 0.5 to 1")
    side = field(meaning="power of a side engine in the last step, positive where it pushes to the right")
    shaping = field(meaning="potential of the state, whose rise is paid")
    fuel = field(meaning="burnt so far, as the reward counts it")
    landed = field(type=np.bool_)
    crashed = field(type=np.bool_)
    trail = field(type=np.float32, unit="m", meaning="way of the hull, for pictures", shape=(TRAIL, 2))


class Info(Record):
    """The metrics."""

    is_success = field(meaning="landed upright and slowly enough", type=np.bool_)
    crashed = field(meaning="came down otherwise", type=np.bool_)
    cost = field(meaning="of the step: 1 for a crash", type=np.float32)
    wind = field(unit="N", meaning="of the last step, to the right", type=np.float32)
    fuel = field(meaning="burnt so far, as the reward counts it", type=np.float32)
    height = field(unit="m", meaning="above the place of landing", type=np.float32)
    speed = field(unit="m/s", type=np.float32)


def observation(wind: float) -> Vector:
    """What an agent sees.

    Args:
        wind: greatest, N.
    """
    return Vector(
        (
            Block("x", 1, -np.inf, np.inf, "10 m", "from above the pad, to the right"),
            Block("height", 1, -np.inf, np.inf, "6.67 m", "above the place of landing"),
            Block("velocity x", 1, -np.inf, np.inf, "5 m/s", "to the right"),
            Block("velocity y", 1, -np.inf, np.inf, "7.5 m/s", "upwards"),
            Block("angle", 1, -np.inf, np.inf, "rad", "to the left of upright"),
            Block("spin", 1, -np.inf, np.inf, "2.5 rad/s", "to the left"),
            Block("wind", 1, -wind, wind, "N", "of the last step, to the right"),
        )
    )


ACTION = Vector(
    (
        Block("main engine", 1, -1.0, 1.0, "", "off up to 0, then half to full power"),
        Block("side engines", 1, -1.0, 1.0, "", "off within 0.5; below -0.5 and above 0.5 one of the two"),
    ),
    out_of_range="clip",
)
