"""Reads games that the package ``textworld`` has written as JSON."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from envsuite.text_games.textworld.facts import STATES, TYPES, Entities, Fact, true_facts
from envsuite.text_games.textworld.state import (
    CONSUMED,
    DOOR_IS,
    EAST,
    EDIBLE_ONLY,
    EXAMINE_DOORS,
    EXAMINE_HELD,
    FAIL,
    HEATS,
    LID_IS,
    NEEDS_LAST,
    NEVER,
    NO_SENSES,
    NONE,
    NORTH,
    PLAYER_AT,
    RECIPE_DONE,
    RECIPE_PARTS,
    SOLID,
    SOUTH,
    THING_AT,
    TRAIT_IS,
    TRAITS,
    WEST,
    WIN,
    Size,
    Start,
)

LARGEST_FILE = 16 * 2**20
"""Bytes; the package's largest games have some hundred thousand."""
_KINDS = {name: kind for kind, name in TYPES.items()}
_STATES = {name: k for k, name in enumerate(STATES)}
_BITS = {name: 1 << k for k, name in enumerate(TRAITS)} | {"eaten": CONSUMED}
_SIDES = {"north_of": NORTH, "east_of": EAST, "south_of": SOUTH, "west_of": WEST}
_UNNAMED = {"P", "I", "RECIPE", "ingredient", "slot", "number"}
_TYPE = re.compile(r"^type (\w+)(?: : (\w+))? \{", re.MULTILINE)


@dataclass(frozen=True)
class LoadedGame:
    """A game from a file.

    Attributes:
        start: its beginning, a record `Start`; names are indices into `names`.
        names: of rooms, doors and things.
        objective: what the player is told to do.
        recipe: what the cookbook says; empty without one.
        entities: who takes part in it.
    """

    start: np.void
    names: tuple[str, ...]
    objective: str
    recipe: str
    entities: Entities


class GameFileError(ValueError):
    """A file that holds no game, or one that goes beyond what this engine knows."""


def load_game(path: Path | str, size: Size) -> LoadedGame:
    """Read a game.

    Args:
        path: a file that ``textworld`` wrote beside a compiled game.
        size: the record to fit it into.

    Raises:
        GameFileError: no such game, or one that does not fit; the message names what is wrong.
        OSError: the file cannot be read.
    """
    path = Path(path)
    if path.stat().st_size > LARGEST_FILE:
        raise GameFileError(f"{path} has {path.stat().st_size} bytes, expected at most {LARGEST_FILE}")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return _Reader(data, size).game
    except GameFileError as error:
        raise GameFileError(f"{path}: {error}") from None
    except (KeyError, TypeError, AttributeError, IndexError, RecursionError, ValueError) as error:
        raise GameFileError(f"{path} is no game of textworld: {type(error).__name__} {error}") from None


