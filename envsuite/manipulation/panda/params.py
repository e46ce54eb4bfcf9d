"""What a task of the arm is told."""

from typing import Literal

import numpy as np

from envsuite.core import field
from envsuite.rigid.world import Bodies

TASKS = ("reach", "push", "slide", "pick-and-place", "stack", "flip")
"""Names of the tasks; kernels know them by their places."""
REACH, PUSH, SLIDE, PICK_AND_PLACE, STACK, FLIP = range(6)

TaskName = Literal["reach", "push", "slide", "pick-and-place", "stack", "flip"]

FEW = 1000
"""Draws of goals after which one is taken although it is met already; far more than ever needed."""


class Params(Bodies):
    """The bodies, and the task. Numbers are those of panda-gym 3.0.7."""

    task = field(type=np.int32, meaning="0 reach, 1 push, 2 slide, 3 pick and place, 4 stack, 5 flip")
    things = field(type=np.int32, meaning="number of objects", low=0, high=2)
    grips = field(type=np.uint8, meaning="whether actions open and close the fingers; shut otherwise")
    by_joints = field(type=np.uint8, meaning="whether actions turn the joints; they move the hand otherwise")
    dense = field(type=np.uint8, meaning="whether rewards are distances")
    original = field(type=np.uint8, meaning="whether what is wrong in panda-gym is kept, see README.md")
    radius = field(unit="m", meaning="distance from the goal below which it is met; of Flip a pure number")
    goal_low = field(unit="m", shape=3, meaning="least goal")
    goal_high = field(unit="m", shape=3, meaning="greatest goal")
    lying = field(meaning="share of goals on the table")
    spread = field(0.15, "m", "objects begin within this of the table's middle, along x and y", low=0)
    height = field(unit="m", meaning="of an object's centre on the table")
    apart = field(0.1, "m", "least distance of two objects at the beginning, from above", low=0)
    stride = field(0.05, "m or rad", "of the hand, or of each joint, at a full action", low=0)
    pinch = field(0.2, "m", "change of the opening at a full action", low=0)
