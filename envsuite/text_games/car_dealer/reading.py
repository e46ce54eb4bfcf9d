"""Reads what a seller says: act, car, features and price."""

import re
from dataclasses import dataclass

from envsuite.core.language import Refusal, RefusalKind
from envsuite.text_games.car_dealer.catalogue import BRANDS, PRICES, STEP, TYPES, list_price
from envsuite.text_games.car_dealer.world import (
    APOLOGISE,
    ASK_BUDGET,
    ASK_NEEDS,
    END,
    GREET,
    INSULT,
    LONGEST,
    OFFER,
    TALK,
)
from envsuite.text_games.oracle.english import LONGEST as MOST_CHARACTERS
from envsuite.text_games.oracle.english import plain

_BRANDS = {"vw": "Volkswagen", "mercedes": "Mercedes-Benz", "benz": "Mercedes-Benz", "lexus": "Lexus"}
_BRANDS |= {plain(one): one for one in BRANDS}
_KINDS = {
    "suv": "SUV",
    "suvs": "SUV",
    "ev": "electric",
    "pickup": "truck",
    "cabriolet": "convertible",
    "saloon": "sedan",
}
_KINDS |= {one.lower(): one for one in TYPES}
_FEATURES = {
    "backup camera": 0,
    "rear view camera": 0,
    "rearview camera": 0,
    "reversing camera": 0,
    "back up camera": 0,
    "navigation": 1,
    "gps": 1,
    "sat nav": 1,
    "heated seat": 2,
    "seat heating": 2,
    "leather": 3,
    "third row": 4,
    "3rd row": 4,
    "seven seat": 4,
    "7 seat": 4,
    "blind spot": 5,
    "sunroof": 6,
    "sun roof": 6,
    "moonroof": 6,
    "carplay": 7,
    "car play": 7,
}
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_WORDS: dict[str, int] = {word: k for k, word in enumerate(_UNITS.split())}
_WORDS |= {
    word: 10 * k
    for k, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2)
}
_NUMBER = "|".join(sorted(_WORDS, key=len, reverse=True))
_MONTHLY = re.compile(r"\b(?:per|a|each|every) month\b|\bmonthly\b|/ ?mo(?:nth)?\b", re.IGNORECASE)
_PERCENT = re.compile(
    r"(\d{1,2}(?:\.\d+)?) ?(?:%|percent)(?: (?:off|discount|less|below|under|reduction))?", re.IGNORECASE
)
_OFF = re.compile(
    r"\$? ?(\d[\d,]{0,14}(?:\.\d+)?) ?(k\b|thousand\b)?(?: dollars)? (?:off|less|discount)\b", re.IGNORECASE
)
_MONEY = re.compile(
    r"\$ ?(\d[\d,]{0,14}(?:\.\d+)?) ?(k\b|thousand\b)?|\b(\d[\d,]{0,14}(?:\.\d+)?) ?(k\b|thousand\b|dollars\b|"
    r"usd\b|bucks\b)|\b(\d{1,3},\d{3}|\d{4,6})\b",
    re.IGNORECASE,
)
_SPELLED = re.compile(rf"\b((?:{_NUMBER})(?:[ -](?:{_NUMBER}))?)(?: (hundred))? thousand\b", re.IGNORECASE)
_GREETING = re.compile(r"\b(?:hello|hi|hey|welcome|good (?:day|morning|afternoon|evening)|greetings|nice to meet)\b")
_NEEDS = re.compile(
    r"\b(?:looking for|(?:what|which|any) .*(?:need|want|like|prefer|interest|features?|kind|type|brand|model|"
    r"car)|how can i help|can i help|help you|your needs|preferences?)\b"
)
_BUDGET = re.compile(
    r"\bbudget\b|\bhow much (?:can|could|do|would|are) you\b|\bprice range\b|\bspend\b|\bwilling to pay\b"
)
_SORRY = re.compile(
    r"\b(?:sorry|apologi[sz]e|apologies|my mistake|forgive|i understand|i see how|i can imagine|i hear you|"
    r"understandable)\b"
)
_INSULT = re.compile(
    r"\b(?:idiot|stupid|fool|moron|dumb|loser|shut up|jerk|useless|pathetic|cheapskate|ugly|get lost|go to hell)\b"
)
_CLOSING = re.compile(
    r"\b(?:goodbye|bye|farewell|have a (?:good|nice) (?:day|one)|no deal|end of (?:the )?(?:talk|conversation)|"
    r"we are done)\b"
)


