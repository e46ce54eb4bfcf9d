"""Shortest solutions: A* (Hart, Nilsson and Raphael 1968) over the states of a game.

Only commands that can help are tried: ways and doors; what a quest or a recipe names, its containers and keys. What
every solution has to do anyway is done as soon as it is possible. Where all that is needed can be carried, nothing else
shortens a solution, so the one found is a shortest. With a smaller inventory things are also put down on the floor;
solutions are then the shortest of those that put things down nowhere else.
"""

import numpy as np

from envsuite.core import kernel
from envsuite.text_games.textworld.rules import (
    facts_end,
    holder_of,
    inventory,
    judge,
    list_commands,
    obey,
    place_of,
)
from envsuite.text_games.textworld.state import (
    CHOP,
    CHOPPED,
    CLOSE_IT,
    CLOSED,
    CONSUMED,
    COOK,
    DICE,
    DICED,
    DOOR_IS,
    DRINK,
    DROP,
    EAT,
    GO,
    INSERT,
    KEY,
    LID_IS,
    LOCK,
    LOCKED,
    NONE,
    OPEN_IT,
    PREPARE,
    PUT,
    SHARP,
    SLICE,
    SLICED,
    TAKE,
    THING_AT,
    TRAIT_IS,
    UNLOCK,
    WIN,
)

MOST_NODES = 200_000
"""States that a search visits at most."""
MOST_COMMANDS = 400
"""Commands of a solution at most."""
_SLOTS = 1 << 19
_CUTS = SLICED | DICED | CHOPPED

USELESS, USEFUL, NEEDED = range(3)
"""What a command is worth; one that is needed is tried alone."""


@kernel
def pending(s, event):
    """Whether an event is one that has yet to happen for the game to be won."""
    g = s.game
    quest = g.event_quest[event]
    return g.event_effect[event] == WIN and s.completed[quest] == 0 and not g.optional[quest]


@kernel
def mark(relevant, t, how):
    """Note that a thing is needed (1) or may be useful (2); whether that was news."""
    news = relevant[t] == 0
    if news:
        relevant[t] = how
    return news


@kernel
def mark_holder(s, relevant, holder, how):
    """Note that a container has to be opened, and that its key is needed if it is locked."""
    news = mark(relevant, holder, how)
    if s.lid[holder] == LOCKED:
        for key in range(s.game.thing_count):
            if s.game.kind[key] == KEY and s.game.opens[key] == holder:
                news = mark(relevant, key, how) or news
    return news


@kernel
def mark_holders(s, relevant):
    """Note the containers of what was noted, and theirs."""
    news = True
    while news:
        news = False
        for t in range(s.game.thing_count):
            if relevant[t] and holder_of(s, t) >= 0:
                news = mark_holder(s, relevant, holder_of(s, t), relevant[t]) or news


@kernel
def find_relevant(s, relevant):
    """Mark things: 1 for those that every solution needs, 2 for keys of doors and the containers of these."""
    g = s.game
    for t in range(g.thing_count):
        relevant[t] = 0
    for event in range(g.event_count):
        if pending(s, event):
            for k in range(g.event_first[event], facts_end(s, event)):
                t = g.fact_first[k]
                if g.fact_kind[k] == THING_AT:
                    mark(relevant, t, 1)
                    holder = g.fact_second[k] - inventory(s) - 1
                    if holder >= 0:
                        mark_holder(s, relevant, holder, 1)
                elif g.fact_kind[k] == LID_IS:
                    mark_holder(s, relevant, t, 1)
                elif g.fact_kind[k] == TRAIT_IS:
                    mark(relevant, t, 1)
    cutting = False
    if g.meal >= 0 and relevant[g.meal] and s.place[g.meal] == NONE and not s.traits[g.meal] & CONSUMED:
        for k in range(g.recipe_length):
            mark(relevant, g.ingredient[k], 1)
    for t in range(g.thing_count):
        cutting = cutting or (relevant[t] and missing(s, t) & _CUTS)
    knife = NONE
    for t in range(g.thing_count):
        if s.traits[t] & SHARP and knife < 0:
            knife = t
    if cutting and knife >= 0:
        relevant[knife] = 1
    mark_holders(s, relevant)
    for t in range(g.thing_count):
        door = g.opens[t] - s.place.shape[0]
        if g.kind[t] == KEY and relevant[t] == 0 and door >= 0 and s.door_state[door] == LOCKED:
            relevant[t] = 2
    mark_holders(s, relevant)


