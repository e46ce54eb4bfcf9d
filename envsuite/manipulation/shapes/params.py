"""What a task of prisms is told: its bodies, its shape, what it pays."""

import numpy as np

from envsuite.core import Record, field
from envsuite.manipulation.shapes.tasks import MOST_HANDS, MOST_POINTS
from envsuite.rigid.world import Bodies


class Pay(Record):
    """Weights of the reward, see `tasks.Task`."""

    angle = field(unit="1/rad")
    depth = field(unit="1/m")
    speed = field(unit="s/m")
    rate = field()
    reach = field(unit="1/m")
    last = field(type=np.int32, meaning="steps at the end that count more")
    last_distance = field(meaning="factor in these")
    last_angle = field(meaning="factor in these")
    near = field(unit="m", meaning="distance of success")
    turned = field(unit="rad", meaning="angle of success")


class Params(Bodies):
    """The bodies, and the task."""

    way = field(type=np.int32, meaning="0 sliding, 1 pushing, 2 insertion, 3 insertion by two grippers")
    actuators = field(type=np.int32)
    numbers = field(type=np.int32, meaning="of an actuator's action")
    horizon = field(type=np.int32, meaning="steps of an episode", low=1)
    outline = field(type=np.int32, meaning="index in the world's shapes")
    count = field(type=np.int32, meaning="points of this shape")
    room = field(type=np.int32, meaning="points that an observation has room for")
    points = field(unit="m", shape=(MOST_POINTS, 3), meaning="in the prism's frame")
    low = field(unit="m", shape=3, meaning="where the prism begins")
    high = field(unit="m", shape=3)
    goal = field(unit="m", shape=3, meaning="place of the target")
    starts = field(unit="m", shape=(MOST_HANDS, 2), meaning="where pushers begin")
    noise = field(0.0, "m", "standard deviation of observed points", low=0)
    pay = field(type=Pay)
