"""Dancers dance in turn; then the agent has to walk to the one who danced as told."""

import itertools
import re
from typing import Annotated

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Players,
    Record,
    Reward,
    StateRecord,
    Vector,
    Words,
    World,
    batch_loops,
    field,
    kernel,
    rng,
)
from envsuite.core.language import parse_choice
from envsuite.memory.experts import KernelPlayer
from envsuite.memory.render import MemoryPictures

SIDE, BEATS = 9, 16
DANCES = ("circle", "circle back", "up and down", "left and right", "diagonal", "other diagonal", "plus", "times")
MOVES = ("right", "down right", "down", "down left", "left", "up left", "up", "up right")
STEPS = np.array(((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)))
PLACES = np.array([(row, column) for row, column in itertools.product((1, 4, 7), repeat=2) if (row, column) != (4, 4)])
FLOOR, SPOT, DANCER, STILL, HERO, INK, FAINT = (
    (236, 232, 222),
    (252, 240, 190),
    (206, 84, 130),
    (176, 158, 170),
    (44, 98, 190),
    (40, 44, 52),
    (120, 116, 128),
)
RING = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""The cells around a dancer, clockwise from above."""
HOME = (0, 0)


def _spokes(*ends: int) -> list[tuple[int, int]]:
    """Out to cells of the ring and back home, one after another."""
    return [place for end in ends for place in (RING[end], HOME)]


FIGURES = np.array(
    [
        RING * 2,
        tuple(reversed(RING)) * 2,
        _spokes(0, 4) * 4,
        _spokes(6, 2) * 4,
        _spokes(7, 3) * 4,
        _spokes(1, 5) * 4,
        _spokes(0, 2, 4, 6) * 2,
        _spokes(1, 3, 5, 7) * 2,
    ]
)
"""Rows and columns from home at each beat of each dance, (8, 16, 2)."""


class Params(Record):
    """The options."""

    dancers = field(type=np.int32)
    turn = field(type=np.int32, meaning="steps from the beginning of a dance to that of the next")
    dancing = field(type=np.int32, meaning="steps of all dances; the question comes then")


class State(StateRecord):
    """Who dances what, and the agent."""

    place = field(type=np.int8, shape=len(PLACES), meaning="index into `PLACES` of each dancer, in the order of turns")
    dance = field(type=np.int8, shape=len(DANCES), meaning="of each dancer")
    asked = field(type=np.int32, meaning="dancer to be found")
    row = field(type=np.int32, meaning="of the agent")
    column = field(type=np.int32, meaning="of the agent")
    reached = field(type=np.int32, meaning="dancer that the agent has come to; -1 for none")


class Info(Record):
    """The metrics."""

    is_success = field(type=np.bool_, meaning="the right dancer was reached")
    privileged = field(type=np.float32, shape="places", meaning="for critics: 1 for the place of the right dancer")


@kernel
def reset(s, p):
    """Draw places, dances and the question."""
    for k in range(len(PLACES)):
        s.place[k], s.dance[k] = k, k
    rng.shuffle(s.rng, rng.RESET, s.place)
    rng.shuffle(s.rng, rng.RESET, s.dance)
    s.asked = rng.integers(s.rng, rng.RESET, p.dancers)
    s.row, s.column, s.reached = SIDE // 2, SIDE // 2, -1


@kernel
def step(s, p, action):
    """After the dances, walk; the first dancer that is reached ends the episode."""
    if np.int32(s.clock.step) <= p.dancing:
        return 0.0, False
    s.row = min(max(s.row + STEPS[action, 0], 0), SIDE - 1)
    s.column = min(max(s.column + STEPS[action, 1], 0), SIDE - 1)
    for k in range(p.dancers):
        if PLACES[s.place[k], 0] == s.row and PLACES[s.place[k], 1] == s.column:
            s.reached = k
    return 1.0 * (s.reached == s.asked), s.reached >= 0


@kernel
def dancing_now(s, p):
    """Who dances, and at which beat; -1 between dances and after them."""
    t = np.int32(s.clock.step)
    if t >= p.dancing or t % p.turn >= BEATS:
        return -1, 0
    return t // p.turn, t % p.turn


@kernel
def observe(s, p, o, info):
    """The agent, the dancers, who dances how, and what is asked."""
    for k in range(SIDE):
        o.row[k], o.column[k] = k == s.row, k == s.column
    for k in range(len(PLACES)):
        o.dancers[k], o.dancing[k], info.privileged[k] = 0, 0, 0.0
    for k in range(p.dancers):
        o.dancers[s.place[k]] = 1
    who, beat = dancing_now(s, p)
    o.down, o.right = 0, 0
    if who >= 0:
        o.dancing[s.place[who]] = 1
        o.down, o.right = FIGURES[s.dance[who], beat, 0], FIGURES[s.dance[who], beat, 1]
    for k in range(len(DANCES)):
        o.asked[k] = np.int32(s.clock.step) >= p.dancing and s.dance[s.asked] == k
    info.privileged[s.place[s.asked]] = 1.0
    info.is_success = s.reached == s.asked


class BalletWorld(World):
    """See each dancer dance once, then walk to the one whose dance is asked for.

    Args:
        dancers: around the agent.
        delay: steps between two dances.
    """

    loops = batch_loops(reset, step, observe)
    state_dtype = State.dtype()
    info_dtype = Info.dtype(places=len(PLACES))
    action = Choice(MOVES)
    reward = Reward(low=np.array(0.0), high=np.array(1.0))
    observation = Vector(
        (
            Block("row", SIDE, 0, 1, "", "1 for the row of the agent"),
            Block("column", SIDE, 0, 1, "", "1 for the column of the agent"),
            Block("dancers", len(PLACES), 0, 1, "", "1 where one stands, row by row"),
            Block("dancing", len(PLACES), 0, 1, "", "1 for who dances now"),
            Block("down", 1, -1, 1, "", "cells from home of who dances"),
            Block("right", 1, -1, 1, "", "cells from home of who dances"),
            Block("asked", len(DANCES), 0, 1, "", f"1 for the dance asked for ({', '.join(DANCES)}), after all dances"),
        ),
        np.int8,
    )

    def __init__(self, *, dancers: Annotated[int, Between(1, 8)] = 2, delay: Annotated[int, Between(0, 1000)] = 16):
        turn = BEATS + delay
        self.params = Params.make(dancers=dancers, turn=turn, dancing=dancers * turn)


@kernel
def remember(states, params, memory, streams, actions):
    """Rule out dances by what is seen of each; then walk to who may have danced as asked."""
    p = params[0]
    for i in range(states.shape[0]):
        s, kept = states[i], memory[i]
        who, beat = dancing_now(s, p)
        if who >= 0:
            for k in range(len(DANCES)):
                same = FIGURES[k, beat, 0] == FIGURES[s.dance[who], beat, 0]
                if not (same and FIGURES[k, beat, 1] == FIGURES[s.dance[who], beat, 1]):
                    kept.out[s.place[who], k] = 1
        actions[i] = 0
        for k in range(p.dancers):
            place = s.place[k]
            if np.int32(s.clock.step) >= p.dancing and not kept.out[place, s.dance[s.asked]]:
                actions[i] = towards(s, place)


@kernel
def towards(s, place):
    """The move to a place on a straight line from the middle."""
    down = min(max(PLACES[place, 0] - s.row, -1), 1)
    right = min(max(PLACES[place, 1] - s.column, -1), 1)
    for k in range(len(MOVES)):
        if STEPS[k, 0] == down and STEPS[k, 1] == right:
            return k
    return 0


@kernel
def forget(states, params, memory, streams, actions):
    """Walk to one of the dancers."""
    for i in range(states.shape[0]):
        s, kept = states[i], memory[i]
        if not kept.chosen:
            kept.chosen = 1 + s.place[rng.integers(streams[i], rng.AGENT, params[0].dancers)]
        actions[i] = towards(s, kept.chosen - 1)


class BalletPlayers(Players):
    """A perfect memory, and none."""

    def expert(self):
        """See `remember`."""
        shape = (len(PLACES), len(DANCES))
        return KernelPlayer(self.world, remember, np.dtype([("out", np.uint8, shape)]))

    def collector(self, name):
        """``"memoryless"``: see `forget`."""
        if name != "memoryless":
            return super().collector(name)
        return KernelPlayer(self.world, forget, np.dtype([("chosen", np.int32)]))


_PLACES = ("upper left", "top", "upper right", "left", "right", "lower left", "bottom", "lower right")
_DIRECTIONS = {one: one for one in ("up", "down", "left", "right")}
_DIRECTIONS |= {"upper": "up", "top": "up", "lower": "down", "bottom": "down"}
_OFFSETS = {-1: ("up", "left"), 1: ("down", "right")}


class BalletWords(Words):
    """Who dances, where to; answers are ways to go."""

    def describe(self, state, agent=0):
        """What is observed, and the rules."""
        p = self.world.params[0]
        count, t = int(p["dancers"]), int(state["clock"]["step"])
        there = sorted(int(one) for one in state["place"][:count])
        told = [f"You are in row {int(state['row']) + 1}, column {int(state['column']) + 1}."]
        told.append(f"Dancers: {', '.join(_PLACES[one] for one in there)}.")
        turn = int(p["turn"])
        if t >= int(p["dancing"]):
            told.append(f"Go to the dancer who danced: {DANCES[int(state['dance'][int(state['asked'])])]}.")
        elif t % turn >= BEATS:
            told.append("Nobody dances.")
        else:
            down, right = FIGURES[int(state["dance"][t // turn]), t % turn]
            steps = [_OFFSETS[int(one)][k] for k, one in enumerate((down, right)) if one]
            told.append(f"The dancer {_PLACES[int(state['place'][t // turn])]} is {' and '.join(steps) or 'at home'}.")
        return f"{' '.join(told)}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        return (
            "You stand in the middle of a room of 9 x 9 cells. Dancers around you dance one after another, each in its "
            "own way, 16 beats long: a circle (clockwise from above) or back, up and down, left and right, a diagonal "
            "(from the upper left) or the other one, a plus (up, right, down, left), times (the four corners). Until "
            "all have danced you cannot move. Then you are told a dance; walk to who danced it. The first dancer you "
            f"reach ends it, and pays 1 if it is the right one. Answer with one of: {', '.join(MOVES)}"
        )

    def parse(self, text, state, agent=0):
        """Read one of the eight directions, the words of a diagonal in any order; places name directions too."""
        words = {_DIRECTIONS[one] for one in re.findall("[a-z]+", text.lower()) if one in _DIRECTIONS}
        found = [k for k, name in enumerate(MOVES) if words == set(name.split())]
        return found[0] if found else parse_choice(text, self.world.action)


class BalletPictures(MemoryPictures):
    """The room from above; people see under each dancer what it dances."""

    size = (400, 440)
    fps = 8
    ground = (250, 248, 242)

    def paint(self, canvas, state, all_seen):
        """Draw room, dancers, agent and question."""
        width, height = canvas.width, canvas.height
        p = self.world.params[0]
        count, t, turn = int(p["dancers"]), int(state["clock"]["step"]), int(p["turn"])
        side = min(0.98 * width, 0.88 * height) / SIDE
        left, top = (width - SIDE * side) / 2, 0.99 * height - SIDE * side
        canvas.rectangle((left, top, left + SIDE * side, top + SIDE * side), FLOOR)
        asked = t >= int(p["dancing"])
        for k in range(count):
            row, column = (float(one) for one in PLACES[int(state["place"][k])])
            dances = not asked and t // turn == k and t % turn < BEATS
            if dances:
                down, right = (float(one) for one in FIGURES[int(state["dance"][k]), t % turn])
                canvas.circle((left + (column + 0.5) * side, top + (row + 0.5) * side), 1.4 * side, SPOT)
                row, column = row + down, column + right
            place = (left + (column + 0.5) * side, top + (row + 0.5) * side)
            canvas.circle(place, 0.36 * side, DANCER if dances or asked else STILL, INK, 0.05 * side)
            if all_seen:
                canvas.text((place[0], place[1] + 0.6 * side), DANCES[int(state["dance"][k])], FAINT, 0.3 * side, "mm")
        place = (left + (int(state["column"]) + 0.5) * side, top + (int(state["row"]) + 0.5) * side)
        canvas.circle(place, 0.3 * side, HERO, INK, 0.05 * side)
        told = f"go to: {DANCES[int(state['dance'][int(state['asked'])])]}" if asked else "watch"
        canvas.text((width / 2, 0.055 * height), told, INK, 0.055 * height, "mm")
