"""A colour is shown, apples distract, then the door of that colour has to be chosen."""

import itertools
from typing import Annotated

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Players,
    Record,
    Reward,
    StateRecord,
    Vector,
    Words,
    World,
    batch_loops,
    field,
    kernel,
    rng,
)
from envsuite.memory.experts import KernelPlayer
from envsuite.memory.render import MemoryPictures

MOVES = ("north", "south", "west", "east")
DOWN, RIGHT = np.array((-1, 1, 0, 0)), np.array((0, 0, -1, 1))
"""Rows and columns of each move."""
LOOK, CHOOSE = 15, 15
"""Steps of the first and the last phase."""
ROWS, COLUMNS, SIGHT = 7, 11, 2
"""Size of each room, and how far the agent sees in each direction."""
APPLES, AGAIN = 10, 20
"""Apples that there are, and after how many steps one that was eaten has grown again."""
FLOOR, WALL, APPLE, AGENT, DOOR = 0, 1, 2, 3, 4
"""What is in a cell; doors and patches have numbers 4 to 6: red, green, blue."""
RGB = np.array(
    ((0.8, 0.8, 0.8), (0.1, 0.1, 0.1), (0.55, 0.7, 0.0), (0.898, 0.584, 0.43), (1, 0, 0), (0, 1, 0), (0, 0, 1))
)
"""Colours of the original."""
COLORS = ("red", "green", "blue")
INK = (40, 44, 52)


def _room(*rows: str) -> np.ndarray:
    """Walls of a room, uint8 (rows, columns)."""
    return np.array([[cell == "#" for cell in row] for row in rows], np.uint8)


CHAMBER = _room(
    "           ",
    "    ###    ",
    "    # #    ",
    "    ###    ",
    "           ",
    "           ",
    "           ",
)
HALL = _room(
    "  #######  ",
    "  #     #  ",
    "  #     #  ",
    "  ##   ##  ",
    "  #     #  ",
    "  #     #  ",
    "  #######  ",
)
ORCHARD = _room(
    "###########",
    "#         #",
    "#         #",
    "#         #",
    "#         #",
    "#         #",
    "###########",
)
DOORS = _room(
    "###########",
    "#         #",
    "#         #",
    "#         #",
    "####   ####",
    "   #   #   ",
    "   #####   ",
)
ROOMS = np.stack((CHAMBER, HALL, ORCHARD, DOORS))
DOOR_ROW, DOOR_COLUMNS = 1, np.array((2, 5, 8))
BEGIN = (5, 5)
"""Where the agent is at the beginning of the second and the third phase."""
PLANTS = np.array(
    [
        (row, column)
        for row in range(1, 6)
        for column in range(1, 10)
        if (row + column) % 2 == 0 and (row, column) != BEGIN
    ]
)
"""Cells in which apples can be."""
PATCHES = tuple(np.argwhere(room) for room in (CHAMBER, HALL))
"""Cells of the walls in which the colour can be: of the passive and of the active task."""
NUMBER, ON_WALLS = np.array([*map(len, PATCHES)]), np.concatenate(PATCHES)


class Params(Record):
    """The options."""

    active = field(type=np.int32, meaning="1 if the colour has to be found")
    delay = field(type=np.int32, meaning="steps among the apples")
    apple = field(meaning="reward of an apple")
    door = field(meaning="reward of the right door")


class State(StateRecord):
    """Where all is."""

    row = field(type=np.int32, meaning="of the agent")
    column = field(type=np.int32, meaning="of the agent")
    eaten = field(
        type=np.int32,
        shape=(ROWS, COLUMNS),
        meaning="-2 no apple ever, -1 an apple, else the step at which it was eaten",
    )
    target = field(type=np.int32, meaning="the colour")
    patch = field(type=np.int32, shape=2, meaning="row and column at which the colour is shown")
    chosen = field(type=np.int32, meaning="colour of the door that was chosen, -1 before")
    apples = field(type=np.int32, meaning="that were eaten")


