"""The rules of breakthrough on one record, the batch loops, and the world."""

import numpy as np

from envsuite.core.jit import kernel
from envsuite.core.layout import Choice
from envsuite.core.loops import batch_loops
from envsuite.core.world import Reward, World
from envsuite.momarl.boards import board_layout, mask_dtype
from envsuite.momarl.breakthrough.state import PARAMS, state_dtype
from envsuite.momarl.world import named, whole

OBJECTIVES = ("win", "speed", "captures", "losses")


@kernel
def reset(s):
    """Two rows of pawns each; the first player begins."""
    height, width = s.board.shape
    for i in range(height):
        for j in range(width):
            s.board[i, j] = np.int8(1 if i < 2 else (2 if i >= height - 2 else 0))
    s.pieces[0], s.pieces[1] = np.int32(2 * width), np.int32(2 * width)
    s.current_player, s.winner = np.uint8(0), np.int8(0)


@kernel
def legal(s, x, y, way):
    """Whether the mover may move its pawn at column x, row y: 0 diagonally to x - 1, 1 straight, 2 to x + 1."""
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
    """The mover's turn; an illegal move loses. Whether the game is over."""
    height, width = s.board.shape
    player = np.int64(s.current_player)
    action = np.int64(actions[player])
    x, y, way = action // (3 * height), action // 3 % height, action % 3
    if not legal(s, x, y, way):
        s.winner = np.int8(2 - player)
    else:
        row, column = y + (1 if player == 0 else -1), x + way - 1
        if s.board[row, column] != 0:
            s.pieces[1 - player] -= np.int32(1)
            share = np.float32(1.0) / np.float32(2 * width)
            if rewards.shape[1] > 2:
                rewards[player, 2] = share
            if rewards.shape[1] > 3:
                rewards[1 - player, 3] = -share
        s.board[row, column], s.board[y, x] = np.int8(player + 1), np.int8(0)
        if row == (height - 1 if player == 0 else 0) or s.pieces[1 - player] == 0:
            s.winner = np.int8(player + 1)
    s.current_player = np.uint8(1 - player)
    if s.winner == 0:
        return False
    for n in range(2):
        sign = np.float32(1.0) if s.winner == n + 1 else np.float32(-1.0)
        rewards[n, 0] = sign
        if rewards.shape[1] > 1:
            rewards[n, 1] = sign * (np.float32(1.0) - np.float32(s.clock.step) / p.longest)
    return True


@kernel
def observe(s, observations, info):
    """Write what both players see, and the metrics."""
    height, width = s.board.shape
    cells = height * width
    for player in range(2):
        out, mask = observations[player], info[player].action_mask
        mine, other = np.int8(player + 1), np.int8(2 - player)
        turn = s.current_player == player and s.winner == 0
        for i in range(height):
            for j in range(width):
                out[i * width + j] = np.int8(s.board[i, j] == mine)
                out[cells + i * width + j] = np.int8(s.board[i, j] == other)
        out[2 * cells] = np.int8(turn)
        for k in range(3 * cells):
            mask[k], out[2 * cells + 1 + k] = np.int8(0), np.int8(0)
        if turn:
            mark(s, out, mask)
        info[player].moves = np.float32(s.clock.step)
        info[player].won = np.float32((s.winner == mine) * 1 - (s.winner == other) * 1)


@kernel
def mark(s, out, mask):
    """Mark the mover's legal moves, in what it sees and in the metrics."""
    height, width = s.board.shape
    first = 2 * height * width + 1
    for i in range(height):
        for j in range(width):
            if s.board[i, j] == s.current_player + 1:
                at = j * 3 * height + i * 3
                for way in range(3):
                    allowed = np.int8(legal(s, j, i, way))
                    out[first + at + way], mask[at + way] = allowed, allowed


class BreakthroughWorld(World):
    """Two players move pawns forward by turns, straight or diagonally, and capture diagonally.

    Args:
        width: columns, 3 to 20.
        height: rows, 5 to 20.
        num_objectives: the first so many of win, speed, captures, losses.

    Raises:
        ValueError: an option's value is out of range.
    """

    agents = named("player", 2)
    action: Choice  # ty: ignore[incompatible-mutable-override]
    loops = batch_loops(reset, step, observe)

    def __init__(self, *, width: int = 8, height: int = 8, num_objectives: int = 4):
        width, height = whole("width", width, 3, 20), whole("height", height, 5, 20)
        names = OBJECTIVES[: whole("num_objectives", num_objectives, 1, 4)]
        # every move takes a pawn one row on: 2 W pawns of each side have H - 3 rows to go at most before the last
        self.params = np.array([(4 * width * (height - 3) + 1,)], PARAMS)
        share = 1 / (2 * width)
        low, high = np.array([-1, -1, 0, -share]), np.array([1, 1, share, 0])
        self.reward = Reward(names, low[: len(names)], high[: len(names)])
        self.state_dtype = state_dtype(height, width)
        moves = [f"{_square(x, y)}{_way(way)}" for x in range(width) for y in range(height) for way in range(3)]
        self.action = Choice(tuple(moves))
        self.observation = board_layout(height, width, len(moves))
        self.info_dtype = mask_dtype(len(moves))


def _square(x: int, y: int) -> str:
    return f"{chr(ord('a') + x)}{y + 1}"


def _way(way: int) -> str:
    return "lsr"[way]
