"""Tic-tac-toe: the rules on one record, and the world."""

from typing import Literal

import numpy as np

from envsuite.core import Block, Choice, batch_loops, field, kernel
from envsuite.language_games.turns import (
    STARTERS,
    Info,
    PlainParams,
    TurnState,
    TurnWorld,
    end,
    metrics,
    moves_now,
    open_game,
    pay,
    turn_layout,
)

CELLS = 9
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class State(TurnState):
    """The board."""

    board = field(type=np.int8, shape=CELLS, meaning="0, or 1 + the player, row by row")


@kernel
def legal(s, move):
    """Whether the cell is empty."""
    return 0 <= move < CELLS and s.board[move] == 0


@kernel
def play(s, move):
    """Mark a cell; three in a row win, a full board is a draw."""
    mover = s.current_player
    piece = np.int8(mover + 1)
    s.board[move] = piece
    empty = 0
    for k in range(CELLS):
        empty += s.board[k] == 0
    for line in LINES:
        if s.board[line[0]] == piece and s.board[line[1]] == piece and s.board[line[2]] == piece:
            end(s, mover, 1)
    if empty == 0:
        s.over = 1
    s.current_player = 1 - mover


@kernel
def reset(s, p):
    """A new game."""
    open_game(s, p)
    for k in range(CELLS):
        s.board[k] = 0


@kernel
def step(s, actions, rewards):
    """The current player's move; an illegal one loses. Whether the game is over."""
    move = actions[s.current_player]
    if legal(s, move):
        play(s, move)
    else:
        end(s, 1 - s.current_player, 1)
    pay(s, rewards)
    return s.over != 0


@kernel
def observe(s, o, info):
    """Write what both players see, and the metrics."""
    for player in range(2):
        turn = moves_now(s, player)
        o[player].first, o[player].to_move = s.starter == player, turn
        for k in range(CELLS):
            o[player].own[k] = s.board[k] == player + 1
            o[player].other[k] = s.board[k] == 2 - player
            can = turn and legal(s, k)
            o[player].action_mask[k], info[player].action_mask[k] = can, can
        metrics(s, player, info[player])


class TicTacToeWorld(TurnWorld):
    """Two players mark the cells of a board of three by three in turn; three in a row win.

    Args:
        starter: see `envsuite.language_games.turns.TurnWorld`.
    """

    loops = batch_loops(reset, step, observe)
    state_dtype = State.dtype()
    info_dtype = Info.dtype(choices=CELLS)
    action = Choice(tuple(f"cell_{k}" for k in range(CELLS)))
    observation = turn_layout(
        (
            Block("own", CELLS, 0, 1, "", "1 where one's own mark is, row by row"),
            Block("other", CELLS, 0, 1, "", "1 where a mark of the other is"),
        ),
        CELLS,
    )

    def __init__(self, *, starter: Literal["first", "second", "drawn"] = "first"):
        super().__init__(starter=starter)
        self.params = PlainParams.make(starter=STARTERS.index(starter))
