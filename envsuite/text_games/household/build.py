"""Draws houses: rooms by ALFRED's floor plans, a goal that can be reached, and things where they can be."""

import numpy as np

from envsuite.core import Record, field, kernel, rng
from envsuite.text_games.household.goals import GOAL_AT, GOALS, LIGHT, ROOM_COUNT, ROOM_OF, TASKS, TOOL_OF, TWO
from envsuite.text_games.household.kinds import (
    ALWAYS,
    CAN_HOLD,
    CAN_OPEN,
    CAN_SLICE,
    DESKLAMP,
    HAS_LAMP,
    IN_ROOM,
    IS_SHARP,
    KINDS,
    KITCHEN,
    PLAN,
    ROOMS,
    SPOTS,
)
from envsuite.text_games.household.names import SPOT_NAMES, THING_NAMES
from envsuite.text_games.household.rules import judge, list_commands, notice
from envsuite.text_games.household.state import COPIES, MOST_SPOTS, NONE
from envsuite.text_games.textworld.build import shuffle

ANY_TASK = -1
TRAINED, HELD_BACK, ANY_GOAL = range(3)
"""Which goals are drawn: those of training, those held out from it, or all."""


class Params(Record):
    """The options that kernels know."""

    task = field(type=np.int32, meaning="the task; -1 for any")
    rooms = field(type=np.int32, meaning="number of rooms")
    spots = field(type=np.int32, meaning="receptacles at most")
    objects = field(type=np.int32, meaning="number of things that can be carried")
    slices = field(type=np.uint8, meaning="1 if goals want slices")
    goals = field(type=np.uint8, meaning="0 those of training, 1 those held out, 2 all")
    first_plan = field(type=np.int32, meaning="the first of the floor plans")
    plans = field(type=np.int32, meaning="number of floor plans")
    dense = field(type=np.uint8, meaning="1 if each condition of the goal pays, 0 if only all of them do")
    recall = field(type=np.uint8, meaning="1 if players are told what they have seen elsewhere")


class Draft(Record):
    """What the generator remembers."""

    order = field(type=np.int16, shape=len(ROOMS), meaning="kinds of rooms in the order in which they are chosen")
    chosen = field(type=np.int16, shape=len(ROOMS) * len(SPOTS), meaning="receptacles by room and kind")
    numbered = field(type=np.int16, shape=len(SPOTS), meaning="receptacles of each kind that have a number")
    copies = field(type=np.int16, shape=len(KINDS), meaning="things of each kind")
    spots = field(type=np.int16, meaning="number of receptacles")


@kernel
def planned(room, plan, spot):
    """How many receptacles of a kind a floor plan has; on a GPU each place that names the table keeps a copy of it."""
    return PLAN[room, plan, spot]


@kernel
def draw(s, count):
    """A whole number from 0 to `count` - 1."""
    return rng.integers(s.rng, rng.RESET, count)


@kernel
def draw_task(s, p):
    """The task. Things for the light are never sliced."""
    if p.task != ANY_TASK:
        return np.int64(p.task)
    task = draw(s, len(TASKS) - 1) if p.slices else draw(s, len(TASKS))
    return task + (task >= LIGHT) if p.slices else task


@kernel
def source_of(s, room, plan, kind, goal):
    """A kind of receptacle of a floor plan, other than the goal's, that can hold a thing; -1 if there is none."""
    count = 0
    for spot in range(len(SPOTS)):
        count += spot != goal and planned(room, plan, spot) > 0 and CAN_HOLD[spot, kind] == ALWAYS
    if count == 0:
        return NONE
    pick = draw(s, count)
    for spot in range(len(SPOTS)):
        if spot != goal and planned(room, plan, spot) > 0 and CAN_HOLD[spot, kind] == ALWAYS:
            if pick == 0:
                return spot
            pick -= 1
    return NONE


@kernel
def lamp_stand(s, room, plan):
    """A kind of receptacle of a floor plan on which a lamp can stand; -1 if there is none."""
    count = 0
    for spot in range(len(SPOTS)):
        count += HAS_LAMP[spot] * (planned(room, plan, spot) > 0)
    if count == 0:
        return NONE
    pick = draw(s, count)
    for spot in range(len(SPOTS)):
        if HAS_LAMP[spot] and planned(room, plan, spot) > 0:
            if pick == 0:
                return spot
            pick -= 1
    return NONE


@kernel
def choose(w, room, spot):
    """Give a room one more receptacle of a kind."""
    w.chosen[room * len(SPOTS) + spot] += 1
    w.spots += 1


