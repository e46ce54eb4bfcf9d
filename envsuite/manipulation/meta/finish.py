"""How a scripted player ends a task: it leads the object the rest of its way, and stays.

Some of the original's players press, pull or push on after their success, and past it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from envsuite.core import Record, field, kernel
from envsuite.core.jit import records
from envsuite.manipulation.meta.shaping import apart

BELOW_HAND = 0.045  # m, of the tips of the fingers


class Finish(Record):
    """When and how."""

    gain = field(meaning="of the way left; 0 leaves the player as it is", unit="1/m")
    lead = field(shape=3, meaning="along which axes the object is led to its goal")
    align = field(shape=3, meaning="along which axes the tips are kept at the object")
    within = field(unit="m", meaning="the object has at most this far to go")
    near = field(unit="m", meaning="the tips are at most this far from the object")
    grip = field(meaning="action of the fingers")


@dataclass(frozen=True)
class Ending:
    """A `Finish`, as tasks declare it."""

    lead: Sequence[float] = (0, 0, 0)
    align: Sequence[float] = (0, 0, 0)
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
    tips, obj = (o[0], o[1], o[2] - BELOW_HAND), (o[4], o[5], o[6])
    x, y, z = f.lead[0] * (o[36] - obj[0]), f.lead[1] * (o[37] - obj[1]), f.lead[2] * (o[38] - obj[2])
    if apart((x, y, z), (0.0, 0.0, 0.0)) > f.within or apart(tips, obj) > f.near:
        return gain, place, grip
    x, y, z = (
        x + f.align[0] * (obj[0] - tips[0]),
        y + f.align[1] * (obj[1] - tips[1]),
        z + f.align[2] * (obj[2] - tips[2]),
    )
    return f.gain, (o[0] + x, o[1] + y, o[2] + z), f.grip
