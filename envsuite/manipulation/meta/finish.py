"""How a scripted player ends a task: it leads the object the rest of its way, or stays beside the goal.

Some of the original's players press, pull or push on after their success, and past it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from envsuite.core import Record, field, kernel
from envsuite.core.fmath import sqrt
from envsuite.core.jit import records
from envsuite.manipulation.meta.shaping import apart

BELOW_HAND = 0.045  # m, of the tips of the fingers


class Finish(Record):
    """When and how."""

    gain = field(meaning="of the way left; 0 leaves the player as it is", unit="1/m")
    lead = field(shape=3, meaning="along which axes the object is led to its goal")
    align = field(shape=3, meaning="along which axes the tips are kept at the object")
    hold = field(shape=3, meaning="along which axes the hand goes to a place beside the goal")
    beside = field(shape=3, meaning="that place, from the goal", unit="m")
    second = field(type=np.uint8, meaning="whether the second object has to get to the goal")
    within = field(unit="m", meaning="the object has at most this far to go")
    near = field(unit="m", meaning="the tips are at most this far from the object")
    grip = field(meaning="action of the fingers")


@dataclass(frozen=True)
class Ending:
    """A `Finish`, as tasks declare it."""

    lead: Sequence[float] = (0, 0, 0)
    align: Sequence[float] = (0, 0, 0)
    hold: Sequence[float] = (0, 0, 0)
    beside: Sequence[float] = (0, 0, 0)
    second: bool = False
    within: float = 0.12
    near: float = 0.08
    grip: float = 1.0
    gain: float = 5.0

    def records(self) -> np.ndarray:
        """As kernels read it, (1,)."""
        made = np.zeros(1, Finish.dtype())
        for name in Finish.fields:
            made[0][name] = getattr(self, name)
        return records(made)


ORIGINAL = Ending(gain=0.0)
"""The player as it is."""


@kernel
def finish(f, o, gain, place, grip):
    """What a player does, or how it ends the task.

    Args:
        f: record of type `Finish`.
        o: observation (39,).
        gain: of the player.
        place: likewise.
        grip: likewise.
    """
    if f.gain == 0.0:
        return gain, place, grip
    k = 11 if f.second != 0 else 4
    tips, obj = (o[0], o[1], o[2] - BELOW_HAND), (o[k], o[k + 1], o[k + 2])
    way = (o[36] - obj[0], o[37] - obj[1], o[38] - obj[2])
    left = sqrt(_counted(f, 0, way[0]) + _counted(f, 1, way[1]) + _counted(f, 2, way[2]))
    if left > f.within or apart(tips, obj) > f.near:
        return gain, place, grip
    to = (
        _next(f, o, 0, way[0], obj[0] - tips[0]),
        _next(f, o, 1, way[1], obj[1] - tips[1]),
        _next(f, o, 2, way[2], obj[2] - tips[2]),
    )
    return f.gain, to, f.grip


@kernel
def _counted(f, axis, way):
    """What an axis adds to the squared distance that is left."""
    return way * way * max(f.lead[axis] * f.lead[axis], f.hold[axis])


@kernel
def _next(f, o, axis, way, aside):
    """Where the hand goes along an axis."""
    held = f.hold[axis] * (o[36 + axis] + f.beside[axis] - o[axis])
    return o[axis] + f.lead[axis] * way + f.align[axis] * aside + held
