"""One instance of a task of prisms, its metrics, and what is observed and done."""

import numpy as np

from envsuite.core import Block, Record, Vector, field
from envsuite.manipulation.graphs import Edges, GraphLayout, Nodes
from envsuite.manipulation.shapes.tasks import MOST_HANDS, MOST_NUMBERS, MOST_POINTS, PUSHING, Task
from envsuite.rigid.world import BodyState

FAR, FAST = 10.0, 100.0
"""Bounds of what is observed: m, and m/s or rad/s."""


class State(BodyState):
    """One instance."""

    level = field(type=np.int32, meaning="the episode's shape, an index of the parameters")
    place = field(unit="m", shape=3, meaning="of the prism")
    turn = field(shape=4, meaning="its orientation, a quaternion")
    axes = field(shape=9, meaning="the same as a rotation matrix, row by row")
    speed = field(unit="m/s", shape=3, meaning="of the prism")
    spin = field(unit="rad/s", shape=3, meaning="of the prism, and of the rod that holds it")
    goal = field(unit="m", shape=3, meaning="place of the target")
    goal_turn = field(shape=4, meaning="its orientation")
    hands = field(unit="m", shape=(MOST_HANDS, 3), meaning="places of the actuators")
    hand_speeds = field(unit="m/s", shape=(MOST_HANDS, 3))
    commands = field(shape=(MOST_HANDS, MOST_NUMBERS), meaning="the last action, an actuator a row")
    before = field(shape=(MOST_HANDS, MOST_NUMBERS), meaning="the one before")
    seen = field(unit="m", shape=(MOST_POINTS, 3), meaning="points of the prism as they are observed")
    targets = field(unit="m", shape=(MOST_POINTS, 3), meaning="the same points at the target")
    distance = field(unit="m", meaning="of the prism from the target")
    angle = field(unit="rad", meaning="between the prism and the target")
    success = field(type=np.bool_, meaning="in this step")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one")


class Info(Record):
    """The metrics."""

    success = field(type=np.bool_, meaning="in this step")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one of the episode")
    distance = field(type=np.float64, unit="m", meaning="of the prism from the target")
    angle = field(type=np.float64, unit="rad", meaning="between the prism and the target")
    outline = field(type=np.int32, meaning="of the episode, an index of the world's `shapes`")
    overflow = field(type=np.int32, meaning="contacts that found no room in the episode; 0, or the physics is wrong")


def action_of(task: Task, team: bool) -> Vector:
    """What is done: velocities, an actuator after the other.

    Args:
        task: the task.
        team: whether each actuator is an agent.
    """
    blocks = []
    for k in range(1 if team else task.actuators):
        name = f" of actuator {k}" if task.actuators > 1 and not team else ""
        blocks.append(Block(f"velocity{name}", 3, -1, 1, meaning="1 is 0.9 m/s; z has no effect in a plane"))
        if task.numbers == 6:
            blocks.append(Block(f"turning{name}", 3, -1, 1, meaning="see README.md, about the vertical"))
    return Vector(tuple(blocks), out_of_range="clip")


def observation_of(task: Task, points: int) -> Vector:
    """What is observed; of several actuators the observer's own comes first.

    Args:
        task: the task.
        points: that there is room for.
    """
    hands = 3 * task.actuators
    blocks = [
        Block("actuators", hands, -FAR, FAR, "m"),
        Block("actuators' velocities", hands, -FAST, FAST, "m/s"),
    ]
    if task.numbers == 6:
        blocks.append(Block("turning", 3, -FAST, FAST, "rad/s", "of the rod"))
    if task.way == PUSHING:
        blocks.append(Block("prism's velocity", 3, -FAST, FAST, "m/s"))
        blocks.append(Block("prism's turning", 3, -FAST, FAST, "rad/s"))
    return Vector(
        (
            *blocks,
            Block("points", 3 * points, -FAR, FAR, "m", "of the prism, 0 beyond those that there are"),
            Block("target points", 3 * points, -FAR, FAR, "m", "the same points at the target"),
            Block("distances", points, 0, FAR, "m", "of each point from its target"),
            Block("points' mask", points, 0, 1, meaning="1 for points that there are"),
        )
    )


def graph_of(task: Task) -> GraphLayout:
    """How observations are read as graphs.

    Args:
        task: the task.
    """
    moving = ("prism's velocity", "prism's turning") if task.way == PUSHING else ("", "")
    held = ("actuators' velocities", "turning" if task.numbers == 6 else "")
    nodes = {
        "object": Nodes("points", "target points", moving, "points' mask"),
        "actuator": Nodes("actuators", vectors=held),
    }
    edges = (Edges("object", "object", nearest=3), Edges("object", "actuator"), Edges("actuator", "actuator"))
    return GraphLayout(nodes, edges)
