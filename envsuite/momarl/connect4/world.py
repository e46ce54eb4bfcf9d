"""Connect four: the rules on one record, the world, and its companions."""

from typing import Annotated

import numpy as np

from envsuite.core import (
    Between,
    Choice,
    Controls,
    Pictures,
    Record,
    Referee,
    Reward,
    StateRecord,
    Words,
    World,
    batch_loops,
    field,
    kernel,
)
from envsuite.momarl.boards import (
    Info,
    board_layout,
    board_text,
    draw_board,
    parse_move,
    square_at,
    turn_line,
    turn_text,
)

IN_A_ROW = 4


class Params(Record):
    """The option that kernels know."""

    columns = field(type=np.uint8, meaning="whether each column is an objective")


class State(StateRecord):
    """The board."""

    board = field(type=np.int8, shape=("height", "width"), meaning="0, or 1 + the player; the first row at the top")
    filled = field(type=np.int8, shape="width", meaning="tokens in each column")
    current_player = field(type=np.uint8)
    winner = field(type=np.int8, meaning="0, or 1 + the player")


@kernel
def reset(s):
    """An empty board; the first player begins."""
    height, width = s.board.shape
    for j in range(width):
        s.filled[j] = 0
        for i in range(height):
            s.board[i, j] = 0
    s.current_player, s.winner = 0, 0


@kernel
def wins(s, column, piece):
    """Whether a token in this column, which has room, would make four in a row."""
    height, width = s.board.shape
    row = height - 1 - np.int64(s.filled[column])
    for direction in range(4):
        down = 0 if direction == 0 else 1
        right = (1, 0, 1, -1)[direction]
        run = 1
        for sign in range(2):
            i, j = row, np.int64(column)
            for _ in range(IN_A_ROW - 1):
                i, j = (i + down, j + right) if sign == 0 else (i - down, j - right)
                if i < 0 or i >= height or j < 0 or j >= width or s.board[i, j] != piece:
                    break
                run += 1
        if run >= IN_A_ROW:
            return True
    return False


@kernel
def full(s):
    """Whether no column has room."""
    height, width = s.board.shape
    tokens = 0
    for j in range(width):
        tokens += s.filled[j]
    return tokens == height * width


@kernel
def result(s, player):
    """1 where the player has won, -1 where the other has, else 0."""
    return (s.winner == player + 1) * 1 - (s.winner == 2 - player) * 1


@kernel
def step(s, p, actions, rewards):
    """The current player's turn; a full column loses. Whether the game is over."""
    height = s.board.shape[0]
    column, piece = actions[s.current_player], np.int8(s.current_player + 1)
    over = True
    if s.filled[column] >= height:
        s.winner = 3 - piece
    else:
        won = wins(s, column, piece)
        s.board[height - 1 - np.int64(s.filled[column]), column] = piece
        s.filled[column] += 1
        if won:
            s.winner = piece
        over = won or full(s)
    s.current_player = 1 - s.current_player
    if over:
        pay(s, p, rewards)
    return over


@kernel
def pay(s, p, rewards):
    """Rewards at the end: won or lost, how soon, and who has more tokens in each column."""
    height, width = s.board.shape
    for player in range(2):
        rewards[player, 0] = result(s, player)
        rewards[player, 1] = result(s, player) * (1.0 - np.float32(s.clock.step) / np.float32(width * height))
        if p.columns:
            for j in range(width):
                lead = 0
                for i in range(height):
                    lead += (s.board[i, j] == player + 1) * 1 - (s.board[i, j] == 2 - player) * 1
                rewards[player, 2 + j] = (lead > 0) * 1 - (lead < 0) * 1


@kernel
def observe(s, o, info):
    """Write what both players see, and the metrics."""
    height, width = s.board.shape
    for player in range(2):
        for i in range(height):
            for j in range(width):
                o[player].own[i * width + j] = s.board[i, j] == player + 1
                o[player].other[i * width + j] = s.board[i, j] == 2 - player
        turn = s.current_player == player and s.winner == 0
        o[player].to_move = turn
        for j in range(width):
            legal = turn and s.filled[j] < height
            o[player].action_mask[j], info[player].action_mask[j] = legal, legal
        info[player].moves, info[player].won = s.clock.step, result(s, player)


class Connect4World(World):
    """Two players drop tokens into columns by turns.

    Args:
        width: columns.
        height: rows.
        column_objectives: each column is an objective.
    """

    agents = ("player_0", "player_1")
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        width: Annotated[int, Between(4, 20)] = 7,
        height: Annotated[int, Between(4, 20)] = 6,
        column_objectives: bool = True,
    ):
        self.params = Params.make(columns=column_objectives)
        names = ("win", "speed", *(f"column_{j}" for j in range(width) if column_objectives))
        self.reward = Reward(names, -np.ones(len(names)), np.ones(len(names)))
        self.state_dtype = State.dtype(height=height, width=width)
        self.info_dtype = Info.dtype(np.float32, choices=width)
        self.action = Choice(tuple(f"c{j}" for j in range(width)))
        self.observation = board_layout(height, width, width)


class Connect4Words(Words):
    """The board in characters; answers are columns."""

    def describe(self, state, agent=0):
        """The board, the rules, and whose turn it is."""
        return (
            f"{board_text(state['board'], '.XO')}\nYou are {'XO'[agent]}. Tokens fall to the bottom; four in a row "
            f"win, across, down or along a diagonal. {turn_text(state, agent)}. Answer with a column from left to "
            f"right: {', '.join(self.world.action.names)}."
        )

    def parse(self, text, state, agent=0):
        """Read ``c0``, ``c1`` and so on, where the column has room and it is one's turn."""
        turn = state["current_player"] == agent
        return parse_move(text, self.world.action, (state["filled"] < state["board"].shape[0]) & turn)


class Connect4Controls(Controls):
    """Digits and clicks choose columns."""

    def click(self, place, held, state):
        """The column of the square at `place`."""
        square = square_at(place, state["board"].shape, Connect4Pictures.size)
        return None if square is None else square[1]


class Connect4Pictures(Pictures):
    """Tokens in a blue frame."""

    size = (420, 394)
    fps = 2

    def draw(self, state, size):
        """Draw the board, and who is to move."""
        line, player = turn_line(state, ("red", "yellow"))
        return draw_board(state["board"], size, ((46, 92, 176),), (226, 232, 240), line=line, player=player)


class Connect4Referee(Referee):
    """One wins what the other loses."""

    zero_sum = True
