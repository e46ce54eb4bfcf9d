"""The state record and the layouts of the drone tasks."""

import numpy as np

from envsuite.core import Block, Record, StateRecord, Vector, field
from envsuite.momarl.crazyrl.params import HEIGHT


class State(StateRecord):
    """Where everybody is."""

    position = field(unit="m", shape=("drones", 3))
    moved = field(unit="m", shape=("drones", 3), meaning="positions after the step")
    target = field(unit="m", shape=3)


class Info(Record):
    """The metrics."""

    distance = field(unit="m", meaning="to the target")
    crashed = field(type=np.bool_, meaning="whether this drone has")


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
