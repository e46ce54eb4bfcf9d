"""The bodies of a task: a prism, what pushes it, and the hole that it fits into.

A prism touches by capsules: along its outline where it is pushed in a plane, along its upright edges where it goes into
a hole. The hole's wall is made of boxes, one an edge, that reach beyond their corners where the hole is convex.
"""

import math

import numpy as np

from envsuite.manipulation.shapes.outlines import THICKNESS, inside, moments, shifted
from envsuite.manipulation.shapes.tasks import INSERTION, PLUGGING, PUSHER, PUSHING, Task
from envsuite.rigid import Body, Box, Capsule, Free, Geom, Hinge, Inertial, Joint, Option, Scene, Shared, Slide

TIMESTEP, SUBSTEPS = 0.0025, 16
"""16 steps of 2.5 ms are the original's 40 ms (25 Hz), 4 steps of 10 ms, in which soft contacts would be too soft."""
DAMPING = 10.0
"""Share of its speed, 1/s, that a pushed prism loses."""
ROUND = 0.006
"""Radius of the capsules, m, by which corners are rounded."""
CLEARANCE = 0.004
"""Between a prism and its hole, m."""
WALL = 0.05
"""Thickness of the hole's wall, m."""
FLOOR = 0.005
"""Of the hole, below the prism where it has arrived, m."""
HEAVY = 1000.0
"""Mass of the pushers' drives, kg: what they push does not slow them."""
FRICTION = 0.5
PUSHER_HEIGHT = (PUSHER[1] - THICKNESS) / 2
"""Of a pusher's middle above the prism's, m: both stand on the floor."""

_CONTACT: Shared = {"solref": (0.005, 1.0), "friction": FRICTION}


def scene_of(task: Task, name: str, outline: np.ndarray) -> Scene:
    """The bodies of a task.

    Args:
        task: the task.
        name: of the shape.
        outline: (c, 2), m.

    Raises:
        ValueError: a hole cannot have this shape.
    """
    bodies = [_prism(task, outline)]
    if task.way == PUSHING:
        bodies += [_pusher(k) for k in range(task.actuators)]
    if task.way in (INSERTION, PLUGGING):
        bodies.append(Body("hole", mocap=True, geoms=_walls(name, outline)))
    # velocities are given anew in each step, which leaves gravity nothing to do
    return Scene(f"{name} {task.way}", option=Option(timestep=TIMESTEP, gravity=(0, 0, 0)), bodies=bodies)


def _prism(task: Task, outline: np.ndarray) -> Body:
    xx, yy, xy = moments(outline)
    high = THICKNESS**2 / 12
    tensor = (yy + high, xx + high, xx + yy, -xy, 0.0, 0.0)
    inertial = Inertial(task.mass, fullinertia=tuple(task.mass * one for one in tensor))
    if task.way == PLUGGING:
        return Body("prism", joints=[Free("prism")], geoms=_uprights(outline), inertial=inertial)
    drag = DAMPING * task.mass if task.way == PUSHING else 0.0
    axes = "xyz" if task.way == INSERTION else "xy"
    joints: list[Joint] = [Slide(one, axis=(one == "x", one == "y", one == "z"), damping=drag) for one in axes]
    joints.append(Hinge("turn", axis=(0, 0, 1), damping=drag * (xx + yy)))
    geoms = {PUSHING: _rim, INSERTION: _uprights}.get(task.way, lambda _: [])(outline)
    return Body("prism", joints=joints, geoms=geoms, inertial=inertial)


def _rim(outline: np.ndarray) -> list[Geom]:
    """Capsules along the outline."""
    inner = shifted(outline, -ROUND)
    ends = zip(inner, np.roll(inner, -1, axis=0), strict=True)
    return [
        Capsule(f"edge {k}", size=ROUND, fromto=(*a, 0.0, *b, 0.0), contype=1, conaffinity=2, **_CONTACT)
        for k, (a, b) in enumerate(ends)
    ]


def _uprights(outline: np.ndarray) -> list[Geom]:
    """Capsules along the upright edges."""
    half = THICKNESS / 2 - ROUND
    return [
        Capsule(f"edge {k}", size=ROUND, fromto=(x, y, -half, x, y, half), contype=1, conaffinity=2, **_CONTACT)
        for k, (x, y) in enumerate(shifted(outline, -ROUND))
    ]


def _pusher(number: int) -> Body:
    width, height = PUSHER
    pos = (0, 0, PUSHER_HEIGHT)
    joints = [Slide(f"pusher {number} {axis}", axis=(axis == "x", axis == "y", 0), armature=HEAVY) for axis in "xy"]
    box = Box(f"pusher {number}", size=(width / 2, width / 2, height / 2), contype=2, conaffinity=1, **_CONTACT)
    return Body(f"pusher {number}", pos=pos, joints=joints, geoms=[box])


def _walls(name: str, outline: np.ndarray) -> list[Geom]:
    """A hole for a prism that stands at its origin: walls around, a floor below."""
    corners = shifted(outline, CLEARANCE)
    room = shifted(outline, CLEARANCE / 2)
    before, after = np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0)
    turns = _cross(corners - before, after - corners)
    geoms: list[Geom] = []
    depth = THICKNESS + FLOOR
    for k, (a, b) in enumerate(zip(corners, after, strict=True)):
        along = (b - a) / math.hypot(*(b - a))
        a, b = a - WALL * along * (turns[k] > 0), b + WALL * along * (turns[(k + 1) % len(corners)] > 0)
        out = np.array([along[1], -along[0]])
        grid = np.linspace(a, b, 33)[:, None] + np.linspace(0.0, WALL, 33)[None, :, None] * out
        if inside(room, grid.reshape(-1, 2)).any():
            raise ValueError(
                f"shape {name!r} has a notch too narrow for a hole's wall of {WALL} m, expected 90 degrees"
            )
        x, y = (a + b) / 2 + WALL / 2 * out
        size = (math.hypot(*(b - a)) / 2, WALL / 2, depth / 2)
        turn = (0.0, 0.0, math.atan2(along[1], along[0]))
        geoms.append(
            Box(f"wall {k}", size=size, pos=(x, y, -FLOOR / 2), euler=turn, contype=2, conaffinity=1, **_CONTACT)
        )
    reach = float(np.abs(corners).max()) + WALL
    floor = (0.0, 0.0, -THICKNESS / 2 - FLOOR - 0.01)
    geoms.append(Box("floor", size=(reach, reach, 0.01), pos=floor, contype=2, conaffinity=1, **_CONTACT))
    return geoms


def _cross(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    return one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
