"""How often was this dealt: cards are counted while others are asked for."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Choice, Record, Reward, batch_loops, field, kernel, rng
from envsuite.memory.popgym.base import (
    COLORS,
    DECK,
    NONE,
    RANKS,
    SUITS,
    PopState,
    PopWorld,
    Tally,
    before,
    clear,
    fill,
    mark,
    one_of,
    take,
)

KINDS = {"colors": COLORS, "suits": SUITS, "ranks": RANKS}


class Params(Record):
    """The options that kernels know."""

    kinds = field(type=np.int32, meaning="of cards that are told apart")
    cards = field(type=np.int32, meaning="in each of the two decks")
    paid = field(meaning="reward for a right answer; a wrong one costs it")
    previous = field(type=np.int32, meaning="where the previous action is observed, -1 for nowhere")


class State(PopState):
    """Both decks, one that is dealt and one that asks."""

    shown = field(type=np.int16, meaning="kind of the card dealt last")
    query = field(type=np.int16, meaning="kind that is asked for")
    dealt = field(type=np.int32, meaning="cards of each deck so far")
    right = field(type=np.int32, meaning="right answers")
    left = field(type=np.int16, shape=13, meaning="cards of each kind that are left in the deck")
    queries = field(type=np.int16, shape=13, meaning="the same of the deck that asks")


@kernel
def turn(s, p):
    """Deal a card, and ask for one."""
    first, second, _, _ = rng.uniform4(s.rng, rng.DYNAMICS, 0.0, np.float64(p.cards - s.dealt))
    s.shown, s.query = take(s.left, np.int64(first)), take(s.queries, np.int64(second))
    s.dealt += 1


@kernel
def reset(s, p):
    """Two new decks."""
    fill(s.left, p.kinds, p.cards // p.kinds)
    fill(s.queries, p.kinds, p.cards // p.kinds)
    s.dealt, s.right, s.last = 0, 0, NONE
    turn(s, p)


@kernel
def wanted(s, p):
    """How often the kind asked for was dealt, the present card included."""
    return p.cards // p.kinds - s.left[s.query]


@kernel
def step(s, p, action):
    """Take the answer, deal and ask. Reward and whether the deck is through."""
    hit = action == wanted(s, p)
    s.right += hit
    s.last = action
    turn(s, p)
    return (p.paid if hit else -p.paid), s.dealt == p.cards


@kernel
def observe(s, p, observation, info):
    """Write the card, the question, and the metrics."""
    clear(observation)
    mark(observation, 0, s.shown)
    mark(observation, p.kinds, s.query)
    if p.previous >= 0:
        mark(observation, p.previous, s.last)
    info.asked, info.right = s.dealt - 1, s.right
    info.is_success = info.right == info.asked


@kernel
def tell(s, p, info):
    """Write the question, and how many cards of each kind were dealt and asked for, as shares."""
    told, each = info.privileged, p.cards // p.kinds
    clear(told)
    mark(told, 0, s.query)
    for k in range(p.kinds):
        told[p.kinds + k] = 1.0 - s.left[k] / each
        told[2 * p.kinds + k] = 1.0 - s.queries[k] / each


class CountRecallWorld(PopWorld):
    """Each step deals a card and asks how often a kind of card was dealt so far, the present card included.

    Args:
        count: what is told apart.
        decks: of 52 cards.
        previous_action: the observation holds the previous answer.
        privileged: ``info["privileged"]`` holds the state for critics.
    """

    plain, full = batch_loops(reset, step, observe), batch_loops(reset, step, observe, tell)
    state_dtype = State.dtype()

    def __init__(
        self,
        *,
        count: Literal["colors", "suits", "ranks"] = "colors",
        decks: Annotated[int, Between(1, 16)] = 1,
        previous_action: bool = False,
        privileged: bool = False,
    ):
        self.names, self.cards = KINDS[count], DECK * decks
        kinds = len(self.names)
        most = self.cards // kinds
        self.action = Choice(tuple(map(str, range(most + 1))))
        blocks = (one_of("card", kinds, "1 for what was dealt"), one_of("query", kinds, "1 for what is asked for"))
        previous = self.sees(blocks, before(most + 1) if previous_action else ())
        self.reports(Tally, 3 * kinds if privileged else 0)
        paid = 1 / (self.cards - 1)
        self.reward = Reward(low=np.array(-paid), high=np.array(paid))
        self.params = Params.make(kinds=kinds, cards=self.cards, paid=paid, previous=previous)