@dataclass(frozen=True)
class Turn:
    """What a seller says.

    Attributes:
        act: index, see `envsuite.text_games.car_dealer.world`.
        brand: index.
        kind: index.
        features: bits.
        price: dollars, 0 for none.
        long: it has more words than an impatient buyer likes.
    """

    act: int
    brand: int
    kind: int
    features: int
    price: int
    long: bool


def amounts(text: str) -> list[int]:
    """The prices in a text, dollars.

    Args:
        text: any.
    """
    found = []
    for sign, thousand, number, unit, bare in _MONEY.findall(text):
        digits = (sign or number or bare).replace(",", "")
        scale = 1000 if (thousand or unit).lower() in ("k", "thousand") else 1
        found.append(round(float(digits) * scale))
    for words, hundred in _SPELLED.findall(text):
        value = sum(_WORDS[part] for part in re.split(r"[ -]", words.lower()))
        found.append(1000 * value * (100 if hundred else 1))
    return found


def _named(words: str, names: dict[str, str], order: tuple[str, ...]) -> int | None:
    found = [
        (match.start(), order.index(other))
        for name, other in names.items()
        for match in re.finditer(rf"\b{name}\b", words)
    ]
    return max(found)[1] if found else None


def read_turn(text: str, brand: int, kind: int, features: int) -> Turn | Refusal:
    """Read a turn of the seller.

    Args:
        text: what was said.
        brand: of the car that is talked about, if the text names none.
        kind: likewise.
        features: likewise, bits.
    """
    if not text.strip():
        return Refusal(RefusalKind.EMPTY, "the answer is empty; say something to the buyer")
    text = text[-MOST_CHARACTERS:]
    words = plain(text)
    if not words:
        return Refusal(RefusalKind.UNREADABLE, "no words found; say something to the buyer")
    named = _named(words, _BRANDS, BRANDS), _named(words, _KINDS, TYPES)
    told = sum({1 << k for name, k in _FEATURES.items() if re.search(rf"\b{name}", words)})
    brand, kind = (one if one is not None else other for one, other in zip(named, (brand, kind), strict=True))
    bundle, long = told or features, len(words.split()) > LONGEST

    def turn(act: int, price: int = 0) -> Turn:
        return Turn(act, brand, kind, bundle if act == OFFER else told, price, long)

    if _INSULT.search(words):
        return turn(INSULT)
    price = _price(text, list_price(brand, kind, bundle))
    if isinstance(price, Refusal):
        return price
    if price:
        return turn(OFFER, price)
    for pattern, act in ((_CLOSING, END), (_BUDGET, ASK_BUDGET), (_SORRY, APOLOGISE)):
        if pattern.search(words):
            return turn(act)
    if told:
        return turn(TALK)
    for pattern, act in ((_NEEDS, ASK_NEEDS), (_GREETING, GREET)):
        if pattern.search(words):
            return turn(act)
    if named != (None, None):
        return turn(TALK)
    return Refusal(
        RefusalKind.UNREADABLE,
        "this is no turn of a seller; greet, ask for needs or for the budget, talk about features, name a price, "
        "apologise, or say goodbye",
    )


def _price(text: str, listed: int) -> int | Refusal:
    """The price in steps' multiples, 0 for none."""
    if _MONTHLY.search(text) and (_MONEY.search(text) or _SPELLED.search(text)):
        return Refusal(RefusalKind.ILLEGAL, "the buyer pays at once; name one price instead of monthly payments")
    percent = _PERCENT.findall(text)
    rest = _PERCENT.sub(" ", text)
    off = _OFF.findall(rest)
    prices = amounts(_OFF.sub(" ", rest))
    if prices:
        price = prices[-1]
    elif percent:
        price = round(listed * (1 - float(percent[-1]) / 100))
    elif off:
        scale = 1000 if off[-1][1] else 1
        price = listed - round(float(off[-1][0].replace(",", "")) * scale)
    else:
        return 0
    if not STEP <= price <= PRICES * STEP:
        return Refusal(RefusalKind.OUT_OF_RANGE, f"{price} dollars is outside [{STEP}, {PRICES * STEP}]")
    return (price + STEP // 2) // STEP * STEP
