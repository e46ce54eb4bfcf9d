"""SameGame: the rules on one record, the world, and its companions."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Controls,
    Pictures,
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
from envsuite.momarl.boards import board_text, draw_board, parse_move, square_at, turn_text
from envsuite.momarl.world import named

COLORS = (
    (214, 66, 66), (64, 130, 210), (76, 170, 90), (236, 190, 60), (150, 92, 190),
    (240, 130, 50), (60, 180, 180), (230, 130, 180), (130, 100, 80), (110, 110, 110),
)  # fmt: skip


class Params(Record):
    """The options that kernels know."""

    colors = field(type=np.int32)
    team = field(type=np.uint8, meaning="everybody gets what the current player gets")
    by_color = field(type=np.uint8, meaning="each colour is an objective")
    clearing = field(type=np.float32, meaning="bonus for an empty board")
    offset = field(type=np.int32, meaning="a group of n tiles pays (n - offset) ** 2")


class State(StateRecord):
    """The board."""

    board = field(
        type=np.int8, shape=("height", "width"), meaning="0, or the colour from 1 on; the first row at the top"
    )
    stack = field(type=np.int16, shape="cells", meaning="cells of the group being removed")
    current_player = field(type=np.uint8)
    left = field(type=np.int32, meaning="tiles")


class Info(Record):
    """The metrics."""

    action_mask = field(type=np.int8, shape="cells", meaning="1 for a tile that may be chosen")
    left = field(type=np.float32, meaning="tiles")


@kernel
def grouped(s, i, j):
    """Whether a tile has a neighbour of its colour."""
    height, width = s.board.shape
    color = s.board[i, j]
    if color == 0:
        return False
    above = i > 0 and s.board[i - 1, j] == color
    below = i + 1 < height and s.board[i + 1, j] == color
    before = j > 0 and s.board[i, j - 1] == color
    after = j + 1 < width and s.board[i, j + 1] == color
    return above or below or before or after


@kernel
def any_group(s):
    """Whether there is a legal move."""
    height, width = s.board.shape
    for i in range(height):
        for j in range(width):
            if grouped(s, i, j):
                return True
    return False


@kernel
def reset(s, p):
    """Fill the board, each tile's colour by chance, until there is a group."""
    height, width = s.board.shape
    found = False
    while not found:
        for i in range(height):
            for j in range(width):
                s.board[i, j] = 1 + rng.integers(s.rng, rng.RESET, np.int64(p.colors))
        found = any_group(s)
    s.current_player, s.left = 0, height * width


@kernel
def take(s, row, column):
    """Remove the group of a tile; how many tiles it had."""
    height, width = s.board.shape
    color = s.board[row, column]
    s.board[row, column], s.stack[0] = 0, row * width + column
    size, done = 1, 0
    while done < size:
        i, j = np.int64(s.stack[done]) // width, np.int64(s.stack[done]) % width
        done += 1
        for way in range(4):
            a, b = i + (way == 0) - (way == 1), j + (way == 2) - (way == 3)
            if 0 <= a < height and 0 <= b < width and s.board[a, b] == color:
                s.board[a, b], s.stack[size] = 0, a * width + b
                size += 1
    return size


@kernel
def settle(s):
    """Tiles fall down, empty columns close to the left."""
    height, width = s.board.shape
    target = 0
    for j in range(width):
        low = height - 1
        for i in range(height - 1, -1, -1):
            color = s.board[i, j]
            if color != 0:
                s.board[i, j] = 0
                s.board[low, target] = color
                low -= 1
        if low < height - 1:
            target += 1


@kernel
def step(s, p, actions, rewards):
    """The current player removes a group; a tile without one is a lost turn. Whether no group is left."""
    width, players = s.board.shape[1], rewards.shape[0]
    player = np.int64(s.current_player)
    row, column = actions[player] // width, actions[player] % width
    s.current_player = (player + 1) % players
    if not grouped(s, row, column):
        return False
    objective = np.int64(s.board[row, column]) - 1 if p.by_color else 0
    size = take(s, row, column)
    s.left -= np.int32(size)
    settle(s)
    pay = np.float32((size - p.offset) * (size - p.offset))
    if s.left == 0:
        pay += p.clearing
    for n in range(players):
        if n == player or p.team:
            rewards[n, objective] = pay
    return not any_group(s)