class Info(Record):
    """The metrics."""

    is_success = field(type=np.bool_, meaning="the right door was chosen")
    apples = field(type=np.int32, meaning="that were eaten")
    privileged = field(type=np.float32, shape="three", meaning="for critics: 1 for the colour, 0 for the others")


@kernel
def phase_of(s, p):
    """0 in front of the colour, 1 among the apples, 2 in front of the doors."""
    return (s.clock.step >= LOOK) + (s.clock.step >= LOOK + p.delay)


@kernel
def reset(s, p):
    """Draw the colour, its place and the apples."""
    s.target, s.chosen, s.apples = rng.integers(s.rng, rng.RESET, 3), -1, 0
    place = p.active * NUMBER[0] + rng.integers(s.rng, rng.RESET, NUMBER[p.active])
    s.patch[0], s.patch[1] = ON_WALLS[place]
    s.row, s.column = 2, 5
    if p.active:
        place = rng.integers(s.rng, rng.RESET, 10)
        s.row, s.column = 4 + place // 5, 3 + place % 5
    for row in range(ROWS):
        for column in range(COLUMNS):
            s.eaten[row, column] = -2
    missing = APPLES
    for k in range(len(PLANTS)):  # each subset is equally likely
        if rng.integers(s.rng, rng.RESET, len(PLANTS) - k) < missing:
            s.eaten[PLANTS[k, 0], PLANTS[k, 1]] = -1
            missing -= 1


@kernel
def content(s, p, phase, row, column):
    """What is in a cell, the agent left out."""
    if row < 0 or row >= ROWS or column < 0 or column >= COLUMNS:
        return FLOOR
    if phase == 0 and row == s.patch[0] and column == s.patch[1]:
        return DOOR + s.target
    if phase == 1 and s.eaten[row, column] == -1:
        return APPLE
    if phase == 2 and row == DOOR_ROW and s.chosen < 0:
        for k in range(3):
            if column == DOOR_COLUMNS[k]:
                return DOOR + k
    return WALL if ROOMS[p.active if phase == 0 else phase + 1, row, column] else FLOOR


@kernel
def step(s, p, action):
    """Walk, eat or choose; returns the reward, and whether time is over."""
    t = np.int32(s.clock.step)
    phase = (t > LOOK) + (t > LOOK + p.delay)
    row, column = s.row + DOWN[action], s.column + RIGHT[action]
    there = content(s, p, phase, row, column)
    if there != WALL and not (phase == 0 and there >= DOOR):
        s.row, s.column = row, column
    reward = 0.0
    if phase == 1:
        frame = t - LOOK
        if s.eaten[s.row, s.column] == -1:
            s.eaten[s.row, s.column] = frame
            s.apples += 1
            reward = p.apple
        for k in range(len(PLANTS)):
            last = s.eaten[PLANTS[k, 0], PLANTS[k, 1]]
            if last >= 0 and frame > last + AGAIN:
                s.eaten[PLANTS[k, 0], PLANTS[k, 1]] = -1
    elif phase == 2 and there >= DOOR:
        s.chosen = there - DOOR
        reward = p.door if s.chosen == s.target else 0.0
    if t == LOOK or t == LOOK + p.delay:
        s.row, s.column = BEGIN
    return reward, t >= LOOK + p.delay + CHOOSE


@kernel
def observe(s, p, o, info):
    """Colours of the cells around; a door hides the agent."""
    phase = phase_of(s, p)
    for i in range(2 * SIGHT + 1):
        for j in range(2 * SIGHT + 1):
            kind = content(s, p, phase, s.row + i - SIGHT, s.column + j - SIGHT)
            if i == SIGHT and j == SIGHT and kind < DOOR:
                kind = AGENT
            for k in range(3):
                o.cells[3 * (5 * i + j) + k] = RGB[kind, k]
    info.is_success, info.apples = s.chosen == s.target, s.apples
    for k in range(3):
        info.privileged[k] = s.target == k


