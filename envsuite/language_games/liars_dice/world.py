"""Liar's dice: the rules on one record, and the world."""

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
NONE = -1


class Params(TurnParams):
    """The options that kernels know."""

    dice = field(type=np.int8, meaning="of each player at the start")
    wild = field(type=np.uint8, meaning="whether sixes count for every face")


class State(TurnState):
    """Dice and bids."""

    left = field(type=np.int8, shape=2, meaning="dice of each player")
    counts = field(type=np.int8, shape=(2, FACES), meaning="of each face that each player holds")
    rolled = field(type=np.int8, shape=2, meaning="dice of each player that have been rolled in this round")
    bids = field(type=np.int8, shape="bids", meaning="0, or 1 + the player who has made this bid in this round")
    last = field(type=np.int16, meaning="the highest bid of this round: (quantity - 1) * 6 + face - 1; -1 before")


@kernel
def begin(s):
    """A new round: all dice are to be rolled."""
    for player in range(2):
        s.rolled[player] = 0
        for k in range(FACES):
            s.counts[player, k] = 0
    for k in range(s.bids.shape[0]):
        s.bids[k] = 0
    s.last = NONE
    s.chance = FACES


@kernel
def fall(s, outcome):
    """A die falls; the first player's come first."""
    player = 0 if s.rolled[0] < s.left[0] else 1
    s.counts[player, outcome] += np.int8(1)
    s.rolled[player] += np.int8(1)
    s.chance = FACES if s.rolled[1] < s.left[1] else 0


@kernel
def legal(s, move):
    """A higher bid on the dice that there are, or the last action, which doubts a bid."""
    if move == s.bids.shape[0]:
        return s.last != NONE
    return s.last < move < FACES * (np.int64(s.left[0]) + np.int64(s.left[1]))


@kernel
def holds(s, p, bid):
    """Whether there are as many dice as a bid says."""
    face, there = bid % FACES, 0
    for player in range(2):
        there += s.counts[player, face]
        if p.wild != 0 and face != FACES - 1:
            there += s.counts[player, FACES - 1]
    return there >= bid // FACES + 1


@kernel
def lose(s, player):
    """A player loses a die, and begins the next round, if there is one."""
    s.left[player] -= np.int8(1)
    s.current_player = player
    if s.left[player] == 0:
        end(s, 1 - player, 1)
    else:
        begin(s)


@kernel
def play(s, p, move):
    """Bid, or doubt the other's bid."""
    mover = s.current_player
    if move == s.bids.shape[0]:
        lose(s, mover if holds(s, p, s.last) else 1 - mover)
    else:
        s.bids[move] = mover + 1
        s.last = move
        s.current_player = 1 - mover


@kernel
def draw(s, p):
    """Roll what is due."""
    while p.draws != 0 and s.chance > 0:
        fall(s, rng.integers(s.rng, rng.DYNAMICS, FACES))


@kernel
def reset(s, p):
    """A new game."""
    open_game(s, p)
    s.left[0], s.left[1] = p.dice, p.dice
    begin(s)
    draw(s, p)


@kernel
def step(s, p, actions, rewards):
    """The current player's move; an illegal one loses a die. Whether the game is over."""
    if s.chance > 0:
        fall(s, actions[0])
    else:
        move = actions[s.current_player]
        if legal(s, move):
            play(s, p, move)
        else:
            lose(s, s.current_player)
    draw(s, p)
    pay(s, rewards)
    return s.over != 0


@kernel
def observe(s, o, info):
    """Write what both players know, and the metrics."""
    choices = s.bids.shape[0]
    # legal bids are a range: loops over whole rows of small integers become vector instructions
    last, above = np.int8(s.last), np.int8(FACES * (s.left[0] + s.left[1]))
    for player in range(2):
        o[player].first, o[player].to_move = s.starter == player, moves_now(s, player)
        o[player].own_left, o[player].other_left = s.left[player], s.left[1 - player]
        for k in range(FACES):
            o[player].dice[k] = s.counts[player, k]
        for k in range(choices):
            o[player].own_bids[k] = s.bids[k] == np.int8(player + 1)
        for k in range(choices):
            o[player].other_bids[k] = s.bids[k] == np.int8(2 - player)
        for k in range(choices + 1):
            o[player].action_mask[k] = 0
        for k in range(choices + 1):
            info[player].action_mask[k] = 0
        metrics(s, player, info[player])
    mover = s.current_player
    if moves_now(s, mover):
        for k in range(choices):
            o[mover].action_mask[k] = (np.int8(k) > last) & (np.int8(k) < above)
        for k in range(choices):
            info[mover].action_mask[k] = (np.int8(k) > last) & (np.int8(k) < above)
        doubt = legal(s, choices)
        o[mover].action_mask[choices], info[mover].action_mask[choices] = doubt, doubt


class LiarsDiceWorld(TurnWorld):
    """Two players bid in turn how many of all dice show a face; who doubts ends the round, and one loses a die.

    Args:
        dice: of each player at the start.
        wild: sixes count for every face.
        starter: see `envsuite.language_games.turns.TurnWorld`.
    """

    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        dice: Annotated[int, Between(1, 6)] = 1,
        wild: bool = False,
        starter: Literal["first", "second", "drawn"] = "first",
    ):
        super().__init__(starter=starter)
        self.dice, self.wild = dice, wild
        self.params = Params.make(starter=STARTERS.index(starter), dice=dice, wild=wild)
        bids = 2 * dice * FACES
        self.state_dtype = State.dtype(bids=bids)
        self.info_dtype = Info.dtype(choices=bids + 1)
        self.action = Choice((*(f"bid_{k // FACES + 1}_of_{k % FACES + 1}" for k in range(bids)), "liar"))
        self.observation = turn_layout(
            (
                Block("dice", FACES, 0, dice, "", "how many of one's own dice show each face"),
                Block("own_left", 1, 0, dice, "", "dice that one has"),
                Block("other_left", 1, 0, dice, "", "dice that the other has"),
                Block("own_bids", bids, 0, 1, "", "1 for one's own bids in this round: one 1, one 2, ... two 1s, ..."),
                Block("other_bids", bids, 0, 1, "", "1 for the other's"),
            ),
            bids + 1,
        )
