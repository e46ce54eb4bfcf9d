"""Mystery Path: the rules on one record, and the world."""

import numpy as np

from envsuite.core import Block, Choice, Record, Reward, StateRecord, Vector, World, batch_loops, field, kernel, rng
from envsuite.memory.memory_gym.mortar import AHEAD, MOVES
from envsuite.memory.memory_gym.path import CELLS, SIDE, draw_path


class Params(Record):
    """The options that kernels know."""

    progress = field(meaning="reward for a tile of the path that is reached for the first time")


class State(StateRecord):
    """The path and the agent."""

    path = field(type=np.int16, shape=CELLS, meaning="cells x 7 + y of the path")
    length = field(type=np.int32, meaning="cells of the path")
    on = field(type=np.uint8, shape=CELLS, meaning="1 for cells of the path")
    visited = field(type=np.uint8, shape=CELLS, meaning="1 for cells of the path where the agent has been")
    x = field(type=np.int32, meaning="column of the agent")
    y = field(type=np.int32, meaning="row of the agent")
    facing = field(type=np.int32, meaning="0 north, 1 west, 2 south, 3 east")
    off = field(type=np.uint8, meaning="1 if the agent has fallen off the path; then it goes back to the start")
    falls = field(type=np.int32, meaning="how often it fell")


class Info(Record):
    """The metrics."""

    falls = field(type=np.int32, meaning="how often the agent fell off the path")
    is_success = field(type=np.bool_, meaning="the goal was reached")
    privileged = field(type=np.float32, shape="cells", meaning="for critics: 1 for cells of the path")


@kernel
def reset(s, p):
    """Draw ends on opposite sides, and a path between them."""
    from_side, a, b = (
        rng.integers(s.rng, rng.RESET, 4),
        rng.integers(s.rng, rng.RESET, SIDE),
        rng.integers(s.rng, rng.RESET, SIDE),
    )
    near, far = (0, SIDE - 1) if from_side % 2 == 0 else (SIDE - 1, 0)
    start, end = (near * SIDE + a, far * SIDE + b) if from_side < 2 else (a * SIDE + near, b * SIDE + far)
    for k in range(CELLS):
        s.on[k], s.visited[k], s.path[k] = 0, 0, 0
    s.length = draw_path(s.rng, rng.RESET, start, end, s.path)
    for k in range(s.length):
        s.on[s.path[k]] = 1
    s.x, s.y, s.facing, s.off, s.falls = start // SIDE, start % SIDE, 0, 0, 0


@kernel
def step(s, p, action):
    """Move, or be put back to the start after a fall; 1 and the end at the goal."""
    if s.off:
        s.x, s.y = s.path[0] // SIDE, s.path[0] % SIDE
    elif action == 1:
        s.facing = (s.facing + 1) % 4
    elif action == 2:
        s.facing = (s.facing + 3) % 4
    elif action == 3:
        s.x = min(max(s.x + AHEAD[s.facing][0], 0), SIDE - 1)
        s.y = min(max(s.y + AHEAD[s.facing][1], 0), SIDE - 1)
    cell = s.x * SIDE + s.y
    if cell == s.path[s.length - 1]:
        return 1.0, True
    s.off = not s.on[cell]
    s.falls += s.off
    fresh = s.on[cell] and not s.visited[cell] and cell != s.path[0]
    if fresh:
        s.visited[cell] = 1
    return (p.progress if fresh else 0.0), False


@kernel
def observe(s, o, info):
    """The agent, and whether it has fallen."""
    for k in range(SIDE):
        o.column[k], o.row[k] = k == s.x, k == s.y
    for k in range(4):
        o.facing[k] = k == s.facing
    o.fallen = s.off
    for k in range(CELLS):
        info.privileged[k] = s.on[k]
    info.falls, info.is_success = s.falls, s.x * SIDE + s.y == s.path[s.length - 1]


class MysteryPathWorld(World):
    """Cross a grid on a path that cannot be seen; a step beside it leads back to the start.

    Args:
        progress: tiles of the path that are reached for the first time pay 0.1.
    """

    loops = batch_loops(reset, step, observe)
    action = Choice(MOVES)
    state_dtype = State.dtype()
    info_dtype = Info.dtype(cells=CELLS)
    reward = Reward(low=np.array(0.0), high=np.array(1.0))
    observation = Vector(
        (
            Block("column", SIDE, 0, 1, "", "1 for the column of the agent"),
            Block("row", SIDE, 0, 1, "", "1 for its row"),
            Block("facing", 4, 0, 1, "", "1 for north, west, south, east"),
            Block("fallen", 1, 0, 1, "", "1 if the agent has just left the path"),
        ),
        np.int8,
    )

    def __init__(self, *, progress: bool = False):
        self.params = Params.make(progress=0.1 if progress else 0.0)
