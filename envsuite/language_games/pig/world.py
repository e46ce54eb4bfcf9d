"""Pig: the rules on one record, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Block, Choice, batch_loops, field, kernel, rng
from envsuite.language_games.turns import (
    STARTERS,
    Info,
    TurnParams,
    TurnState,
    TurnWorld,
    end,
    metrics,
    moves_now,
    open_game,
    pay,
    turn_layout,
)

FACES = 6
MOVES = ("roll", "hold")
ROLL, HOLD = range(2)


class Params(TurnParams):
    """The options that kernels know."""

    target = field(type=np.int16, meaning="points that win")


class State(TurnState):
    """The points."""

    scores = field(type=np.int16, shape=2, meaning="points of each player that are safe")
    turn = field(type=np.int16, meaning="points of this turn, which a 1 loses")
    rolled = field(type=np.int8, meaning="what was rolled last, 0 before")


@kernel
def fall(s, outcome):
    """The die falls: a 1 ends the turn and loses its points."""
    face = np.int16(outcome) + np.int16(1)
    s.rolled, s.chance = face, 0
    if face == 1:
        s.turn = 0
        s.current_player = 1 - s.current_player
    else:
        s.turn += face


@kernel
def legal(s, move):
    """Roll at any time; hold when there is something to hold."""
    return move == ROLL or (move == HOLD and s.turn > 0)


@kernel
def play(s, p, move):
    """Roll, or hold: the points of the turn are safe, and the other's turn begins."""
    mover = s.current_player
    if move == ROLL:
        s.chance = FACES
    else:
        s.scores[mover] += s.turn
        s.turn = 0
        if s.scores[mover] >= p.target:
            end(s, mover, 1)
        s.current_player = 1 - mover


@kernel
def reset(s, p):
    """A new game."""
    open_game(s, p)
    s.scores[0], s.scores[1], s.turn, s.rolled = 0, 0, 0, 0


@kernel
def step(s, p, actions, rewards):
    """The current player's move; an illegal one loses. Whether the game is over."""
    if s.chance > 0:
        fall(s, actions[0])
    else:
        move = actions[s.current_player]
        if legal(s, move):
            play(s, p, move)
        else:
            end(s, 1 - s.current_player, 1)
    while p.draws != 0 and s.chance > 0:
        fall(s, rng.integers(s.rng, rng.DYNAMICS, s.chance))
    pay(s, rewards)
    return s.over != 0


@kernel
def observe(s, o, info):
    """Write what both players see, and the metrics."""
    for player in range(2):
        turn = moves_now(s, player)
        o[player].first, o[player].to_move = s.starter == player, turn
        o[player].own, o[player].other, o[player].turn = s.scores[player], s.scores[1 - player], s.turn
        for k in range(2):
            can = turn and legal(s, k)
            o[player].action_mask[k], info[player].action_mask[k] = can, can
        metrics(s, player, info[player])


class PigWorld(TurnWorld):
    """Two players roll a die as often as they dare; a 1 loses the turn's points.

    Args:
        target: points that win.
        starter: see `envsuite.language_games.turns.TurnWorld`.
    """

    loops = batch_loops(reset, step, observe)
    state_dtype = State.dtype()
    info_dtype = Info.dtype(choices=2)
    action = Choice(MOVES)

    def __init__(
        self,
        *,
        target: Annotated[int, Between(2, 200)] = 100,
        starter: Literal["first", "second", "drawn"] = "first",
    ):
        super().__init__(starter=starter)
        self.target = target
        self.params = Params.make(starter=STARTERS.index(starter), target=target)
        # the rules bound no turn: the bounds are those of the number type
        self.observation = turn_layout(
            (
                Block("own", 1, 0, 32767, "", "one's own points that are safe"),
                Block("other", 1, 0, 32767, "", "the other's"),
                Block("turn", 1, 0, 32767, "", "points of this turn, whosever it is"),
            ),
            2,
            np.int16,
        )