@kernel
def observe(s, p, observations, info):
    """Write what the players see, and the metrics; planes by index, since their number is an option."""
    height, width = s.board.shape
    cells, colors = height * width, np.int64(p.colors)
    for n in range(observations.shape[0]):
        out = observations[n]
        turn = s.current_player == n
        out[colors * cells] = turn
        info[n].left = s.left
        for i in range(height):
            for j in range(width):
                at, color = i * width + j, np.int64(s.board[i, j])
                for k in range(colors):
                    out[k * cells + at] = color == k + 1
                legal = turn and grouped(s, i, j)
                out[colors * cells + 1 + at], info[n].action_mask[at] = legal, legal


class SameGameWorld(World):
    """Players remove groups of tiles by turns; a group of n pays n squared, in its colour's objective.

    Args:
        width: columns.
        height: rows.
        num_colors: of tiles.
        num_agents: who take turns.
        team_rewards: everybody gets what the current player gets.
        color_rewards: each colour is an objective; otherwise there is one.
        rules: ``"square"``, or ``"classic"``: a group of n pays (n - 2) squared, an empty board 1000 more.
    """

    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        width: Annotated[int, Between(3, 30)] = 15,
        height: Annotated[int, Between(3, 30)] = 15,
        num_colors: Annotated[int, Between(2, len(COLORS))] = 5,
        num_agents: Annotated[int, Between(1, 5)] = 1,
        team_rewards: bool = False,
        color_rewards: bool = True,
        rules: Literal["square", "classic"] = "square",
    ):
        clearing, offset = (1000.0, 2) if rules == "classic" else (0.0, 0)
        self.params = Params.make(
            colors=num_colors, team=team_rewards, by_color=color_rewards, clearing=clearing, offset=offset
        )
        self.agents = named("player", num_agents)
        names = tuple(f"color_{k}" for k in range(num_colors)) if color_rewards else ("tiles",)
        cells = width * height
        self.reward = Reward(names, np.zeros(len(names)), np.full(len(names), float(cells**2 + clearing)))
        self.state_dtype = State.dtype(height=height, width=width, cells=cells)
        self.info_dtype = Info.dtype(cells=cells)
        self.action = Choice(tuple(f"r{i}c{j}" for i in range(height) for j in range(width)))
        planes = (Block(f"color_{k}", cells, 0, 1, "", "1 where a tile of this colour is") for k in range(num_colors))
        mask = "1 for a tile of a group of two or more; none if it is not one's turn"
        self.observation = Vector(
            (
                *planes,
                Block("to_move", 1, 0, 1, "", "1 if it is one's turn"),
                Block("action_mask", cells, 0, 1, "", mask),
            ),
            dtype=np.int8,
        )


class SameGameWords(Words):
    """The board in characters; answers are tiles."""

    def describe(self, state, agent=0):
        """The board in characters."""
        world, p = self.world, self.world.params[0]
        pay = "everybody gets" if p["team"] else "you get"
        return (
            f"{board_text(state['board'], '.ABCDEFGHIJ')}\nLetters are tiles of a colour. Choose a tile with a "
            "neighbour of its colour above, below, left or right: its group of n vanishes, tiles above fall, empty "
            f"columns close to the left, and {pay} {'(n - 2)' if p['offset'] else 'n'} squared, for this colour. You "
            f"are {world.agents[agent]} of {len(world.agents)}. {turn_text(state, agent, 'another')}. Answer with row "
            "and column from the top left, such as r0c2."
        )

    def parse(self, text, state, agent=0):
        """Read a tile such as ``r0c2``, where it has a group and it is one's turn."""
        height, width = state["board"].shape
        turn = state["current_player"] == agent
        mask = [turn and grouped(state, i, j) for i in range(height) for j in range(width)]
        return parse_move(text, self.world.action, np.array(mask, np.int8))


class SameGameControls(Controls):
    """Digits for tiles of the last row, clicks for all."""

    def keys(self):
        """Digits choose tiles of the last row."""
        height, width = self.world.state_dtype["board"].shape
        return {(str(j),): (height - 1) * width + j for j in range(min(10, width))}

    def click(self, place, held, state):
        """The tile at `place`."""
        square = square_at(place, state["board"].shape, SameGamePictures.size)
        return None if square is None else square[0] * state["board"].shape[1] + square[1]


class SameGamePictures(Pictures):
    """Tiles as discs."""

    size = (400, 437)
    fps = 3

    def draw(self, state, size):
        """Draw the board, and how much is left."""
        line = f"{int(state['left'])} tiles left after {int(state['clock']['step'])} moves"
        return draw_board(state["board"], size, ((250, 250, 247),), None, COLORS, line=line)
