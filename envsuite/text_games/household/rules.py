"""The rules: which commands are possible, what they do, and which conditions of the goal are met."""

from envsuite.core import kernel
from envsuite.text_games.household.goals import CLEAN as CLEAN_TASK
from envsuite.text_games.household.goals import COOL, HEAT, LIGHT, TOOL_OF, TWO
from envsuite.text_games.household.kinds import (
    ALWAYS,
    CAN_CLEAN,
    CAN_COOL,
    CAN_HEAT,
    CAN_HOLD,
    CAN_OPEN,
    CAN_SLICE,
    DESKLAMP,
    FRIDGE,
    IS_SHARP,
    MICROWAVE,
    NEVER,
    SINKBASIN,
)
from envsuite.text_games.household.state import (
    CARRIED,
    CLEAN,
    CLEAN_IT,
    CLOSE_IT,
    COLD,
    COOL_IT,
    EXAMINE,
    GO,
    HEAT_IT,
    HOT,
    INVENTORY,
    LIT,
    LOOK,
    MOST_SPOTS,
    MOVE,
    NONE,
    OPEN_IT,
    SLICE,
    SLICED,
    TAKE,
    THINGS,
    USE,
)
from envsuite.text_games.textworld.rules import offer

WANTED_TRAIT = (0, 0, CLEAN, HOT, COLD, 0)
"""By task, what the thing has to be."""


@kernel
def is_here(s, t):
    """Whether the player sees a thing now: in or on the receptacle where he is, or carried."""
    return s.place[t] == CARRIED or (s.place[t] == s.spot and s.open[s.spot] != 0)


@kernel
def holds(spot_kind, thing_kind, sliced):
    """Whether a kind of receptacle can hold a kind of thing."""
    rule = CAN_HOLD[spot_kind, thing_kind]
    return rule == ALWAYS or (rule != NEVER and sliced)


@kernel
def offer_carried(s, x):
    """Commands for the thing in hand and the receptacle where the player is."""
    g, here = s.game, s.spot
    kind, spot_kind = g.thing_kind[x], g.spot_kind[here]
    if s.open[here] and holds(spot_kind, kind, s.traits[x] & SLICED != 0):
        offer(s, MOVE, x, THINGS + here)
    if spot_kind == SINKBASIN and CAN_CLEAN[kind]:
        offer(s, CLEAN_IT, x, THINGS + here)
    if spot_kind == MICROWAVE and CAN_HEAT[kind]:
        offer(s, HEAT_IT, x, THINGS + here)
    if spot_kind == FRIDGE and CAN_COOL[kind]:
        offer(s, COOL_IT, x, THINGS + here)


@kernel
def offer_thing(s, t):
    """Commands for a thing that is seen."""
    kind = s.game.thing_kind[t]
    if t == s.carried:
        if s.spot >= 0:
            offer_carried(s, t)
    elif kind == DESKLAMP:
        offer(s, USE, t, NONE)
    elif s.carried == NONE:
        offer(s, TAKE, t, THINGS + s.spot)
    elif CAN_SLICE[kind] and IS_SHARP[s.game.thing_kind[s.carried]]:
        offer(s, SLICE, t, s.carried)
    offer(s, EXAMINE, t, NONE)


@kernel
def list_commands(s):
    """Write all commands that are possible now."""
    g = s.game
    s.command_count = 0
    offer(s, LOOK, NONE, NONE)
    offer(s, INVENTORY, NONE, NONE)
    for room in range(g.room_count):
        if room != s.room:
            offer(s, GO, THINGS + MOST_SPOTS + room, NONE)
    for spot in range(g.spot_count):
        if g.spot_room[spot] == s.room and spot != s.spot:
            offer(s, GO, THINGS + spot, NONE)
    if s.spot >= 0:
        offer(s, EXAMINE, THINGS + s.spot, NONE)
        if CAN_OPEN[g.spot_kind[s.spot]]:
            offer(s, CLOSE_IT if s.open[s.spot] else OPEN_IT, THINGS + s.spot, NONE)
    for t in range(g.thing_count):
        if is_here(s, t):
            offer_thing(s, t)


