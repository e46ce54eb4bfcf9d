"""Twenty questions in words: the dialogue so far, and the reader of questions."""

import re

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import Refusal, RefusalKind
from envsuite.text_games.twenty_questions.catalogue import OTHER, places
from envsuite.text_games.twenty_questions.knowledge import things
from envsuite.text_games.twenty_questions.oracle import ANSWERS, question_text
from envsuite.text_games.twenty_questions.reader import MOST_WORDS, PLAIN, Reading, read
from envsuite.text_games.twenty_questions.world import FORMS, MOST

FIRST_WORDS = frozenset(("is", "does", "can", "do", "are", "could"))
"""How questions begin that the original lets pass."""


_NAMED = re.compile(r"^question: ([\w -]+?), form: (plain|not|or|and), other question: ([\w -]+)$")


def by_name(text: str) -> Reading | None:
    """Questions by the names of actions; None where a text has another form.

    Args:
        text: such as ``animal``, or ``question: animal, form: or, other question: fruit``.
    """
    text, known = text.strip().lower(), places()
    if text in known:
        return Reading(known[text])
    match = _NAMED.match(text)
    if match is None or match.group(1) not in known or match.group(3) not in known:
        return None
    return Reading(known[match.group(1)], FORMS.index(match.group(2)), known[match.group(3)])


def dialogue(state: np.void) -> list[tuple[str, str]]:
    """The questions so far and their answers.

    Args:
        state: a record of `envsuite.text_games.twenty_questions.world`.
    """
    count = int(state["count"])
    asked, answers = state["asked"][:count].tolist(), state["answers"][:count].tolist()
    return [(question_text(*one), ANSWERS[answer]) for one, answer in zip(asked, answers, strict=True)]


def passes_filter(text: str) -> bool:
    """Whether the original would put a text to its oracle.

    Args:
        text: any.
    """
    words = text.split()
    return 0 < len(words) <= MOST_WORDS and words[0].lower() in FIRST_WORDS and "." not in text.strip().rstrip(".")


class TwentyQuestionsWords(Words):
    """The dialogue; answers are questions in free words."""

    def describe(self, state, agent=0):
        """The rules, the dialogue, and what is left."""
        lines = [f"{k}. {question} {answer}" for k, (question, answer) in enumerate(dialogue(state), 1)]
        if state["won"]:
            end = f"You have guessed it with question {int(state['count'])}."
        elif int(state["count"]) >= MOST:
            end = f"You have no question left. It was: {things()[int(state['secret'])].name}."
        else:
            left = MOST - int(state["count"])
            end = f"You have {left} question{'s' if left > 1 else ''} left. What do you ask?"
        so_far = "\n".join(["Your questions so far, with the answers:", *lines] if lines else ["Nothing is asked yet."])
        return f"{self.instructions(state, agent)}\n\n{so_far}\n\n{end}"

    def instructions(self, state, agent=0):
        """The rules."""
        joined = (
            'Two questions may be joined by "or" (yes if either is so) or "and" (yes if both are), and '
            '"Is it not ...?" is answered with yes if it is not.'
            if self.world.action.shape
            else "Ask one thing at a time, without denying it."
        )
        unknown = "no" if int(self.world.params[0]["unsure"]) else '"I am not sure"'
        noise = float(self.world.params[0]["noise"])
        wrong = f" One answer in {1 / noise:.0f} or so is wrong, but guesses are judged rightly." if noise else ""
        return (
            f"I think of one of {self.world.params[0]['truth'].shape[1]} everyday things: sports equipment, "
            f"animals, fruits, vegetables, vehicles, "
            "clothes, electronics, musical instruments, furniture, office supplies, art supplies, kitchen "
            "tools, things "
            "in nature, toys, jewellery, garden supplies and tools. Find out which one with at most "
            f"{MOST} questions that can be answered with yes or no. Guesses are questions, too: you win by asking "
            'whether it is the right thing, such as "Is it an apple?". Every question costs 1, but for the one that '
            f"wins. {joined} A question that I do not understand counts, and is answered with {unknown}.{wrong} "
            f"Answer with one "
            "question that begins with Is, Does, Can, Do, Are or Could."
        )

    def parse(self, text, state, agent=0):
        """Read a question; see `envsuite.text_games.twenty_questions.reader`."""
        reading = by_name(text) or read(text)
        if self.world.compat and (isinstance(reading, Refusal) or not (by_name(text) or passes_filter(text))):
            reading = Reading(places()[OTHER])
        if isinstance(reading, Refusal):
            return reading
        if self.world.action.shape:
            return np.array([reading.first, reading.form, reading.second], self.world.action.dtype)
        if reading.form != PLAIN:
            return Refusal(RefusalKind.AMBIGUOUS, "ask one thing at a time, without denying it")
        return reading.first
