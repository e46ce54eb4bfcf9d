"""What rewards of Meta-World's tasks are told."""

import numpy as np

from envsuite.core import Record, field


class Look(Record):
    """Places of one moment, and some of the episode's beginning."""

    hand = field(unit="m", shape=3, meaning="of the hand's body")
    tcp = field(unit="m", shape=3, meaning="between the tips of the fingers")
    opening = field(meaning="of the fingers; 1 is open")
    grip = field(meaning="the action's last number")
    left = field(unit="m", shape=3, meaning="of the left pad; of the tip where rewards are v1")
    right = field(unit="m", shape=3, meaning="of the right pad")
    obj = field(unit="m", shape=3, meaning="of the object, as observed")
    quat = field(shape=4, meaning="of the object, as observed")
    obj2 = field(unit="m", shape=3, meaning="of the second object, as observed")
    goal = field(unit="m", shape=3)
    obj0 = field(unit="m", shape=3, meaning="where the object was put; not always the observed point")
    tcp0 = field(unit="m", shape=3, meaning="between the tips at the beginning")
    hand0 = field(unit="m", shape=3, meaning="where the hand was sent at the beginning")
    mark = field(unit="m", shape=3, meaning="a place that the task says")
    mark2 = field(unit="m", shape=3, meaning="another one")
    mark3 = field(unit="m", shape=3, meaning="a third one")
    angle = field(unit="rad or m", meaning="of the task's joint")
    begun = field(unit="m", meaning="a distance at the beginning, or a height where rewards are v1")
    touched = field(type=np.bool_, meaning="whether both pads touch the object")
