"""The state record and the layouts of multiwalker."""

import numpy as np

from envsuite.core import Block, Record, StateRecord, Vector, field
from envsuite.momarl.multiwalker.params import BEAMS, DT, HIP_SPEED, KNEE_SPEED

PARTS = 5
"""Bodies of a walker: hull, upper and lower leg, upper and lower leg."""


class State(StateRecord):
    """What determines the engine's own state, which cannot be read out: ground, first pushes and all actions since.

    The bodies are what the engine says of them.
    """

    trace = field(type=np.uint64, meaning="digest of ground, pushes and actions; 0 before the first step")
    ground = field(unit="m", shape="ground", meaning="heights of its points")
    push = field(unit="N", shape="walkers", meaning="force on each hull in the first step")
    actions = field(type=np.float32, shape=("cycles", "walkers", 4), meaning="of this episode so far")
    body = field(type=np.float32, shape=("bodies", 6), meaning="x, y (m), angle (rad), velocities; the package last")
    touch = field(type=np.uint8, shape=("walkers", 2), meaning="whether lower legs touch anything")
    fallen = field(type=np.uint8, shape="walkers")
    gone = field(type=np.uint8, shape="walkers", meaning="taken out of the world")
    terminated = field(type=np.uint8, shape="walkers")
    dropped = field(type=np.uint8, meaning="the package touches more than hulls")
    place = field(unit="m", meaning="of the package at the last reward")
    tilt = field(unit="rad", meaning="likewise")
    start = field(unit="m", meaning="of the package")


class Info(Record):
    """The metrics."""

    carried = field(unit="m", meaning="way of the package so far")
    tilt = field(unit="rad", meaning="its angle")
    fallen = field(type=np.bool_, meaning="this walker")
    dropped = field(type=np.bool_, meaning="the package")


ACTION = Vector(
    (
        Block("hip 1", 1, -1.0, 1.0, "", "torque of the motor, in units of 80 N m; the sign is that of its speed"),
        Block("knee 1", 1, -1.0, 1.0, "", "likewise"),
        Block("hip 2", 1, -1.0, 1.0, "", "likewise"),
        Block("knee 2", 1, -1.0, 1.0, "", "likewise"),
    ),
    out_of_range="clip",
)

_FREE = (-1e4, 1e4)
"""Wider than anything that the engine reaches in the longest episode."""
_TURN = np.pi / 2 / DT
"""rad/s: the engine lets nothing turn by more than a quarter of a circle in a step, nor move by more than 2 m."""
_LEG = tuple(
    block
    for k in (1, 2)
    for block in (
        Block(f"hip {k}", 1, *_FREE, "rad"),
        Block(f"hip {k} speed", 1, -2 * _TURN / HIP_SPEED, 2 * _TURN / HIP_SPEED, "", "in units of 4 rad/s"),
        Block(f"knee {k}", 1, *_FREE, "rad", "1 more than the joint's angle"),
        Block(f"knee {k} speed", 1, -2 * _TURN / KNEE_SPEED, 2 * _TURN / KNEE_SPEED, "", "in units of 6 rad/s"),
        Block(f"contact {k}", 1, 0.0, 1.0, "", "1 if the lower leg touches anything"),
    )
)
OBSERVATION = Vector(
    (
        Block("hull angle", 1, *_FREE, "rad"),
        Block("hull turn", 1, -2 * _TURN * DT, 2 * _TURN * DT, "", "angular velocity, in units of 25 rad/s"),
        Block("velocity", 2, -12.0, 12.0, "", "of the hull: m/s across, times 0.12, and up, times 0.08"),
        *_LEG,
        Block("beams", BEAMS, 0.0, 1.0, "", "way of each beam to what it meets, in its range; the first points down"),
        Block("left neighbour", 2, *_FREE, "", "from one's hull to its, in package lengths; 0 where there is none"),
        Block("right neighbour", 2, *_FREE, "", "likewise"),
        Block("package", 2, *_FREE, "", "from one's hull to its middle, in package lengths"),
        Block("package angle", 1, *_FREE, "rad"),
    )
)
