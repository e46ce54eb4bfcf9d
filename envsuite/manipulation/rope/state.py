"""The records, metrics and layouts of the rope tasks."""

import numpy as np

from envsuite.core import Block, Record, Vector, field
from envsuite.manipulation.graphs import Edges, GraphLayout, Nodes
from envsuite.manipulation.rope.params import MOST
from envsuite.manipulation.rope.physics import RopeState

_FREE = (-1e3, 1e3)
"""Wider than anything that grippers reach in an episode; PettingZoo does not want infinities."""


class ClosingState(RopeState):
    """One instance of rope closing."""

    success = field(type=np.bool_, meaning="in this step")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one")
    distance_term = field(meaning="of this step's reward; likewise the next ones")
    gap_term = field()
    speed_term = field()
    rate_term = field()


class ClosingInfo(Record):
    """The metrics."""

    success = field(type=np.bool_, meaning="the cylinder is inside the rope, and the grippers are near each other")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one of the episode")
    distance = field(unit="m", meaning="between the mean of the rope's points and the cylinder's centre")
    gap = field(unit="m", meaning="between the grippers")
    distance_term = field(meaning="of the reward; likewise the next ones")
    gap_term = field()
    speed_term = field()
    rate_term = field()


class ShapingState(RopeState):
    """One instance of rope shaping."""

    target = field(unit="m", shape=(MOST, 2), meaning="points of the target around the middle of its ends")
    turns = field(unit="rad", shape=MOST, meaning="angles between the target's neighbouring segments")
    leans = field(unit="rad", shape=MOST, meaning="angles between its segments and the line through its ends")
    lean = field(unit="rad", meaning="from the target to the rope in the beginning")
    first_error = field(meaning="in the beginning")
    error = field(meaning="mean squared difference of the descriptors")
    success = field(type=np.bool_, meaning="in this step")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one")
    error_term = field(meaning="of this step's reward; likewise the next one")
    rate_term = field()


class ShapingInfo(Record):
    """The metrics."""

    success = field(type=np.bool_, meaning="a twentieth of the first error is left at most")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one of the episode")
    error = field(meaning="mean squared difference of the descriptors")
    share = field(meaning="error in units of the first one")
    error_term = field(meaning="of the reward; likewise the next one")
    rate_term = field()


ACTION_BLOCKS = tuple(
    Block(f"gripper {k} {axis}", 1, -1, 1, "", meaning)
    for k in (1, 2)
    for axis, meaning in (
        ("x", "in units of 5 m/s"),
        ("y", "likewise"),
        ("z", "does nothing: the rope lies in a plane"),
    )
)


def action_layout(team: bool) -> Vector:
    """What one player commands.

    Args:
        team: whether each gripper is a player.
    """
    return Vector(ACTION_BLOCKS[:3] if team else ACTION_BLOCKS, out_of_range="clip")


def _points(count: int) -> tuple[Block, ...]:
    return (
        Block("rope", 2 * count, *_FREE, "m", "x and y of each point; zeros beyond its end"),
        Block("rope velocity", 2 * count, *_FREE, "m/s", "likewise"),
        Block("rope mask", count, 0, 1, "", "1 for points that there are"),
    )


_GRIPPERS = (
    Block("grippers", 4, *_FREE, "m", "x and y of each; in a team one's own first"),
    Block("grippers velocity", 4, *_FREE, "m/s", "likewise"),
)


def closing_layout(count: int) -> Vector:
    """What is seen in rope closing.

    Args:
        count: greatest number of points.
    """
    cylinder = (
        Block("cylinder", 2, *_FREE, "m", "x and y of its centre"),
        Block("cylinder radius", 1, 0, 1, "m"),
    )
    return Vector((*_GRIPPERS, *cylinder, *_points(count)))


def shaping_layout(count: int) -> Vector:
    """What is seen in rope shaping.

    Args:
        count: greatest number of points.
    """
    target = Block("target", 2 * count, *_FREE, "m", "where each point belongs, around the middle of the rope's ends")
    return Vector((*_GRIPPERS, *_points(count), target))


def graph_layout(target: str) -> GraphLayout:
    """An observation as a graph: each point has its three nearest neighbours, grippers are told by all points.

    Args:
        target: block of where points belong.
    """
    nodes = {
        "object": Nodes("rope", target, ("rope velocity",), "rope mask"),
        "actuator": Nodes("grippers", "", ("grippers velocity",)),
    }
    edges = (Edges("object", "object", 3), Edges("object", "actuator"), Edges("actuator", "actuator"))
    return GraphLayout(nodes, edges, axes=2)
