"""Reads a question: which ones of the catalogue it puts, and how they are joined."""

import re
from dataclasses import dataclass
from functools import lru_cache

from envsuite.core.language import Refusal, RefusalKind
from envsuite.text_games.oracle.english import LONGEST, plain
from envsuite.text_games.twenty_questions.catalogue import OTHER, first_guess, places, questions
from envsuite.text_games.twenty_questions.comparisons import read_comparison
from envsuite.text_games.twenty_questions.frames import Asked, key, tidy, ways
from envsuite.text_games.twenty_questions.knowledge import attributes
from envsuite.text_games.twenty_questions.lexicon import bank, in_any_frame, objects, phrases, vocabulary

PLAIN, NOT, OR, AND = range(4)
"""How a question is put: as it stands, denied, or joined with a second one."""
NEAR, MARGIN = 0.55, 0.05
"""Cosine from which on the nearest known sentence counts, and how much nearer than the next one it has to be."""
MOST_WORDS = 40
_COMMON = frozenset(
    [
        "do",
        "does",
        "can",
        "would",
        "is",
        "are",
        "it",
        "its",
        "of",
        "to",
        "in",
        "on",
        "with",
        "have",
        "use",
        "you",
        "person",
        "like",
    ]
)

_ENDS = re.compile(r"[!:;\n]|\.(?!\d)")
_BEGIN = re.compile(r"^(?:is|are|was|does|do|did|can|could|would|will|has|have|should|may|might|must)\b")
_GUESS = re.compile(
    r"^(?:i guess|my (?:final )?(?:guess|answer)(?: is)?|guess|final answer|i think it is|it is)\s+(?:that "
    r")?(?:it is )?(.+)$"
)
_PLAIN_ADJECTIVES = re.compile(
    r"\b(?:common|regular|normal|typical|standard|ordinary|simple|real|actual|certain|specific|single|called)\b"
)
_AGENT = re.compile(
    r"\s(?:by (?:people|humans|a person|a human|someone|most people|you|adults)|of it|to it|with it|for it|in "
    r"it|on it|from it)$"
)
_NOT = re.compile(
    r"^((?:is|are|was|does|do|did|can|could|would|will|has|have)(?: (?:it|this|that|the object|you|people|wild "
    r"animals|its \w+|there))) (?:not|never) (.+)$"
)
_TAG = re.compile(r"^(is|are|was|does|do|did|can|could|would|will|has|have) not (?=it|this|that|the|you|people|they)")
_RELATIVE = re.compile(
    r"^(is (?:it|this|that|the object|the item|the thing) (?:an? )?.+?) (?:that|which) (has|have|is|are|can) (.+)$"
)
_RELATIVES = {"has": "does it have", "have": "does it have", "is": "is it", "are": "is it", "can": "can it"}
_DENIED = re.compile(r"^(?:not|non) (.+)$")


@dataclass(frozen=True)
class Reading:
    """What a question puts.

    Attributes:
        first: index of a question of the catalogue.
        form: `PLAIN`, `NOT`, `OR` or `AND`.
        second: of the other one; 0 where there is none.
        confidence: see `envsuite.text_games.oracle.reply.OracleReply`.
    """

    first: int
    form: int = PLAIN
    second: int = 0
    confidence: float = 1.0

    @property
    def terms(self) -> tuple[int, ...]:
        """The questions."""
        return (self.first, self.second) if self.form in (OR, AND) else (self.first,)


@lru_cache(maxsize=1)
def asked_in_full() -> dict[str, int]:
    """Questions of the catalogue by their texts and names."""
    found = {plain(one.name): k for k, one in enumerate(questions()) if one.kind not in ("attribute", "other")}
    found |= {plain(one.ask): k for k, one in enumerate(questions()) if one.kind != "other"}
    for k, one in enumerate(attributes()):
        found |= {plain(text): k for text in one.also}
    return found


def question_of(text: str) -> str | Refusal:
    """The one question in a text.

    Args:
        text: an answer of a player.

    Returns:
        What ends with a question mark, or all of a text that has none.
    """
    if not text.strip():
        return Refusal(RefusalKind.EMPTY, "the answer is empty; ask a question that can be answered with yes or no")
    sentences = (_ENDS.split(part)[-1] for part in text[-LONGEST:].split("?")[:-1])
    found = [one for one in sentences if re.search(r"\w", one)]
    if len(found) > 1:
        return Refusal(RefusalKind.AMBIGUOUS, f"the answer holds {len(found)} questions; ask one")
    return (found[0] if found else text[-LONGEST:]).strip()


