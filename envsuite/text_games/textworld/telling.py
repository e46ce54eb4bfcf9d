"""Tells a game in words: kernels that write tokens.

A book of phrases comes as four arrays: the tokens of all phrases, where each phrase begins, the first phrase of each
key, and the capital form of each token (`envsuite.text_games.textworld.phrases.Book`). A kernel takes the number of
tokens written so far and returns the new one; what does not fit is left out.
"""

from envsuite.core import kernel
from envsuite.text_games.textworld.phrases import (
    ARTICLES_AT,
    COMMANDS_AT,
    DIRECTIONS_AT,
    FIRST,
    FIRST_CAPITAL,
    FIRST_WITH_ARTICLE,
    KEYS,
    NAMES_AT,
    NUMBERS,
    NUMBERS_AT,
    OBJECTIVES_AT,
    SECOND,
)
from envsuite.text_games.textworld.rules import facts_end, inventory
from envsuite.text_games.textworld.state import (
    BURNED,
    CHOPPED,
    CONSUMED,
    CONTAINER,
    DICED,
    DOOR_IS,
    EDIBLE_ONLY,
    EXAMINE,
    FOOD,
    FRIED,
    GO,
    GRILLED,
    HIDES_PLACE,
    INVENTORY,
    LID_IS,
    LOCKED,
    NEEDS_COOKING,
    NONE,
    OPEN,
    PLAYER_AT,
    RAW,
    ROASTED,
    SLICED,
    SUPPORTER,
    THING_AT,
    VERBS,
    WIN,
)

SILENT, SHORT, LONG = range(3)
"""How much of the objective is told: nothing, its template, or each quest."""

_K = {name: k for k, name in enumerate(KEYS)}
(ROOM, WAY, FLOOR, EMPTY_HANDS, BAG, SCORE, WON, LOST, REFUSED, SEARCH, READ, RECIPE, THEN, AS_IS) = (
    _K[name]
    for name in (
        "room",
        "way",
        "floor",
        "empty hands",
        "inventory",
        "score",
        "won",
        "lost",
        "refused",
        "search",
        "read",
        "recipe",
        "then prepare",
        "as it is",
    )
)
AND, COMMA, SEMICOLON, STOP, LINE, A, TASK = (
    _K[name] for name in ("and", "comma", "semicolon", "stop", "line", "a", "task")
)
BOX_IS = tuple(_K[name] for name in ("full box", "closed box", "locked box", "solid box"))
WAY_IS = tuple(_K[name] for name in ("open way", "closed way", "locked way"))
EMPTY_BOX, EMPTY_TABLE, FULL_TABLE = _K["empty box"], _K["empty table"], _K["full table"]
GET, LAY, STOW, LEAVE, REACH, OPEN_THAT, CLOSE_THAT, UNLOCK_THAT, LOCK_THAT, EAT_THAT, DO_THAT = (
    _K[name]
    for name in (
        "get",
        "lay",
        "stow",
        "leave",
        "reach",
        "open it",
        "close it",
        "unlock it",
        "lock it",
        "eat it",
        "do it",
    )
)
VERB_IS = tuple(_K[name if name in _K else "search"] for name in VERBS)
"""What is said after each command."""
HEAT_WORDS = ((BURNED, _K["burned"]), (FRIED, _K["to fry"]), (ROASTED, _K["to roast"]), (GRILLED, _K["to grill"]))
CUT_WORDS = ((SLICED, _K["to slice"]), (DICED, _K["to dice"]), (CHOPPED, _K["to chop"]))
RAW_WORD = _K["raw"]


@kernel
def emit(out, n, token):
    """Write a token."""
    if n < out.shape[0]:
        out[n] = token
        return n + 1
    return n


@kernel
def copy_phrase(t, at, out, n, phrase):
    """Write a phrase without slots."""
    for k in range(at[phrase], at[phrase + 1]):
        n = emit(out, n, t[k])
    return n


@kernel
def fill(t, at, first, caps, out, n, phrase, x, y):
    """Write a phrase, with two others in its slots."""
    articles = first[ARTICLES_AT] - first[NAMES_AT]
    for k in range(at[phrase], at[phrase + 1]):
        token = t[k]
        if token >= 0:
            n = emit(out, n, token)
        elif token == FIRST:
            n = copy_phrase(t, at, out, n, x)
        elif token == SECOND:
            n = copy_phrase(t, at, out, n, y)
        else:
            start = n
            n = copy_phrase(t, at, out, n, (x if token in (FIRST_WITH_ARTICLE, FIRST_CAPITAL) else y) + articles)
            if token == FIRST_CAPITAL and n > start:
                out[start] = caps[out[start]]
    return n


