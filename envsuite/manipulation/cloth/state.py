"""The record, metrics and layouts of the cloth."""

import numpy as np

from envsuite.core import Block, Record, StateRecord, Vector, field
from envsuite.manipulation.cloth.params import EDGE, GRIPPERS, PARTICLES
from envsuite.manipulation.graphs import Edges, GraphLayout, Nodes


class State(StateRecord):
    """One instance."""

    level = field(type=np.int64, meaning="number of the hole")
    position = field(unit="m", shape=(PARTICLES, 3), meaning="of particles; zeros in the hole")
    velocity = field(unit="m/s", shape=(PARTICLES, 3))
    grippers = field(unit="m", shape=(GRIPPERS, 3))
    commands = field(shape=(GRIPPERS, 3), meaning="actions of the grippers")
    before = field(shape=(GRIPPERS, 3), meaning="those of the step before")
    hanger = field(unit="m", shape=3, meaning="its middle")
    frame = field(shape=(3, 3), meaning="columns: the scene's turned axes; the hanger points along the second")
    distance = field(unit="m", meaning="between the mean of the particles around the hole and the hanger's middle")
    success = field(type=np.bool_, meaning="in this step")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one")
    distance_term = field(meaning="of this step's reward; likewise the next ones")
    side_term = field()
    speed_term = field()
    stretch_term = field()
    rate_term = field()


class Info(Record):
    """The metrics."""

    success = field(type=np.bool_, meaning="the hole is around the hanger, and near its middle")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one of the episode")
    distance = field(unit="m", meaning="between the mean of the particles around the hole and the hanger's middle")
    hole = field(type=np.int64, meaning="number of the hole in the list that episodes draw from")
    distance_term = field(meaning="of the reward; likewise the next ones")
    side_term = field()
    speed_term = field()
    stretch_term = field()
    rate_term = field()


_FREE = (-1e3, 1e3)
"""Wider than anything that grippers reach in an episode; PettingZoo does not want infinities."""

_ACTION = tuple(
    Block(f"gripper {k} {axis}", 1, -1, 1, "", "in units of 2 m/s") for k in range(1, GRIPPERS + 1) for axis in "xyz"
)


def action_layout(team: bool) -> Vector:
    """What one player commands.

    Args:
        team: whether each gripper is a player.
    """
    return Vector(_ACTION[:3] if team else _ACTION, out_of_range="clip")


OBSERVATION = Vector(
    (
        Block("grippers", 3 * GRIPPERS, *_FREE, "m", "x, y and z of each; in a team one's own first"),
        Block("grippers velocity", 3 * GRIPPERS, *_FREE, "m/s", "likewise"),
        Block("hanger", 3, *_FREE, "m", "its middle"),
        Block("hanger axis", 3, -1, 1, "", "towards the end over which the hole is put"),
        Block("hole", 3 * EDGE, *_FREE, "m", "x, y and z of the particles around it, eight of them in order"),
        Block("hole velocity", 3 * EDGE, *_FREE, "m/s", "likewise"),
    )
)

GRAPH = GraphLayout(
    {
        "object": Nodes("hole", "hanger", ("hole velocity",)),
        "actuator": Nodes("grippers", "", ("grippers velocity",)),
    },
    (Edges("object", "object"), Edges("object", "actuator"), Edges("actuator", "actuator")),
)
"""An observation as a graph, of the particles around the hole and the grippers, all joined."""