@kernel
def need(w, room, spot):
    """Give a room a receptacle of a kind, unless it has one."""
    if w.chosen[room * len(SPOTS) + spot] == 0:
        choose(w, room, spot)


@kernel
def draw_goal(s, p, w):
    """Choose the main room, its floor plan and a goal, and the receptacles that the goal needs; whether that works."""
    g = s.game
    room = np.int64(KITCHEN) if p.slices else ROOM_OF[g.task, draw(s, ROOM_COUNT[g.task])]
    plan = p.first_plan + draw(s, p.plans)
    first = GOAL_AT[g.task * len(ROOMS) + room]
    row = first + draw(s, GOAL_AT[g.task * len(ROOMS) + room + 1] - first)
    numbers = GOALS[row]
    kind, goal = np.int64(numbers[2]), np.int64(numbers[3])
    if p.goals != ANY_GOAL and (numbers[4] == 0) != (p.goals == TRAINED):
        return False
    if p.slices and not CAN_SLICE[kind]:
        return False
    if goal >= 0 and (planned(room, plan, goal) == 0 or (CAN_HOLD[goal, kind] != ALWAYS and not p.slices)):
        return False
    source = source_of(s, room, plan, kind, goal)
    stand = lamp_stand(s, room, plan) if g.task == LIGHT else NONE
    tool = TOOL_OF[g.task]
    if source < 0 or (g.task == LIGHT and stand < 0) or (tool >= 0 and planned(room, plan, tool) == 0):
        return False
    g.room_kind[0], g.plan[0], g.wanted, g.goal = room, plan, kind, goal
    for k in range(w.chosen.shape[0]):
        w.chosen[k] = 0
    w.spots = 0
    for spot in (source, goal, stand, tool):
        if spot >= 0:
            need(w, room, spot)
    if p.slices:
        for knife in range(len(KINDS)):
            if IS_SHARP[knife] and w.spots < p.spots:
                need(w, room, max(source_of(s, room, plan, knife, NONE), 0))
    return True


@kernel
def draw_rooms(s, p, w):
    """Add the other rooms of the house, and put all in the order of their kinds."""
    g = s.game
    shuffle(s, w.order, len(ROOMS))
    g.room_count = 1
    for k in range(len(ROOMS)):
        if g.room_count < p.rooms and w.order[k] != g.room_kind[0]:
            g.room_kind[g.room_count] = w.order[k]
            g.plan[g.room_count] = p.first_plan + draw(s, p.plans)
            g.room_count += 1
    for last in range(g.room_count - 1, 0, -1):
        for k in range(last):
            if g.room_kind[k] > g.room_kind[k + 1]:
                g.room_kind[k], g.room_kind[k + 1] = g.room_kind[k + 1], g.room_kind[k]
                g.plan[k], g.plan[k + 1] = g.plan[k + 1], g.plan[k]


@kernel
def left_over(s, w, room):
    """Number of receptacles of a room's floor plan that are not chosen yet."""
    count, base = 0, s.game.room_kind[room] * len(SPOTS)
    for spot in range(len(SPOTS)):
        count += max(planned(s.game.room_kind[room], s.game.plan[room], spot) - w.chosen[base + spot], 0)
    return count


@kernel
def choose_one(s, w, first, last):
    """Choose one more receptacle of the floor plans of some rooms; whether any was left."""
    g, count = s.game, 0
    for room in range(first, last):
        count += left_over(s, w, room)
    pick = draw(s, count) if count > 0 else -1
    for room in range(first, last):
        kind = g.room_kind[room]
        for spot in range(len(SPOTS)):
            rest = max(planned(kind, g.plan[room], spot) - w.chosen[kind * len(SPOTS) + spot], 0)
            if 0 <= pick < rest:
                choose(w, kind, spot)
            pick -= rest
    return count > 0


@kernel
def furnish(s, p, w):
    """Choose receptacles until there are enough: one in each room at least."""
    g = s.game
    for room in range(g.room_count):
        if left_over(s, w, room) == plan_size(s, room):
            choose_one(s, w, room, room + 1)
    while w.spots < p.spots and choose_one(s, w, 0, g.room_count):
        pass
    g.spot_count = 0
    for kind in range(len(SPOTS)):
        w.numbered[kind] = 0
    for room in range(g.room_count):
        for kind in range(len(SPOTS)):
            for _ in range(w.chosen[g.room_kind[room] * len(SPOTS) + kind]):
                spot = np.int64(g.spot_count)
                g.spot_kind[spot], g.spot_room[spot] = kind, room
                g.spot_name[spot] = SPOT_NAMES + MOST_SPOTS * kind + w.numbered[kind]
                s.open[spot] = not CAN_OPEN[kind]
                w.numbered[kind] += 1
                g.spot_count += 1


