"""Color-Cubes: the rules on one record, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Record,
    Reward,
    StateRecord,
    Vector,
    World,
    batch_loops,
    field,
    kernel,
    rng,
)

MOVES = ("stay", "up", "down", "left", "right", "touch")
TOUCH = 5
STEPS = np.array([(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)])
NOTHING, ALL, PLACES = range(3)
"""What is shown of the cubes: nothing, places and colours, or places alone."""


class Params(Record):
    """The options that kernels know."""

    side = field(type=np.int32, meaning="cells along each side of the grid")
    cubes = field(type=np.int32)
    phases = field(type=np.int32, meaning="targets to be touched, one after another")
    teleport = field(meaning="probability of a step that one of the other cubes jumps")
    update = field(type=np.int32, meaning="what is shown when a cube has jumped, `ALL` or `PLACES`")
    image = field(type=np.uint8, meaning="1 if observations are grids")
    miss = field(meaning="reward for touching anything but the target")


class State(StateRecord):
    """The agent, the cubes, the target, and what is shown."""

    row = field(type=np.int32, meaning="of the agent")
    column = field(type=np.int32, meaning="of the agent")
    facing = field(type=np.int32, meaning="latest move of the agent that was not to stay")
    phase = field(type=np.int32, meaning="targets touched")
    target = field(type=np.int32, meaning="cube to be touched")
    begins = field(type=np.uint8, meaning="1 while the colour of the target is shown")
    shown = field(type=np.uint8, meaning="what is shown of the cubes")
    cell = field(type=np.int32, shape="cubes", meaning="of each cube, row x size + column")


class Info(Record):
    """The metrics."""

    phases = field(type=np.int32, meaning="targets touched")
    is_success = field(type=np.bool_, meaning="all targets were touched")
    privileged = field(type=np.float32, shape="privileged", meaning="for critics: one-hot row and column of the target")


@kernel
def taken(s, p, cell):
    """Whether the agent or a cube is in a cell."""
    found = cell == s.row * p.side + s.column
    for k in range(p.cubes):
        found = found or s.cell[k] == cell
    return found


@kernel
def jump(s, p, cube, purpose):
    """Put a cube into one of the free cells."""
    cells = p.side * p.side
    free = 0
    for cell in range(cells):
        free += not taken(s, p, cell)
    left = rng.integers(s.rng, purpose, free)
    for cell in range(cells):
        if not taken(s, p, cell):
            if left == 0:
                s.cell[cube] = cell
                return
            left -= 1


@kernel
def begin_phase(s, p, purpose):
    """Draw a target, and show all."""
    s.target = rng.integers(s.rng, purpose, p.cubes)
    s.begins, s.shown = 1, ALL


@kernel
def reset(s, p):
    """Draw places of the agent and the cubes."""
    s.row, s.column = rng.integers(s.rng, rng.RESET, p.side), rng.integers(s.rng, rng.RESET, p.side)
    s.facing, s.phase = 1, 0
    for k in range(p.cubes):
        s.cell[k] = -1
    for k in range(p.cubes):
        jump(s, p, k, rng.RESET)
    begin_phase(s, p, rng.RESET)


@kernel
def touched(s, p):
    """The cube in the agent's cell, else the one in the cell that it faces; -1 for none."""
    for ahead in range(2):
        row, column = s.row + ahead * STEPS[s.facing, 0], s.column + ahead * STEPS[s.facing, 1]
        if 0 <= row < p.side and 0 <= column < p.side:
            for k in range(p.cubes):
                if s.cell[k] == row * p.side + column:
                    return k
    return -1


@kernel
def step(s, p, action):
    """Move or touch; then another cube may jump. Returns the reward and whether all targets were touched."""
    s.begins, s.shown = 0, NOTHING
    reward = 0.0
    if action == TOUCH:
        if touched(s, p) == s.target:
            s.phase += 1
            jump(s, p, s.target, rng.DYNAMICS)
            begin_phase(s, p, rng.DYNAMICS)
            return 1.0, s.phase == p.phases
        reward = p.miss
    elif action > 0:
        s.facing = action
        s.row = min(max(s.row + STEPS[action, 0], 0), p.side - 1)
        s.column = min(max(s.column + STEPS[action, 1], 0), p.side - 1)
    if p.cubes > 1 and rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0) < p.teleport:
        other = rng.integers(s.rng, rng.DYNAMICS, p.cubes - 1)
        jump(s, p, other + (other >= s.target), rng.DYNAMICS)
        s.shown = p.update
    return reward, False


@kernel
def slot_of(s, p, cube):
    """Where the observation has a cube: by colour, or by place where colours are not shown."""
    if s.shown == ALL:
        return cube
    before = 0
    for k in range(p.cubes):
        before += s.cell[k] < s.cell[cube]
    return before


