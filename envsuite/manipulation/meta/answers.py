"""Skills that an answer may name instead of four numbers; each becomes the one action of this step.

What a skill does depends on the state alone, so an agent repeats its answer until it is done. Places are those of the
tips of the fingers.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from envsuite.core.language import NUMBER, Refusal, RefusalKind

DIRECTIONS = {
    **{"left": (-1, 0, 0), "right": (1, 0, 0)},
    **{"away": (0, 1, 0), "back": (0, -1, 0)},
    **{"up": (0, 0, 1), "down": (0, 0, -1)},
}
"""Ways that a hand may be told to move."""

GOAL = "goal"
ABOVE = np.array((0.0, 0.0, 0.1))  # m, over a place
FARTHEST = 100.0  # cm, along each axis
_GAIN = 12.0  # 1/m: full speed from 8 cm on; the scripted players have 10 to 25
_NEAR, _LEVEL = 0.02, 0.015  # m, from above and in height, up to which fingers close
_HELD = 0.035  # m, as far as a grasped thing may slip and still count as held
_STILL = 0.004  # change of the opening in a step, below which fingers no longer close
_OPEN = 0.95
"""Opening from which fingers hold nothing."""

_THING = r"(?:the\s+)?([a-z]+)"
_PLACE = rf"([\[(][^\[\]()]*[\])]|{_THING})"
_WAYS = "|".join(DIRECTIONS)
_SKILLS = {
    "move": re.compile(rf"\b(?:move|go)\s+(to|above)\s+{_PLACE}"),
    "push": re.compile(rf"\b(move|push|pull)\s+({_WAYS})\b"),
    "grasp": re.compile(rf"\bgrasp\s+{_THING}"),
    "carry": re.compile(rf"\bcarry\s+{_THING}\s+to\s+{_PLACE}"),
    "fingers": re.compile(r"\b(?:(open|close)\s+the\s+fingers|(release))\b"),
}
HINT = (
    "or with one skill: move to PLACE; move above PLACE (10 cm higher); grasp THING; carry THING to PLACE (grasps it "
    "first); move, pull or push (with closed fingers) WAY; open the fingers; close the fingers; release"
)
"""What `find_skill` reads, for instructions."""


@dataclass(frozen=True)
class Around:
    """What skills are told of an instance.

    Attributes:
        tips: of the fingers, m, (3,).
        opening: of the fingers, now and in the step before; 1 is open.
        grip: the last action's number for them.
        things: points that can be grasped, m, (3,), by their names.
        goal: where it is, m, (3,); None where the agent is not told.
        hold: from a thing's point to where the tips grasp it, m, (3,).
    """

    tips: np.ndarray
    opening: tuple[float, float]
    grip: float
    things: Mapping[str, np.ndarray]
    goal: np.ndarray | None
    hold: np.ndarray


def find_skill(text: str, around: Around) -> np.ndarray | Refusal | None:
    """Translate a skill into an action.

    Args:
        text: an answer.
        around: of the instance.

    Returns:
        float32 (4,), each from -1 to 1; why it is none; or None where the text names no skill.
    """
    said = " ".join(text.lower().split())
    matches = [(name, match) for name, pattern in _SKILLS.items() for match in pattern.finditer(said)]
    found = {match.group(): (name, match) for name, match in sorted(matches, key=lambda one: one[1].start())}
    if not found:
        return None
    if len(found) > 1:
        told = ", ".join(found)
        return Refusal(RefusalKind.AMBIGUOUS, f"{len(found)} skills found ({told}); name the one of this step")
    name, match = next(iter(found.values()))
    rest = said.replace(match.group(), "")
    if re.search(r"[\[(][^\[\]()]*\d[^\[\]()]*[\])]", rest):
        return Refusal(
            RefusalKind.AMBIGUOUS, f"{match.group()!r} and other numbers in brackets found; give one of both"
        )
    return _ACTS[name](match, around)


def _move(match: re.Match, around: Around) -> np.ndarray | Refusal:
    place = _place(match.group(2), around)
    if isinstance(place, Refusal):
        return place
    return _to(place + ABOVE if match.group(1) == "above" else place, around, around.grip)


def _push(match: re.Match, around: Around) -> np.ndarray:
    return np.array((*DIRECTIONS[match.group(2)], 1 if match.group(1) == "push" else around.grip), np.float32)


def _grasp(match: re.Match, around: Around) -> np.ndarray | Refusal:
    thing = _thing(match.group(1), around)
    return thing if isinstance(thing, Refusal) else _grasped(thing, around)


def _carry(match: re.Match, around: Around) -> np.ndarray | Refusal:
    thing, place = _thing(match.group(1), around), _place(match.group(2), around)
    if isinstance(thing, Refusal):
        return thing
    if isinstance(place, Refusal):
        return place
    return _to(around.tips + place - thing, around, 1.0) if _holds(thing, around) else _grasped(thing, around)


def _fingers(match: re.Match, around: Around) -> np.ndarray:
    return np.array((0, 0, 0, 1 if match.group(1) == "close" else -1), np.float32)


_ACTS: dict[str, Any] = {"move": _move, "push": _push, "grasp": _grasp, "carry": _carry, "fingers": _fingers}


def _to(place: np.ndarray, around: Around, grip: float) -> np.ndarray:
    """Straight on, as fast as it goes until shortly before the place."""
    return np.array((*np.clip(_GAIN * (place - around.tips), -1, 1), grip), np.float32)


def _grasped(thing: np.ndarray, around: Around) -> np.ndarray:
    """Over the thing with open fingers, down, and close."""
    to = thing + around.hold
    aside, height = float(np.hypot(*(to - around.tips)[:2])), abs(float(to[2] - around.tips[2]))
    if aside > _NEAR:
        return _to(to + ABOVE, around, -1.0)
    return _to(to, around, -1.0 if height > _LEVEL else 1.0)


def _holds(thing: np.ndarray, around: Around) -> bool:
    """Whether fingers that close have come to rest around a thing."""
    now, before = around.opening
    near = float(np.abs(thing + around.hold - around.tips).max()) < _HELD
    return near and around.grip > 0 and now < _OPEN and abs(now - before) < _STILL


def _thing(name: str, around: Around) -> np.ndarray | Refusal:
    known = around.things.get(name)
    return _unknown(name, around.things) if known is None else known


def _unknown(name: str, known: Iterable[str]) -> Refusal:
    return Refusal(RefusalKind.UNKNOWN_NAME, f"{name!r} is none of: {', '.join(known)}")


def _place(said: str, around: Around) -> np.ndarray | Refusal:
    """A named place, or three numbers in cm."""
    if said[0] not in "[(":
        name = said.removeprefix("the ")
        if name != GOAL:
            return around.things[name] if name in around.things else _unknown(name, (*around.things, GOAL))
        return (
            Refusal(RefusalKind.ILLEGAL, "you are not told where the goal is") if around.goal is None else around.goal
        )
    numbers = [float(one) for one in NUMBER.findall(said)]
    if len(numbers) != 3:
        return Refusal(RefusalKind.WRONG_COUNT, f"{len(numbers)} numbers found; a place has 3: [x, y, z]")
    if far := [one for one in numbers if not abs(one) <= FARTHEST]:
        return Refusal(RefusalKind.OUT_OF_RANGE, f"{far[0]:g} is outside [{-FARTHEST:g}, {FARTHEST:g}] cm")
    return np.array(numbers) / 100
