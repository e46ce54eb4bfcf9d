"""What a text world holds: the map, the things, what is wanted, and what happened last.

Numbers that stand for things: rooms, doors and things are counted from 0. A *place* is a room (0, 1, ...), then the
inventory (`rooms` of the size class), then one place for each thing that can hold others. An *object* of a command is a
thing, or `things` plus a door.
"""

from dataclasses import dataclass

import numpy as np

from envsuite.core import Record, StateRecord, field

NONE = -1
"""No room, door, thing or place."""

NORTH, EAST, SOUTH, WEST = range(4)
DIRECTIONS = ("north", "east", "south", "west")

OPEN, CLOSED, LOCKED, SOLID = range(4)
"""States of doors and lids; what is solid has none and holds nothing."""

OBJECT, KEY, FOOD, CONTAINER, SUPPORTER = range(1, 6)
KINDS = ("nothing", "object", "key", "food", "container", "supporter")

TRAITS = (
    "edible",
    "inedible",
    "drinkable",
    "raw",
    "needs_cooking",
    "cooked",
    "burned",
    "fried",
    "roasted",
    "grilled",
    "uncut",
    "chopped",
    "sliced",
    "diced",
    "sharp",
    "consumed",
)
"""Facts about one thing, a bit each, with the names of TextWorld."""
(
    EDIBLE,
    INEDIBLE,
    DRINKABLE,
    RAW,
    NEEDS_COOKING,
    COOKED,
    BURNED,
    FRIED,
    ROASTED,
    GRILLED,
    UNCUT,
    CHOPPED,
    SLICED,
    DICED,
    SHARP,
    CONSUMED,
) = (1 << k for k in range(len(TRAITS)))
ALL_TRAITS = (1 << len(TRAITS)) - 1

HEATS = {"stove": FRIED, "oven": ROASTED, "toaster": GRILLED}
"""What cooking with each kind of appliance makes of food."""

WIN, FAIL = 1, 2
"""What an event does to its quest."""

PLAYER_AT, THING_AT, DOOR_IS, LID_IS, TRAIT_IS, NEVER = range(1, 7)
"""Kinds of facts: the player is in room a; thing a is in place b; door a, or the lid of thing a, is in state b; thing a
has the trait b; what cannot become true."""

(
    GO,
    TAKE,
    DROP,
    PUT,
    INSERT,
    OPEN_IT,
    CLOSE_IT,
    UNLOCK,
    LOCK,
    EAT,
    DRINK,
    COOK,
    SLICE,
    DICE,
    CHOP,
    PREPARE,
    EXAMINE,
    LOOK,
    INVENTORY,
) = range(19)
VERBS = (
    "go",
    "take",
    "drop",
    "put",
    "insert",
    "open",
    "close",
    "unlock",
    "lock",
    "eat",
    "drink",
    "cook",
    "slice",
    "dice",
    "chop",
    "prepare meal",
    "examine",
    "look",
    "inventory",
)
"""What a command does. Its arguments are: of go a direction; of take what, and the holder if it lies in or on one; of
put and insert what and where; of unlock and lock what and the key; of cook and cuts the food and with what."""

EXAMINE_DOORS, EXAMINE_HELD, EDIBLE_ONLY, RECIPE_DONE, RECIPE_PARTS, NEEDS_LAST, HIDES_PLACE, NO_SENSES = (
    1 << k for k in range(8)
)
"""Bits of a game's rules: doors can be examined; so can what is carried; only edible food can be eaten; a meal needs
ingredients that are done as the recipe says; the first ingredient alone makes a meal; a quest fails when something that
it needs is eaten or used up; what the room is called and what is carried is hidden; looking, the inventory and
examining are no commands."""


@dataclass(frozen=True)
class Size:
    """How much fits into a record. Worlds of one size share their machine code.

    Attributes:
        rooms: at most.
        doors: at most.
        things: at most.
        quests: at most.
        events: at most, of all quests together.
        facts: at most, of all events together.
        commands: that may be possible at once.
        tokens: words of a description.
    """

    rooms: int = 20
    doors: int = 20
    things: int = 48
    quests: int = 24
    events: int = 64
    facts: int = 96
    commands: int = 256
    tokens: int = 768

    @property
    def axes(self) -> dict[str, int]:
        """Lengths of the arrays of a record, by name."""
        return {
            "rooms": self.rooms,
            "exits": 4 * self.rooms,
            "doors": self.doors,
            "things": self.things,
            "quests": self.quests,
            "events": self.events,
            "facts": self.facts,
            "commands": self.commands,
        }


HOUSE = Size()
"""Fits all games but those of many rooms."""
LOADED = Size(rooms=100, doors=60, things=120, quests=60, events=160, facts=240, commands=1024, tokens=4096)
"""Fits games from files."""
CORRIDOR = Size(rooms=100, doors=1, things=2, quests=1, events=1, facts=1, commands=16, tokens=96)
"""Fits the coin collector's 100 rooms."""


