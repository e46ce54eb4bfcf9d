"""Templates of questions: which way of asking it is, and about what."""

import re
from dataclasses import dataclass
from functools import lru_cache

from envsuite.text_games.oracle.english import stem

_SUBJECT = (
    r"(?:it|this|that|they|these|those|he|she|(?:the|this|that|your|my) (?:mystery |secret |hidden )?"
    r"(?:thing|object|item|word|answer|secret|noun|one))"
    r"(?: (?:that )?(?:you are|you were) thinking (?:of|about)| you have in mind| in question)?"
)
_PEOPLE = (
    r"(?:you|people|someone|somebody|i|we|one|humans|a person|a human|most people|most humans|anyone|they|"
    r"everyone|kids|"
    r"children|adults|many people|some people|we usually|persons|a child|students|women|men|athletes|players)"
)
_HEDGE = re.compile(
    r"\b(?:usually|typically|normally|often|commonly|generally|mostly|mainly|primarily|sometimes|ever|really|very|also|"
    r"just|likely|probably|currently|actually|still|frequently|regularly|traditionally|specifically|essentially|"
    r"basically|mostly|particularly|especially|exclusively|only|always|physically|naturally|ordinarily|customarily|"
    r"predominantly|largely|possibly|maybe|perhaps|considered|classified as|regarded as|known to be|known as|"
    r"categorized as|thought of as|considered to be|designed to be|supposed to be|meant to be|tend to|tends to|"
    r"for the most part|most of the time|in general|most likely|about|pretty|quite|rather|fairly|somewhat|extremely|"
    r"relatively|most often|more often than not|per se)\b"
)
_LEAD = re.compile(
    r"^(?:(?:so|ok|okay|well|hmm|hm|alright|great|now|then|and|but|next|question|first|second|third|my question is|"
    r"i would like to know|i want to know|tell me|please tell me|please|let me ask|could you tell me|can you tell me|"
    r"would you say|would you say that|do you think|do you know if|do you think that|if|whether|is it true that|"
    r"is it correct that|am i right that|question \d+|q\d*|\d+)\s+)+(?=\S)"
)
_TAIL = re.compile(
    r"\s(?:at all|too|or not|then|please|right|correct|by any chance|in some way|in any way|in general|or something|"
    r"of some kind|of some sort|or something like that|or something similar|or similar|in real life|in most "
    r"cases|today|"
    r"nowadays|in order to work|to function|to operate|to work|for anything|when used|when it is used|when you "
    r"use it|when in use|while in use)$"
)
_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "some",
        "any",
        "kind",
        "kinds",
        "type",
        "types",
        "sort",
        "sorts",
        "form",
        "of",
        "it",
        "its",
        "itself",
        "them",
        "their",
        "your",
        "my",
        "his",
        "her",
        "our",
        "one's",
        "something",
        "anything",
        "thing",
        "things",
        "object",
        "objects",
        "item",
        "items",
        "that",
        "which",
        "to",
        "be",
        "being",
        "been",
        "there",
        "oneself",
        "yourself",
    ]
)
_PREPOSITIONS = frozenset(
    [
        "in",
        "by",
        "for",
        "on",
        "with",
        "when",
        "at",
        "while",
        "as",
        "during",
        "from",
        "inside",
        "into",
        "within",
        "around",
    ]
)
_USED = r"(?:used|useful|utilized|good|great|meant|designed|intended|needed|employed|helpful|played|handy|necessary)"
_FOUND = (
    r"(?:found|located|kept|stored|seen|placed|situated|used|present|displayed|sold|put|encountered|available|worn)"
)
_IN = r"(?:in|inside|on|at|around|near|within|throughout)"

TEMPLATES = tuple(
    (re.compile(pattern), frame)
    for pattern, frame in (
        (rf"^(?:is|are|was) {_SUBJECT} (?:something|one|part|anything|a thing|an object|an item) (?:that |which )?"
         rf"(?:{_PEOPLE}) (?:can |could |would |might |may |will |have to |need to |must )?(?:be able to "
             rf")?(.+)$", "done"),
        (rf"^(?:is|are|was) {_SUBJECT} (?:something|one|anything|a thing|an object|an item) (?:that |which "
            rf")(?:has|have|contains|had) (.+)$",
         "has"),
        (rf"^(?:is|are|was) {_SUBJECT} (?:something |one |anything |an object |a thing |an item )with (.+)$", "has"),
        (rf"^(?:is|are|was) {_SUBJECT} (?:something|one|anything|a thing|an object|an item) (?:that |which )"
         r"(?:is|are|can be|could be) (.+)$", "be"),
        (rf"^(?:is|are|was) {_SUBJECT} (?:something|one|anything|a thing|an object|an item) (?:that |which "
            rf")(?:can |could |will )?(.+)$",
         "does"),
        (rf"^(?:is|are|was) {_SUBJECT} (?:something|anything|a thing|an object|an item) (?:to )(.+)$", "for"),
        (rf"^(?:is|are|was) {_SUBJECT} (.+)$", "be"),
        (rf"^(?:would|do|could|can) {_PEOPLE} (?:call|consider|describe|classify|describe|say|regard) (?:it|"
            rf"this|that)(?: as| is)?(?: to be)? (.+)$", "be"),
        (rf"^is there (?:a |an |any )?(.+) (?:in|on|inside|inside of) {_SUBJECT}$", "has"),
        (rf"^are there (?:any )?(.+) (?:in|on|inside|inside of) {_SUBJECT}$", "has"),
        (rf"^(?:does|do|did|has|have) {_SUBJECT} (?:have|has|got|contain|include|possess|come with|consist of|"
            rf"feature) (.+)$", "has"),
        (rf"^(?:does|do|did|would|will|should) {_SUBJECT} (?:get |come to )?be (.+)$", "be"),
        (rf"^(?:does|do|did) {_SUBJECT} (.+)$", "does"),
        (rf"^(?:can|could|would|will|may|might|should|must) {_SUBJECT} (?:be|get) (.+)$", "be"),
        (rf"^(?:can|could|would|will|may|might|should|must) {_SUBJECT} have (.+)$", "has"),
        (rf"^(?:can|could|would|will|may|might|should|must) {_SUBJECT} (.+)$", "does"),
        (rf"^(?:can|could|do|does|did|would|will|should|may|might|must|are) {_PEOPLE} (?:be )?(?:able to |have "
            rf"to |need to |want to )?(.+)$", "done"),
    )
)  # fmt: skip

