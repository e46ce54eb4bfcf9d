"""Breakthrough: the rules on one record, the world, and its companions."""

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
from envsuite.momarl.boards import Info, board_layout, board_text, draw_board, parse_move, turn_line, turn_text

OBJECTIVES = ("win", "speed", "captures", "losses")


class Params(Record):
    """What depends on the board's size."""

    longest = field(type=np.float32, meaning="moves of the longest possible game")


class State(StateRecord):
    """The board."""

    board = field(
        type=np.int8,
        shape=("height", "width"),
        meaning="0, or 1 + the player, who begins on rows 0 and 1, or on the last two",
    )
    pieces = field(type=np.int32, shape=2, meaning="pawns of each player")
    current_player = field(type=np.uint8)
    winner = field(type=np.int8, meaning="0, or 1 + the player")


@kernel
def reset(s):
    """Two rows of pawns each; the first player begins."""
    height, width = s.board.shape
    for i in range(height):
        for j in range(width):
            s.board[i, j] = 1 if i < 2 else (2 if i >= height - 2 else 0)
    s.pieces[0], s.pieces[1] = 2 * width, 2 * width
    s.current_player, s.winner = 0, 0


@kernel
def legal(s, x, y, way):
    """Whether the pawn at column x, row y may move: 0 diagonally to x - 1, 1 straight, 2 diagonally to x + 1."""
    height, width = s.board.shape
    mine = s.current_player + 1
    row, column = y + (1 if s.current_player == 0 else -1), x + way - 1
    if s.board[y, x] != mine or row < 0 or row >= height or column < 0 or column >= width:
        return False
    if way == 1:
        return s.board[row, column] == 0
    return s.board[row, column] != mine


@kernel
def step(s, p, actions, rewards):
    """The current player's turn; an illegal move loses. Whether the game is over."""
    height, width = s.board.shape
    player = np.int64(s.current_player)
    action = np.int64(actions[player])
    x, y, way = action // (3 * height), action // 3 % height, action % 3
    if not legal(s, x, y, way):
        s.winner = 2 - player
    else:
        row, column = y + (1 if player == 0 else -1), x + way - 1
        if s.board[row, column] != 0:
            s.pieces[1 - player] -= 1
            share = 1.0 / np.float32(2 * width)
            if rewards.shape[1] > 2:
                rewards[player, 2] = share
            if rewards.shape[1] > 3:
                rewards[1 - player, 3] = -share
        s.board[row, column], s.board[y, x] = player + 1, 0
        if row == (height - 1 if player == 0 else 0) or s.pieces[1 - player] == 0:
            s.winner = player + 1
    s.current_player = 1 - player
    if s.winner == 0:
        return False
    for n in range(2):
        sign = 1 if s.winner == n + 1 else -1
        rewards[n, 0] = sign
        if rewards.shape[1] > 1:
            rewards[n, 1] = sign * (1.0 - np.float32(s.clock.step) / p.longest)
    return True


@kernel
def observe(s, o, info):
    """Write what both players see, and the metrics."""
    height, width = s.board.shape
    cells = height * width
    for player in range(2):
        mine, other = player + 1, 2 - player
        turn = s.current_player == player and s.winner == 0
        for i in range(height):
            for j in range(width):
                o[player].own[i * width + j] = s.board[i, j] == mine
                o[player].other[i * width + j] = s.board[i, j] == other
        o[player].to_move = turn
        for k in range(3 * cells):
            o[player].action_mask[k], info[player].action_mask[k] = 0, 0
        if turn:
            mark(s, o[player].action_mask)
            mark(s, info[player].action_mask)
        info[player].moves = s.clock.step
        info[player].won = (s.winner == mine) * 1 - (s.winner == other) * 1


@kernel
def mark(s, mask):
    """Mark the current player's legal moves."""
    height, width = s.board.shape
    for i in range(height):
        for j in range(width):
            if s.board[i, j] == s.current_player + 1:
                for way in range(3):
                    mask[j * 3 * height + i * 3 + way] = legal(s, j, i, way)


class BreakthroughWorld(World):
    """Two players move pawns forward by turns, straight or diagonally, and capture diagonally.

    Args:
        width: columns.
        height: rows.
        num_objectives: the first so many of win, speed, captures, losses.
    """

    agents = ("player_0", "player_1")
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        width: Annotated[int, Between(3, 20)] = 8,
        height: Annotated[int, Between(5, 20)] = 8,
        num_objectives: Annotated[int, Between(1, 4)] = 4,
    ):
        # every move takes a pawn one row on: 2 W pawns of each side have H - 3 rows to go at most before the last
        self.params = Params.make(longest=4 * width * (height - 3) + 1)
        share = 1 / (2 * width)
        low, high = np.array([-1, -1, 0, -share]), np.array([1, 1, share, 0])
        self.reward = Reward(OBJECTIVES[:num_objectives], low[:num_objectives], high[:num_objectives])
        self.state_dtype = State.dtype(height=height, width=width)
        moves = [f"{_square(x, y)}{'lsr'[way]}" for x in range(width) for y in range(height) for way in range(3)]
        self.action = Choice(tuple(moves))
        self.observation = board_layout(height, width, len(moves))
        self.info_dtype = Info.dtype(np.float32, choices=len(moves))


def _square(x: int, y: int) -> str:
    return f"{chr(ord('a') + x)}{y + 1}"


class BreakthroughWords(Words):
    """The board in characters; answers are squares with ways."""

    def describe(self, state, agent=0):
        """The board in characters."""
        way = "down" if agent == 0 else "up"
        return (
            f"{board_text(state['board'], '.XO')}\nColumns are a, b, c from the left, rows 1, 2, 3 from the top. You "
            f"are {'XO'[agent]} and move {way}, one row at a time: straight or diagonally to an empty square, or "
            "diagonally onto a pawn of the other, which is captured. Reach the last row, or capture all. "
            f"{turn_text(state, agent)}. Answer with a pawn's square and l, s or r for where it goes as you look at "
            f"the board, for instance {_square(0, 1)}s."
        )

    def parse(self, text, state, agent=0):
        """Read a square and a way, such as ``a2s``, where that is legal and it is one's turn."""
        height, width = state["board"].shape
        mask = np.zeros(3 * height * width, np.int8)
        if state["current_player"] == agent:
            ways = [(x, y, way) for x in range(width) for y in range(height) for way in range(3)]
            mask[:] = [legal(state, *one) for one in ways]
        return parse_move(text, self.world.action, mask)


class BreakthroughControls(Controls):
    """Digits for pawns of the second row."""

    def keys(self):
        """Digits move one of the first player's pawns of the second row straight on."""
        height, width = self.world.state_dtype["board"].shape
        return {(str(x + 1),): x * 3 * height + 4 for x in range(min(9, width))}


class BreakthroughPictures(Pictures):
    """Pawns on a chequered board."""

    size = (400, 437)
    fps = 3

    def draw(self, state, size):
        """Draw the board, the first player at the top, and who is to move."""
        line, player = turn_line(state, ("white", "black"))
        squares, pawns = ((238, 226, 200), (176, 138, 100)), ((248, 246, 240), (40, 36, 40))
        return draw_board(state["board"], size, squares, None, pawns, line=line, player=player)


class BreakthroughReferee(Referee):
    """One wins what the other loses."""

    zero_sum = True