@kernel
def missing(s, t):
    """Traits that a quest or the recipe asks of a thing, and that it has not."""
    g, wanted = s.game, 0
    for k in range(g.recipe_length):
        if g.ingredient[k] == t and s.place[g.meal] == NONE:
            wanted |= g.wanted[k]
    for event in range(g.event_count):
        if pending(s, event):
            for k in range(g.event_first[event], facts_end(s, event)):
                if g.fact_kind[k] == TRAIT_IS and g.fact_first[k] == t:
                    wanted |= g.fact_second[k]
    return wanted & ~np.int64(s.traits[t])


@kernel
def asked(s, kind, first, second):
    """Whether an event that has yet to happen holds this fact."""
    g = s.game
    for event in range(g.event_count):
        if pending(s, event):
            for k in range(g.event_first[event], facts_end(s, event)):
                if g.fact_kind[k] == kind and g.fact_first[k] == first and g.fact_second[k] == second:
                    return True
    return False


@kernel
def asked_state(s, x, state):
    """Whether a door or container has to be in some state."""
    if x >= s.place.shape[0]:
        return asked(s, DOOR_IS, x - s.place.shape[0], state)
    return asked(s, LID_IS, x, state)


@kernel
def worth_of(s, relevant, limited, verb, first, second):
    """What a command is worth."""
    things = s.place.shape[0]
    if verb == GO:
        return USEFUL
    if verb in (OPEN_IT, UNLOCK):
        if first >= things:
            return USEFUL
        if relevant[first] == 0:
            return USELESS
        return NEEDED if relevant[first] == 1 and not asked_state(s, first, s.lid[first]) else USEFUL
    if verb == CLOSE_IT:
        return USEFUL if asked_state(s, first, CLOSED) else USELESS
    if verb == LOCK:
        return USEFUL if asked_state(s, first, LOCKED) else USELESS
    if verb == TAKE:
        if relevant[first] == 0 or asked(s, THING_AT, first, s.place[first]):
            return USELESS
        return NEEDED if relevant[first] == 1 and not limited else USEFUL
    if verb in (PUT, INSERT):
        return USEFUL if asked(s, THING_AT, first, place_of(s, second)) else USELESS
    if verb == DROP:
        return USEFUL if limited or asked(s, THING_AT, first, s.room) else USELESS
    if verb in (EAT, DRINK):
        return USEFUL if missing(s, first) & CONSUMED else USELESS
    if verb == COOK:
        return NEEDED if missing(s, first) & s.game.heat[second] else USELESS
    if SLICE <= verb <= CHOP:
        cut = SLICED if verb == SLICE else (DICED if verb == DICE else CHOPPED)
        return NEEDED if missing(s, first) & cut else USELESS
    return NEEDED if verb == PREPARE else USELESS


@kernel
def pack(s, row):
    """Write what changes in a game into a row of numbers; how many there are."""
    g, n = s.game, 0
    row[0] = s.room
    n = 1
    for k in range(g.door_count):
        row[n + k] = s.door_state[k]
    n += g.door_count
    for t in range(g.thing_count):
        row[n], row[n + 1], row[n + 2] = s.lid[t], s.place[t], s.traits[t]
        n += 3
    for quest in range(g.quest_count):
        row[n] = s.completed[quest]
        n += 1
    return n


@kernel
def unpack(s, row):
    """Read it back. Nothing has failed there."""
    g, n = s.game, 1
    s.room = row[0]
    for k in range(g.door_count):
        s.door_state[k] = row[n + k]
    n += g.door_count
    s.carried = 0
    for t in range(g.thing_count):
        s.lid[t], s.place[t], s.traits[t] = row[n], row[n + 1], row[n + 2]
        s.carried += s.place[t] == inventory(s)
        n += 3
    for quest in range(g.quest_count):
        s.completed[quest] = row[n]
        s.failed[quest] = 0
        n += 1
    s.won, s.lost = 0, 0


