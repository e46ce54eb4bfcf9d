"""Guess my city in words: the dialogue so far, and the reader of questions."""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import Refusal, RefusalKind
from envsuite.text_games.guess_city.catalogue import (
    ASKS,
    BINARY,
    OTHER,
    VERSION,
    answers,
    first_guess,
    places,
    questions,
    values,
)
from envsuite.text_games.guess_city.knowledge import cities
from envsuite.text_games.guess_city.topics import TOPICS
from envsuite.text_games.guess_city.world import MOST
from envsuite.text_games.oracle.chance import hashed
from envsuite.text_games.oracle.english import LONGEST, plain, stem
from envsuite.text_games.oracle.matching import Bank
from envsuite.text_games.oracle.reply import OracleReply

NEAR, MARGIN = 0.55, 0.05
"""Cosine from which on the nearest known sentence counts, and how much nearer than the next one it has to be."""
LEADS = ("", "Well, let me see. ", "Good question. ", "I can tell you that. ")
NEUTRAL = ("I cannot say.", "I do not know that.", "That I cannot tell you.", "I would rather not say.")
HIDDEN = (
    "I will tell you later in the game.",
    "That would be too easy now.",
    "Ask me again after some more questions.",
    "Not yet, that would give it away.",
)
"""Ways to begin an answer, and what is said where nothing can be told."""
_ENDS = re.compile(r"[!:;\n]|\.(?!\d)")
_WHETHER = re.compile(r"^(?:is|are|was|does|do|did|has|have|can|could|would|will)\b")
_GUESS = re.compile(
    r"^(?:(?:is|are|was) (?:it|this|that|the city|your city|you|you from|the answer)(?: in| the city of| called|"
    r" from)?|"
    r"(?:are you|do you live|do you come|are you living|are you located) (?:in|from)|my (?:final )?guess is|i "
    r"guess|i think it is|"
    r"it is|could it be|might it be|guess)\s+(?:the city of )?(.+)$"
)


def redacted(text: str, city: int, count: int, reveal: int) -> str:
    """A text without what gives a city away.

    Args:
        text: of an answer.
        city: its index.
        count: questions before.
        reveal: questions from which on nothing is hidden.
    """
    if count >= reveal:
        return text
    for word in (*cities()[city].taboo, cities()[city].landmark):
        text = re.sub(rf"\b{re.escape(word)}\b", "[...]", text, flags=re.IGNORECASE)
    return text


def from_model(text: str, city: int, count: int, reveal: int = 10) -> str:
    """The answer of a language model on one line, without what gives the city away.

    Args:
        text: of the model.
        city: index.
        count: questions before.
        reveal: see `redacted`.
    """
    return redacted(" ".join(text.split())[:LONGEST], city, count, reveal)


def answer_text(question: int, code: int, city: int, count: int, reveal: int) -> str:
    """An answer in words.

    Args:
        question: index in the catalogue.
        code: of the answer, 0 for none.
        city: index; decides how it is put.
        count: questions before.
        reveal: see `redacted`.
    """
    one, way = questions()[question], int(hashed(question, count, city)) % len(LEADS)
    if code == 0:
        return (NEUTRAL if one.kind == "other" else HIDDEN)[way]
    if one.kind != "open":
        return LEADS[way] + ("Yes." if code > 0 else "No.")
    value = values()[one.topic][code - 1]
    text = ASKS[one.topic][1].format(value.capitalize() if one.topic in BINARY else value)
    return LEADS[way] + redacted(text, city, count, reveal)


def _key(text: str) -> str:
    return " ".join(stem(word) for word in plain(text).split())


@lru_cache(maxsize=1)
def _by_name() -> dict[str, int]:
    return {one.name.lower(): k for k, one in enumerate(questions())}


@lru_cache(maxsize=1)
def names() -> dict[str, int]:
    """Questions whether it is a city, by the stems of its names."""
    return {_key(name): first_guess() + k for k, city in enumerate(cities()) for name in city.names}


@lru_cache(maxsize=1)
def sentences() -> dict[str, int]:
    """Known sentences and the questions that they put."""
    found: dict[str, int] = {}
    for topic, phrases in TOPICS.items():
        for phrase in (ASKS[topic][0], *phrases):
            found.setdefault(plain(phrase), places()[topic])
    for k, one in enumerate(questions()):
        if one.kind == "whether":
            option = values()[one.topic][one.value]
            for way in (
                "is it {}",
                "is the city {}",
                "does it lie {}",
                "is the {topic} {}",
                "do they have {}",
                "does it have {}",
            ):
                found.setdefault(plain(way.format(option, topic=one.topic)), k)
            found.setdefault(plain(one.ask), k)
            if one.topic in ("continent", "region"):
                for way in (
                    "is it in {}",
                    "is it located in {}",
                    "is your city in {}",
                    "does it lie in {}",
                    "are you in {}",
                ):
                    found.setdefault(plain(way.format(option)), k)
    return found


