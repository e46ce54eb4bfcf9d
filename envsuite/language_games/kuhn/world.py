"""Kuhn poker: the rules on one record, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Block, Choice, batch_loops, field, kernel, rng
from envsuite.language_games.turns import (
    STARTERS,
    Info,
    TurnParams,
    TurnState,
    TurnWorld,
    metrics,
    moves_now,
    open_game,
    pay,
    sign,
    turn_layout,
)

CARDS = 3
ANTE, BET = 1, 1
MOVES = ("check", "bet", "call", "fold")
CHECK, BETS, CALL, FOLD = range(4)
NOTHING, CHECKED, WAS_BET, CHECKED_BET = range(4)
NONE = -1


class Params(TurnParams):
    """The options that kernels know."""

    rounds = field(type=np.int16, meaning="hands in a game")


class State(TurnState):
    """The hand that is played."""

    cards = field(type=np.int8, shape=2, meaning="of each player: 0 jack, 1 queen, 2 king; -1 before it is dealt")
    line = field(type=np.int8, meaning="moves so far: 0 none, 1 a check, 2 a bet, 3 a check and a bet")
    left = field(type=np.int16, meaning="hands to come, this one included")


@kernel
def begin(s):
    """A new hand: the first card is due."""
    s.cards[0], s.cards[1], s.line = NONE, NONE, NOTHING
    s.current_player = s.starter
    s.chance = CARDS


@kernel
def fall(s, outcome):
    """Deal a card, one of those that are left in order of rank."""
    if s.cards[0] == NONE:
        s.cards[0] = outcome
        s.chance = CARDS - 1
    else:
        s.cards[1] = outcome + (outcome >= s.cards[0]) * 1
        s.chance = 0


@kernel
def legal(s, move):
    """Check or bet while nobody has bet, then call or fold."""
    if s.line == WAS_BET or s.line == CHECKED_BET:
        return move in (CALL, FOLD)
    return move in (CHECK, BETS)


@kernel
def settle(s, winner, stake):
    """A hand is over; the next one is begun by the other."""
    s.gain = sign(winner) * np.float32(stake)
    s.left -= np.int16(1)
    if s.left == 0:
        s.over = 1
    else:
        s.starter = 1 - s.starter
        begin(s)


@kernel
def better(s):
    """Who holds the higher card."""
    return 0 if s.cards[0] > s.cards[1] else 1


@kernel
def play(s, move):
    """A player's move."""
    mover = s.current_player
    if move == FOLD:
        settle(s, 1 - mover, ANTE)
    elif move == CALL:
        settle(s, better(s), ANTE + BET)
    elif move == CHECK and s.line == CHECKED:
        settle(s, better(s), ANTE)
    else:
        s.line = CHECKED if move == CHECK else WAS_BET if s.line == NOTHING else CHECKED_BET
        s.current_player = 1 - mover


@kernel
def draw(s, p):
    """Deal what is due."""
    while p.draws != 0 and s.chance > 0:
        fall(s, rng.integers(s.rng, rng.DYNAMICS, s.chance))


@kernel
def reset(s, p):
    """A new game."""
    open_game(s, p)
    s.left = p.rounds
    begin(s)
    draw(s, p)


@kernel
def step(s, p, actions, rewards):
    """The current player's move; an illegal one gives the hand up. Whether the game is over."""
    s.gain = 0
    if s.chance > 0:
        fall(s, actions[0])
    else:
        move = actions[s.current_player]
        play(s, move if legal(s, move) else FOLD)
    draw(s, p)
    pay(s, rewards)
    return s.over != 0


@kernel
def observe(s, o, info):
    """Write what both players know, and the metrics."""
    for player in range(2):
        turn = moves_now(s, player)
        o[player].first, o[player].to_move, o[player].hands_left = s.starter == player, turn, s.left
        for k in range(CARDS):
            o[player].card[k] = s.cards[player] == k
        for k in range(len(MOVES)):
            o[player].line[k] = s.line == k
            can = turn and legal(s, k)
            o[player].action_mask[k], info[player].action_mask[k] = can, can
        metrics(s, player, info[player])


class KuhnPokerWorld(TurnWorld):
    """Poker with three cards, one for each player, and one bet.

    Args:
        rounds: hands in a game, which the players begin in turn.
        starter: see `envsuite.language_games.turns.TurnWorld`.
    """

    loops = batch_loops(reset, step, observe)
    stake = ANTE + BET
    state_dtype = State.dtype()
    info_dtype = Info.dtype(choices=len(MOVES))
    action = Choice(MOVES)

    def __init__(
        self,
        *,
        rounds: Annotated[int, Between(1, 100)] = 1,
        starter: Literal["first", "second", "drawn"] = "first",
    ):
        super().__init__(starter=starter)
        self.rounds = rounds
        self.params = Params.make(starter=STARTERS.index(starter), rounds=rounds)
        self.observation = turn_layout(
            (
                Block("card", CARDS, 0, 1, "", "1 for one's own card: jack, queen, king"),
                Block("line", len(MOVES), 0, 1, "", "1 for the moves so far: none, check, bet, check and bet"),
                Block("hands_left", 1, 0, rounds, "", "hands to come, this one included"),
            ),
            len(MOVES),
        )
