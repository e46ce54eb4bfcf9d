"""Tells a house in words: kernels that write tokens; see `envsuite.text_games.textworld.telling`."""

import numpy as np

from envsuite.core import kernel
from envsuite.text_games.household.goals import LIGHT, TASKS, TWO
from envsuite.text_games.household.kinds import CAN_OPEN, IS_INSIDE
from envsuite.text_games.household.names import (
    KIND_NAMES,
    PLURAL_NAMES,
    ROOM_NAMES,
    SLICED_NAMES,
    SLICED_PLURAL_NAMES,
    SPOT_KIND_NAMES,
)
from envsuite.text_games.household.phrases import PHRASES
from envsuite.text_games.household.rules import condition_count, is_here
from envsuite.text_games.household.state import CARRIED, GO, MOST_SPOTS, THINGS, TRAITS, VERBS
from envsuite.text_games.textworld.phrases import ARTICLES_AT, NAMES_AT, NUMBERS_AT
from envsuite.text_games.textworld.telling import copy_phrase, say, word, write_command

_K = {name: k for k, name in enumerate(PHRASES)}
ROOM, SPOT, SHUT, OPEN_EMPTY, OPEN_WITH, NOTHING_IN, IN_IT, NOTHING_ON, ON_IT, AROUND, WAYS, SEARCHED, REMEMBERED = (
    _K[name]
    for name in (
        "room",
        "spot",
        "shut",
        "open and empty",
        "open with",
        "nothing in",
        "in it",
        "nothing on",
        "on it",
        "around",
        "rooms",
        "searched",
        "remembered",
    )
)
AT, IN_HAND, EMPTY_HANDS, SCORE, WON, REFUSED, ENTER = (
    _K[name] for name in ("at", "carried", "empty hands", "score", "won", "refused", "enter")
)
A, AND, COMMA, STOP, LINE, TASK = (_K[name] for name in ("a", "and", "comma", "stop", "line", "task"))
VERB_IS = tuple(_K[name] for name in VERBS)
"""What is said after each command."""
TRAIT_IS = tuple(_K[name] for name in ("hot", "cold", "clean thing", "sliced", "lit"))
TASK_IN = tuple(_K.get(f"{name} in", _K["light"]) for name in TASKS)
TASK_ON = tuple(_K.get(f"{name} on", _K["light"]) for name in TASKS)
ELSEWHERE = -2
"""In the place of a receptacle: all but where the player is."""


@kernel
def name_of(s, x):
    """The index of an object's name."""
    g = s.game
    if x < 0:
        return np.int64(0)
    if x < THINGS:
        return np.int64(g.thing_name[x])
    if x < THINGS + MOST_SPOTS:
        return np.int64(g.spot_name[x - THINGS])
    return np.int64(ROOM_NAMES + g.room_kind[x - THINGS - MOST_SPOTS])


@kernel
def tell_link(t, at, first, out, n, told, count):
    """Write what stands before one of several things: nothing, a comma or "and"."""
    if told == 0:
        return n
    return word(t, at, first, out, n, AND if told == count - 1 else COMMA)


@kernel
def tell_thing(s, t, at, first, out, n, x):
    """Write a thing with its article, and what was done to it."""
    name = name_of(s, x)
    if s.traits[x] == 0:
        return copy_phrase(t, at, out, n, first[ARTICLES_AT] + name)
    n = word(t, at, first, out, n, A)
    for k in range(len(TRAITS)):
        if s.traits[x] >> k & 1:
            n = word(t, at, first, out, n, TRAIT_IS[k])
    return copy_phrase(t, at, out, n, first[NAMES_AT] + name)


@kernel
def listed(s, x, place):
    """Whether a thing is among those that a list names: in a place, or seen elsewhere."""
    if place != ELSEWHERE:
        return s.place[x] == place
    return s.seen[x] != 0 and not is_here(s, x)


@kernel
def count_things(s, place):
    """Number of things that a list names."""
    count = 0
    for x in range(s.game.thing_count):
        count += listed(s, x, place)
    return count