@lru_cache(maxsize=1)
def bank() -> Bank:
    """The nearest of `sentences`."""
    return Bank(sentences().items())


def read(text: str) -> tuple[int, float] | Refusal:
    """Read a question.

    Args:
        text: an answer of a player.

    Returns:
        Index in the catalogue and confidence, or why it is no question.
    """
    if not text.strip():
        return Refusal(RefusalKind.EMPTY, "the answer is empty; ask a question about the city")
    text = text[-LONGEST:]
    found = [part for part in (_ENDS.split(part)[-1] for part in text.split("?")[:-1]) if re.search(r"\w", part)]
    if len(found) > 1:
        return Refusal(RefusalKind.AMBIGUOUS, f"the answer holds {len(found)} questions; ask one")
    asked, words = bool(found), plain(found[0] if found else text)
    if text.strip().lower() in _by_name():
        return _by_name()[text.strip().lower()], 1.0
    if not words:
        return Refusal(RefusalKind.UNREADABLE, "no words found; ask a question about the city")
    guess = _GUESS.match(words)
    for phrase in (words, guess.group(1) if guess else ""):
        if _key(phrase) in names():
            return names()[_key(phrase)], 1.0
    if words in sentences():
        return sentences()[words], 1.0
    if (
        not asked
        and not _WHETHER.match(words)
        and not re.match(r"^(?:what|which|how|when|where|who|tell|describe|name)\b", words)
    ):
        return Refusal(RefusalKind.UNREADABLE, "this is no question about the city; ask one, or guess: Is it Tokyo?")
    near = bank().nearest(words)
    if near and near[0][1] >= NEAR and (len(near) == 1 or near[0][1] - near[1][1] >= MARGIN):
        return near[0][0], round(near[0][1], 3)
    return places()[OTHER], 0.0


class RulesOracle:
    """Answers by the tables of facts.

    Args:
        reveal: questions from which on nothing is hidden.
    """

    version = VERSION

    def __init__(self, reveal: int = 10):
        self._reveal = reveal

    def answer(self, secret: int, question: str, turn: int = 0, history: Sequence[tuple[str, str]] = ()) -> OracleReply:
        """Answer a question.

        Args:
            secret: index of the city.
            question: as it was put.
            turn: number of questions before it.
            history: counts for nothing.
        """
        if not 0 <= secret < len(cities()):
            raise ValueError(f"secret is {secret}, expected an index from 0 to {len(cities()) - 1}")
        found = read(question)
        if isinstance(found, Refusal):
            return OracleReply(NEUTRAL[0], "", 0.0, None, self.version)
        place, confidence = found
        code = int(answers()[place, secret])
        if questions()[place].topic == "landmark" and turn < self._reveal:
            code = 0
        text = answer_text(place, code, secret, turn, self._reveal)
        return OracleReply(text, questions()[place].ask if confidence else "", confidence, place, self.version)


def dialogue(state: np.void, reveal: int) -> list[tuple[str, str]]:
    """The questions so far and their answers.

    Args:
        state: a record of `envsuite.text_games.guess_city.world`.
        reveal: see `redacted`.
    """
    count, city = int(state["count"]), int(state["secret"])
    pairs = zip(state["asked"][:count].tolist(), state["told"][:count].tolist(), strict=True)
    return [(questions()[one].ask, answer_text(one, code, city, k, reveal)) for k, (one, code) in enumerate(pairs)]


class GuessMyCityWords(Words):
    """The dialogue; answers are questions in free words."""

    def describe(self, state, agent=0):
        """The rules, the dialogue, and what is left."""
        told = dialogue(state, int(self.world.params[0]["reveal"]))
        lines = [f"{k}. {question} {answer}" for k, (question, answer) in enumerate(told, 1)]
        left = MOST - int(state["count"])
        if state["won"]:
            end = f"You have guessed it with question {int(state['count'])}."
        elif left == 0:
            end = f"You have no question left. It was: {cities()[int(state['secret'])].name}."
        else:
            end = f"You have {left} question{'s' if left > 1 else ''} left. What do you ask?"
        so_far = "\n".join(["Your questions so far, with the answers:", *lines] if lines else ["Nothing is asked yet."])
        return f"{self.instructions(state, agent)}\n\n{so_far}\n\n{end}"

    def instructions(self, state, agent=0):
        """The rules."""
        topics = ", ".join(topic for topic in ASKS)
        return (
            f"I live in one of the {len(cities())} cities that were large in the 1990s. Find out which one with "
            f"at most {MOST} questions. Questions "
            f"may be open or such that yes or no answers them. I know about: {topics}. The landmark is not "
            f"named before "
            f"{int(self.world.params[0]['reveal'])} questions. Guesses are questions, too: you win by asking "
            f"for the right city, such "
            'as "Is it Tokyo?". Every question costs 1, but for the one that wins. Answer with one question.'
        )

    def parse(self, text, state, agent=0):
        """Read a question; see `read`."""
        found = read(text)
        return found if isinstance(found, Refusal) else found[0]
