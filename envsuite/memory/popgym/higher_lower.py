"""Is the next card higher or lower: who counts the cards guesses better."""

from typing import Annotated

import numpy as np

from envsuite.core import Between, Choice, Record, Reward, batch_loops, field, kernel
from envsuite.memory.popgym.base import (
    DECK,
    NONE,
    RANKS,
    PopState,
    PopWorld,
    before,
    clear,
    deal,
    fill,
    mark,
    one_of,
)

HIGHER, LOWER = range(2)


class Params(Record):
    """The options that kernels know."""

    cards = field(type=np.int32, meaning="in the deck")
    previous = field(type=np.int32, meaning="where the previous action is observed, -1 for nowhere")


class State(PopState):
    """What is left of the deck."""

    shown = field(type=np.int16, meaning="rank of the card, 0 for the ace")
    dealt = field(type=np.int32, meaning="cards so far")
    right = field(type=np.int32, meaning="right guesses")
    ties = field(type=np.int32, meaning="cards of the rank of the one before, which count for nothing")
    left = field(type=np.int16, shape=13, meaning="cards of each rank that are left")


class Info(Record):
    """The metrics."""

    right = field(type=np.int32, meaning="right guesses")
    wrong = field(type=np.int32, meaning="wrong guesses")


@kernel
def reset(s, p):
    """A new deck, of which one card is shown."""
    fill(s.left, 13, p.cards // 13)
    s.shown = deal(s.rng, s.left, p.cards)
    s.dealt, s.right, s.ties, s.last = 1, 0, 0, NONE


@kernel
def step(s, p, action):
    """Show the next card. Reward and whether the deck is through."""
    rank = deal(s.rng, s.left, p.cards - s.dealt)
    gap, reward = rank - s.shown, 0.0
    s.dealt += 1
    s.last, s.shown = action, rank
    if gap == 0:
        s.ties += 1
    else:
        hit = (gap > 0) == (action == HIGHER)
        s.right += hit
        reward = (1.0 if hit else -1.0) / p.cards
    return reward, s.dealt == p.cards


@kernel
def observe(s, p, observation, info):
    """Write the rank, and the metrics."""
    clear(observation)
    mark(observation, 0, s.shown)
    if p.previous >= 0:
        mark(observation, p.previous, s.last)
    info.right, info.wrong = s.right, s.dealt - 1 - s.ties - s.right


@kernel
def tell(s, p, info):
    """Write the rank, and the share of each rank that is left."""
    told = info.privileged
    clear(told)
    mark(told, 0, s.shown)
    for k in range(13):
        told[13 + k] = s.left[k] * 13.0 / p.cards


class HigherLowerWorld(PopWorld):
    """Guess whether the next card of a deck is higher or lower than the one shown; aces are low.

    Args:
        decks: of 52 cards.
        previous_action: the observation holds the previous guess.
        privileged: ``info["privileged"]`` holds the state for critics.
    """

    plain, full = batch_loops(reset, step, observe), batch_loops(reset, step, observe, tell)
    state_dtype = State.dtype()
    action = Choice(("higher", "lower"))

    def __init__(
        self,
        *,
        decks: Annotated[int, Between(1, 16)] = 1,
        previous_action: bool = False,
        privileged: bool = False,
    ):
        self.cards = DECK * decks
        previous = self.sees(
            (one_of("rank", len(RANKS), "1 for the rank of the card, the ace first"),),
            before(2) if previous_action else (),
        )
        self.reports(Info, 26 if privileged else 0)
        self.reward = Reward(low=np.array(-1 / self.cards), high=np.array(1 / self.cards))
        self.params = Params.make(cards=self.cards, previous=previous)
