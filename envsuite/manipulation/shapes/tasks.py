"""What the tasks pay and how they begin (HEPi, Hoang et al., ICLR 2025; rewards and resets of its code)."""

from dataclasses import dataclass, replace

from envsuite.manipulation.shapes.outlines import CORNERS, INSERTED, SHAPES

FINE = 3
"""Points an edge that stand for a fine mesh."""
MOST_HANDS, MOST_NUMBERS, MOST_POINTS = 2, 6, 2 * FINE * CORNERS
"""Room in the record, the same for all tasks: they run on one machine code."""
SLIDING, PUSHING, INSERTION, PLUGGING = 0, 1, 2, 3
"""How actuators hold the prism: a rod in a plane, not at all, a rod that also lifts, two grippers in space."""

GRASPS = ((0.0, -0.05, 0.075), (0.0, 0.05, 0.075))
"""Where the two grippers hold the prism, in its frame, m."""
ROD = (0.0125, 0.0, 0.25)
"""Middle of the rod that holds the prism, in the prism's frame, m: its lower end is fixed a little off the centre."""
PUSHER = (0.05, 0.5)
"""Width and height of a pusher, m."""


@dataclass(frozen=True)
class Task:
    """A task.

    Attributes:
        way: `SLIDING` or another one.
        shapes: of the prisms, by default.
        actuators: how many move it.
        numbers: of an actuator's action.
        low: m, where the prism begins, least coordinates.
        high: m, greatest ones.
        goal: m, place of the target.
        mass: of the prism, kg.
        angle: weight of the angle beside that of the distance, 1/rad.
        depth: weight of the height above the target, 1/m.
        speed: weight of the rod's speed and turning, s/m and s/rad.
        rate: weight of the square of the action's change.
        reach: weight of the distance of the actuators from the prism, 1/m.
        last: steps at the end that count more...
        last_distance: ... by this factor in the distance...
        last_angle: ... and by this one in the angle.
        near: m, distance from the target that is success...
        turned: ... with at most this angle, rad.
        starts: m, where pushers begin, before a draw like the prism's.
    """

    way: int
    actuators: int
    numbers: int
    low: tuple[float, float, float]
    high: tuple[float, float, float]
    angle: float
    shapes: tuple[str, ...] = SHAPES
    goal: tuple[float, float, float] = (0.0, 0.0, 0.0)
    mass: float = 0.1
    depth: float = 0.0
    speed: float = 0.0
    rate: float = 0.0
    reach: float = 0.0
    last: int = 2
    last_distance: float = 5.0
    last_angle: float = 5.0
    near: float = 0.05
    turned: float = 0.2
    starts: tuple[tuple[float, float], ...] = ()


_PUSHING = Task(
    PUSHING,
    1,
    3,
    (-1.0, -0.5, 0.0),
    (0.0, 0.5, 0.0),
    angle=0.1,
    mass=3.0,
    reach=0.2,
    last=5,
    last_distance=10.0,
    last_angle=10.0,
    starts=((-0.9, 0.0),),
)

TASKS = {
    "sliding": Task(SLIDING, 1, 6, (-1.0, -1.0, 0.0), (1.0, 1.0, 0.0), angle=0.5, speed=0.1, rate=0.002),
    "pushing": _PUSHING,
    "pushing-two": replace(_PUSHING, actuators=2, starts=((-0.9, -0.3), (-0.9, 0.3))),
    "insertion": Task(
        INSERTION,
        1,
        6,
        (-1.0, -1.0, 1.0),
        (1.0, 1.0, 1.5),
        angle=0.5,
        shapes=INSERTED,
        goal=(0.0, 0.0, 0.25),
        depth=0.5,
        near=0.03,
        turned=0.1,
    ),
    "insertion-two": Task(
        PLUGGING,
        2,
        3,
        (0.25, -0.75, 1.5),
        (0.75, 0.75, 2.25),
        angle=0.1,
        shapes=INSERTED,
        goal=(-0.5, 0.0, 1.25),
        last_angle=7.5,
        near=0.03,
        turned=0.1,
    ),
}
"""By the option ``task``."""
