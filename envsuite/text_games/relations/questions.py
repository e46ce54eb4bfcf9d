"""An examination: questions about one structure, as often true as false."""

import numpy as np

from envsuite.core import Record, field, kernel, rng
from envsuite.text_games.relations.bits import get

NO, YES = 0, 1
TRIES = 10_000
"""Structures drawn at most until one has both true and false questions."""


class Info(Record):
    """The metrics."""

    correct = field(type=np.bool_, meaning="the last answer was right")
    accuracy = field(type=np.float32, meaning="share of right answers so far; 0 before the first")
    success = field(type=np.bool_, meaning="all answers were right, at the end")


@kernel
def find_partners(s):
    """Note who is the second of some true pair."""
    for k in range(s.seconds.shape[0]):
        s.seconds[k] = 0
        for x in range(s.n):
            s.seconds[k] |= s.labels[x, k]


@kernel
def askable(s, p, x, y):
    """Whether there is a question about x and y: in relations of one they are the same, in those of two they differ.

    In a near miss x is the first of some true pair and y the second of another one.
    """
    if (x == y) != (p.unary != 0):
        return False
    if p.unary or not p.near or get(s.labels, x, y):
        return True
    first = np.uint64(0)
    for k in range(s.labels.shape[1]):
        first |= s.labels[x, k]
    at = np.uint64(y)
    return first != 0 and (s.seconds[at >> np.uint64(6)] >> (at & np.uint64(63))) & np.uint64(1) != 0


@kernel
def true_questions(s, p):
    """Numbers of true and of all questions."""
    true, every = 0, 0
    for x in range(s.n):
        for y in range(s.n):
            if askable(s, p, x, y):
                every += 1
                true += get(s.labels, x, y)
    return true, every


@kernel
def ask(s, p):
    """Draw whether the answer is yes, then one of the questions with this answer."""
    true, every = true_questions(s, p)
    s.truth = rng.integers(s.rng, rng.OBSERVATION, 2)
    if true == 0 or true == every:
        s.truth = true > 0
    left = rng.integers(s.rng, rng.OBSERVATION, true if s.truth != 0 else every - true)
    for x in range(s.n):
        for y in range(s.n):
            if askable(s, p, x, y) and get(s.labels, x, y) == (s.truth != 0):
                if left == 0:
                    s.x, s.y = x, y
                    return
                left -= 1


@kernel
def begin(s, p):
    """Ask the first question."""
    s.right, s.correct = 0, 0
    ask(s, p)


@kernel
def answer(s, p, action):
    """Mark an answer and ask the next question. Reward and whether it was the last."""
    s.correct = (action == YES) == (s.truth != 0)
    s.right += np.int32(s.correct)
    ask(s, p)
    return (1.0 if s.correct != 0 else 0.0), s.clock.step >= p.questions


@kernel
def report(s, p, info):
    """Write the metrics."""
    info.correct = s.correct != 0
    info.accuracy = 0.0
    if s.clock.step > 0:
        info.accuracy = np.float32(s.right) / np.float32(s.clock.step)
    info.success = s.right == p.questions