class Command(Record):
    """Something that can be done now."""

    verb = field(type=np.int16, meaning="one of `VERBS`")
    first = field(type=np.int16, meaning="its object or direction; -1 for none")
    second = field(type=np.int16, meaning="the other object; -1 for none")


class Game(Record):
    """What stays the same in an episode."""

    room_count = field(type=np.int16, meaning="number of rooms")
    door_count = field(type=np.int16, meaning="number of doors")
    thing_count = field(type=np.int16, meaning="number of things")
    exits = field(type=np.int16, shape="exits", meaning="for each room the ones to its north, east, south and west; -1")
    gates = field(type=np.int16, shape="exits", meaning="the doors in these ways; -1 for open ways")
    kind = field(type=np.int8, shape="things", meaning="0 nothing, 1 object, 2 key, 3 food, 4 container, 5 supporter")
    heat = field(type=np.uint16, shape="things", meaning="the trait that cooking with it gives; 0 for no appliance")
    opens = field(type=np.int16, shape="things", meaning="what a key fits: a thing, or `things` plus a door; -1")
    room_name = field(type=np.int16, shape="rooms", meaning="index of its name")
    door_name = field(type=np.int16, shape="doors", meaning="index of its name")
    thing_name = field(type=np.int16, shape="things", meaning="index of its name")
    capacity = field(type=np.int16, meaning="things that can be carried")
    stuck = field(type=np.int16, meaning="things that stay in the inventory, whichever are put away first")
    rules = field(type=np.uint8, meaning="bits, see `EXAMINE_DOORS` and its like")
    meal = field(type=np.int16, meaning="the thing that preparing makes; -1 for none")
    kitchen = field(type=np.int16, meaning="the room to prepare it in; -1 for none")
    cookbook = field(type=np.int16, meaning="the thing that tells the recipe; -1 for none")
    recipe_length = field(type=np.int16, meaning="number of ingredients")
    ingredient = field(type=np.int16, shape=5, meaning="the things that the recipe names")
    wanted = field(type=np.uint16, shape=5, meaning="traits that each should have")
    target = field(type=np.int16, meaning="the thing that the objective names; -1 for none")
    goal = field(type=np.int16, meaning="the place or object that the objective names; -1 for none")
    quest_count = field(type=np.int16, meaning="number of quests")
    reward = field(type=np.int16, shape="quests", meaning="points for completing each")
    optional = field(type=np.uint8, shape="quests", meaning="1 if it need not be completed")
    repeatable = field(type=np.uint8, shape="quests", meaning="1 if it pays each time")
    event_count = field(type=np.int16, meaning="number of events")
    event_quest = field(type=np.int16, shape="events", meaning="the quest that it belongs to")
    event_effect = field(type=np.uint8, shape="events", meaning="1 completes the quest, 2 fails it")
    event_first = field(type=np.int16, shape="events", meaning="its first fact; the next event's ends its facts")
    fact_count = field(type=np.int16, meaning="number of facts")
    fact_kind = field(type=np.int8, shape="facts", meaning="1 player at, 2 thing at, 3 door, 4 lid, 5 trait, 6 never")
    fact_first = field(type=np.int16, shape="facts", meaning="room, thing or door")
    fact_second = field(type=np.int32, shape="facts", meaning="place, state or trait")


class Start(Record):
    """The beginning of a game, before a player comes."""

    game = field(type=Game, meaning="what stays the same")
    room = field(type=np.int16, meaning="where the player is")
    door_state = field(type=np.int8, shape="doors", meaning="0 open, 1 closed, 2 locked")
    lid = field(type=np.int8, shape="things", meaning="of containers: 0 open, 1 closed, 2 locked, 3 solid")
    place = field(type=np.int16, shape="things", meaning="a room, the inventory, or in or on a thing; -1 for nowhere")
    traits = field(type=np.uint16, shape="things", meaning="bits, see `TRAITS`")


class State(StateRecord, Start):
    """A game in the course of an episode."""

    level = field(type=np.int32, meaning="index of the game, where there is a pool of games")
    carried = field(type=np.int16, meaning="number of things in the inventory")
    visited = field(type=np.uint8, shape="rooms", meaning="1 if the player has been there")
    learned = field(type=np.uint8, meaning="1 if the cookbook has been read")
    completed = field(type=np.int16, shape="quests", meaning="times that each quest was completed")
    failed = field(type=np.uint8, shape="quests", meaning="1 if it cannot be completed any more")
    score = field(type=np.int32, meaning="points so far")
    won = field(type=np.uint8, meaning="all quests that count are completed")
    lost = field(type=np.uint8, meaning="one of them has failed")
    last = field(type=Command, meaning="the last command; its verb is -1 in the beginning")
    refused = field(type=np.uint8, meaning="1 if the last action was no possible command")
    near_count = field(type=np.int16, meaning="number of containers and supporters in the player's room")
    near = field(type=np.int16, shape="things", meaning="these things")
    command_count = field(type=np.int16, meaning="number of commands that are possible now")
    commands = field(type=Command, shape="commands", meaning="these commands, in a fixed order")
