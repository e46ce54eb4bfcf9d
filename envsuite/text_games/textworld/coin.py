"""The coin collector: find a coin at the end of a chain of rooms."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Record, batch_loops, field, kernel, rng
from envsuite.text_games.textworld.build import (
    Draft,
    add_event,
    add_quest,
    add_room,
    add_thing,
    clear,
    free_side,
    link,
    name_rooms,
)
from envsuite.text_games.textworld.names import NUMBER, ROOMS
from envsuite.text_games.textworld.rules import inventory
from envsuite.text_games.textworld.state import CORRIDOR, NONE, OBJECT, THING_AT, WIN
from envsuite.text_games.textworld.world import Style, TextWorld, begin, observe, step

COIN = NUMBER["coin"]


class Params(Record):
    """The options that kernels know."""

    chain = field(type=np.int32, meaning="rooms of the chain at whose end the coin lies")
    rooms = field(type=np.int32, meaning="rooms in all")
    anywhere = field(type=np.uint8, meaning="1 if further rooms adjoin any room, 0 if only rooms of the chain")
    room_names = field(type=np.int32, shape=2, meaning="first and number of the names for rooms")


@kernel
def reset(s, p, w):
    """A chain of rooms, dead ends beside it, and a coin in its last room."""
    clear(s)
    add_room(s, NONE)
    while s.game.room_count < p.rooms:
        count = np.int64(s.game.room_count)
        base = count - 1
        if count >= p.chain:
            base = rng.integers(s.rng, rng.RESET, count) if p.anywhere else count % p.chain
        side = free_side(s, base)
        if side < 0:  # that room has a way on each side
            base = rng.integers(s.rng, rng.RESET, count)
            side = free_side(s, base)
        if side >= 0:
            link(s, base, side, add_room(s, NONE), NONE)
    name_rooms(s, w, p.room_names)
    coin = add_thing(s, OBJECT, COIN, p.chain - 1)
    s.game.target = coin
    add_quest(s, 1)
    add_event(s, WIN, THING_AT, coin, inventory(s))
    begin(s)


class CoinCollectorWorld(TextWorld):
    """Find a coin at the end of a chain of rooms, and take it.

    Args:
        level: 1 to 300. Levels 1 to 100 have a chain of as many rooms. Levels 101 to 200 have a further room, a dead
            end, for each room of the chain, and levels 201 to 300 two. No game has more than 100 rooms.
        distractors: whether further rooms adjoin rooms of the chain in turn, as they do in TextWorld's code, or any
            room, as its documentation says of levels above 200.
        split: names of rooms: ``"test"`` has none that ``"train"`` has.
        style: of the texts.

    Raises:
        ValueError: a level with more than 100 rooms.
    """

    size = CORRIDOR
    objectives = ("Somewhere here lies a coin. Find it and take it.",)
    loops = batch_loops(reset, step, observe, work=Draft.dtype(rooms=CORRIDOR.rooms, names=ROOMS.count))

    def __init__(
        self,
        *,
        level: Annotated[int, Between(1, 300)] = 10,
        distractors: Literal["chain", "random"] = "chain",
        split: Literal["train", "test", "all"] = "train",
        style: Style = "plain",
    ):
        self.style = style
        chain, blocks = (level - 1) % 100 + 1, (level - 1) // 100 + 1
        if chain * blocks > self.size.rooms:
            most = ", ".join(f"{100 * k + 1} to {100 * k + self.size.rooms // (k + 1)}" for k in range(3))
            raise ValueError(f"level {level} has {chain * blocks} rooms, expected at most {self.size.rooms}: {most}")
        self.params = Params.make(
            chain=chain, rooms=chain * blocks, anywhere=distractors == "random", room_names=ROOMS.part(split)
        )
