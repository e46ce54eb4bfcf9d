"""The ant between walls.

A maze has up to a hundred walls, of which the ant can touch few. Four boxes stand for all of them: before each step of
physics they are put on those walls among the four cells around the nearest corner of cells that the ant may reach. All
others are out of its reach, so contacts, and with them motions, are those of the whole maze.
"""

import math
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from envsuite.core import Block, Loops, Record, field, kernel
from envsuite.core.loops import Stages
from envsuite.mazes.params import Plan
from envsuite.mazes.trail import Trail
from envsuite.mazes.world import MazeWorld
from envsuite.rigid import Body, Box, Scene, Shared
from envsuite.rigid.fourfold import advance_four, room_of
from envsuite.rigid.integrate import step as advance
from envsuite.rigid.lanes import LANES
from envsuite.rigid.layout import CLASSES
from envsuite.rigid.models import ANT, WEAK_ANT
from envsuite.rigid.models.ant import SHAPE, SOFT
from envsuite.rigid.world import Bodies, BodiesWorld, BodyState, four_bodies, loops_of

SIZE = "walled"
SCALE, HEIGHT = 4.0, 2.0
"""Side of a cell and height of a wall, m: maze_size_scaling 4 and maze_height 0.5, in all three originals."""

REACH = 1.6
"""Distance from the torso, along each axis, within which walls are put up, m. A leg ends 1.212 m from the torso's
centre (0.2 sqrt(2) + 0.2 sqrt(2) + 0.4 sqrt(2) + 0.08), contacts begin 0.01 m before; the rest is for motion during a
step of physics, at up to 18 m/s."""

BODIES = 14
"""Of the ant, the world included; those of the walls come after them."""

_AWAY = -1000.0  # m, height of boxes that stand for no wall
_BOXES = 4


def _walled(scene: Scene, shape: Shared) -> Scene:
    """The scene with boxes for walls, which are given from outside."""
    half = (SCALE / 2, SCALE / 2, HEIGHT / 2)
    walls = [
        Body(f"wall_{k}", mocap=True, pos=(0, 0, _AWAY), geoms=[Box(f"wall_{k}", size=half, **shape)])
        for k in range(_BOXES)
    ]
    return replace(scene, name=f"walled_{scene.name}", bodies=[*scene.bodies, *walls])


WALLED_ANT, WALLED_WEAK_ANT = _walled(ANT, SHAPE), _walled(WEAK_ANT, SOFT)


POSITIONS, SPEEDS = 15, 14  # of the ant


class Params(Bodies, Plan):
    """The bodies, and the maze."""


class State(BodyState):
    """The ant, and where it is to go; one record for all mazes, so that they share machine code."""

    position = field(unit="m", shape=2, meaning="of the torso")
    goal = field(unit="m", shape=2)
    trail = field(type=Trail, meaning="where it came from, for pictures")
    task = field(type=np.int64, meaning="OGBench's, 1 to 5; 0 where start and goal are free")
    wrenches = field(
        unit="N m, N", shape=(BODIES, 6), meaning="of contacts, in Gymnasium-Robotics' maze; torques first"
    )


class Room(Record):
    """A metric of every world."""

    overflow = field(type=np.int32, meaning="contacts that found no room in the episode; 0, or the physics is wrong")


@kernel
def _stands(p, i, j):
    """Whether a wall stands on a cell; outside the maze is none."""
    grid = p.grid
    return 0 <= i < grid.rows and 0 <= j < grid.columns and p.walls[i, j] != 0


