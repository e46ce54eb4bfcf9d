"""Twenty questions: the rules on one record."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Choices,
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
from envsuite.text_games.oracle.chance import chance
from envsuite.text_games.twenty_questions.catalogue import RULES, first_guess, questions, truth
from envsuite.text_games.twenty_questions.reader import AND, NOT, OR, PLAIN

MOST = 20
"""Questions of an episode."""
FORMS = ("plain", "not", "or", "and")


class Params(Record):
    """The options that kernels know, and the answers."""

    truth = field(type=np.uint8, shape=("questions", "objects"), meaning="1 where the answer is yes")
    first_guess = field(type=np.int32, meaning="the question whether it is the first object")
    noise = field(type=np.float64, meaning="probability that an answer about an object is the wrong one")
    unsure = field(type=np.int8, meaning="answer to what is not understood: 0 for none, -1 for no")
    by_seed = field(type=np.uint8, meaning="the first object after a seed is that of its number")


class State(StateRecord):
    """The secret and the dialogue."""

    seed = field(type=np.int64, meaning="the user's seed")
    secret = field(type=np.int32, meaning="index of the object")
    salt = field(type=np.int64, meaning="which answers are wrong, where some are")
    count = field(type=np.int32, meaning="questions put")
    asked = field(
        type=np.int16, shape=(MOST, 3), meaning="of each question: the first one, how it is put, the second one"
    )
    answers = field(type=np.int8, shape=MOST, meaning="1 for yes, -1 for no, 0 for not sure")
    won = field(type=np.uint8, meaning="the object was guessed")


class Info(Record):
    """The metrics."""

    questions = field(type=np.int32, meaning="questions put")
    success = field(type=np.bool_, meaning="the object was guessed")
    oracle_version = field(type=np.int32, meaning="of the rules that answer, `RULES`")
    oracle_intent = field(type=np.int32, meaning="the last question, an index into `questions()`, -1 before the first")
    oracle_confidence = field(type=np.float64, meaning="1 if it was understood, and the one joined to it, else 0")


@kernel
def reset(s, p):
    """Draw the object; nothing is asked."""
    objects = p.truth.shape[1]
    s.secret = rng.integers(s.rng, rng.RESET, objects)
    s.salt = rng.integers(s.rng, rng.RESET, 1 << 30)
    if p.by_seed and s.rng.episode == 1:
        s.secret = s.seed % objects
    s.count, s.won = 0, 0
    for k in range(MOST):
        s.answers[k] = 0
        for j in range(3):
            s.asked[k, j] = 0


@kernel
def reply(s, p, question):
    """The answer to one question of the catalogue: 1, -1, or 0 for what is not understood."""
    last = p.truth.shape[0] - 1
    if question == last:
        return np.int64(p.unsure)
    yes = p.truth[question, s.secret] != 0
    if p.noise > 0.0 and question < p.first_guess and chance(s.secret, question, s.salt) < p.noise:
        yes = not yes
    return np.int64(1 if yes else -1)


@kernel
def step(s, p, action):
    """Answer a question. Reward, and whether it was the last one."""
    first, form, second = np.int64(action[0]), np.int64(action[1]), np.int64(action[2])
    s.asked[s.count, 0], s.asked[s.count, 1] = first, form
    s.asked[s.count, 2] = second if form >= OR else 0
    answer = reply(s, p, first)
    if form == NOT:
        answer = -answer
    elif form == OR:
        answer = max(answer, reply(s, p, second))
    elif form == AND:
        answer = min(answer, reply(s, p, second))
    s.answers[s.count] = answer
    s.count += np.int32(1)
    s.won = form == PLAIN and first == p.first_guess + s.secret
    return (0.0 if s.won else -1.0), s.won != 0 or s.count >= MOST


@kernel
def step_single(s, p, action, w):
    """`step` with a question alone."""
    w.action[0], w.action[1], w.action[2] = action, PLAIN, 0
    return step(s, p, w.action)


class Room(Record):
    """The workspace of `step_single`."""

    action = field(type=np.int64, shape=3)


@kernel
def learn(o, question, answer):
    """Note what is known about a question."""
    if answer != 0:
        o.known[question] = answer


@kernel
def observe_single(s, o, info):
    """Write what the answers say about each question, and the questions left."""
    for k in range(o.known.shape[0]):
        o.known[k] = 0
    for k in range(s.count):
        first, form, second, answer = s.asked[k, 0], s.asked[k, 1], s.asked[k, 2], s.answers[k]
        if form == PLAIN:
            learn(o, first, answer)
        elif form == NOT:
            learn(o, first, -answer)
        elif (form == OR and answer < 0) or (form == AND and answer > 0):
            learn(o, first, answer)
            learn(o, second, answer)
    o.left = MOST - s.count
    info.questions, info.success = s.count, s.won != 0
    info.oracle_version, info.oracle_intent, info.oracle_confidence = RULES, -1, 0.0
    if s.count > 0:
        asked, unknown = s.asked[s.count - 1], o.known.shape[0] - 1
        info.oracle_intent = asked[0]
        if asked[0] != unknown and (asked[1] < OR or asked[2] != unknown):
            info.oracle_confidence = 1.0


@kernel
def observe(s, o, info):
    """What `observe_single` writes, and the dialogue."""
    observe_single(s, o, info)
    for k in range(MOST):
        for j in range(3):
            o.dialogue[4 * k + j] = s.asked[k, j]
        o.dialogue[4 * k + 3] = s.answers[k]


class TwentyQuestionsWorld(World):
    """Find out which of 158 objects it is with at most 20 questions that are answered with yes or no.

    Args:
        compound: questions may be denied, and two of them joined by or and and; otherwise an action is one question.
        unclear: what is said to a question that the oracle does not understand: ``"unsure"`` or ``"no"``, as the
            original does. It counts as a question in any case.
        noise: probability that an answer is the wrong one; the same question gets the same answer all through an
            episode. Guesses are always judged rightly.
        compat: ``"lmrl-gym"``: the first object after a seed is that of its number modulo 158, texts that are no
            questions count as questions, and what is not understood is answered with no.
    """

    info_dtype = Info.dtype()
    state_dtype = State.dtype()
    reward = Reward(low=np.array(-1.0), high=np.array(0.0))

    def __init__(
        self,
        *,
        compound: bool = True,
        unclear: Literal["unsure", "no"] = "unsure",
        noise: Annotated[float, Between(0.0, 0.5)] = 0.0,
        compat: Literal["lmrl-gym"] | None = None,
    ):
        names, table = tuple(one.name for one in questions()), truth()
        count, objects = table.shape
        self.compat = compat is not None
        self.params = Params.make(
            sizes={"questions": count, "objects": objects},
            truth=table,
            first_guess=first_guess(),
            noise=noise,
            unsure=-1 if unclear == "no" or self.compat else 0,
            by_seed=self.compat,
        )
        heads = (("question", names), ("form", FORMS), ("other question", names))
        self.action = Choices(heads) if compound else Choice(names)
        known = Block(
            "known", count, -1, 1, "", "for each question 1 if the answer is known to be yes, -1 for no, else 0"
        )
        left = Block("left", 1, 0, MOST, "", "questions left")
        last = count - 1
        dialogue = Block(
            "dialogue",
            4 * MOST,
            (0, 0, 0, -1) * MOST,
            (last, len(FORMS) - 1, last, 1) * MOST,
            "",
            "for each question its index, how it is put, the index of the other one, and the answer (1 yes, -1 no)",
        )
        blocks = (known, left, dialogue) if compound else (known, left)
        self.observation = Vector(blocks, dtype=np.int16)
        self.loops = LOOPS[compound]


LOOPS = {
    True: batch_loops(reset, step, observe),
    False: batch_loops(reset, step_single, observe_single, work=Room.dtype()),
}