@kernel
def notice(s):
    """Remember the room, and what is seen."""
    s.entered[s.room] = 1
    if s.spot >= 0 and s.open[s.spot]:
        s.searched[s.spot] = 1
        for t in range(s.game.thing_count):
            if s.place[t] == s.spot:
                s.seen[t] = 1


@kernel
def obey(s, verb, first, second):
    """Do what a possible command says."""
    if verb == GO:
        spot = first - THINGS
        if spot < MOST_SPOTS:
            s.spot = spot
        else:
            s.room, s.spot = spot - MOST_SPOTS, NONE
    elif verb == OPEN_IT:
        s.open[s.spot] = 1
    elif verb == CLOSE_IT:
        s.open[s.spot] = 0
    elif verb == TAKE:
        s.place[first], s.carried = CARRIED, first
    elif verb == MOVE:
        s.place[first], s.carried = s.spot, NONE
    elif verb == CLEAN_IT:
        s.traits[first] |= CLEAN
    elif verb == HEAT_IT:
        s.traits[first] = (s.traits[first] | HOT | COLD) ^ COLD
    elif verb == COOL_IT:
        s.traits[first] = (s.traits[first] | HOT | COLD) ^ HOT
    elif verb == USE:
        s.traits[first] |= LIT
    elif verb == SLICE:
        s.traits[first] |= SLICED
    notice(s)


@kernel
def wants(s, t):
    """Whether a thing is one that the goal names: of the kind, and sliced if it has to be."""
    return s.game.thing_kind[t] == s.game.wanted and (not s.game.slices or s.traits[t] & SLICED != 0)


@kernel
def in_place(s, t):
    """Whether a thing is in a receptacle that the goal names."""
    return s.place[t] >= 0 and s.game.spot_kind[s.place[t]] == s.game.goal


@kernel
def condition_count(s):
    """Number of conditions that the goal has."""
    task = s.game.task
    placed = 2 if task in (LIGHT, TWO) else 3 if TOOL_OF[task] >= 0 else 1
    return placed + (2 if task == TWO else 1) * s.game.slices


@kernel
def most_in_one_place(s):
    """Number of wanted things in that receptacle of the goal's kind that has most of them."""
    best = 0
    for spot in range(s.game.spot_count):
        count = 0
        for t in range(s.game.thing_count):
            count += wants(s, t) and s.place[t] == spot and in_place(s, t)
        best = max(best, count)
    return best


@kernel
def lit_here(s):
    """Whether there is a lamp that is on where the player is."""
    found = False
    for t in range(s.game.thing_count):
        found = found or (s.traits[t] & LIT != 0 and s.place[t] == s.spot)
    return found


@kernel
def conditions_met(s):
    """Number of conditions of the goal that are met now."""
    g, task = s.game, s.game.task
    trait = WANTED_TRAIT[task]
    sliced, placed, treated, both = 0, False, False, False
    for t in range(g.thing_count):
        if wants(s, t):
            done = s.traits[t] & trait != 0
            sliced += g.slices
            placed = placed or in_place(s, t)
            treated = treated or done
            both = both or (done and in_place(s, t))
    if task == TWO:
        return min(sliced, 2) + min(most_in_one_place(s), 2)
    met = min(sliced, 1)
    if task == LIGHT:
        return met + (s.carried >= 0 and wants(s, max(s.carried, 0))) + lit_here(s)
    if task in (CLEAN_TASK, HEAT, COOL):
        return met + placed + treated + both
    return met + placed


@kernel
def judge(s):
    """Update the score, and whether the goal is reached."""
    met = conditions_met(s)
    s.score = max(s.score, met)
    s.won = met == condition_count(s)
