"""Leduc poker: the rules on one record, and the world."""

from typing import Literal

import numpy as np

from envsuite.core import Block, Choice, batch_loops, field, kernel, rng
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

RANKS, COPIES = 3, 2
ANTE = 1
SIZES = (2, 4)
"""Chips of a raise in each round."""
RAISES = 2
"""In a round at most."""
LONGEST = 4
"""Moves in a round at most: check, raise, raise, call."""
ROUNDS = 2
MOST = ANTE + RAISES * sum(SIZES)
MOVES = ("check", "call", "raise", "fold")
CHECK, CALL, RAISE, FOLD = range(4)
NONE = -1


class State(TurnState):
    """Cards, chips and moves."""

    cards = field(type=np.int8, shape=2, meaning="of each player: 0 jack, 1 queen, 2 king; -1 before it is dealt")
    public = field(type=np.int8, meaning="the card for both, likewise")
    stakes = field(type=np.int16, shape=2, meaning="chips that each player has put in")
    street = field(type=np.int8, meaning="of betting: 0 or 1")
    raises = field(type=np.int8, meaning="in this round")
    length = field(type=np.int8, shape=ROUNDS, meaning="moves in each round")
    history = field(type=np.int8, shape=(ROUNDS, LONGEST), meaning="0, or 1 + the move")


@kernel
def begin(s):
    """The antes are in; the first card is due."""
    s.cards[0], s.cards[1], s.public = NONE, NONE, NONE
    s.stakes[0], s.stakes[1] = ANTE, ANTE
    s.street, s.raises = 0, 0
    for k in range(ROUNDS):
        s.length[k] = 0
        for j in range(LONGEST):
            s.history[k, j] = 0
    s.current_player = s.starter
    s.chance = RANKS * COPIES


@kernel
def fall(s, outcome):
    """Deal one of the cards that are left, in order of rank: to each player, then for both."""
    left, rank = np.int64(outcome), 0
    for k in range(RANKS):
        there = COPIES - (s.cards[0] == k) * 1 - (s.cards[1] == k) * 1
        if 0 <= left < there:
            rank = k
        left -= there
    if s.cards[0] == NONE:
        s.cards[0] = rank
        s.chance = RANKS * COPIES - 1
    elif s.cards[1] == NONE:
        s.cards[1] = rank
        s.chance = 0
    else:
        s.public = rank
        s.chance = 0


@kernel
def legal(s, move):
    """Check only where there is nothing to call; call and fold only where there is; two raises in a round."""
    if s.over != 0:
        return False
    owed = s.stakes[1 - s.current_player] > s.stakes[s.current_player]
    if move == RAISE:
        return s.raises < RAISES
    return move in (CALL, FOLD) if owed else move == CHECK


@kernel
def strength(s, player):
    """Of a hand at the end: a pair beats every single card."""
    return np.int64(s.cards[player]) + (s.cards[player] == s.public) * RANKS


@kernel
def play(s, move):
    """A player's move."""
    mover = s.current_player
    other = 1 - mover
    if move == FOLD:
        end(s, other, s.stakes[mover])
        return
    place = s.length[s.street]
    s.history[s.street, place] = move + 1
    s.length[s.street] += np.int8(1)
    if move == RAISE:
        s.stakes[mover] = s.stakes[other] + SIZES[s.street]
        s.raises += np.int8(1)
    elif move == CALL:
        s.stakes[mover] = s.stakes[other]
    s.current_player = other
    if move == CALL or (move == CHECK and place > 0):
        if s.street == 0:
            s.street, s.raises, s.current_player, s.chance = 1, 0, s.starter, RANKS * COPIES - 2
        else:
            mine, theirs = strength(s, 0), strength(s, 1)
            end(s, 0 if mine > theirs else 1, 0 if mine == theirs else s.stakes[0])


@kernel
def draw(s, p):
    """Deal what is due."""
    while p.draws != 0 and s.chance > 0:
        fall(s, rng.integers(s.rng, rng.DYNAMICS, s.chance))


@kernel
def reset(s, p):
    """A new game."""
    open_game(s, p)
    begin(s)
    draw(s, p)


@kernel
def step(s, p, actions, rewards):
    """The current player's move; an illegal one folds. Whether the game is over."""
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
        o[player].first, o[player].to_move = s.starter == player, turn
        o[player].own_stake, o[player].other_stake = s.stakes[player], s.stakes[1 - player]
        for k in range(RANKS):
            o[player].card[k] = s.cards[player] == k
            o[player].public[k] = s.public == k
        for k in range(ROUNDS):
            for j in range(LONGEST):
                for move in range(len(MOVES) - 1):
                    at = (k * LONGEST + j) * (len(MOVES) - 1) + move
                    o[player].history[at] = s.history[k, j] == move + 1
        for k in range(len(MOVES)):
            can = turn and legal(s, k)
            o[player].action_mask[k], info[player].action_mask[k] = can, can
        metrics(s, player, info[player])


class LeducPokerWorld(TurnWorld):
    """Poker with six cards, two rounds of bets, and a card for both between them.

    Args:
        starter: see `envsuite.language_games.turns.TurnWorld`.
    """

    loops = batch_loops(reset, step, observe)
    stake = MOST
    state_dtype = State.dtype()
    info_dtype = Info.dtype(choices=len(MOVES))
    action = Choice(MOVES)
    observation = turn_layout(
        (
            Block("card", RANKS, 0, 1, "", "1 for one's own card: jack, queen, king"),
            Block("public", RANKS, 0, 1, "", "1 for the card for both, once it is dealt"),
            Block("history", ROUNDS * LONGEST * 3, 0, 1, "", "for each round and move, 1 for check, call or raise"),
            Block("own_stake", 1, 0, MOST, "", "chips put in"),
            Block("other_stake", 1, 0, MOST, "", "chips that the other has put in"),
        ),
        len(MOVES),
    )

    def __init__(self, *, starter: Literal["first", "second", "drawn"] = "first"):
        super().__init__(starter=starter)
        self.params = PlainParams.make(starter=STARTERS.index(starter))
