"""Find pairs: cards lie face down, and two at a time may be turned over."""

import math
from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Choice, Record, Reward, batch_loops, cut, field, kernel, rng
from envsuite.memory.popgym.base import (
    COLORS,
    DECK,
    NONE,
    RANKS,
    Info,
    PopState,
    PopWorld,
    before,
    clear,
    mark,
    one_of,
)

MOST = 104
"""Places that the record has; two decks."""


class Params(Record):
    """The options that kernels know."""

    kinds = field(type=np.int32, meaning="of cards that are told apart")
    cards = field(type=np.int32, meaning="on the table")
    steps = field(type=np.int32, meaning="of an episode at most")
    previous = field(type=np.int32, meaning="where the previous action is observed, -1 for nowhere")


class State(PopState):
    """The table."""

    first = field(type=np.int16, meaning="place of the first card turned over, in the present observation; -1 for none")
    second = field(type=np.int16, meaning="the same of the second card")
    waiting = field(type=np.int8, meaning="1 while the first card waits for a second one")
    found = field(type=np.int16, meaning="cards that lie face up for good")
    up = field(type=np.uint8, shape=MOST, meaning="1 where a card lies face up for good")
    face = field(type=np.int8, shape=MOST, meaning="kind that each place shows, the number of kinds for face down")
    cards = field(type=np.int8, shape=MOST, meaning="kind of the card in each place")


@kernel
def reset(s, p):
    """Shuffle the cards and lay them face down."""
    for k in range(p.cards):
        s.cards[k] = k % p.kinds
    for k in range(MOST):
        s.up[k], s.face[k] = 0, p.kinds
    rng.shuffle(s.rng, rng.RESET, s.cards[: p.cards])
    s.first, s.second, s.waiting, s.found, s.last = NONE, NONE, 0, 0, NONE


@kernel
def hide(s, p, place):
    """Turn a card face down, unless it lies face up for good."""
    if place >= 0 and s.up[place] == 0:
        s.face[place] = p.kinds


@kernel
def step(s, p, action):
    """Turn a card over. Reward, and whether all cards are found."""
    if s.waiting != 0:
        s.second = action
    else:
        hide(s, p, s.first)
        hide(s, p, s.second)
        s.first, s.second = action, NONE
    s.face[action] = s.cards[action]
    s.last, reward = action, 0.0
    if s.clock.step >= p.steps:
        cut(s.clock)
    if s.up[action] != 0:
        reward = (-2.0 if s.waiting != 0 else -1.0) / p.steps
        s.waiting = 0
    elif s.waiting == 0:
        s.waiting = 1
    else:
        s.waiting = 0
        if s.first == s.second or s.cards[s.first] != s.cards[s.second]:
            reward = -2.0 / p.steps
        else:
            s.up[s.first], s.up[s.second] = 1, 1
            s.found += 2
            reward = 2.0 / p.cards
    return reward, s.found == p.cards


@kernel
def observe(s, p, observation, info):
    """Write what each card shows, and the metrics."""
    clear(observation)
    if p.kinds < 4:  # a few plain loops are quicker than many, or than places here and there
        for kind in range(p.kinds + 1):
            start = kind * p.cards
            for k in range(p.cards):
                observation[start + k] = s.face[k] == kind
    else:
        start = p.kinds * p.cards
        for k in range(p.cards):
            observation[start + k] = s.face[k] == p.kinds
        for k in range(p.cards):
            if s.face[k] != p.kinds:
                observation[s.face[k] * p.cards + k] = 1
    if p.previous >= 0:
        mark(observation, p.previous, s.last)
    info.progress = np.float32(s.found / p.cards)
    info.is_success = s.found == p.cards


@kernel
def tell(s, p, info):
    """Write the kinds of all cards, which are up for good, and which one waits for a second."""
    told = info.privileged
    clear(told)
    size = p.kinds + 2
    for k in range(p.cards):
        told[k * size + s.cards[k]] = 1
        told[k * size + p.kinds] = s.up[k]
        told[k * size + p.kinds + 1] = s.waiting != 0 and s.first == k


class ConcentrationWorld(PopWorld):
    """Turn over two cards; if they match they stay, else they are turned back.

    Args:
        match: what two cards must share.
        decks: of 52 cards.
        previous_action: the observation holds the card turned over last.
        privileged: ``info["privileged"]`` holds the state for critics.
    """

    plain, full = batch_loops(reset, step, observe), batch_loops(reset, step, observe, tell)
    state_dtype = State.dtype()

    def __init__(
        self,
        *,
        match: Literal["colors", "ranks"] = "ranks",
        decks: Annotated[int, Between(1, MOST // DECK)] = 1,
        previous_action: bool = True,
        privileged: bool = False,
    ):
        self.names, n = {"colors": COLORS, "ranks": RANKS}[match], DECK * decks
        kinds, steps = len(self.names), math.ceil(2 * n - n / (2 * n - 1))
        self.cards = n
        self.action = Choice(tuple(f"card {k}" for k in range(n)))
        faces = tuple(one_of(name, n, "1 for each card that shows it") for name in self.names)
        down = one_of("face down", n, "1 for each card that lies face down")
        previous = self.sees((*faces, down), before(n) if previous_action else ())
        self.reports(Info, n * (kinds + 2) if privileged else 0)
        self.reward = Reward(low=np.array(-2 / steps), high=np.array(2 / n))
        self.params = Params.make(kinds=kinds, cards=n, steps=steps, previous=previous)
