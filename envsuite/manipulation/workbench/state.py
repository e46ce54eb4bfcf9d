"""One instance of a task of the workbench, its metrics, and what is observed and done."""

import numpy as np

from envsuite.core import Block, Record, Vector, field
from envsuite.manipulation.panda.scenes import ARM, JOINTS
from envsuite.manipulation.workbench.params import MOST_MARKS, PEG_INSERTION, WIPE
from envsuite.rigid.world import BodyState


class Sight(Record):
    """What there is to see at one moment."""

    hand = field(unit="m", shape=3, meaning="the point between the fingers")
    hand_velocity = field(unit="m/s", shape=3, meaning="of that point")
    heading = field(shape=2, meaning="of the hand's x axis seen from above: cosine and sine")
    opening = field(unit="m", meaning="between the fingers")
    place = field(unit="m", shape=3, meaning="of the peg's middle, the handle's, or of the sponge's lower face")
    turn = field(shape=4, meaning="of the peg, a quaternion (x, y, z, w)")
    velocity = field(unit="m/s", shape=3, meaning="of the peg")
    spin = field(unit="rad/s", shape=3, meaning="of the peg, about x, y and z")
    way = field(unit="m or rad", meaning="that drawer or door is open")
    pace = field(unit="m/s or rad/s", meaning="of drawer or door")
    force = field(unit="N", meaning="with which the sponge presses on the table")


class State(BodyState):
    """One instance."""

    sight = field(type=Sight)
    target = field(unit="rad or m", shape=JOINTS, meaning="where the joints are told to go")
    fixture = field(unit="m, m, rad", shape=3, meaning="x, y and turn of block or cabinet")
    marks = field(unit="m", shape=(MOST_MARKS, 2), meaning="x and y of the marks")
    wiped = field(type=np.uint8, shape=MOST_MARKS, meaning="which marks are gone")
    success = field(type=np.bool_, meaning="in this step")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one")


class Info(Record):
    """The metrics."""

    success = field(type=np.bool_, meaning="in this step")
    success_once = field(type=np.bool_, meaning="in this step or an earlier one of the episode")
    distance = field(
        unit="m, rad or 1",
        meaning="what is left: from the peg's end to the hole's bottom, of the way of drawer or door, share of marks",
    )
    overflow = field(type=np.int32, meaning="contacts that found no room in the episode; 0, or the physics is wrong")


_PEG = (
    Block("peg place", 3, -np.inf, np.inf, "m", "of its middle"),
    Block("peg turn", 4, -1, 1, meaning="quaternion (x, y, z, w)"),
    Block("peg velocity", 3, -np.inf, np.inf, "m/s"),
    Block("peg spin", 3, -np.inf, np.inf, "rad/s"),
    Block("hole", 3, -np.inf, np.inf, "m", "middle of its mouth"),
    Block("hole heading", 2, -1, 1, meaning="cosine and sine of the block's turn"),
)
_HANDLE = (
    Block("handle", 3, -np.inf, np.inf, "m", "its middle"),
    Block("cabinet heading", 2, -1, 1, meaning="cosine and sine of its turn"),
    Block("way", 1, -np.inf, np.inf, "m or rad", "that it is open"),
    Block("pace", 1, -np.inf, np.inf, "m/s or rad/s", "of the way"),
)


def observation_of(task: int, marks: int) -> Vector:
    """What is observed: the hand, the things of the task, the joints.

    Args:
        task: its number.
        marks: their number.
    """
    hand = [
        Block("hand", 3, -np.inf, np.inf, "m"),
        Block("hand velocity", 3, -np.inf, np.inf, "m/s"),
        Block("hand heading", 2, -1, 1, meaning="cosine and sine of its turn about the vertical"),
    ]
    if task == WIPE:
        things = (
            Block("sponge", 3, -np.inf, np.inf, "m", "middle of its lower face"),
            Block("force", 1, 0, np.inf, "N", "of the sponge on the table"),
            Block("marks", 2 * marks, -np.inf, np.inf, "m", "x and y of each"),
            Block("wiped", marks, 0, 1, meaning="1 where a mark is gone"),
        )
    else:
        hand.append(Block("opening", 1, -np.inf, np.inf, "m"))
        things = _PEG if task == PEG_INSERTION else _HANDLE
    joints = (
        Block("joints", ARM, -np.inf, np.inf, "rad"),
        Block("joint speeds", ARM, -np.inf, np.inf, "rad/s"),
    )
    return Vector((*hand, *things, *joints), dtype=np.float32)


def action_of(task: int, by_joints: bool) -> Vector:
    """What is done.

    Args:
        task: its number.
        by_joints: whether the joints are turned, rather than the hand moved.
    """
    if by_joints:
        moves = [Block(f"joint {k + 1}", 1, -1, 1, "0.05 rad") for k in range(ARM)]
    else:
        moves = [Block(f"d{one}", 1, -1, 1, "5 cm", "of the hand") for one in "xyz"]
        moves.append(Block("dyaw", 1, -1, 1, "0.2 rad", "of the hand about the vertical"))
    grip = [] if task == WIPE else [Block("opening", 1, -1, 1, "20 cm", "1 opens, -1 closes")]
    return Vector((*moves, *grip), out_of_range="clip")
