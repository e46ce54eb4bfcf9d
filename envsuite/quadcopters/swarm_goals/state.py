"""The state record, the metrics and the observation of the swarm task."""

import numpy as np

from envsuite.core.declare import field
from envsuite.core.layout import Block, Vector
from envsuite.quadcopters.flying import blocks, swarm
from envsuite.quadcopters.swarm_goals.params import CELLS, COLUMNS, NEIGHBOURS

MAP = Block("columns", 9, -blocks.FAR, blocks.FAR, "m", "distances to the nearest column on a 3 x 3 grid, 0.1 m wide")


class State(swarm.SwarmState):
    """The state of one instance."""

    goals = field(unit="m", shape=("drones", 3))
    distances = field(unit="m", meaning="sum over the steps", shape="drones")
    centers = field(unit="m", meaning="of the two halves' formations; of the whole the first", shape=(2, 3))
    drift = field(unit="m/s", meaning="of goals that all move alike", shape=3)
    curve = field(unit="m", meaning="control points of the path of a goal that flees", shape=(3, 3))
    columns = field(unit="m", meaning="x and y", shape=(COLUMNS, 2))
    places = field(type=np.uint8, meaning="in the formation, of each drone", shape="drones")
    cells = field(type=np.uint8, meaning="in the order in which they are dealt out", shape=CELLS * CELLS)
    width = field(unit="m", meaning="spacing in the formation")
    layer = field(unit="m", meaning="spacing of its layers")
    speed = field(unit="m/s", meaning="of swelling")
    period = field(type=np.uint32, meaning="steps between changes")
    scenario = field(type=np.uint8, meaning="index in `SCENARIOS`")
    formation = field(type=np.uint8, meaning="index in `FORMATIONS`")
    scraping = field(type=np.uint8, meaning="touched a column in the last step, 0 or 1", shape="drones")


class Info(swarm.SwarmInfo):
    """The metrics; success: within 0.5 m of the goal at present."""

    mean_distance = field(unit="m", meaning="from the goal, over the episode so far", type=np.float32)
    scenario = field(meaning="index in `params.SCENARIOS`; one more for goals drawn among columns", type=np.float32)


def observation_layout(columns: bool) -> Vector:
    """What one drone sees.

    Args:
        columns: whether there are any.
    """
    own = (blocks.OFFSET, blocks.ROTATION, blocks.VELOCITY, blocks.RATES, swarm.neighbour_block(NEIGHBOURS))
    return Vector((*own, MAP) if columns else own)
