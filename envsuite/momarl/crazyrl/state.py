"""The state record and the layouts of the drone tasks."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.momarl.crazyrl.params import HEIGHT


def state_dtype(drones: int) -> np.dtype:
    """The record of an instance.

    Args:
        drones: number of agents.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("position", np.float32, (drones, 3)),  # m
            ("moved", np.float32, (drones, 3)),  # positions after the step, m
            ("target", np.float32, (3,)),  # m
        ],
        align=True,
    )


# distance: to the target, m; crashed: whether this drone has
INFO = np.dtype([("distance", np.float32), ("crashed", np.bool_)], align=True)

ACTION = Vector((Block("move", 3, -1.0, 1.0, "", "along x, y and z, in units of 0.2 m"),), out_of_range="clip")


def observation_layout(drones: int, size: float) -> Vector:
    """What a drone sees.

    Args:
        drones: number of agents.
        size: half the room's width, m.
    """
    low, high = (-size, -size, 0.0), (size, size, HEIGHT)
    others = drones - 1
    return Vector(
        (
            Block("position", 3, low, high, "m"),
            Block("target", 3, low, high, "m"),
            Block("others", 3 * others, low * others, high * others, "m", "positions in the order of drones"),
        )
    )