@kernel
def write_vector(s, p, observation):
    """The agent, the target, the event, and a slot for each cube."""
    size, at = p.side, 2 * p.side
    observation[s.row], observation[size + s.column] = 1.0, 1.0
    observation[at + s.facing - 1] = 1.0
    at += 4
    if s.begins:
        observation[at + s.target] = 1.0
    at += p.cubes
    observation[at] = s.shown != NOTHING
    if s.shown == NOTHING:
        return
    for k in range(p.cubes):
        slot = at + 1 + slot_of(s, p, k) * (2 * size + p.cubes)
        observation[slot + s.cell[k] // size] = 1.0
        observation[slot + size + s.cell[k] % size] = 1.0
        if s.shown == ALL:
            observation[slot + 2 * size + k] = 1.0


@kernel
def write_image(s, p, observation):
    """A plane for each way that the agent faces, each colour, cubes of unknown colour, each target, the event."""
    size, planes = p.side, 2 * p.cubes + 6
    observation[(s.row * size + s.column) * planes + s.facing - 1] = 1.0
    for k in range(p.cubes):
        if s.shown != NOTHING:
            observation[s.cell[k] * planes + 4 + (k if s.shown == ALL else p.cubes)] = 1.0
    for cell in range(size * size):
        if s.begins:
            observation[cell * planes + 5 + p.cubes + s.target] = 1.0
        observation[cell * planes + planes - 1] = s.shown != NOTHING


@kernel
def observe(s, p, observation, info):
    """Write what the agent sees, and the metrics."""
    seen = observation.reshape(-1)
    for k in range(seen.shape[0]):
        seen[k] = 0.0
    if p.image:
        write_image(s, p, seen)
    else:
        write_vector(s, p, seen)
    info.phases, info.is_success = s.phase, s.phase == p.phases
    for k in range(2 * p.side):
        info.privileged[k] = 0.0
    info.privileged[s.cell[s.target] // p.side] = 1.0
    info.privileged[p.side + s.cell[s.target] % p.side] = 1.0


class ColorCubesWorld(World):
    """Touch the cube of the target's colour, again and again; cubes are seen only when one has jumped.

    Args:
        size: cells along each side of the grid.
        cubes: of different colours.
        phases: targets to be touched.
        teleport: probability of a step that one of the other cubes jumps to a free cell.
        update: what is then shown of all cubes: ``"all"``, or only ``"places"``, so that the agent has to find out
            which one has jumped. Where a phase begins all is shown.
        miss_reward: for touching another cube, or nothing.
        observe: ``"vector"`` of blocks, or an ``"image"`` of planes, (size, size, 2 cubes + 6).

    Raises:
        ValueError: no free cell is left for a cube to jump to.
    """

    loops = batch_loops(reset, step, observe)
    action = Choice(MOVES)

    def __init__(
        self,
        *,
        size: Annotated[int, Between(2, 32)] = 5,
        cubes: Annotated[int, Between(1, 16)] = 3,
        phases: Annotated[int, Between(1, 1000)] = 5,
        teleport: Annotated[float, Between(0, 1)] = 0.05,
        update: Literal["all", "places"] = "all",
        miss_reward: Annotated[float, Between(-100, 0)] = -0.1,
        observe: Literal["vector", "image"] = "vector",
    ):
        if cubes + 2 > size * size:
            raise ValueError(f"{cubes} cubes on {size} x {size} cells, expected at most {size * size - 2}")
        self.params = Params.make(
            side=size,
            cubes=cubes,
            phases=phases,
            teleport=teleport,
            update=ALL if update == "all" else PLACES,
            image=observe == "image",
            miss=miss_reward,
        )
        self.reward = Reward(low=np.array(miss_reward), high=np.array(1.0))
        self.state_dtype = State.dtype(cubes=cubes)
        self.info_dtype = Info.dtype(privileged=2 * size)
        if observe == "image":
            planes = 2 * cubes + 6
            meaning = "cell by cell: agent by what it faces, colours, unknown colour, target's colour, whether shown"
            self.observation = Vector(
                (Block("grid", size * size * planes, 0, 1, "", meaning),), shape=(size, size, planes)
            )
            return
        slot = "row, column and colour of a cube, each one-hot; zeros where not shown"
        self.observation = Vector(
            (
                Block("row", size, 0, 1, "", "1 for the row of the agent"),
                Block("column", size, 0, 1, "", "1 for the column of the agent"),
                Block("facing", 4, 0, 1, "", "1 for up, down, left, right"),
                Block("target", cubes, 0, 1, "", "1 for the colour to be touched, where a phase begins"),
                Block("shown", 1, 0, 1, "", "1 where cubes are shown"),
                *(Block(f"cube {k + 1}", 2 * size + cubes, 0, 1, "", slot) for k in range(cubes)),
            )
        )
