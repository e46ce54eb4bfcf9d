"""Blackjack against a dealer, from an infinite deck."""

import numpy as np

from envsuite.core import Block, Choice, Record, Reward, StateRecord, Vector, World, batch_loops, field, kernel, rng
from envsuite.text_games.cards.deck import RANKS, SUITS

STICK, HIT = 0, 1
BEST, DEALER_STANDS = 21, 17
MOST, MOST_OF_DEALER = 22, 12
"""Cards of a hand at most: one more than 21 aces; for the dealer six aces, a six, and five aces more."""


class Params(Record):
    """The options that kernels know."""

    natural = field(type=np.uint8, meaning="an ace and a ten that win at once pay 1.5")
    sab = field(type=np.uint8, meaning="an ace and a ten win against everything but the same")


class State(StateRecord):
    """Both hands; the dealer's second card is drawn when the player sticks."""

    ranks = field(type=np.int8, shape=MOST, meaning="of the player's cards, 1 (ace) to 13 (king)")
    suits = field(type=np.int8, shape=MOST, meaning="of the player's cards")
    held = field(type=np.int32, meaning="number of the player's cards")
    dealer_ranks = field(type=np.int8, shape=MOST_OF_DEALER, meaning="of the dealer's cards")
    dealer_suits = field(type=np.int8, shape=MOST_OF_DEALER, meaning="of the dealer's cards")
    dealer_held = field(type=np.int32, meaning="number of the dealer's cards")
    result = field(meaning="reward of an ended episode", type=np.float32)


class Info(Record):
    """The metrics."""

    success = field(type=np.bool_, meaning="won")
    drawn = field(type=np.bool_, meaning="neither won nor lost")


@kernel
def total(ranks, held):
    """Points of a hand, and whether an ace counts 11 in it."""
    points, aces = 0, 0
    for k in range(held):
        points += min(np.int64(ranks[k]), 10)
        aces += ranks[k] == 1
    usable = aces > 0 and points + 10 <= BEST
    return (points + 10 if usable else points), usable


@kernel
def natural(ranks, held):
    """Whether a hand is an ace and a ten."""
    return held == 2 and total(ranks, held)[0] == BEST


@kernel
def deal(s):
    """Give the player a card."""
    s.ranks[s.held] = 1 + rng.integers(s.rng, rng.RESET, RANKS)
    s.suits[s.held] = rng.integers(s.rng, rng.RESET, SUITS)
    s.held += np.int32(1)


@kernel
def deal_dealer(s):
    """Give the dealer a card, from a stream of its own: it does not depend on how many the player took."""
    s.dealer_ranks[s.dealer_held] = 1 + rng.integers(s.rng, rng.DYNAMICS, RANKS)
    s.dealer_suits[s.dealer_held] = rng.integers(s.rng, rng.DYNAMICS, SUITS)
    s.dealer_held += np.int32(1)


@kernel
def reset(s):
    """Take all cards away; two for the player, one for the dealer."""
    for k in range(s.held):
        s.ranks[k], s.suits[k] = 0, 0
    for k in range(s.dealer_held):
        s.dealer_ranks[k], s.dealer_suits[k] = 0, 0
    s.held, s.dealer_held, s.result = 0, 0, 0.0
    deal(s)
    deal(s)
    deal_dealer(s)


@kernel
def showdown(s, p):
    """The dealer draws up to 17; the player's reward."""
    while total(s.dealer_ranks, s.dealer_held)[0] < DEALER_STANDS:
        deal_dealer(s)
    mine, other = total(s.ranks, s.held)[0], total(s.dealer_ranks, s.dealer_held)[0]
    if p.sab and natural(s.ranks, s.held) and not natural(s.dealer_ranks, s.dealer_held):
        return 1.0
    if other > BEST or mine > other:
        return 1.5 if p.natural and natural(s.ranks, s.held) else 1.0
    return 0.0 if mine == other else -1.0


@kernel
def step(s, p, action):
    """A card more, or the showdown. Reward and whether it is over."""
    if action == HIT:
        deal(s)
        over = total(s.ranks, s.held)[0] > BEST
        s.result = -1.0 if over else 0.0
    else:
        over = True
        s.result = showdown(s, p)
    return s.result, over


@kernel
def observe(s, o, info):
    """Write what the player sees."""
    o.points, o.usable_ace = total(s.ranks, s.held)
    o.dealer = min(s.dealer_ranks[0], 10)
    info.success, info.drawn = s.result > 0, s.clock.done != 0 and s.result == 0


class BlackjackWorld(World):
    """Draw cards for more points than the dealer's, but no more than 21.

    Args:
        natural: an ace and a ten that win pay 1.5, as Gymnasium's option of this name.
        sab: the rules of Sutton and Barto (2018), example 5.1: an ace and a ten win against everything but the same.
            `natural` then counts for nothing.
    """

    loops = batch_loops(reset, step, observe)
    action = Choice(("stick", "hit"))
    info_dtype = Info.dtype()
    state_dtype = State.dtype()
    observation = Vector(
        (
            Block("points", 1, 4, 31, "", "points of one's hand"),
            Block("dealer", 1, 1, 10, "", "points of the dealer's open card, 1 for an ace"),
            Block("usable_ace", 1, 0, 1, "", "1 if an ace counts 11 in one's hand"),
        ),
        dtype=np.int8,
    )

    def __init__(self, *, natural: bool = False, sab: bool = False):
        self.params = Params.make(natural=natural and not sab, sab=sab)
        self.reward = Reward(low=np.array(-1.0), high=np.array(1.5 if natural and not sab else 1.0))
