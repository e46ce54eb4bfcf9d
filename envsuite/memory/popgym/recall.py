"""Say again which suits were seen: a few cards ago, at first, or all of them backwards."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Block, Choice, Record, Reward, batch_loops, field, kernel
from envsuite.memory.popgym.base import (
    DECK,
    NONE,
    SUITS,
    Compat,
    PopState,
    PopWorld,
    Tally,
    before,
    clear,
    deal,
    fill,
    mark,
    one_of,
)

KEPT = 160
"""Suits that the record holds, the latest ones; three decks have 156 cards."""
TASKS = ("previous", "first", "backwards")
PREVIOUS, FIRST, BACKWARDS = range(3)


class Params(Record):
    """The options that kernels know."""

    task = field(type=np.int32, meaning="which of the three")
    cards = field(type=np.int32, meaning="in the deck")
    k = field(type=np.int32, meaning="how many cards ago, 1 for the present one")
    paid = field(meaning="reward for a right answer; a wrong one costs it")
    previous = field(type=np.int32, meaning="where the previous action is observed, -1 for nowhere")
    blank = field(type=np.int32, meaning="suit shown where there is no card, -1 for none")


class State(PopState):
    """What is left of the deck, and what was shown."""

    shown = field(type=np.int16, meaning="suit in the present observation, -1 for none")
    dealt = field(type=np.int32, meaning="cards so far")
    recited = field(type=np.int32, meaning="of them, said backwards")
    right = field(type=np.int32, meaning="right answers")
    asked = field(type=np.int32, meaning="answers that counted")
    left = field(type=np.int16, shape=4, meaning="cards of each suit that are left")
    first = field(type=np.int16, meaning="suit of the first card")
    seen = field(type=np.int8, shape=KEPT, meaning="suit of card n, the first being 0, at n modulo the size")


@kernel
def turn(s, p):
    """Turn over the next card."""
    suit = deal(s.rng, s.left, p.cards - s.dealt)
    s.shown, s.seen[s.dealt % KEPT] = suit, suit
    s.dealt += 1


@kernel
def reset(s, p):
    """A new deck, of which one card is shown."""
    fill(s.left, 4, p.cards // 4)
    clear(s.seen)
    s.dealt, s.recited, s.right, s.asked, s.last = 0, 0, 0, 0, NONE
    turn(s, p)
    s.first = s.shown


@kernel
def wanted(s, p):
    """The suit that is the right answer now; -1 while there is none."""
    if p.task == PREVIOUS:
        return np.int64(s.seen[(s.dealt - p.k) % KEPT]) if s.dealt >= p.k else NONE
    if p.task == FIRST:
        return np.int64(s.first)
    return np.int64(s.seen[p.cards - 1 - s.recited]) if s.dealt == p.cards else NONE


@kernel
def step(s, p, action):
    """Take the answer and show the next card. Reward and whether the deck is through."""
    suit, reward = wanted(s, p), 0.0
    if suit >= 0:
        s.asked += 1
        s.right += action == suit
        reward = p.paid if action == suit else -p.paid
    s.last = action
    if p.task == BACKWARDS and s.dealt == p.cards:
        s.recited += 1
        s.shown = p.blank
        return reward, s.recited == p.cards
    turn(s, p)
    return reward, s.dealt == p.cards and p.task != BACKWARDS


@kernel
def observe(s, p, observation, info):
    """Write the suit of the card, whether it is to be recited, and the metrics."""
    clear(observation)
    mark(observation, 0, s.shown)
    if p.task == BACKWARDS:
        observation[4] = s.dealt == p.cards
    if p.previous >= 0:
        mark(observation, p.previous, s.last)
    info.asked, info.right, info.is_success = s.asked, s.right, s.right == s.asked


@kernel
def tell(s, p, info):
    """Write the answer, what is left of the deck, and the cards that matter now or later, the latest first."""
    told = info.privileged
    clear(told)
    mark(told, 0, wanted(s, p))
    for k in range(4):
        told[4 + k] = s.left[k] * 4.0 / p.cards
    told[8] = (s.dealt + s.recited) / (2.0 * p.cards)
    cards = min(s.dealt, (told.shape[0] - 9) // 4)
    for n in range(cards):
        mark(told, 9 + 4 * n, s.seen[(s.dealt - 1 - n) % KEPT])


class RecallWorld(PopWorld):
    """Cards are shown one by one; the answers are suits.

    Args:
        task: ``"previous"``: the suit of the `k`-th latest card; ``"first"``: that of the first one; ``"backwards"``:
            all are watched, then said in reverse.
        decks: of 52 cards; three at most where all cards are said backwards.
        k: 1 is the present card.
        previous_action: the observation holds the previous answer.
        privileged: ``info["privileged"]`` holds the state for critics.
        compat: ``"popgym-1.0.7"``: spades are shown while cards are said backwards, instead of no card.

    Raises:
        ValueError: more cards than can be remembered, or fewer than `k`.
    """

    plain, full = batch_loops(reset, step, observe), batch_loops(reset, step, observe, tell)
    state_dtype = State.dtype()
    action = Choice(SUITS)

    def __init__(
        self,
        *,
        task: Literal["previous", "first", "backwards"] = "previous",
        decks: Annotated[int, Between(1, 16)] = 1,
        k: Annotated[int, Between(1, KEPT)] = 4,
        previous_action: bool = False,
        privileged: bool = False,
        compat: Compat | None = None,
    ):
        self.task, self.cards, self.k = TASKS.index(task), DECK * decks, k
        if self.task == BACKWARDS and self.cards > KEPT:
            raise ValueError(f"decks is {decks}, expected at most {KEPT // DECK} where all cards are said backwards")
        if self.task == PREVIOUS and k >= self.cards:
            raise ValueError(f"k is {k}, expected less than the {self.cards} cards")
        asked = (self.cards - k, self.cards - 1, self.cards)[self.task]
        modes = (Block("mode", 1, 0, 1, "", "1 while the cards are to be said backwards"),)
        blocks = (one_of("suit", 4, "1 for the suit of the card"), *(modes if self.task == BACKWARDS else ()))
        previous = self.sees(blocks, before(4) if previous_action else ())
        kept = (k, 1, self.cards)[self.task]
        self.reports(Tally, 9 + 4 * kept if privileged else 0)
        self.reward = Reward(low=np.array(-1 / asked), high=np.array(1 / asked))
        self.params = Params.make(
            task=self.task,
            cards=self.cards,
            k=k,
            paid=1 / asked,
            previous=previous,
            blank=0 if compat else NONE,
        )
