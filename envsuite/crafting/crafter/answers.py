"""What an answer in words says to do."""

import re

from envsuite.core import Choice
from envsuite.core.language import Refusal, RefusalKind, parse_choice
from envsuite.crafting.crafter.things import ACTIONS, SIDES

_DAILY = {"do", "sleep"}
"""Names that are also words of every day, and mean an action only by themselves."""
_NAMES = {*ACTIONS} - _DAILY
_MARKS = " \t\r\n.,:;!?*`'\"()[]{}<>"
"""What may stand around an answer."""
_STATED = re.compile(r"\b(?:action|answer)\W{0,4}[:=][^\w-]*")
_CLAUSES = re.compile(
    r"[.,:;!?\n*`\"()\[\]{}<>]+|\b(?:but|so|then|because)\b|\b(?:action|answer) is\b"
    r"|(?=\b(?:instead of|rather than|without)\b)"
)
"""What ends a clause, and with it the reach of a "not"."""
_PARTS = re.compile(r"\b(?:and|or)\b")
_NEGATED = re.compile(
    r"n\Wt\b|\b(?:no(?![ -]op)|not|nor|neither|never|cannot|unable|too|avoid|without|instead|rather)\b"
)
_LEAD = re.compile(
    r"^(?:(?:i|we|ll|m|am|will|shall|should|must|can|could|have to|let|s|me|us|want|need|going|try|now|just|first|next"
    r"|please|it|is|time|to)(?: |$))+"
)
_FILLER = re.compile(
    r"(?<= )(?:a|an|the|to|in|on|at|my|your|some|this|that|it|one|cell|please|now|of|front|me|you)\b ?"
)
"""Words before a verb, and those that matter nowhere behind the first one."""

_GO, _MAKE = r"\b(?:move|go|walk|step|face|turn|run|head) ", r"\b(?:make|craft|build|forge|create) "
_PUT = r"\b(?:place|put|lay|set)(?: down| up)? "
_TAKEN = r"(?:sapling|plant|wood|stone|coal|iron|diamond|water|drink|food)\b(?! (?:pickaxe|sword))"
_WAYS = {
    "noop": r"\b(?:no op|do nothing|wait|stay|idle|pass)\b|^nothing$",
    "do": r"\b(?:interact|collect|gather|harvest|chop|cut|mine|dig|break|attack|hit|fight|kill|defeat|eat|drink)\b"
    rf"|\b(?:get|take|pick)(?: up)?(?: ripe)? {_TAKEN}|\buse \w+ (?:pickaxe|sword)\b|^use$",
    "sleep": r"^(?:go )?sleep\b|^(?:take )?(?:rest|nap)$",
    "place_stone": rf"{_PUT}stone\b",
    "place_table": rf"(?:{_PUT}|{_MAKE})(?:crafting )?(?:table|workbench)\b",
    "place_furnace": rf"(?:{_PUT}|{_MAKE})furnace\b",
    "place_plant": rf"{_PUT}(?:plant|sapling)\b|^plant(?: sapling\b|$)",
}
"""Ways to say an action other than by its name. What is also a noun or an adverb has to begin the clause, or be it."""
for _side, _wind in zip(SIDES, ("west", "east", "north", "south"), strict=True):
    _WAYS[f"move_{_side}"] = rf"{_GO}(?:{_side}|{_wind})\b|^(?:{_side}|{_wind})$"
for _name in ACTIONS:
    if _name.startswith("make_"):
        _tool = _name[5:].replace("wood_", "wood(?:en)? ").replace("_", " ")
        _WAYS[_name] = rf"{_MAKE}{_tool}\b|^{_tool}$"
_PATTERNS = {name: re.compile(ways) for name, ways in _WAYS.items()}


def read_action(text: str) -> int | Refusal:
    """Read an action from an answer, which may explain itself.

    If something is stated behind ``action:``, only that counts. A last line with nothing but a name or a number is the
    answer. Else names count, also ``do`` and ``sleep`` where they stand alone; where there is none, other ways to say
    an action. Clauses with a "not" count for nothing.

    Args:
        text: the answer; case does not matter.

    Returns:
        The number of the action, or why there is none.
    """
    said = text.lower().strip(_MARKS)
    *before, stated = _STATED.split(said)
    if before and stated:
        said = re.split(r"[\n\"}]", stated)[0].strip(_MARKS)
    last = said.rpartition("\n")[2].strip(_MARKS)
    if not last or last in ACTIONS or last.isdecimal():
        return parse_choice(last, Choice(ACTIONS))
    found = _said(said)
    if not found:
        return Refusal(RefusalKind.UNKNOWN_NAME, f"no action found; answer with one of: {', '.join(ACTIONS)}")
    if len(found) > 1:
        names = ", ".join(name for name in ACTIONS if name in found)
        return Refusal(RefusalKind.AMBIGUOUS, f"the answer holds several actions ({names}); name one")
    return ACTIONS.index(found.pop())


def _said(text: str) -> set[str]:
    """Names of the actions that a text says to do."""
    alone, named, worded = set(), set(), set()
    for clause in _CLAUSES.split(text):
        if _NEGATED.search(clause):
            continue
        for part in _PARTS.split(clause):
            named |= {*re.findall(r"\w+", part)} & _NAMES
            plain = " ".join(re.findall(r"[a-z0-9]+", part))
            alone |= {plain} & _DAILY
            plain = _FILLER.sub("", _LEAD.sub("", plain)).strip()
            worded |= {name for name, ways in _PATTERNS.items() if ways.search(plain)}
    return alone | (named or worded)
