"""The twelve characters and their moves, and what a table of moves must fulfil."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from envsuite.fighting.params import (
    CHARACTERS,
    COUNTER,
    EX_FASTER,
    GRAB,
    LOW,
    MID,
    MOVE_NAMES,
    MOVES,
    NO_MOVE,
    OVERHEAD,
    REPLY,
    SHIFT,
    SHOT,
    SHOT_LIFE,
    SPECIAL,
    STRIKE,
    SUPER,
    SUPER_COST,
    THROW,
    UNIT,
    CharacterRecord,
    Move,
)

_LIGHT, _MEDIUM, _HEAVY = (14, 11, 3.0, 6), (17, 14, 3.75, 8), (21, 17, 4.5, 8)  # stuns, push in px a frame, hit-stop

# S, A, R, damage, reach, y0, y1, height, cancel (1 specials, 2 chain), knock-down
_NORMALS = (
    (4, 2, 7, 30, 38, 52, 66, MID, 2, 0),
    (6, 3, 11, 60, 50, 50, 66, MID, 1, 0),
    (9, 4, 18, 90, 60, 48, 66, MID, 1, 0),
    (5, 2, 9, 30, 44, 20, 40, MID, 1, 0),
    (7, 3, 13, 60, 58, 28, 50, MID, 0, 0),
    (11, 4, 20, 95, 68, 44, 70, MID, 0, 0),
    (4, 2, 7, 28, 36, 30, 42, MID, 2, 0),
    (6, 3, 11, 58, 46, 28, 44, MID, 1, 0),
    (8, 4, 22, 90, 34, 50, 96, MID, 1, 0),
    (5, 2, 8, 25, 42, 0, 14, LOW, 2, 0),
    (7, 3, 14, 55, 56, 0, 14, LOW, 1, 0),
    (9, 3, 23, 90, 62, 0, 14, LOW, 0, 1),
    (4, 8, 0, 35, 30, -6, 20, OVERHEAD, 0, 0),
    (6, 6, 0, 60, 34, -8, 24, OVERHEAD, 0, 0),
    (8, 5, 0, 85, 36, -14, 20, OVERHEAD, 0, 0),
    (4, 8, 0, 35, 32, -14, 10, OVERHEAD, 0, 0),
    (6, 6, 0, 60, 38, -16, 10, OVERHEAD, 0, 0),
    (8, 5, 0, 85, 44, -12, 14, OVERHEAD, 0, 0),
)
_AIR_HEAVY = (20, 16, 4.5, 8)

_TEMPLATES: dict[str, dict[str, Any]] = {
    "shot": {"startup": 13, "recovery": 30, "hit_stun": 18, "block_stun": 15, "type": SHOT, "shot_life": SHOT_LIFE},
    "rise": {"startup": 4, "active": 10, "recovery": 30, "block_stun": 16, "x1": 34, "y0": 20, "y1": 110,
             "knockdown": 1, "safe_from": 1, "safe_to": 6, "vy": 5.0},
    "rush": {"startup": 14, "active": 4, "recovery": 19, "hit_stun": 21, "block_stun": 17, "x0": 4, "x1": 46, "y0": 20,
             "y1": 66},
    "over": {"startup": 20, "active": 3, "recovery": 14, "hit_stun": 17, "block_stun": 14, "x0": 4, "x1": 44, "y0": 20,
             "y1": 80, "height": OVERHEAD, "vx": 2.0},
    "slide": {"startup": 9, "active": 8, "recovery": 20, "block_stun": 14, "x0": 4, "x1": 48, "y0": 0, "y1": 20,
              "height": LOW, "knockdown": 1, "vx": 6.0},
    "grab": {"startup": 6, "active": 2, "recovery": 36, "y1": 78, "height": GRAB, "knockdown": 2},
    "armour": {"startup": 18, "active": 4, "recovery": 28, "block_stun": 18, "x0": 4, "x1": 52, "y0": 20, "y1": 80,
               "knockdown": 1, "armour_from": 3, "armour_to": 18, "armour_hits": 1, "vx": 3.0, "push": 2.5},
    "shift": {"startup": 14, "recovery": 18, "type": SHIFT, "safe_from": 4, "safe_to": 24},
    "counter": {"startup": 4, "active": 15, "recovery": 25, "type": COUNTER},
    "super": {"startup": 7, "active": 6, "recovery": 34, "block_stun": 20, "x1": 70, "y0": 10, "y1": 80,
              "knockdown": 2, "safe_from": 1, "safe_to": 9, "vx": 6.0, "stop": 12},
}  # fmt: skip
"""Kinds of specials; speeds in px a frame, a character changes what it wants."""


@dataclass(frozen=True)
class Special:
    """One special of a character.

    Attributes:
        kind: name of the template.
        damage: at 100 percent.
        changes: fields of the template that differ.
    """

    kind: str
    damage: int = 0
    changes: tuple[tuple[str, float], ...] = ()


def _special(kind: str, damage: int = 0, **changes: float) -> Special:
    return Special(kind, damage, tuple(changes.items()))


@dataclass(frozen=True)
class Character:
    """What sets a character apart.

    Attributes:
        name: how it is called.
        style: its archetype.
        hp: full health.
        walk: forwards and back, px a frame.
        jump: upward and forward speed, px a frame.
        half: half the width of its body, px.
        damage: percent of all its damage; found by `envsuite.fighting.balance`.
        reach: percent of its normals' reach.
        slower: frames more of start-up and of recovery in its medium and heavy normals on the ground.
        specials: by motion, 236, 623, 214, 22.
        super_: its super.
        combos: number of the special that follows a hit.
        traits: fields of the record that differ.
        throw: damage of its throw at 100 percent.
    """

    name: str
    style: str
    hp: int
    walk: tuple[float, float]
    jump: tuple[float, float]
    half: int
    damage: int
    reach: int
    slower: tuple[int, int]
    specials: tuple[Special, Special, Special, Special]
    super_: Special
    combos: int
    traits: tuple[tuple[str, int], ...] = ()
    throw: int = 120


CAST = (
    Character("Arden", "all-round", 1000, (2.2, 1.7), (7.2, 2.4), 13, 92, 100, (0, 0),
              (_special("shot", 60, shot_speed=4), _special("rise", 110), _special("rush", 90, vx=5),
               _special("over", 70)), _special("super", 320), 2),
    Character("Bramm", "grappler", 1080, (1.6, 1.2), (7.2, 2.0), 16, 100, 98, (0, 1),
              (_special("grab", 191, x1=50), _special("armour", 104, startup=17), _special("slide", 64, startup=11),
               _special("rush", 73, startup=16, vx=4)),
              _special("super", 359, startup=4, active=2, x1=56, y0=0, y1=78, height=GRAB, safe_to=6, vx=0), 3,
              throw=150),
    Character("Cinder", "rushdown", 960, (2.9, 2.1), (7.2, 2.4), 12, 108, 92, (0, -1),
              (_special("rush", 81, startup=11, vx=7), _special("over", 65, startup=17), _special("rise", 108),
               _special("slide", 70, startup=8)), _special("super", 324), 0, (("target_combos", 1),)),
    Character("Delpha", "zoner", 980, (2.0, 2.0), (7.2, 2.4), 13, 101, 104, (0, 0),
              (_special("shot", 59, startup=11, shot_speed=5), _special("shot", 75, startup=16, shot_speed=3),
               _special("rise", 103, recovery=34), _special("shift")), _special("super", 301), 2, (("two_shots", 1),)),
    Character("Esker", "charge", 1000, (2.0, 1.7), (7.2, 2.4), 13, 101, 100, (0, 0),
              (_special("shot", 55, startup=9, shot_speed=5), _special("rise", 115, safe_to=8),
               _special("slide", 80), _special("rush", 84, startup=13, vx=5)), _special("super", 320), 2,
              (("charge", 1),)),
    Character("Fenno", "glass speedster", 920, (3.2, 2.6), (7.8, 3.2), 11, 116, 94, (0, -1),
              (_special("shift"), _special("rush", 81, startup=10, vx=8), _special("over", 66, startup=16),
               _special("rise", 92)), _special("super", 278), 1, (("air_actions", 1), ("air_dash", 1))),
    Character("Garr", "armoured bruiser", 1100, (1.7, 1.3), (7.2, 2.4), 17, 94, 108, (1, 2),
              (_special("armour", 106, startup=17), _special("rush", 93, startup=18, vx=5),
               _special("grab", 127, x1=40), _special("over", 80, startup=22)), _special("super", 293), 0,
              (("ex_armour", 1),)),
    Character("Halia", "aerial mix-up", 950, (2.5, 2.1), (7.6, 3.4), 12, 106, 100, (0, 0),
              (_special("over", 67, startup=17), _special("rise", 98), _special("rush", 77, startup=12, vx=6),
               _special("slide", 67)), _special("super", 320), 2, (("air_actions", 1), ("gravity", 102))),
    Character("Isolde", "counter", 990, (2.2, 1.9), (7.2, 2.4), 13, 96, 104, (0, 0),
              (_special("counter", 149), _special("rush", 89, startup=13, vx=6), _special("rise", 104),
               _special("over", 69, startup=19)), _special("super", 294), 1, (("two_counters", 1),)),
    Character("Juno", "trapper", 970, (2.2, 1.9), (7.2, 2.4), 13, 97, 100, (0, 0),
              (_special("shot", 63, startup=14, shot_speed=2), _special("shot", 52, startup=12, shot_speed=4),
               _special("slide", 73), _special("rise", 94)), _special("super", 288), 2, (("mine", 1),)),
    Character("Kestrel", "long reach", 980, (2.3, 2.1), (7.2, 2.4), 13, 86, 118, (1, 0),
              (_special("rush", 81, startup=12, vx=6), _special("slide", 75), _special("rise", 96, recovery=34),
               _special("over", 71)), _special("super", 299), 0),
    Character("Lumen", "technician", 940, (2.3, 1.9), (7.2, 2.4), 13, 95, 100, (0, 0),
              (_special("shot", 56, shot_speed=4), _special("shift"), _special("rise", 103),
               _special("rush", 82, startup=13, vx=6)), _special("super", 374, safe_to=12), 3,
              (("start_meter", 500), ("gain", 125))),
)  # fmt: skip
"""The characters by number."""

NAMES = tuple(one.name.lower() for one in CAST)


def _row(**values: float) -> np.ndarray:
    """A move; speeds in px a frame."""
    speeds = ("vx", "vy", "push", "shot_speed")
    made: dict[str, Any] = {name: round(one * UNIT) if name in speeds else one for name, one in values.items()}
    return Move.make(**made)[0]


def _normal(number: int, one: Character) -> np.ndarray:
    startup, active, recovery, damage, reach, low, high, height, cancel, knockdown = _NORMALS[number]
    strength, air = number % 3, number >= 12
    hit, block, push, stop = (_LIGHT, _MEDIUM, _AIR_HEAVY if air else _HEAVY)[strength]
    if strength and not air:
        startup, recovery = startup + one.slower[0], recovery + one.slower[1]
    return _row(
        startup=startup, active=active, recovery=recovery, damage=round(damage * one.damage / 100), hit_stun=hit,
        block_stun=block, x1=round(reach * one.reach / 100), y0=low, y1=high, height=height, cancel=cancel,
        knockdown=knockdown, push=push, stop=stop, air=air,
    )  # fmt: skip


def _made(special: Special, one: Character, super_: bool) -> np.ndarray:
    fields = {**_TEMPLATES["super" if super_ else special.kind], **dict(special.changes)}
    fields["damage"] = round(special.damage * one.damage / 100)
    fields["shot_hits"] = int(fields.get("type", STRIKE) == SHOT)
    fields["cancel"], fields["cost"] = (0, SUPER_COST) if super_ else (3, 0)
    return _row(**fields)


def record(one: Character) -> np.ndarray:
    """The record of a character.

    Args:
        one: the character.
    """
    kinds = [special.kind for special in one.specials]

    def serving(*wanted: str) -> int:
        return next((k for kind in wanted for k, found in enumerate(kinds) if found == kind), -1)

    traits: dict[str, Any] = dict(one.traits)
    made = CharacterRecord.make(
        hp=one.hp, half=one.half, combos=one.combos, shoots=serving("shot"), rises=serving("rise"),
        closes=serving("rush", "slide", "shift"), walk_f=round(one.walk[0] * UNIT), walk_b=round(one.walk[1] * UNIT),
        jump=round(one.jump[0] * UNIT), jump_x=round(one.jump[1] * UNIT), **traits,
    )[0]  # fmt: skip
    moves = made["moves"]
    for number in range(THROW):
        moves[number] = _normal(number, one)
    moves[THROW] = _row(
        startup=5, active=2, recovery=24, x1=30, y1=78, height=GRAB, knockdown=2, damage=round(one.throw)
    )
    for k, special in enumerate(one.specials):
        moves[SPECIAL + k] = _made(special, one, False)
    moves[SUPER] = _made(one.super_, one, True)
    caught = next((special.damage for special in one.specials if special.kind == "counter"), 0)
    moves[REPLY] = _row(active=2, recovery=20, damage=round(caught * one.damage / 100), knockdown=1)
    moves[NO_MOVE] = _row()
    validate(one.name, made)
    return made


def block_advantage(move: np.ndarray) -> int:
    """Frames by which the attacker may act earlier after its first active frame was blocked; negative for later."""
    return int(move["block_stun"]) - (int(move["active"]) - 1 + int(move["recovery"]))


def validate(name: str, made: np.ndarray) -> None:
    """Check a character's table of moves.

    Args:
        name: of the character, for the message.
        made: its record.

    Raises:
        ValueError: the move and the rule that it breaks.
    """
    for number, move in enumerate(made["moves"]):
        where = f"{name}, {MOVE_NAMES[number]}"
        total = int(move["startup"]) - 1 + int(move["active"]) + int(move["recovery"])
        if move["startup"] < 1 or (number in range(SPECIAL, SUPER) and move["startup"] <= EX_FASTER):
            raise ValueError(f"{where}: start-up {move['startup']}, expected at least 1, its EX version included")
        if total > 90:
            raise ValueError(f"{where}: {total} frames in all, expected at most 90")
        low, high = (-16, 110) if move["air"] else (0, 110)
        if not 0 <= move["x0"] <= move["x1"] <= 110 or not low <= move["y0"] <= move["y1"] <= high:
            raise ValueError(f"{where}: its box leaves the 110 px around the body")
        blockable = move["type"] == STRIKE and move["height"] != GRAB
        if SPECIAL <= number <= SUPER and blockable and block_advantage(move) > 0:
            raise ValueError(f"{where}: {block_advantage(move)} frames ahead when blocked, expected at most 0")


@lru_cache(maxsize=4)
def cast(damages: tuple[int, ...] | None = None) -> np.ndarray:
    """The records of all characters, (12,), not to be written to.

    Args:
        damages: percentages instead of those of `CAST`, for tuning.
    """
    made = np.zeros(CHARACTERS, CharacterRecord.dtype())
    for k, one in enumerate(CAST):
        made[k] = record(one if damages is None else replace(one, damage=damages[k]))
    made.flags.writeable = False
    return made


def number_of(character: str | int) -> int:
    """The number of a character, from its name or number.

    Raises:
        ValueError: there is none.
    """
    if isinstance(character, str) and character.lower() in NAMES:
        return NAMES.index(character.lower())
    if isinstance(character, int) and not isinstance(character, bool) and 0 <= character < CHARACTERS:
        return character
    raise ValueError(f"character is {character!r}, expected 0 to {CHARACTERS - 1} or one of {', '.join(NAMES)}")


if len(CAST) != CHARACTERS or len(MOVE_NAMES) != MOVES:
    raise ValueError(f"{len(CAST)} characters and {len(MOVE_NAMES)} moves, expected {CHARACTERS} and {MOVES}")