def read(text: str) -> Reading | Refusal:
    """Read a question.

    Args:
        text: an answer of a player.

    Returns:
        What it puts, `OTHER` for a question that is not understood, or why it is no question.
    """
    question = question_of(text)
    if isinstance(question, Refusal):
        return question
    if plain(question) in asked_in_full():
        return Reading(asked_in_full()[plain(question)])
    # commas between alternatives
    if re.search(r"\bor\b", question, re.IGNORECASE):
        question = re.sub(r",\s*(?:or\b)?", " or ", question)
    # "Isn't it alive?" asks what "Is it alive?" asks; "Is it not alive?" does not
    words = _TAG.sub(r"\1 ", tidy(plain(question)))
    if not words:
        return Refusal(RefusalKind.UNREADABLE, "no words found; ask a question that can be answered with yes or no")
    if len(words.split()) > MOST_WORDS:
        return Refusal(RefusalKind.UNREADABLE, f"the question has more than {MOST_WORDS} words; ask a shorter one")
    if words in asked_in_full():
        return Reading(asked_in_full()[words])
    if not _BEGIN.match(words):
        guess = _GUESS.match(words)
        place = _object(guess.group(1) if guess else words)
        if place is not None:
            return Reading(place)
        return Refusal(
            RefusalKind.UNREADABLE,
            "this is no question that can be answered with yes or no; begin with Is, Does, Can, Do, Are or Could",
        )
    return _read(words)


def _object(phrase: str) -> int | None:
    """The guess of a noun phrase."""
    return objects().get(key("is", " ".join(_PLAIN_ADJECTIVES.sub(" ", phrase).split())))


@lru_cache(maxsize=4096)
def _read(words: str) -> Reading | Refusal:
    words = re.sub(r"\b(?:either|both)\b ?", "", words)
    whole = _term(words)
    if whole is not None:
        return whole
    if (denied := _NOT.match(words)) and (term := _term(f"{denied.group(1)} {denied.group(2)}")) is not None:
        return _denied(term)
    for mark, form in ((" or ", OR), (" and ", AND)):
        parts = [part for part in words.split(mark) if part]
        if len(parts) == 1:
            continue
        if len(parts) > 2:
            return Refusal(RefusalKind.AMBIGUOUS, "the question joins more than two questions; join two at most")
        joined = _joined(parts[0], parts[1], form)
        if joined is not None:
            return joined
    if relative := _RELATIVE.match(words):
        left, verb, right = relative.groups()
        if (joined := _joined(left, f"{_RELATIVES[verb]} {right}", AND)) is not None:
            return joined
    return _nearest(words)


def _denied(term: Reading) -> Reading:
    return Reading(term.first, PLAIN if term.form == NOT else NOT, 0, term.confidence)


def _term(words: str) -> Reading | None:
    """One question without alternatives."""
    if words in asked_in_full():
        return Reading(asked_in_full()[words])
    if (compared := read_comparison(words)) is not None:
        return Reading(compared[0], NOT if compared[1] else PLAIN)
    for way in ways(words):
        if (found := _meaning(way)) is not None:
            return found
    return None


def _meaning(way: Asked) -> Reading | None:
    frame, phrase = way.frame, way.phrase
    if frame == "is":
        colour = phrases().get(("color", key("color", phrase))) if not re.match(r"(?:a|an|the) ", phrase) else None
        if colour is not None:
            return Reading(colour)
        place = _object(phrase)
        if place is not None:
            return Reading(place)
        if denied := _DENIED.match(phrase):
            found = _meaning(Asked("is", denied.group(1)))
            return None if found is None else _denied(found)
    for part in (phrase, _AGENT.sub("", phrase)):
        words = key(frame, part)
        if (frame, words) in phrases():
            return Reading(phrases()[frame, words])
        if words in in_any_frame():
            return Reading(in_any_frame()[words], confidence=0.9)
    return None


def _joined(left: str, right: str, form: int) -> Reading | None:
    """Two alternatives, of which the second may lack its beginning."""
    first = _term(left)
    if first is None or first.form == NOT:
        return None
    tries = [right] if _BEGIN.match(right) else []
    # the beginning of the first one, shortened word by word, may be that of both
    words = left.split()
    tries += [" ".join((*words[:k], right)) for k in range(len(words) - 1, 1, -1)]
    for one in tries:
        second = _term(one)
        if second is not None and second.form == PLAIN:
            return Reading(first.first, form, second.first, min(first.confidence, second.confidence))
    return None


def _nearest(words: str) -> Reading:
    """By likeness to known sentences; a word that only other attributes know makes it another question."""
    found = bank().nearest(words)
    if found and found[0][1] >= NEAR and (len(found) == 1 or found[0][1] - found[1][1] >= MARGIN):
        foreign = set(key("is", words).split()) & vocabulary()[-1] - vocabulary()[found[0][0]] - _COMMON
        if not foreign:
            return Reading(found[0][0], confidence=round(found[0][1], 3))
    return Reading(places()[OTHER], confidence=0.0)


def is_guess(question: int) -> bool:
    """Whether a question is whether it is one of the objects.

    Args:
        question: index in the catalogue.
    """
    return first_guess() <= question < len(questions()) - 2
