"""Guess my city: the rules on one record."""

from typing import Annotated

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Record,
    Reward,
    StateRecord,
    Vector,
    World,
    batch_loops,
    field,
    kernel,
    rng,
)
from envsuite.text_games.guess_city.catalogue import LANDMARK, RULES, answers, first_guess, places, questions, values

MOST = 20
"""Questions of an episode."""


class Params(Record):
    """The options that kernels know, and the answers."""

    answers = field(type=np.int16, shape=("questions", "cities"), meaning="code of each answer about each city")
    first_guess = field(type=np.int32, meaning="the question whether it is the first city")
    landmark = field(type=np.int32, meaning="the question for the landmark")
    reveal = field(type=np.int32, meaning="questions before the landmark is named")


class State(StateRecord):
    """The secret and the dialogue."""

    secret = field(type=np.int32, meaning="index of the city")
    count = field(type=np.int32, meaning="questions put")
    asked = field(type=np.int16, shape=MOST, meaning="the questions")
    told = field(type=np.int16, shape=MOST, meaning="codes of the answers, 0 for none")
    won = field(type=np.uint8, meaning="the city was guessed")


class Info(Record):
    """The metrics."""

    turns = field(type=np.int32, meaning="questions put")
    success = field(type=np.bool_, meaning="the city was guessed")
    oracle_version = field(type=np.int32, meaning="of the rules that answer, `RULES`")
    oracle_intent = field(type=np.int32, meaning="the last question, an index into `questions()`, -1 before the first")
    oracle_confidence = field(type=np.float64, meaning="1 if it was understood, else 0")


@kernel
def reset(s, p):
    """Draw the city; nothing is asked."""
    s.secret = rng.integers(s.rng, rng.RESET, p.answers.shape[1])
    s.count, s.won = 0, 0
    for k in range(MOST):
        s.asked[k], s.told[k] = 0, 0


@kernel
def step(s, p, action):
    """Answer a question. Reward, and whether it was the last one."""
    hidden = action == p.landmark and s.count < p.reveal
    s.asked[s.count] = action
    s.told[s.count] = 0 if hidden else p.answers[action, s.secret]
    s.count += np.int32(1)
    s.won = action == p.first_guess + s.secret
    return (0.0 if s.won else -1.0), s.won != 0 or s.count >= MOST


@kernel
def observe(s, o, info):
    """Write what is known about each question, and the questions left."""
    for k in range(o.known.shape[0]):
        o.known[k] = 0
    for k in range(s.count):
        if s.told[k] != 0:
            o.known[s.asked[k]] = s.told[k]
    o.left = MOST - s.count
    info.turns, info.success = s.count, s.won != 0
    last = s.asked[s.count - 1] if s.count > 0 else -1
    info.oracle_version, info.oracle_intent = RULES, last
    info.oracle_confidence = 1.0 if 0 <= last < o.known.shape[0] - 1 else 0.0


class GuessMyCityWorld(World):
    """Find out which of 99 cities it is with at most 20 questions, of which most are open.

    Args:
        reveal: questions that have to be put before the question for the landmark is answered; before, an answer that
            names it would
            give the city away.
    """

    loops = batch_loops(reset, step, observe)
    info_dtype = Info.dtype()
    state_dtype = State.dtype()
    reward = Reward(low=np.array(-1.0), high=np.array(0.0))

    def __init__(self, *, reveal: Annotated[int, Between(0, MOST)] = 10):
        table, names = answers(), tuple(one.name for one in questions())
        self.params = Params.make(
            sizes={"questions": table.shape[0], "cities": table.shape[1]},
            answers=table,
            first_guess=first_guess(),
            landmark=places()[LANDMARK],
            reveal=reveal,
        )
        self.action = Choice(names)
        opens = [one.kind == "open" for one in questions()]
        high = [len(values()[one.topic]) if is_open else 1 for one, is_open in zip(questions(), opens, strict=True)]
        known = Block(
            "known",
            len(names),
            [0 if is_open else -1 for is_open in opens],
            high,
            "",
            "for each open question its answer, the index of the value and 1; for others 1 for yes, -1 for no; "
            "0 for unknown",
        )
        self.observation = Vector((known, Block("left", 1, 0, MOST, "", "questions left")), dtype=np.int16)