@kernel
def say(t, at, first, caps, out, n, key, x, y, mix):
    """Write a phrase of a key, with two others in its slots; `mix` chooses among variants."""
    return fill(t, at, first, caps, out, n, first[key] + mix % (first[key + 1] - first[key]), x, y)


@kernel
def word(t, at, first, out, n, key):
    """Write a phrase that has neither slots nor variants."""
    return copy_phrase(t, at, out, n, first[key])


@kernel
def name_phrase(s, first, x):
    """The phrase of a thing's or door's name; x is a thing, or `things` plus a door, or -1."""
    things = s.place.shape[0]
    if x < 0:
        return first[NAMES_AT]
    return first[NAMES_AT] + (s.game.thing_name[x] if x < things else s.game.door_name[x - things])


@kernel
def tell_thing(s, t, at, first, out, n, x):
    """Write a thing with its article, and how it is done if it is food."""
    articles = first[ARTICLES_AT] - first[NAMES_AT]
    phrase = name_phrase(s, first, x)
    told = s.game.kind[x] == FOOD and x != s.game.meal and s.game.rules & EDIBLE_ONLY
    traits = s.traits[x] if told else 0
    start = n
    for k in range(len(HEAT_WORDS)):
        if traits & HEAT_WORDS[k][0]:
            n = word(t, at, first, out, emit(out, n, 0) if n == start else n, HEAT_WORDS[k][1])
    for k in range(len(CUT_WORDS)):
        if traits & CUT_WORDS[k][0]:
            n = word(t, at, first, out, emit(out, n, 0) if n == start else n, CUT_WORDS[k][1])
    if traits & (RAW | NEEDS_COOKING) and n == start:
        n = word(t, at, first, out, emit(out, n, 0), RAW_WORD)
    if n == start:
        return copy_phrase(t, at, out, n, phrase + articles)
    some = at[phrase + articles + 1] - at[phrase + articles] > at[phrase + 1] - at[phrase]
    determiner = t[at[phrase + articles]] if some else t[at[first[A]]]
    if start < out.shape[0]:
        out[start] = determiner if determiner == t[at[phrase + articles]] else t[at[first[A]]]
    return copy_phrase(t, at, out, n, phrase)


@kernel
def tell_list(s, t, at, first, out, n, place):
    """Write all things that are in a place."""
    count, told = 0, 0
    for x in range(s.game.thing_count):
        count += s.place[x] == place and s.game.kind[x] < CONTAINER
    for x in range(s.game.thing_count):
        if s.place[x] == place and s.game.kind[x] < CONTAINER:
            if told > 0:
                n = word(t, at, first, out, n, AND if told == count - 1 else COMMA)
            n = tell_thing(s, t, at, first, out, n, x)
            told += 1
    return word(t, at, first, out, n, STOP)


@kernel
def holds_any(s, place):
    """Whether something that can be carried is in a place."""
    found = False
    for x in range(s.game.thing_count):
        found = found or (s.place[x] == place and s.game.kind[x] < CONTAINER)
    return found


@kernel
def tell_room(s, t, at, first, caps, out, n):
    """Write the room, its ways, and what is in it."""
    g, mix = s.game, s.game.room_name[s.room]
    if g.rules & HIDES_PLACE:
        mix = 0
    else:
        n = say(t, at, first, caps, out, n, ROOM, first[NAMES_AT] + g.room_name[s.room], 0, mix)
    for side in range(4):
        if g.exits[4 * s.room + side] >= 0:
            door, where = g.gates[4 * s.room + side], first[DIRECTIONS_AT] + side
            if door < 0:
                n = say(t, at, first, caps, out, n, WAY, 0, where, mix + side)
            else:
                x = name_phrase(s, first, s.place.shape[0] + door)
                n = say(t, at, first, caps, out, n, WAY_IS[s.door_state[door]], x, where, mix + side)
    for x in range(g.thing_count):
        if s.place[x] == s.room and g.kind[x] >= CONTAINER:
            full = holds_any(s, inventory(s) + 1 + x)
            if g.kind[x] == SUPPORTER:
                key = FULL_TABLE if full else EMPTY_TABLE
            else:
                key = EMPTY_BOX if s.lid[x] == OPEN and not full else BOX_IS[s.lid[x]]
                full = full and s.lid[x] == OPEN
            n = say(t, at, first, caps, out, n, key, name_phrase(s, first, x), 0, mix + x)
            if full:
                n = tell_list(s, t, at, first, out, n, inventory(s) + 1 + x)
    if holds_any(s, s.room):
        n = say(t, at, first, caps, out, n, FLOOR, 0, 0, mix)
        n = tell_list(s, t, at, first, out, n, s.room)
    return n