@kernel
def tell_things(s, t, at, first, caps, out, n, place):
    """Write all things in a place, or all that were seen elsewhere and where."""
    told, count = 0, count_things(s, place)
    for x in range(s.game.thing_count):
        if listed(s, x, place):
            n = tell_link(t, at, first, out, n, told, count)
            n = tell_thing(s, t, at, first, out, n, x)
            if place == ELSEWHERE:
                n = say(t, at, first, caps, out, n, AT, first[NAMES_AT] + name_of(s, THINGS + s.place[x]), 0, 0)
            told += 1
    return word(t, at, first, out, n, STOP)


@kernel
def in_list(s, spot, searched):
    """Whether a receptacle is among those around, or among those that were searched."""
    if searched:
        return s.searched[spot] != 0
    return s.game.spot_room[spot] == s.room and spot != s.spot


@kernel
def tell_spots(s, t, at, first, caps, out, n, searched):
    """Write the receptacles around, or those that were searched; nothing if there are none."""
    told, count = 0, 0
    for spot in range(s.game.spot_count):
        count += in_list(s, spot, searched)
    if count == 0:
        return n
    n = say(t, at, first, caps, out, n, SEARCHED if searched else AROUND, 0, 0, s.game.plan[s.room])
    for spot in range(s.game.spot_count):
        if in_list(s, spot, searched):
            n = tell_link(t, at, first, out, n, told, count)
            n = copy_phrase(t, at, out, n, first[NAMES_AT] + name_of(s, THINGS + spot))
            told += 1
    return word(t, at, first, out, n, STOP)


@kernel
def tell_ways(s, t, at, first, caps, out, n):
    """Write the other rooms."""
    told, count = 0, s.game.room_count - 1
    if count == 0:
        return n
    n = say(t, at, first, caps, out, n, WAYS, 0, 0, s.game.plan[s.room])
    for room in range(s.game.room_count):
        if room != s.room:
            n = tell_link(t, at, first, out, n, told, count)
            n = copy_phrase(t, at, out, n, first[NAMES_AT] + name_of(s, THINGS + MOST_SPOTS + room))
            told += 1
    return word(t, at, first, out, n, STOP)


@kernel
def tell_place(s, t, at, first, caps, out, n):
    """Write where the player is, and what is in or on the receptacle there."""
    g, mix = s.game, s.game.plan[s.room] + s.spot + 1
    room = first[NAMES_AT] + ROOM_NAMES + g.room_kind[s.room]
    if s.spot < 0:
        return say(t, at, first, caps, out, n, ROOM, room, 0, mix)
    n = say(t, at, first, caps, out, n, SPOT, room, first[NAMES_AT] + name_of(s, THINGS + s.spot), mix)
    kind = g.spot_kind[s.spot]
    if not s.open[s.spot]:
        return say(t, at, first, caps, out, n, SHUT, 0, 0, mix)
    some = count_things(s, s.spot) > 0
    if CAN_OPEN[kind]:
        key = OPEN_WITH if some else OPEN_EMPTY
    elif IS_INSIDE[kind]:
        key = IN_IT if some else NOTHING_IN
    else:
        key = ON_IT if some else NOTHING_ON
    n = say(t, at, first, caps, out, n, key, 0, 0, mix)
    return tell_things(s, t, at, first, caps, out, n, s.spot) if some else n


@kernel
def tell_hand(s, t, at, first, caps, out, n):
    """Write what the player carries."""
    mix = s.game.plan[s.room]
    if s.carried < 0:
        return say(t, at, first, caps, out, n, EMPTY_HANDS, 0, 0, mix)
    n = say(t, at, first, caps, out, n, IN_HAND, 0, 0, mix)
    return tell_things(s, t, at, first, caps, out, n, CARRIED)


