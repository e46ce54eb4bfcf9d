"""What a task of the workbench is told."""

from typing import Literal

import numpy as np

from envsuite.core import field
from envsuite.rigid.world import Bodies

TASKS = ("peg-insertion", "drawer", "door", "wipe")
"""Names of the tasks; kernels know them by their places."""
PEG_INSERTION, DRAWER, DOOR, WIPE = range(4)

TaskName = Literal["peg-insertion", "drawer", "door", "wipe"]

MOST_MARKS = 32
"""Marks of dirt at most."""


class Params(Bodies):
    """The bodies, and the task."""

    task = field(type=np.int32, meaning="0 peg insertion, 1 drawer, 2 door, 3 wipe")
    by_joints = field(type=np.uint8, meaning="whether actions turn the joints; they move the hand otherwise")
    dense = field(type=np.uint8, meaning="whether rewards tell of progress")
    stride = field(0.05, "m or rad", "of the hand, or of each joint, at a full action", low=0)
    twist = field(0.2, "rad", "of the hand about the vertical, at a full action", low=0)
    pinch = field(0.2, "m", "change of the opening at a full action", low=0)
    low = field(unit="m, m, rad", shape=3, meaning="least x, y and turn of block or cabinet; of the first mark")
    high = field(unit="m, m, rad", shape=3, meaning="greatest x, y and turn")
    opened = field(unit="m or rad", meaning="way of drawer or door from which it counts as open")
    side = field(type=np.int32, meaning="of the door's hinge as seen from the arm: 1 left, -1 right")
    marks = field(type=np.int32, meaning="number of marks", low=0, high=MOST_MARKS)
    force = field(unit="N", meaning="with which the sponge has to press on a mark")
    pressed = field(type=np.int32, meaning="number of the pair of sponge and table")