@kernel
def plan_size(s, room):
    """Number of receptacles of a room's floor plan."""
    count = 0
    for spot in range(len(SPOTS)):
        count += planned(s.game.room_kind[room], s.game.plan[room], spot)
    return count


@kernel
def can_lie(s, kind, spot):
    """Whether a thing may lie in a receptacle in the beginning: what the goal wants is never where it should be."""
    g = s.game
    spot_kind = g.spot_kind[spot]
    return CAN_HOLD[spot_kind, kind] == ALWAYS and not (kind == g.wanted and spot_kind == g.goal)


@kernel
def places_for(s, kind):
    """Number of receptacles in which a thing may lie in the beginning."""
    count = 0
    for spot in range(s.game.spot_count):
        count += can_lie(s, kind, spot)
    return count


@kernel
def place_for(s, kind):
    """One of them, each with the same probability."""
    pick = draw(s, places_for(s, kind))
    for spot in range(s.game.spot_count):
        if can_lie(s, kind, spot):
            if pick == 0:
                return spot
            pick -= 1
    return NONE


@kernel
def add_thing(s, kind, number, place):
    """A thing; kinds come in order, so that its index tells nothing."""
    t = np.int64(s.game.thing_count)
    s.game.thing_kind[t], s.game.thing_name[t] = kind, THING_NAMES + COPIES * kind + number
    s.place[t] = place
    s.game.thing_count += 1


@kernel
def choose_things(s, p, w):
    """Choose what lies around: what the goal needs, and others that the rooms have."""
    g = s.game
    for kind in range(len(KINDS)):
        w.copies[kind] = 0
    w.copies[g.wanted] = 2 if g.task == TWO else 1
    count = np.int64(w.copies[g.wanted])
    if p.slices:
        knives = draw(s, 2)
        for kind in range(len(KINDS)):
            if IS_SHARP[kind]:
                if knives == 0:
                    w.copies[kind] += 1
                    count += 1
                knives -= 1
    while count < p.objects:
        room, kind = g.room_kind[draw(s, g.room_count)], draw(s, DESKLAMP)
        if IN_ROOM[room, kind] and w.copies[kind] < COPIES and places_for(s, kind) > 0:
            w.copies[kind] += 1
            count += 1


@kernel
def add_lamps(s):
    """A lamp in each room that has somewhere to put it."""
    g, lamps = s.game, 0
    for room in range(g.room_count):
        count = 0
        for spot in range(g.spot_count):
            count += g.spot_room[spot] == room and HAS_LAMP[g.spot_kind[spot]] and g.room_kind[room] != KITCHEN
        pick = draw(s, count) if count > 0 and lamps < 2 else -1
        for spot in range(g.spot_count):
            if g.spot_room[spot] == room and HAS_LAMP[g.spot_kind[spot]]:
                if pick == 0:
                    add_thing(s, DESKLAMP, lamps, spot)
                    lamps += 1
                pick -= 1


@kernel
def clear(s):
    """An empty house, of which nothing of an earlier one is left."""
    g = s.game
    for k in range(g.room_kind.shape[0]):
        g.room_kind[k], g.plan[k], s.entered[k] = NONE, NONE, 0
    for k in range(g.spot_kind.shape[0]):
        g.spot_kind[k], g.spot_name[k], g.spot_room[k], s.open[k], s.searched[k] = NONE, NONE, NONE, 0, 0
    for k in range(g.thing_kind.shape[0]):
        g.thing_kind[k], g.thing_name[k], s.place[k], s.traits[k], s.seen[k] = NONE, NONE, NONE, 0, 0
    for k in range(s.commands.shape[0]):
        s.commands[k].verb, s.commands[k].first, s.commands[k].second = 0, 0, 0
    g.thing_count, s.spot, s.carried, s.score, s.won, s.refused = 0, NONE, NONE, 0, 0, 0
    s.last.verb, s.last.first, s.last.second = NONE, NONE, NONE


@kernel
def reset(s, p, w):
    """Draw a house and a goal."""
    clear(s)
    g = s.game
    g.slices, g.dense, g.recall = p.slices, p.dense, p.recall
    g.task = draw_task(s, p)
    while not draw_goal(s, p, w):
        pass
    draw_rooms(s, p, w)
    furnish(s, p, w)
    choose_things(s, p, w)
    for kind in range(len(KINDS)):
        for number in range(w.copies[kind]):
            add_thing(s, kind, number, place_for(s, kind))
    add_lamps(s)
    s.room = draw(s, g.room_count)
    notice(s)
    judge(s)
    list_commands(s)
