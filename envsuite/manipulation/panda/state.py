"""One instance of a task of the arm, its metrics, and what is observed and done."""

import numpy as np

from envsuite.core import Block, Record, Vector, field
from envsuite.manipulation.panda.params import FLIP, REACH, STACK
from envsuite.manipulation.panda.scenes import ARM, JOINTS
from envsuite.rigid.layout import Work
from envsuite.rigid.world import BodyState

_TURN = 2 * np.pi + 1e-6
"""Bound of angles, rad: where the pitch is steep, PyBullet's yaw goes beyond half a turn."""

MOST = 2
"""Objects at most."""

GOAL = 6
"""Numbers of a goal at most."""


class Sight(Record):
    """What there is to see at one moment."""

    hand = field(unit="m", shape=3, meaning="the point between the fingers")
    hand_velocity = field(unit="m/s", shape=3, meaning="of that point")
    opening = field(unit="m", meaning="between the fingers")
    place = field(unit="m", shape=(MOST, 3), meaning="of the objects")
    turn = field(shape=(MOST, 4), meaning="of the objects, quaternions (x, y, z, w)")
    angles = field(unit="rad", shape=(MOST, 3), meaning="the same as roll, pitch and yaw")
    velocity = field(unit="m/s", shape=(MOST, 3), meaning="of the objects")
    spin = field(unit="rad/s", shape=(MOST, 3), meaning="of the objects, about x, y and z")


class State(BodyState):
    """One instance."""

    sight = field(type=Sight)
    target = field(unit="rad or m", shape=JOINTS, meaning="where the joints are told to go")
    goal = field(unit="m", type=np.float32, shape=GOAL, meaning="of Flip a quaternion (x, y, z, w)")
    is_success = field(type=np.bool_, meaning="in this step")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one")


class Info(Record):
    """The metrics."""

    is_success = field(type=np.bool_, meaning="in this step")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one of the episode")
    distance = field(type=np.float64, unit="m", meaning="from the goal; of Flip 1 - (q . g)^2")
    overflow = field(type=np.int32, meaning="contacts that found no room in the episode; 0, or the physics is wrong")


class Chain(Record):
    """Room for the arm's geometry."""

    angle = field(unit="rad", shape=ARM, meaning="coordinates that are looked at")
    stopped = field(type=np.uint8, shape=ARM, meaning="whether a joint stays at a limit")
    anchor = field(unit="m", shape=(ARM, 3), meaning="of the joints")
    axis = field(shape=(ARM, 3), meaning="of the joints")
    frame = field(shape=9, meaning="axes of the hand, row by row")
    tip = field(unit="m", shape=3, meaning="the point between the fingers")
    jacobian = field(shape=(6, ARM), meaning="of that point and of the hand's turn")
    square = field(shape=(6, 6), meaning="jacobian times its transpose, damped; then its factor")
    error = field(shape=6, meaning="that is left")


class Room(Record):
    """The workspace."""

    chain = field(type=Chain)
    wanted = field(unit="rad/s^2", shape=JOINTS, meaning="accelerations of the joints")
    faster = field(unit="rad/s^2", shape=JOINTS, meaning="those that the motors are strong enough for")
    physics = field(type=Work)


ACHIEVED = {REACH: (0, 1, 2), FLIP: (10, 11, 12, 13), STACK: (7, 8, 9, 19, 20, 21)}
"""Where a task's achieved goal stands in an observation; in others the object's place, see `achieved_at`."""


def achieved_at(task: int, grips: bool) -> tuple[int, ...]:
    """Where the achieved goal stands in an observation.

    Args:
        task: its number.
        grips: whether the opening is observed.
    """
    first = 7 if grips else 6
    return ACHIEVED.get(task, (first, first + 1, first + 2))


def _thing(name: str, task: int) -> tuple[Block, ...]:
    turned = (
        Block(f"{name}turn", 4, -1, 1, meaning="quaternion (x, y, z, w)")
        if task == FLIP
        else Block(f"{name}angles", 3, -_TURN, _TURN, "rad", "roll, pitch, yaw")
    )
    return (
        Block(f"{name}place", 3, -np.inf, np.inf, "m"),
        turned,
        Block(f"{name}velocity", 3, -np.inf, np.inf, "m/s"),
        Block(f"{name}spin", 3, -np.inf, np.inf, "rad/s"),
    )


def observation_of(task: int, things: int, grips: bool) -> Vector:
    """What is observed: panda-gym's observation, then the goal.

    Args:
        task: its number.
        things: number of objects.
        grips: whether the opening is observed.
    """
    hand = [Block("hand", 3, -np.inf, np.inf, "m"), Block("hand velocity", 3, -np.inf, np.inf, "m/s")]
    fingers = [Block("opening", 1, -np.inf, np.inf, "m")] if grips else []
    names = ["object 1 ", "object 2 "] if things == MOST else ["object "] * things
    rest = [block for name in names for block in _thing(name, task)]
    size = len(achieved_at(task, grips))
    goal = Block("goal", size, -np.inf, np.inf, "" if task == FLIP else "m")
    return Vector((*hand, *fingers, *rest, goal), dtype=np.float32)


def action_of(grips: bool, by_joints: bool) -> Vector:
    """What is done.

    Args:
        grips: whether the fingers are opened and closed.
        by_joints: whether the joints are turned, rather than the hand moved.
    """
    if by_joints:
        moves = [Block(f"joint {k + 1}", 1, -1, 1, "0.05 rad") for k in range(ARM)]
    else:
        moves = [Block(f"d{one}", 1, -1, 1, "5 cm", "of the hand") for one in "xyz"]
    grip = [Block("opening", 1, -1, 1, "20 cm", "1 opens, -1 closes")] if grips else []
    return Vector((*moves, *grip), out_of_range="clip")