class VisualMatchWorld(World):
    """Remember a colour while there are apples to eat, then go to the door that has it.

    Args:
        delay: steps among the apples.
        active: the colour is somewhere on the walls of a hall; otherwise it is beside the agent, which cannot walk yet.
        apple_reward: of each apple.
        door_reward: of the door with the colour; all doors vanish when one is entered.
    """

    loops = batch_loops(reset, step, observe)
    action = Choice(MOVES)
    state_dtype = State.dtype()
    info_dtype = Info.dtype(three=3)
    observation = Vector(
        (Block("cells", 75, 0, 1, "", "red, green and blue of the 5 x 5 cells around the agent, row by row"),)
    )

    def __init__(
        self,
        *,
        delay: Annotated[int, Between(1, 100_000)] = 60,
        active: bool = False,
        apple_reward: Annotated[float, Between(0, 100)] = 1.0,
        door_reward: Annotated[float, Between(0, 100)] = 5.0,
    ):
        self.params = Params.make(active=int(active), delay=delay, apple=apple_reward, door=door_reward)
        self.reward = Reward(low=np.array(0.0), high=np.array(max(apple_reward, door_reward)))


class Kept(Record):
    """What a player remembers."""

    color = field(type=np.int32, meaning="the colour, from 1; 0 before it was seen")
    east = field(type=np.int32, meaning="1 if it began in the hall's eastern half")
    way = field(type=np.int32, meaning="corners of the hall that it has looked at")
    apple = field(
        type=np.int32, shape=(ROWS, COLUMNS), meaning="step from which on an apple is known to be there; 0 for none"
    )


@kernel
def towards(s, row, column):
    """The move to a cell, along the row first."""
    if s.column != column:
        return 2 if s.column > column else 3
    return 0 if s.row > row else 1


@kernel
def search(s, kept):
    """Look at the hall from four cells, the nearer half first."""
    if s.clock.step == 0:
        kept.east = s.column > 5
    for _ in range(2):
        row = 4 if kept.way < 2 else 2
        column = 6 if kept.east ^ (kept.way == 1 or kept.way == 2) else 4
        if s.row == row and s.column == column:
            kept.way += 1
    return towards(s, row, column)


@kernel
def gather(s, p, kept):
    """Walk to the apple that can be had first, of those that were seen."""
    t, best, move = np.int32(s.clock.step), 1000, -1
    for k in range(len(PLANTS)):
        row, column = PLANTS[k]
        aside, away = max(abs(row - s.row), abs(column - s.column)), abs(row - s.row) + abs(column - s.column)
        if away == 0 and 0 < kept.apple[row, column] <= t:
            kept.apple[row, column] = t + AGAIN + 1
        elif 0 < aside <= SIGHT and content(s, p, 1, row, column) == APPLE:
            kept.apple[row, column] = t
        wait = max(away, kept.apple[row, column] - t)
        if kept.apple[row, column] > 0 and wait < best:
            best, move = wait, towards(s, row, column)
    if move < 0:  # nothing seen yet: along the middle, from where all rows are in sight
        move = 0 if s.row > 3 else 2
    return move


@kernel
def choose(s, kept):
    """Through the narrow place, then to the door; the middle one if the colour is not known."""
    column = DOOR_COLUMNS[kept.color - 1] if kept.color > 0 else 5
    return 0 if s.row > 3 or s.column == column else towards(s, 3, column)


@kernel
def remember(states, params, memory, streams, actions):
    """See the colour, eat, go to its door."""
    p = params[0]
    for i in range(states.shape[0]):
        s, kept = states[i], memory[i]
        phase = phase_of(s, p)
        if phase == 0 and abs(s.patch[0] - s.row) <= SIGHT and abs(s.patch[1] - s.column) <= SIGHT:
            kept.color = s.target + 1
        actions[i] = search(s, kept) if phase == 0 else gather(s, p, kept) if phase == 1 else choose(s, kept)