@kernel
def tell_inventory(s, t, at, first, caps, out, n):
    """Write what the player carries."""
    mix = s.game.room_name[s.room] + 1
    if not holds_any(s, inventory(s)):
        return say(t, at, first, caps, out, n, EMPTY_HANDS, 0, 0, mix)
    n = say(t, at, first, caps, out, n, BAG, 0, 0, mix)
    return tell_list(s, t, at, first, out, n, inventory(s))


@kernel
def tell_recipe(s, t, at, first, out, n):
    """Write the ingredients and how each has to be done."""
    g = s.game
    n = word(t, at, first, out, n, RECIPE)
    for k in range(g.recipe_length):
        if k > 0:
            n = word(t, at, first, out, n, AND if k == g.recipe_length - 1 else SEMICOLON)
        phrase = name_phrase(s, first, g.ingredient[k])
        n = copy_phrase(t, at, out, n, phrase + first[ARTICLES_AT] - first[NAMES_AT])
        n = word(t, at, first, out, n, COMMA)
        start = n
        for j in range(1, len(HEAT_WORDS)):
            if g.wanted[k] & HEAT_WORDS[j][0]:
                n = word(t, at, first, out, n, HEAT_WORDS[j][1])
        for j in range(len(CUT_WORDS)):
            if g.wanted[k] & CUT_WORDS[j][0]:
                n = word(t, at, first, out, word(t, at, first, out, n, AND) if n > start else n, CUT_WORDS[j][1])
        if n == start:
            n = word(t, at, first, out, n, AS_IS)
    n = word(t, at, first, out, n, STOP)
    return word(t, at, first, out, n, THEN)


@kernel
def tell_answer(s, t, at, first, caps, out, n):
    """Write what the last command did."""
    if s.refused:
        return word(t, at, first, out, n, REFUSED)
    verb = s.last.verb
    if verb < 0:
        return n
    x, y = s.last.first, s.last.second
    key, mix = VERB_IS[verb], s.game.room_name[s.room] + x + s.clock.step
    if verb == GO:
        return say(t, at, first, caps, out, n, key, 0, first[DIRECTIONS_AT] + x, mix)
    if verb == EXAMINE and x == s.game.cookbook:
        key = READ
    if verb == INVENTORY:
        key = SEARCH
    return say(t, at, first, caps, out, n, key, name_phrase(s, first, x), name_phrase(s, first, y), mix)


@kernel
def has_key(s, x):
    """Whether some key fits a door or container."""
    found = False
    for key in range(s.game.thing_count):
        found = found or s.game.opens[key] == x
    return found


@kernel
def tell_fact(s, t, at, first, caps, out, n, k):
    """Write what has to be done for a fact to be true."""
    g = s.game
    kind, x, y = g.fact_kind[k], g.fact_first[k], g.fact_second[k]
    if kind == PLAYER_AT:
        return say(t, at, first, caps, out, n, REACH, first[NAMES_AT] + g.room_name[x], 0, 0)
    if kind in (DOOR_IS, LID_IS):
        x += s.place.shape[0] if kind == DOOR_IS else 0
        key = OPEN_THAT if y == OPEN else LOCK_THAT if y == LOCKED else UNLOCK_THAT if has_key(s, x) else CLOSE_THAT
        return say(t, at, first, caps, out, n, key, name_phrase(s, first, x), 0, 0)
    thing = name_phrase(s, first, x)
    if kind != THING_AT:
        return say(t, at, first, caps, out, n, EAT_THAT if y == CONSUMED else DO_THAT, thing, 0, 0)
    holder = y - inventory(s) - 1
    if holder >= 0:
        key = LAY if g.kind[holder] == SUPPORTER else STOW
        return say(t, at, first, caps, out, n, key, thing, name_phrase(s, first, holder), 0)
    if holder == NONE:
        return say(t, at, first, caps, out, n, GET, thing, 0, 0)
    return say(t, at, first, caps, out, n, LEAVE, thing, first[NAMES_AT] + g.room_name[y], 0)