@kernel
def left(s):
    """Quests that have yet to be completed: each needs a command of its own."""
    g, count, event = s.game, 0, 0
    for quest in range(g.quest_count):
        needed = False
        while event < g.event_count and g.event_quest[event] == quest:
            needed = needed or pending(s, event)
            event += 1
        count += needed
    return count


@kernel
def place_in_table(rows, table, row, width):
    """The slot of the table for a row, and the node that has the same one; -1 if none has."""
    mixed = np.uint64(1469598103934665603)
    for k in range(width):
        mixed = (mixed ^ np.uint64(row[k] + 7)) * np.uint64(1099511628211)
    mixed ^= mixed >> np.uint64(29)
    slot = np.int64(mixed & np.uint64(table.shape[0] - 1))
    while table[slot] >= 0:
        node, same = table[slot], True
        for k in range(width):
            if rows[node, k] != row[k]:
                same = False
                break
        if same:
            return slot, node
        slot = (slot + 1) & (table.shape[0] - 1)
    return slot, np.int64(NONE)


@kernel(arrays=True)
def search(states, most):
    """A shortest solution.

    Args:
        states: (1,) a record `State`, which is overwritten.
        most: states to visit.

    Returns:
        int16 (commands, 3) verbs and arguments, and the number of states visited; no commands if none was found.
    """
    s = states[0]
    width = 1 + s.game.door_count + 3 * s.game.thing_count + s.game.quest_count
    rows = np.empty((most, width), np.int32)
    parent = np.empty(most, np.int32)
    how = np.empty((most, 3), np.int16)
    depth = np.empty(most, np.int32)
    closed = np.zeros(most, np.uint8)
    following = np.empty(most, np.int32)
    heads = np.full(MOST_COMMANDS, NONE, np.int32)
    table = np.full(_SLOTS, NONE, np.int32)
    relevant = np.zeros(s.place.shape[0], np.uint8)
    row = np.empty(width, np.int32)
    find_relevant(s, relevant)
    limited = s.game.capacity < s.carried + (relevant != 0).sum()
    pack(s, rows[0])
    slot, _ = place_in_table(rows, table, rows[0], width)
    table[slot], parent[0], depth[0] = 0, NONE, 0
    count, goal, bound = 1, NONE, left(s)
    if bound < MOST_COMMANDS:
        heads[bound], following[0] = 0, NONE
    while bound < MOST_COMMANDS and goal < 0:
        node = heads[bound]
        if node < 0:
            bound += 1
            continue
        heads[bound] = following[node]
        if closed[node]:
            continue
        closed[node] = 1
        unpack(s, rows[node])
        if left(s) == 0:
            goal = node
            break
        list_commands(s)
        only = NONE
        for k in range(s.command_count):
            one = s.commands[k]
            if worth_of(s, relevant, limited, one.verb, one.first, one.second) == NEEDED:
                only = k
                break
        options = s.command_count
        for k in range(options):
            if only >= 0 and k != only:
                continue
            unpack(s, rows[node])
            if k > 0:
                list_commands(s)
            verb, first, second = s.commands[k].verb, s.commands[k].first, s.commands[k].second
            if worth_of(s, relevant, limited, verb, first, second) == USELESS:
                continue
            obey(s, verb, first, second)
            judge(s)
            if s.lost:
                continue
            pack(s, row)
            slot, known = place_in_table(rows, table, row, width)
            if known >= 0 and depth[known] <= depth[node] + 1:
                continue
            if known < 0:
                if count == most:
                    return np.empty((0, 3), np.int16), count
                known = np.int64(count)
                rows[known] = row
                table[slot] = known
                count += 1
            elif closed[known]:
                continue
            depth[known], parent[known] = depth[node] + 1, node
            how[known, 0], how[known, 1], how[known, 2] = verb, first, second
            guess = depth[known] + left(s)
            if guess < MOST_COMMANDS:
                following[known], heads[guess] = heads[guess], known
    commands = np.empty((depth[goal] if goal >= 0 else 0, 3), np.int16)
    while goal > 0:
        commands[depth[goal] - 1] = how[goal]
        goal = parent[goal]
    return commands, count
