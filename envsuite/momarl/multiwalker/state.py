"""The state record and the layouts of multiwalker."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Vector
from envsuite.core.rng import STREAM
from envsuite.momarl.multiwalker.params import BEAMS, DT, HIP_SPEED, KNEE_SPEED

PARTS = 5
"""Bodies of a walker: hull, upper and lower leg, upper and lower leg."""


def state_dtype(walkers: int, ground: int, cycles: int) -> np.dtype:
    """The record of an instance.

    The engine's own state cannot be read out; what determines it can: ground, first pushes and all actions since. The
    bodies are what the engine says of them.

    Args:
        walkers: number of agents.
        ground: points of the ground.
        cycles: greatest number of steps.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("trace", np.uint64),  # digest of ground, pushes and actions; 0 before the first step
            ("ground", np.float64, (ground,)),  # heights of its points, m
            ("push", np.float64, (walkers,)),  # force on each hull in the first step, N
            ("actions", np.float32, (cycles, walkers, 4)),  # of this episode so far
            ("body", np.float32, (PARTS * walkers + 1, 6)),  # x, y (m), angle (rad), velocities; the package last
            ("touch", np.uint8, (walkers, 2)),  # whether lower legs touch anything
            ("fallen", np.uint8, (walkers,)),
            ("gone", np.uint8, (walkers,)),  # taken out of the world
            ("terminated", np.uint8, (walkers,)),
            ("dropped", np.uint8),  # the package touches more than hulls
            ("place", np.float64),  # of the package at the last reward, m
            ("tilt", np.float64),  # likewise, rad
            ("start", np.float64),  # of the package, m
        ],
        align=True,
    )


# carried: way of the package so far, m; tilt: its angle, rad; fallen: this walker; dropped: the package
INFO = np.dtype(
    [("carried", np.float32), ("tilt", np.float32), ("fallen", np.bool_), ("dropped", np.bool_)], align=True
)

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