@kernel
def tell_objective(s, t, at, first, caps, out, n, detail):
    """Write what the player should do."""
    g = s.game
    if detail == SHORT:
        last = at.shape[0] - 2
        phrase = min(first[OBJECTIVES_AT] + s.level, last)
        target, goal = name_phrase(s, first, g.target), name_phrase(s, first, g.goal)
        for k in range(at[phrase], at[phrase + 1]):
            token = t[k]
            if token >= 0:
                n = emit(out, n, token)
            else:
                n = copy_phrase(t, at, out, n, target if token == FIRST else goal)
    elif detail == LONG:
        n = word(t, at, first, out, n, TASK)
        told = 0
        for event in range(g.event_count):
            if g.event_effect[event] == WIN and facts_end(s, event) > g.event_first[event]:
                if told > 0:
                    n = word(t, at, first, out, n, SEMICOLON)
                n = tell_fact(s, t, at, first, caps, out, n, g.event_first[event])
                told += 1
        n = word(t, at, first, out, n, STOP)
    if s.learned:
        n = tell_recipe(s, t, at, first, out, n)
    return n


@kernel
def tell(s, t, at, first, caps, out, detail):
    """Write all that a player is told now. Number of tokens.

    Args:
        s: the record.
        t: tokens of all phrases.
        at: where each begins.
        first: the first phrase of each key.
        caps: the capital form of each token.
        out: int32 (longest,), written; 0 behind the last token.
        detail: how much of the objective is told.
    """
    n = tell_answer(s, t, at, first, caps, out, 0)
    if s.won:
        n = word(t, at, first, out, n, WON)
    elif s.lost:
        n = word(t, at, first, out, n, LOST)
    if n > 0:
        n = word(t, at, first, out, n, LINE)
    n = tell_room(s, t, at, first, caps, out, n)
    n = word(t, at, first, out, n, LINE)
    if not s.game.rules & HIDES_PLACE:
        n = tell_inventory(s, t, at, first, caps, out, n)
        n = word(t, at, first, out, n, LINE)
    most = 0
    for quest in range(s.game.quest_count):
        most += s.game.reward[quest]
    numbers, top = first[NUMBERS_AT], len(NUMBERS) - 1
    n = say(t, at, first, caps, out, n, SCORE, numbers + min(s.score, top), numbers + min(most, top), 0)
    n = tell_objective(s, t, at, first, caps, out, n, detail)
    for k in range(n, out.shape[0]):
        out[k] = 0
    return n


@kernel
def tell_all(states, t, at, first, caps, detail, out, counts):
    """Write what the players of many games are told.

    Args:
        states: (n,) records.
        t: see `tell`.
        at: see `tell`.
        first: see `tell`.
        caps: see `tell`.
        detail: see `tell`.
        out: int32 (n, longest), written.
        counts: int32 (n,) numbers of tokens, written.
    """
    for i in range(states.shape[0]):
        counts[i] = tell(states[i], t, at, first, caps, out[i], detail)


@kernel
def write_command(s, k, t, at, first, caps, out, x, y):
    """Write a command as players write it, with phrases for its objects; nothing where there are not so many."""
    n = 0
    if k < s.command_count:
        phrase = first[COMMANDS_AT] + 2 * s.commands[k].verb + (s.commands[k].second >= 0)
        n = fill(t, at, first, caps, out, n, phrase, x, y)
    for j in range(n, out.shape[0]):
        out[j] = 0


@kernel
def list_all(states, t, at, first, caps, out):
    """Write the commands that are possible in many games, as players write them.

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
                command = s.commands[k]
                x, y = name_phrase(s, first, command.first), name_phrase(s, first, command.second)
                if command.verb == GO:
                    x = first[DIRECTIONS_AT] + command.first
            write_command(s, k, t, at, first, caps, out[i, k], x, y)