class _Reader:
    """Turns facts of named entities into a record of numbers."""

    def __init__(self, data: Mapping[str, Any], size: Size):
        self.size = size
        self.start = np.zeros(1, Start.dtype(np.float64, **size.axes))[0]
        self.infos = {key: info for key, info in data["infos"]}
        logic = data["KB"]["logic"]
        self.parents = dict(_TYPE.findall(logic))
        facts = [_fact(one) for one in data["world"]]
        self.truths = set(facts)
        self.names: list[str] = []
        self.rooms, self.doors, self.things = [], [], []
        self.ingredients: dict[str, str] = {}
        self._count_entities(facts)
        self._map(facts)
        self._things(facts)
        self._recipe(facts)
        self._rules(logic, facts, data["quests"])
        self._quests(data["quests"])
        recipe = str((data.get("metadata") or {}).get("recipe") or "")
        objective = str(data.get("objective") or "")
        self.game = LoadedGame(self.start, tuple(self.names), objective, recipe, self._entities())

    def _entities(self) -> Entities:
        types = {key: str(info["type"]) for key, info in self.infos.items()}
        named = (*self.rooms, *self.doors, *self.things)
        slots, numbers = (tuple(key for key, one in types.items() if one == kind) for kind in ("slot", "number"))
        plain = Entities(
            tuple(self.rooms), tuple(self.doors), tuple(self.things), types, dict(zip(named, self.names, strict=True))
        )
        known = true_facts(self.start, plain) | {(state, (slot,)) for slot in slots for state in ("free", "used")}
        known |= {("carrying", (number,)) for number in numbers}
        return replace(plain, always=frozenset(self.truths - known), slots=slots, numbers=numbers)

    def _base(self, kind: str) -> str:
        seen = set()
        while kind not in _KINDS and kind not in {"r", "d"} and kind not in seen:
            seen.add(kind)
            kind = self.parents.get(kind, "")
        return kind

    def _count_entities(self, facts: Sequence[Fact]) -> None:
        g = self.start["game"]
        for part in ("thing_name", "room_name", "door_name", "exits", "gates", "opens"):
            g[part] = NONE
        self.start["place"] = NONE
        lists = {"r": self.rooms, "d": self.doors}
        for key, info in self.infos.items():
            base = self._base(info["type"])
            if info["type"] in _UNNAMED:
                continue
            if base not in lists and base not in _KINDS:
                raise GameFileError(f"unknown type {info['type']!r} of {key!r}")
            lists.get(base, self.things).append(key)
        for name, keys, most in (
            ("room", self.rooms, self.size.rooms),
            ("door", self.doors, self.size.doors),
            ("thing", self.things, self.size.things),
        ):
            if len(keys) > most:
                raise GameFileError(f"{len(keys)} {name}s, expected at most {most}")
            g[f"{name}_count"] = len(keys)
            for k, key in enumerate(keys):
                g[f"{name}_name"][k] = len(self.names)
                self.names.append(str(self.infos[key]["name"] or key))
        if not self.rooms:
            raise GameFileError("it has no rooms")
        for t, key in enumerate(self.things):
            kind = self.infos[key]["type"]
            g["kind"][t] = _KINDS[self._base(kind)]
            g["heat"][t] = HEATS.get(kind, 0)
            self.start["lid"][t] = SOLID  # until a fact says otherwise

    def _map(self, facts: Sequence[Fact]) -> None:
        g = self.start["game"]
        free = {args for name, args in facts if name == "free" and len(args) == 2}
        links = {(a, b): door for name, args in facts if name == "link" for a, door, b in [args]}
        for name, args in facts:
            if name not in _SIDES:
                continue
            there, here = args
            for a, b, side in ((here, there, _SIDES[name]), (there, here, (_SIDES[name] + 2) % 4)):
                if (a, b) in free or (a, b) in links:
                    way = 4 * self.rooms.index(a) + side
                    g["exits"][way] = self.rooms.index(b)
                    if (a, b) in links:
                        g["gates"][way] = self.doors.index(links[a, b])

    def _place(self, holder: str) -> int:
        if holder == "I":
            return self.size.rooms
        if holder in self.rooms:
            return self.rooms.index(holder)
        return self.size.rooms + 1 + self.things.index(holder)

    def _object(self, key: str) -> int:
        return self.things.index(key) if key in self.things else self.size.things + self.doors.index(key)

    def _things(self, facts: Sequence[Fact]) -> None:
        g = self.start["game"]
        for name, args in facts:
            match args:
                case ("P", room) if name == "at":
                    self.start["room"] = self.rooms.index(room)
                case (thing, holder) if name in {"at", "in", "on"} and thing in self.things:
                    self.start["place"][self.things.index(thing)] = self._place(holder)
                case (key, lock) if name == "match":
                    g["opens"][self.things.index(key)] = self._object(lock)
                case (one,) if name in _STATES and one in self.doors:
                    self.start["door_state"][self.doors.index(one)] = _STATES[name]
                case (one,) if name in _STATES:
                    self.start["lid"][self.things.index(one)] = _STATES[name]
                case (one,) if name in _BITS and one in self.things:
                    self.start["traits"][self.things.index(one)] |= _BITS[name]

    def _recipe(self, facts: Sequence[Fact]) -> None:
        g = self.start["game"]
        g["meal"], g["kitchen"], g["cookbook"], g["target"], g["goal"] = (NONE,) * 5
        g["ingredient"] = NONE
        base = {args[0]: args[1] for name, args in facts if name == "base"}
        for name, args in facts:
            if name == "out":
                g["meal"] = self.things.index(args[0])
            elif name == "cooking_location":
                g["kitchen"] = self.rooms.index(args[0])
            elif name.startswith("ingredient_"):
                k = int(name.removeprefix("ingredient_")) - 1
                if not 0 <= k < len(g["ingredient"]):
                    raise GameFileError(f"{name}, expected at most {len(g['ingredient'])} ingredients")
                g["ingredient"][k] = self.things.index(args[0])
                g["recipe_length"] = max(int(g["recipe_length"]), k + 1)
                for trait, bit in _BITS.items():
                    if (trait, (base[args[0]],)) in self.truths:
                        g["wanted"][k] |= bit
        for t, key in enumerate(self.things):
            if self.infos[key]["name"] == "cookbook":
                g["cookbook"] = t

    def _rules(self, logic: str, facts: Sequence[Fact], quests: Sequence[Mapping[str, Any]]) -> None:
        g = self.start["game"]
        slots = [name for name, args in facts if name in {"free", "used"} and len(args) == 1]
        carried, spare = int((self.start["place"] == self.size.rooms).sum()), sum(name == "spare" for name, _ in facts)
        g["capacity"] = slots.count("free") + carried if slots else spare or np.iinfo(np.int16).max
        g["stuck"] = carried - slots.count("used") if slots else 0  # TextWorld forgets slots beyond the capacity
        flat = re.sub(r"\s+", "", logic)
        g["rules"] = (
            EXAMINE_DOORS * ("examine/d::" in flat)
            | EXAMINE_HELD * ("examine/I::in(o,I)" in flat)
            | EDIBLE_ONLY * ("eat::in(f,I)&edible(f)" in flat)
            | (RECIPE_PARTS if "make/recipe/1::" in flat else RECIPE_DONE)
            | NO_SENSES * ("look::" not in flat and "examine/" not in flat)
            | NEEDS_LAST * any(event["actions"] for quest in quests for event in quest["win_events"])
        )

    def _quests(self, quests: Sequence[Mapping[str, Any]]) -> None:
        g, size = self.start["game"], self.size
        events = [
            (q, effect, [_fact(one) for one in event["condition"]["preconditions"]])
            for q, quest in enumerate(quests)
            for effect, group in ((WIN, quest["win_events"]), (FAIL, quest["fail_events"]))
            for event in group
        ]
        conditions = [fact for _, _, facts in events for fact in facts if not self._always(fact)]
        for name, count, most in (
            ("quests", len(quests), size.quests),
            ("events", len(events), size.events),
            ("facts", len(conditions), size.facts),
        ):
            if count > most:
                raise GameFileError(f"{count} {name}, expected at most {most}")
        g["quest_count"], g["event_count"] = len(quests), len(events)
        for q, quest in enumerate(quests):
            g["reward"][q], g["optional"][q] = quest["reward"], bool(quest["optional"])
            g["repeatable"][q] = bool(quest["repeatable"])
        for k, (quest, effect, facts) in enumerate(events):
            g["event_quest"][k], g["event_effect"][k], g["event_first"][k] = quest, effect, g["fact_count"]
            for fact in facts:
                if not self._always(fact):
                    n = int(g["fact_count"])
                    g["fact_kind"][n], g["fact_first"][n], g["fact_second"][n] = self._condition(fact)
                    g["fact_count"] = n + 1

    def _always(self, fact: Fact) -> bool:
        """Whether nothing changes this fact, which is true."""
        return fact in self.truths and self._condition(fact)[0] == NEVER

    def _condition(self, fact: Fact) -> tuple[int, int, int]:
        name, args = fact
        match args:
            case ("P", room) if name == "at":
                return PLAYER_AT, self.rooms.index(room), 0
            case (thing, holder) if name in {"at", "in", "on"} and thing in self.things:
                return THING_AT, self.things.index(thing), self._place(holder)
            case (one,) if name in _STATES and one in self.doors:
                return DOOR_IS, self.doors.index(one), _STATES[name]
            case (one,) if name in _STATES and one in self.things:
                return LID_IS, self.things.index(one), _STATES[name]
            case (one,) if name in _BITS and one in self.things:
                return TRAIT_IS, self.things.index(one), _BITS[name]
            case (one,) if name == "used" and one in self.things:
                return THING_AT, self.things.index(one), NONE
        return NEVER, 0, 0


def _fact(data: Mapping[str, Any]) -> Fact:
    return str(data["name"]), tuple(str(one["name"]) for one in data["arguments"])
