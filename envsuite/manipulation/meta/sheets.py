"""What tells Meta-World's tasks from each other, beside scene and reward, as records that kernels read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from envsuite.core import Record, field

FIRST, SECOND, SEEN = 0, 1, 2
"""Where a place is told from: the first or second place that an episode draws, or the object as first observed."""

NOTHING, MOCAP, COORDINATES = 0, 1, 2
"""What is put somewhere: nothing, a body that is given from outside, or joint coordinates."""

ZEROS, WXYZ, XYZW, UNTURNED, SCIPY = 0, 1, 2, 3, 4
"""How an orientation is observed: zeros, MuJoCo's order, SciPy's order, always (1, 0, 0, 0), or SciPy's order with its
sign, which makes the number of the largest magnitude positive."""

LEVEL, LEVEL_GOAL = 1, 2
"""The object keeps the height at which it lies; the goal has it too."""

PUTS = 2


class Place(Record):
    """A place that may depend on the episode: share * source + offset."""

    source = field(type=np.int32, meaning="0 the first drawn place, 1 the second one, 2 the object as first observed")
    share = field(shape=3)
    offset = field(unit="m", shape=3)


class Put(Record):
    """Something that each episode puts somewhere."""

    what = field(type=np.int32, meaning="0 nothing, 1 a mocap body, 2 three joint coordinates")
    number = field(type=np.int32, meaning="of the mocap body, or first coordinate")
    place = field(type=Place)


class Sheet(Record):
    """One task."""

    task = field(type=np.int32, meaning="its number")
    low = field(unit="m", shape=(2, 3), meaning="of the first and second drawn place")
    high = field(unit="m", shape=(2, 3))
    apart = field(unit="m", meaning="least distance of both, from above")
    hand = field(unit="m", shape=3, meaning="where the hand is sent at the beginning")
    reach_low = field(unit="m", shape=3, meaning="where the hand can be sent")
    reach_high = field(unit="m", shape=3)
    puts = field(type=Put, shape=PUTS)
    goal = field(type=Place)
    start = field(type=Place, meaning="the object's place, as rewards have it")
    mark = field(type=Place, meaning="further places, as rewards have them")
    mark2 = field(type=Place)
    head = field(unit="m", shape=3, meaning="a place whose distance from the goal rewards have")
    late = field(type=np.uint8, meaning="whether they have the object's after the first step instead")
    site = field(type=np.int32, meaning="observed point")
    site2 = field(type=np.int32, meaning="second observed point, -1 for none")
    tracked = field(type=np.int32, meaning="point that `mark` follows, -1 for none")
    tracked3 = field(type=np.int32, meaning="point that `mark3` follows, -1 for none")
    quat = field(type=np.int32, meaning="0 zeros, 1 (w, x, y, z), 2 (x, y, z, w), 3 always (1, 0, 0, 0), 4 see `SCIPY`")
    quat2 = field(type=np.int32)
    joint = field(type=np.int32, meaning="coordinate that rewards look at, -1 for none")
    held = field(type=np.int32, meaning="geom that the pads may touch, -1 for none")
    pads = field(type=np.int32, shape=2, meaning="geoms of the right and the left pad")
    bodies = field(type=np.int32, shape=3, meaning="hand, right and left finger")
    fingers = field(type=np.int32, shape=4, meaning="points of the right tip and pad, of the left tip and pad")
    moved = field(type=np.int32, meaning="joint coordinate that is set after the arm has settled, -1 for none")
    moved_to = field(unit="m or rad", meaning="its value")
    level = field(type=np.uint8, meaning="1 with the arm, the object keeps the height at which it lies; 2 the goal too")
    upright = field(type=np.uint8, meaning="whether, with the arm, the object is turned back as it is put down")
    early = field(type=np.uint8, meaning="whether, with the arm, the first observation is of before joints are set")


@dataclass(frozen=True)
class Where:
    """A `Place`, as tasks declare it."""

    source: int = FIRST
    offset: Sequence[float] = (0, 0, 0)
    share: Sequence[float] = (1, 1, 1)

    def record(self) -> np.void:
        """As kernels read it."""
        made = np.zeros(1, Place.dtype())[0]
        made["source"], made["offset"], made["share"] = self.source, self.offset, self.share
        return made


def first(x: float = 0, y: float = 0, z: float = 0) -> Where:
    """Beside the first drawn place."""
    return Where(FIRST, (x, y, z))


def second(x: float = 0, y: float = 0, z: float = 0) -> Where:
    """Beside the second drawn place."""
    return Where(SECOND, (x, y, z))


def seen(x: float = 0, y: float = 0, z: float = 0) -> Where:
    """Beside the object as first observed."""
    return Where(SEEN, (x, y, z))


def always(x: float, y: float, z: float) -> Where:
    """The same place in all episodes."""
    return Where(FIRST, (x, y, z), (0, 0, 0))


Range = Sequence[float | Sequence[float]]
"""Bounds of x, y and z, m; a number where both are equal."""


def corners(bounds: Range) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Lowest and highest numbers of a range."""
    pairs = [(one, one) if isinstance(one, (int, float)) else tuple(one) for one in bounds]
    return tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)


def sheet_of(task: Any, number: int, compiled: Any) -> np.void:
    """The record of a task.

    Args:
        task: see `envsuite.manipulation.meta.tasks.Task`.
        number: of the task.
        compiled: its scene.
    """
    made = np.zeros(1, Sheet.dtype())[0]
    made["task"], made["apart"], made["hand"], made["late"] = number, task.apart, task.hand, task.late
    for k, bounds in enumerate((task.first, task.second)):
        made["low"][k], made["high"][k] = corners(bounds)
    made["reach_low"], made["reach_high"] = task.reach
    for name in ("goal", "start", "mark", "mark2"):
        made[name] = getattr(task, name).record()
    made["head"] = task.head
    for k, (body, where) in enumerate(task.puts.items()):
        mocap = int(compiled.model[0]["body_mocapid"][compiled.body[body]])
        made["puts"][k]["what"] = MOCAP if mocap >= 0 else COORDINATES
        made["puts"][k]["number"] = mocap if mocap >= 0 else compiled.qposadr[body]
        made["puts"][k]["place"] = where.record()
    for name in ("site", "site2", "tracked", "tracked3"):
        chosen = getattr(task, name)
        made[name] = compiled.site[chosen] if chosen else -1
    made["quat"], made["quat2"] = task.quat, task.quat2
    made["joint"] = compiled.qposadr[task.joint] if task.joint else -1
    made["held"] = compiled.geom[task.held] if task.held else -1
    made["pads"] = compiled.geom["rightpad"], compiled.geom["leftpad"]
    made["bodies"] = [compiled.body[name] for name in ("hand", "rightclaw", "leftclaw")]
    made["fingers"] = [compiled.site[name] for name in ("righttip", "rightpad", "lefttip", "leftpad")]
    made["moved"], made["level"], made["upright"], made["early"] = -1, task.level, task.upright, task.early
    for joint, value in task.starts.items():
        made["moved"], made["moved_to"] = compiled.qposadr[joint], value
    return made