@kernel
def put_walls(body, p):
    """Put boxes on the walls that the ant may reach, and the others away."""
    grid, half = p.grid, 0.5 * SCALE
    x, y = body.qpos[0], body.qpos[1]
    across = math.floor((x - grid.x0) / SCALE + 0.5)
    along = math.floor((y - grid.y0) / SCALE + 0.5)
    u, v = x - (grid.x0 + SCALE * across), y - (grid.y0 + SCALE * along)
    for k in range(_BOXES):
        a, b, near = across, along, True
        if k % 2 == 1:
            a, near = a + (1.0 if u > 0.0 else -1.0), half - abs(u) < REACH
        if k >= 2:
            b, near = b + (1.0 if v > 0.0 else -1.0), near and half - abs(v) < REACH
        i, j = np.int64(grid.ix * a + grid.iy * b), np.int64(grid.jx * a + grid.jy * b)
        box = body.mocap_pos[k]
        box[0], box[1], box[2] = grid.x0 + SCALE * a, grid.y0 + SCALE * b, _AWAY
        if near and _stands(p, i, j):
            box[2] = 0.5 * HEIGHT


@kernel
def act(s, p, action):
    """Tell the motors what to do."""
    for k in range(p.model.nu):
        s.body.ctrl[k] = np.float64(action[k])


@kernel
def walk(s, p, w):
    """Let the motors act for the steps of physics that one step of the environment has."""
    for _ in range(p.frame_skip):
        put_walls(s.body, p)
        advance(p.model, s.body, w)


@kernel
def walk_four(states, first, last, p, room):
    """`walk` for up to four instances in a row."""
    bodies = four_bodies(states, first, last, room)
    for _ in range(p.frame_skip):
        for k in range(LANES):
            put_walls(bodies[k], p)
        advance_four(p.model, 1, bodies, room)


def loops(reset: Any, step: Any, observe: Any, **others: Any) -> Loops:
    """Batch loops of an ant in a maze; `step` takes no action, it finds the ant where it has walked to."""
    stages = Stages(act, walk, walk_four, room_of(CLASSES[SIZE].sizes))
    return loops_of(SIZE, reset, step, observe, stages=stages, **others)


@kernel
def look_around(s):
    """Note where the torso is."""
    s.position[0], s.position[1] = s.body.qpos[0], s.body.qpos[1]


@kernel
def put_ant(s):
    """Put the ant where its position says."""
    s.body.qpos[0], s.body.qpos[1] = s.position[0], s.position[1]


@kernel
def tell(s, observation):
    """Write coordinates and speeds into an observation; returns what comes next."""
    for i in range(POSITIONS):
        observation[i] = s.body.qpos[i]
    for i in range(SPEEDS):
        observation[POSITIONS + i] = s.body.qvel[i]
    return POSITIONS + SPEEDS


HINGES = [f"{joint}_{leg}" for leg in range(1, 5) for joint in ("hip", "ankle")]
TOLD = (
    Block("place", 2, -np.inf, np.inf, "m", "of the torso; also the achieved goal"),
    Block("height", 1, -np.inf, np.inf, "m"),
    Block("turn", 4, -np.inf, np.inf, meaning="quaternion (w, x, y, z)"),
    *(Block(name, 1, -np.inf, np.inf, "rad") for name in HINGES),
    Block("velocity", 3, -np.inf, np.inf, "m/s"),
    Block("turning", 3, -np.inf, np.inf, "rad/s", "about the torso's own axes"),
    *(Block(f"{name} velocity", 1, -np.inf, np.inf, "rad/s") for name in HINGES),
)
"""What `tell` writes."""

GOAL = Block("desired goal", 2, -np.inf, np.inf, "m")


class WalkingWorld(BodiesWorld, MazeWorld):
    """An ant in a maze.

    Attributes:
        ant: ``"strong"``, Gymnasium's, or ``"weak"``, that of D4RL and OGBench.
    """

    ant: Literal["strong", "weak"]

    def build(self, params: type[Params], **values: Any) -> None:
        """Take over the ant.

        Args:
            params: declaration of the constants.
            **values: of its fields.
        """
        self.set_up(WALLED_ANT if self.ant == "strong" else WALLED_WEAK_ANT, params, State, frame_skip=5, **values)

    def doors(self) -> tuple[Any, Any]:
        """Teleporters, (n, 2), and the places they lead to, (m, 2), m; none."""
        return (), ()
