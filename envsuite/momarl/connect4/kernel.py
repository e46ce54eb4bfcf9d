"""The rules of connect four on one record, the batch loops, and the world."""

import numpy as np

from envsuite.core.jit import kernel
from envsuite.core.layout import Choice
from envsuite.core.loops import batch_loops
from envsuite.core.world import Reward, World
from envsuite.momarl.boards import board_layout, mask_dtype
from envsuite.momarl.connect4.state import PARAMS, state_dtype
from envsuite.momarl.world import named, whole

IN_A_ROW = 4


@kernel
def reset(s):
    """An empty board; the first player begins."""
    height, width = s.board.shape
    for j in range(width):
        s.filled[j] = np.int8(0)
        for i in range(height):
            s.board[i, j] = np.int8(0)
    s.current_player, s.winner = np.uint8(0), np.int8(0)


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
    room = 0
    for j in range(width):
        room += height - np.int64(s.filled[j])
    return room == 0


@kernel
def step(s, p, actions, rewards):
    """The mover's turn; a full column loses. Whether the game is over."""
    height = s.board.shape[0]
    column, piece = actions[s.current_player], np.int8(s.current_player + 1)
    over = True
    if np.int64(s.filled[column]) >= height:
        s.winner = np.int8(3 - piece)
    else:
        won = wins(s, column, piece)
        s.board[height - 1 - np.int64(s.filled[column]), column] = piece
        s.filled[column] += np.int8(1)
        if won:
            s.winner = piece
        over = won or full(s)
    s.current_player = np.uint8(1 - s.current_player)
    if over:
        pay(s, p, rewards)
    return over


@kernel
def pay(s, p, rewards):
    """Rewards at the end: won or lost, how soon, and who has more tokens in each column."""
    height, width = s.board.shape
    for player in range(2):
        sign = np.float32(0.0)
        if s.winner != 0:
            sign = np.float32(1.0) if s.winner == player + 1 else np.float32(-1.0)
        rewards[player, 0] = sign
        rewards[player, 1] = sign * (np.float32(1.0) - np.float32(s.clock.step) / np.float32(width * height))
        if p.columns:
            for j in range(width):
                lead = 0
                for i in range(height):
                    lead += (s.board[i, j] == player + 1) - (s.board[i, j] == 2 - player)
                rewards[player, 2 + j] = np.float32((lead > 0) * 1 - (lead < 0) * 1)


@kernel
def observe(s, observations, info):
    """Write what both players see, and the metrics."""
    height, width = s.board.shape
    cells = height * width
    for player in range(2):
        out = observations[player]
        for i in range(height):
            for j in range(width):
                out[i * width + j] = np.int8(s.board[i, j] == player + 1)
                out[cells + i * width + j] = np.int8(s.board[i, j] == 2 - player)
        turn = s.current_player == player and s.winner == 0
        out[2 * cells] = np.int8(turn)
        for j in range(width):
            legal = np.int8(turn and np.int64(s.filled[j]) < height)
            out[2 * cells + 1 + j] = legal
            info[player].action_mask[j] = legal
        info[player].moves = np.float32(s.clock.step)
        info[player].won = np.float32((s.winner == player + 1) * 1 - (s.winner == 2 - player) * 1)


class Connect4World(World):
    """Two players drop tokens into columns by turns.

    Args:
        width: columns, 4 to 20.
        height: rows, 4 to 20.
        column_objectives: each column is an objective.

    Raises:
        ValueError: an option's value is out of range.
    """

    agents = named("player", 2)
    action: Choice  # ty: ignore[incompatible-mutable-override]
    loops = batch_loops(reset, step, observe)

    def __init__(self, *, width: int = 7, height: int = 6, column_objectives: bool = True):
        width, height = whole("width", width, 4, 20), whole("height", height, 4, 20)
        self.params = np.array([(bool(column_objectives),)], PARAMS)
        columns = tuple(f"column_{j}" for j in range(width)) if column_objectives else ()
        names = ("win", "speed", *columns)
        self.reward = Reward(names, -np.ones(len(names)), np.ones(len(names)))
        self.state_dtype = state_dtype(height, width)
        self.action = Choice(tuple(f"c{j}" for j in range(width)))
        self.observation = board_layout(height, width, width)
        self.info_dtype = mask_dtype(width)
