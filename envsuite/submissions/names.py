"""Names of methods: how they may be written, and which of them readers would take for one."""

import re
import unicodedata
from functools import cache

_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Signs that show nothing: Default_Ignorable_Code_Point of the Unicode Character Database 16.0
(DerivedCoreProperties.txt), and the blank Braille pattern."""


def check_text(name: str, text: str, limit: int) -> None:
    """Refuse texts that are long, or hold signs that are not seen or change how others are seen.

    Raises:
        ValueError: what is wrong with it.
    """
    if len(text) > limit:
        raise ValueError(f"{name} has {len(text)} characters, expected at most {limit}")
    for sign in text:
        # control, format, unassigned, private signs, surrogates, and separators other than the space
        odd = unicodedata.category(sign) in ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs") and sign != " "
        if odd or sign in "<>" or _UNSEEN.match(sign):
            raise ValueError(f"{name} holds the sign U+{ord(sign):04X}, expected plain text without markup")


def check_name(name: str, text: str) -> None:
    """Refuse names that are not written in their one form: Unicode's NFKC, single spaces, at least a letter or digit.

    Raises:
        ValueError: what is wrong with it.
    """
    form = " ".join(unicodedata.normalize("NFKC", text).split())
    if form != text:
        raise ValueError(f"{name} is {text!a}, expected {form!a} (form NFKC, single spaces)")
    if not all(_looks(text)):
        raise ValueError(f"{name} is {text!a}, expected at least one letter or digit")


def alike(one: str, other: str) -> bool:
    """Whether two names are one for readers.

    Case, spaces, punctuation, marks on letters and the alphabet that a letter is taken from make no difference.
    """
    return any(mine == theirs for mine, theirs in zip(_looks(one), _looks(other), strict=True))


def spelling(name: str) -> str:
    """A name without regard to case, spaces and punctuation; names that differ in it are written with other letters."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(sign for sign in plain if unicodedata.category(sign)[0] in "LMN")


def _looks(name: str) -> tuple[str, str]:
    """What a name looks like, as it is written and in lower case.

    After the skeletons of Unicode Technical Standard 39, section 4: letters become those that they look like. Both
    forms, because a capital may look like a letter that its small form does not look like.
    """
    plain = unicodedata.normalize("NFKD", name)
    return _skeleton(plain), _skeleton(plain.casefold())


def _skeleton(text: str) -> str:
    shown = "".join(_prototype(sign) for sign in text)
    plain = unicodedata.normalize("NFKD", shown).casefold()
    return "".join(sign for sign in plain if unicodedata.category(sign)[0] in "LN" and not _UNSEEN.match(sign))


@cache
def _prototype(sign: str) -> str:
    """The sign, or the signs, that stand for all that look like this one.

    Raises:
        ModuleNotFoundError: confusable_homoglyphs is missing; the message tells how to install it.
    """
    try:
        from confusable_homoglyphs.confusables import confusables_data
    except ModuleNotFoundError as error:
        message = 'confusable_homoglyphs is not installed: pip install "envsuite[leaderboard]"'
        raise ModuleNotFoundError(message, name="confusable_homoglyphs") from error

    like = confusables_data.get(sign, [])
    if len(like) != 1:
        return sign  # like nothing, or what several others look like
    (other,) = (one["c"] for one in like)
    if len(other) == 1 and len(confusables_data[other]) == 1:  # two that look like each other and like nothing else
        return min(sign, other)
    return other.strip("\u200e")  # the data wrap what is written from right to left
