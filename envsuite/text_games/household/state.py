"""What a house holds: its receptacles, the things in them, what is wanted, and what happened last.

Numbers that stand for things: rooms, *spots* (receptacles) and things are counted from 0. An *object* of a command is a
thing, or `THINGS` plus a spot, or `THINGS` + `MOST_SPOTS` plus a room.
"""

import numpy as np

from envsuite.core import Record, StateRecord, field
from envsuite.text_games.textworld.state import Command

NONE = -1
"""No thing, spot or object."""
CARRIED = -1
"""The place of the thing that is carried."""

MOST_ROOMS, MOST_SPOTS, MOST_OBJECTS = 4, 48, 24
THINGS = MOST_OBJECTS + 2
"""Things of a house at most: those that can be carried, and a lamp in each room that has one."""
COMMANDS = 112
"""Commands that may be possible at once."""
TOKENS = 768
"""Words of a description at most."""
OBJECTS = THINGS + MOST_SPOTS + MOST_ROOMS
COPIES = 4
"""Things of one kind at most, as in ALFRED."""

TRAITS = ("hot", "cold", "clean", "sliced", "lit")
HOT, COLD, CLEAN, SLICED, LIT = (1 << k for k in range(len(TRAITS)))
"""Facts about a thing, a bit each."""

LOOK, INVENTORY, GO, EXAMINE, OPEN_IT, CLOSE_IT, TAKE, MOVE, CLEAN_IT, HEAT_IT, COOL_IT, USE, SLICE = range(13)
VERBS = (
    "look",
    "inventory",
    "go",
    "examine",
    "open",
    "close",
    "take",
    "move",
    "clean",
    "heat",
    "cool",
    "use",
    "slice",
)
"""What a command does. Its arguments are: of go a spot or room; of take and move what, and from or to which spot; of
clean, heat and cool what, and the spot with which; of slice what, and the knife; of the others one object."""

SIZES = {"spots": MOST_SPOTS, "things": THINGS, "commands": COMMANDS, "rooms": MOST_ROOMS}
"""Lengths of the arrays of a record, by name."""


class Game(Record):
    """What stays the same in an episode."""

    room_count = field(type=np.int16, meaning="number of rooms")
    spot_count = field(type=np.int16, meaning="number of receptacles")
    thing_count = field(type=np.int16, meaning="number of things")
    room_kind = field(type=np.int16, shape="rooms", meaning="kitchen 0, living room 1, bedroom 2, bathroom 3")
    plan = field(type=np.int16, shape="rooms", meaning="the floor plan of each room, from 0 on")
    spot_kind = field(type=np.int16, shape="spots", meaning="kind of each receptacle")
    spot_name = field(type=np.int16, shape="spots", meaning="index of its name")
    spot_room = field(type=np.int16, shape="spots", meaning="the room that it is in")
    thing_kind = field(type=np.int16, shape="things", meaning="kind of each thing")
    thing_name = field(type=np.int16, shape="things", meaning="index of its name")
    task = field(type=np.int16, meaning="pick 0, light 1, clean 2, heat 3, cool 4, two 5")
    wanted = field(type=np.int16, meaning="the kind of thing that the goal names")
    goal = field(type=np.int16, meaning="the kind of receptacle that it names; -1 for none")
    slices = field(type=np.uint8, meaning="1 if the goal wants slices")
    dense = field(type=np.uint8, meaning="1 if each condition of the goal pays, 0 if only all of them do")
    recall = field(type=np.uint8, meaning="1 if players are told what they have seen elsewhere")


class State(StateRecord):
    """A house in the course of an episode."""

    game = field(type=Game, meaning="what stays the same")
    room = field(type=np.int16, meaning="where the player is")
    spot = field(type=np.int16, meaning="the receptacle where the player is; -1 for none")
    carried = field(type=np.int16, meaning="the thing in the player's hand; -1 for none")
    open = field(type=np.uint8, shape="spots", meaning="1 for open receptacles, and for those without a door")
    place = field(type=np.int16, shape="things", meaning="the receptacle that it is in or on; -1 if it is carried")
    traits = field(type=np.uint8, shape="things", meaning="bits, see `TRAITS`")
    entered = field(type=np.uint8, shape="rooms", meaning="1 if the player has been there")
    searched = field(type=np.uint8, shape="spots", meaning="1 if the player has seen what is in it")
    seen = field(type=np.uint8, shape="things", meaning="1 if the player knows where it is")
    score = field(type=np.int32, meaning="conditions of the goal that were met at once, at most so far")
    won = field(type=np.uint8, meaning="1 if all are met")
    last = field(type=Command, meaning="the last command; its verb is -1 in the beginning")
    refused = field(type=np.uint8, meaning="1 if the last action was no possible command")
    command_count = field(type=np.int16, meaning="number of commands that are possible now")
    commands = field(type=Command, shape="commands", meaning="these commands, in a fixed order")