@kernel
def forget(states, params, memory, streams, actions):
    """Eat, go to the door in the middle."""
    p = params[0]
    for i in range(states.shape[0]):
        s, kept = states[i], memory[i]
        phase = phase_of(s, p)
        actions[i] = 0 if phase == 0 else gather(s, p, kept) if phase == 1 else choose(s, kept)


class VisualMatchPlayers(Players):
    """Both find apples equally well; one forgets the colour."""

    def expert(self):
        """See `remember`."""
        return KernelPlayer(self.world, remember, Kept.dtype())

    def collector(self, name):
        """``"memoryless"``: see `forget`."""
        return KernelPlayer(self.world, forget, Kept.dtype()) if name == "memoryless" else super().collector(name)


class VisualMatchWords(Words):
    """What is seen in words."""

    def describe(self, state, agent=0):
        """The cells around, row by row, and the rules."""
        p = self.world.params[0]
        phase, row, column = int(phase_of(state, p)), int(state["row"]), int(state["column"])
        signs = ".#a@RGB"
        lines = []
        for i in range(row - SIGHT, row + SIGHT + 1):
            kinds = [int(content(state, p, phase, i, j)) for j in range(column - SIGHT, column + SIGHT + 1)]
            if i == row and kinds[SIGHT] < DOOR:
                kinds[SIGHT] = AGENT
            lines.append("".join(signs[kind] for kind in kinds))
        return "\n".join([*lines, self.instructions(state, agent)])

    def instructions(self, state, agent=0):
        """The rules."""
        p = self.world.params[0]
        where = "somewhere on the walls of a hall" if p["active"] else "beside you"
        return (
            f"You are @ and see two cells in each direction: # wall, a apple, R red, G green, B blue. For {LOOK} steps "
            f"a colour is {where}. Then, for {int(p['delay'])} steps, each apple pays {float(p['apple']):.4g}. For the "
            f"last {CHOOSE} there are three doors far north: red in the west, green in the middle, blue in the east; "
            f"the first that you enter counts, and pays {float(p['door']):.4g} if it has the colour. "
            f"Answer with one of: {', '.join(MOVES)}"
        )


class VisualMatchPictures(MemoryPictures):
    """The cells around the agent; the whole room for people."""

    size = (440, 320)
    fps = 6
    ground = (236, 238, 242)

    def paint(self, canvas, state, all_seen):
        """Draw what is seen; for people the room, the time and the colour."""
        p, t = self.world.params[0], int(state["clock"]["step"])
        phase, place = int(phase_of(state, p)), (int(state["row"]), int(state["column"]))
        # where in the room the agent is, it does not see
        first = (0, 0) if all_seen else (place[0] - SIGHT, place[1] - SIGHT)
        rows, columns = (ROWS, COLUMNS) if all_seen else (2 * SIGHT + 1, 2 * SIGHT + 1)
        side = min(canvas.width / (COLUMNS + 1), canvas.height / (ROWS + 1))
        left, top = (canvas.width - columns * side) / 2, (canvas.height - rows * side) * 0.3
        paints = [tuple(int(255 * part) for part in color) for color in RGB]
        for i, j in itertools.product(range(rows), range(columns)):
            here = first[0] + i, first[1] + j
            kind = int(content(state, p, phase, *here))
            a, b, inset = left + j * side, top + i * side, 0.03 * side
            middle = a + side / 2, b + side / 2
            box = a + inset, b + inset, a + side - inset, b + side - inset
            canvas.rectangle(box, paints[FLOOR if kind == APPLE else kind])
            if kind == APPLE and here != place:
                canvas.circle(middle, 0.28 * side, paints[APPLE])
            if here == place and kind < DOOR:
                canvas.circle(middle, 0.36 * side, paints[AGENT], INK, max(1.0, 0.05 * side))
        if all_seen:
            told = f"step {t} of {int(p['delay']) + LOOK + CHOOSE}, {int(state['apples'])} apples, "
            told += f"colour {COLORS[int(state['target'])]}"
            canvas.text((0.03 * canvas.width, 0.96 * canvas.height), told, INK, 0.055 * canvas.height, "lm")