@kernel
def tell_answer(s, t, at, first, caps, out, n):
    """Write what the last command did."""
    if s.refused:
        return word(t, at, first, out, n, REFUSED)
    verb, x = s.last.verb, s.last.first
    if verb < 0:
        return n
    key = ENTER if verb == GO and x >= THINGS + MOST_SPOTS else VERB_IS[verb]
    names = first[NAMES_AT]
    return say(
        t, at, first, caps, out, n, key, names + name_of(s, x), names + name_of(s, s.last.second), x + s.clock.step
    )


@kernel
def tell_task(s, t, at, first, caps, out, n):
    """Write what the player should do."""
    g, names = s.game, first[NAMES_AT]
    n = say(t, at, first, caps, out, n, TASK, 0, 0, g.wanted)
    if g.task == TWO:
        thing = (SLICED_PLURAL_NAMES if g.slices else PLURAL_NAMES) + g.wanted
    else:
        thing = (SLICED_NAMES if g.slices else KIND_NAMES) + g.wanted
    goal = SPOT_KIND_NAMES + max(g.goal, 0)
    key = TASK_IN[g.task] if g.task == LIGHT or IS_INSIDE[max(g.goal, 0)] else TASK_ON[g.task]
    return say(t, at, first, caps, out, n, key, names + thing, names + goal, 0)


@kernel
def tell(s, t, at, first, caps, out):
    """Write all that a player is told now. Number of tokens.

    Args:
        s: the record.
        t: tokens of all phrases.
        at: where each begins.
        first: the first phrase of each key.
        caps: the capital form of each token.
        out: int32 (longest,), written; 0 behind the last token.
    """
    n = tell_answer(s, t, at, first, caps, out, 0)
    if s.won:
        n = word(t, at, first, out, n, WON)
    if n > 0:
        n = word(t, at, first, out, n, LINE)
    n = tell_place(s, t, at, first, caps, out, n)
    n = tell_spots(s, t, at, first, caps, out, n, False)
    n = tell_ways(s, t, at, first, caps, out, n)
    n = word(t, at, first, out, n, LINE)
    if s.game.recall:
        start = n
        n = tell_spots(s, t, at, first, caps, out, n, True)
        if count_things(s, ELSEWHERE) > 0:
            n = say(t, at, first, caps, out, n, REMEMBERED, 0, 0, s.game.plan[s.room])
            n = tell_things(s, t, at, first, caps, out, n, ELSEWHERE)
        if n > start:
            n = word(t, at, first, out, n, LINE)
    n = tell_hand(s, t, at, first, caps, out, n)
    n = word(t, at, first, out, n, LINE)
    if s.game.dense:
        numbers = first[NUMBERS_AT]
        n = say(t, at, first, caps, out, n, SCORE, numbers + s.score, numbers + condition_count(s), 0)
    n = tell_task(s, t, at, first, caps, out, n)
    for k in range(n, out.shape[0]):
        out[k] = 0
    return n


@kernel
def tell_all(states, t, at, first, caps, out, counts):
    """Write what the players of many houses are told.

    Args:
        states: (n,) records.
        t: see `tell`.
        at: see `tell`.
        first: see `tell`.
        caps: see `tell`.
        out: int32 (n, longest), written.
        counts: int32 (n,) numbers of tokens, written.
    """
    for i in range(states.shape[0]):
        counts[i] = tell(states[i], t, at, first, caps, out[i])


@kernel
def list_all(states, t, at, first, caps, out):
    """Write the commands that are possible in many houses, as players write them.

    Args:
        states: (n,) records.
        t: see `tell`.
        at: see `tell`.
        first: see `tell`.
        caps: see `tell`.
        out: int32 (n, commands, words), written.
    """
    for i in range(states.shape[0]):
        s = states[i]
        for k in range(out.shape[1]):
            x, y = 0, 0
            if k < s.command_count:
                command, names = s.commands[k], first[NAMES_AT]
                x, y = names + name_of(s, command.first), names + name_of(s, command.second)
            write_command(s, k, t, at, first, caps, out[i, k], x, y)
