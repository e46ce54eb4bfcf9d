"""Makes English questions comparable: small letters, no accents, one spelling, one form of a word."""

import re
import unicodedata
from functools import lru_cache

LONGEST = 2000
"""Characters of a text that are looked at."""

_CONTRACTIONS = (
    (re.compile(r"\bcan'?t\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\b(is|are|was|do|does|did|could|would|should|has|have)n't\b"), r"\1 not"),
    (re.compile(r"\b(it|that|this|he|she|what|there)'s\b"), r"\1 is"),
    (re.compile(r"\b(you|they|we)'re\b"), r"\1 are"),
    (re.compile(r"\b(you|they|we|i)'d\b"), r"\1 would"),
    (re.compile(r"\bi'm\b"), "i am"),
)
_SPELLING = {
    "aeroplane": "airplane",
    "aluminium": "aluminum",
    "armour": "armor",
    "centimeters": "cm",
    "centimetre": "cm",
    "centimetres": "cm",
    "centimeter": "cm",
    "centre": "center",
    "coloured": "colored",
    "colour": "color",
    "colours": "colors",
    "colourful": "colorful",
    "flavour": "flavor",
    "grey": "gray",
    "jewellery": "jewelry",
    "jewelery": "jewelry",
    "kilogram": "kg",
    "kilograms": "kg",
    "kilometer": "km",
    "kilometers": "km",
    "kilometre": "km",
    "kilometres": "km",
    "metre": "meter",
    "metres": "meters",
    "moulded": "molded",
    "neighbour": "neighbor",
    "odour": "odor",
    "plough": "plow",
    "theatre": "theater",
    "tyre": "tire",
    "tyres": "tires",
}
_IRREGULAR = {
    "ate": "eat",
    "beaten": "beat",
    "bit": "bite",
    "bought": "buy",
    "broken": "break",
    "brought": "bring",
    "built": "build",
    "children": "child",
    "clothes": "clothing",
    "driven": "drive",
    "eaten": "eat",
    "feet": "foot",
    "flew": "fly",
    "flown": "fly",
    "found": "find",
    "frozen": "freeze",
    "geese": "goose",
    "given": "give",
    "gone": "go",
    "grew": "grow",
    "grown": "grow",
    "halves": "half",
    "has": "have",
    "held": "hold",
    "hooves": "hoof",
    "hung": "hang",
    "kept": "keep",
    "knives": "knife",
    "leaves": "leaf",
    "lives": "live",
    "made": "make",
    "men": "man",
    "mice": "mouse",
    "people": "person",
    "ridden": "ride",
    "sat": "sit",
    "scissor": "scissors",
    "seen": "see",
    "sent": "send",
    "shelves": "shelf",
    "slept": "sleep",
    "sold": "sell",
    "spoken": "speak",
    "stood": "stand",
    "stuck": "stick",
    "taken": "take",
    "teeth": "tooth",
    "thieves": "thief",
    "thought": "think",
    "threw": "throw",
    "thrown": "throw",
    "told": "tell",
    "went": "go",
    "wives": "wife",
    "women": "woman",
    "woven": "weave",
    "wore": "wear",
    "worn": "wear",
    "written": "write",
    "wrote": "write",
}
_WHOLE = frozenset(
    [
        "always",
        "anything",
        "bathing",
        "clothing",
        "watering",
        "during",
        "building",
        "evening",
        "everything",
        "king",
        "morning",
        "nothing",
        "ring",
        "something",
        "spring",
        "string",
        "thing",
        "wing",
        "this",
        "is",
        "was",
        "his",
        "its",
        "as",
        "us",
        "yes",
        "plus",
        "gas",
        "bus",
        "less",
        "dress",
        "glass",
        "grass",
        "brass",
        "class",
        "mass",
        "cross",
        "lens",
        "bed",
        "red",
        "seed",
        "weed",
        "need",
        "feed",
        "speed",
        "wed",
        "sled",
        "shed",
        "breed",
        "reed",
        "canvas",
        "tennis",
        "iris",
        "cactus",
        "asparagus",
        "stainless",
        "sing",
        "bring",
    ]
)


def plain(text: str) -> str:
    """A text in small letters of ASCII, contractions written out, with words and numbers alone.

    Args:
        text: any; what comes after `LONGEST` characters is cut off.
    """
    text = unicodedata.normalize("NFKD", text[:LONGEST]).lower()
    text = text.replace("\u2019", "'").replace("\u02bc", "'")
    text = "".join(one for one in text if not unicodedata.combining(one))
    for found, written in _CONTRACTIONS:
        text = found.sub(written, text)
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = re.sub(r"'s\b", "", text)
    text = re.sub(r"(?<!\d)\.|\.(?!\d)|[^a-z0-9.]+", " ", text)
    return " ".join(_SPELLING.get(word, word) for word in text.split())


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """What forms of a word have in common, by rules: without plurals, -ing, -ed and a last e.

    Args:
        word: in small letters.
    """
    word = _IRREGULAR.get(word, word)
    if len(word) < 4 or word in _WHOLE:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-2]
    if word.endswith(("sses", "shes", "ches", "xes", "oes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            if word[-1] == word[-2] and word[-1] not in "elsz":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