_BE = tuple(
    (re.compile(pattern), frame)
    for pattern, frame in (
        (r"^(?:entirely |partly |partially |completely )?(?:made|composed|constructed|built|comprised|"
            r"manufactured|crafted) "
         r"(?:out of|of|from|up of|with|using|in part of) (.+)$", "of"),
        (rf"^{_USED} (?:to|for|in|by|as|on|with|at|when|while|during) (.+)$", "for"),
        (r"^made (?:to|for) (.+)$", "for"),
        (rf"^{_FOUND} (?:{_IN}) (.+)$", "at"),
        (r"^(?:in|inside|at|on) (.+)$", "at"),
        (r"^able to (.+)$|^capable of (.+)$", "does"),
        (r"^(.+?) in color$", "color"),
        (r"^(?:the color|colored) (.+)$", "color"),
        (r"^(.+?) colored$", "color"),
        (r"^for (.+)$", "for"),
        (r"^with (.+)$", "has"),
    )
)  # fmt: skip
_DONE = tuple(
    (re.compile(pattern), frame)
    for pattern, frame in (
        (rf"^(?:find|see|keep|use|have|get|buy|store|put|locate|encounter|place|expect to find|want to find|"
            rf"usually find) "
         rf"(?:it|this|that|one|this object|this item|the object)? ?(?:{_IN}) (.+)$", "at"),
        (r"^use (?:it|this|that|one|this object|this item|the object|them)? ?(?:to|for|when|while|in order to|"
            r"as) (.+)$", "for"),
        (r"^(?:play|playing) (?:it|this) (.+)$", "done"),
    )
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """A way of asking.

    Attributes:
        frame: of `envsuite.text_games.twenty_questions.knowledge.FRAMES`.
        phrase: what is asked about.
    """

    frame: str
    phrase: str


def _first(groups: tuple[str | None, ...]) -> str:
    return next(one for one in groups if one is not None)


def unhedged(text: str) -> str:
    """A text without words such as usually.

    Args:
        text: plain, see `envsuite.text_games.oracle.english.plain`.
    """
    return " ".join(_HEDGE.sub(" ", text).split())


def tidy(text: str) -> str:
    """A question without what is said before and after it, and without hedges such as usually.

    Args:
        text: plain, see `envsuite.text_games.oracle.english.plain`.
    """
    before = ""
    while before != text:
        before = text
        text = unhedged(text)
        text = _TAIL.sub("", _LEAD.sub("", text))
    return text


def ways(text: str) -> list[Asked]:
    """How a question may be meant, the likeliest first; none if it is no question of these forms.

    Args:
        text: tidy.
    """
    found: list[Asked] = []
    for pattern, frame in TEMPLATES:
        match = pattern.match(text)
        if match is None:
            continue
        phrase = _first(match.groups())
        if frame == "be":
            found += _refined(phrase, _BE)
            found.append(Asked("is", phrase))
        elif frame == "done":
            found += _refined(phrase, _DONE)
            found.append(Asked("done", phrase))
        else:
            found.append(Asked(frame, phrase))
    return found


def _refined(phrase: str, table: tuple[tuple[re.Pattern[str], str], ...]) -> list[Asked]:
    return [Asked(frame, _first(match.groups())) for pattern, frame in table if (match := pattern.match(phrase))]


@lru_cache(maxsize=1 << 15)
def key(frame: str, phrase: str) -> str:
    """What phrases of the same meaning have in common: stems without articles and the like.

    Args:
        frame: of `envsuite.text_games.twenty_questions.knowledge.FRAMES`.
        phrase: tidy.
    """
    words = [word for word in phrase.split() if word not in _STOP]
    if frame in ("for", "at"):
        while len(words) > 1 and words[0] in _PREPOSITIONS:
            words.pop(0)
    return " ".join(stem(word) for word in words)
