"""The rules: which commands are possible, what they change, and when quests are completed or failed."""

from envsuite.core import kernel
from envsuite.text_games.textworld.state import (
    ALL_TRAITS,
    BURNED,
    CHOP,
    CHOPPED,
    CLOSE_IT,
    CLOSED,
    CONSUMED,
    CONTAINER,
    COOK,
    COOKED,
    DICE,
    DICED,
    DOOR_IS,
    DRINK,
    DRINKABLE,
    DROP,
    EAT,
    EDIBLE,
    EDIBLE_ONLY,
    EXAMINE,
    EXAMINE_DOORS,
    EXAMINE_HELD,
    FOOD,
    GO,
    INEDIBLE,
    INSERT,
    INVENTORY,
    KEY,
    LID_IS,
    LOCK,
    LOCKED,
    LOOK,
    NEEDS_COOKING,
    NEEDS_LAST,
    NO_SENSES,
    NONE,
    OPEN,
    OPEN_IT,
    PLAYER_AT,
    PREPARE,
    PUT,
    RAW,
    RECIPE_DONE,
    RECIPE_PARTS,
    SHARP,
    SLICE,
    SLICED,
    SUPPORTER,
    TAKE,
    THING_AT,
    TRAIT_IS,
    UNCUT,
    UNLOCK,
    WIN,
)


@kernel
def inventory(s):
    """The place of what is carried."""
    return s.visited.shape[0]


@kernel
def place_of(s, holder):
    """The place in or on a thing."""
    return s.visited.shape[0] + 1 + holder


@kernel
def holder_of(s, t):
    """The thing that a thing is in or on; -1 if it is elsewhere."""
    return max(s.place[t] - s.visited.shape[0] - 1, NONE)


@kernel
def door_object(s, door):
    """How commands name a door."""
    return s.place.shape[0] + door


@kernel
def within_reach(s, t):
    """Whether a thing is in the player's room, in sight, or carried."""
    where = s.place[t]
    if where == s.room or where == inventory(s):
        return True
    holder = holder_of(s, t)
    return holder >= 0 and s.place[holder] == s.room and (s.game.kind[holder] == SUPPORTER or s.lid[holder] == OPEN)


@kernel
def offer(s, verb, first, second):
    """Add a command to those that are possible; what does not fit is left out."""
    n = s.command_count
    if n < s.commands.shape[0]:
        s.commands[n].verb = verb
        s.commands[n].first = first
        s.commands[n].second = second
        s.command_count += 1


@kernel
def choose(s, action):
    """Note which command an action is; whether it is one that is possible."""
    s.refused = action >= s.command_count
    s.last.verb, s.last.first, s.last.second = NONE, NONE, NONE
    if not s.refused:
        command = s.commands[action]
        s.last.verb, s.last.first, s.last.second = command.verb, command.first, command.second
    return s.refused == 0


@kernel
def show_commands(s, o, info):
    """Write which commands are possible."""
    for k in range(o.commands.shape[0]):
        o.commands[k] = NONE
    for k in range(s.commands.shape[0]):
        o.action_mask[k], info.action_mask[k] = 0, 0
    for k in range(s.command_count):
        o.action_mask[k], info.action_mask[k] = 1, 1
        command = s.commands[k]
        o.commands[3 * k], o.commands[3 * k + 1], o.commands[3 * k + 2] = command.verb, command.first, command.second


@kernel
def offer_lid(s, x, state):
    """Commands for a door or container in some state."""
    if state == CLOSED:
        offer(s, OPEN_IT, x, NONE)
    elif state == OPEN:
        offer(s, CLOSE_IT, x, NONE)
    if state in (CLOSED, LOCKED):
        for key in range(s.game.thing_count):
            if s.game.kind[key] == KEY and s.game.opens[key] == x and s.place[key] == inventory(s):
                offer(s, LOCK if state == CLOSED else UNLOCK, x, key)


@kernel
def can_cook(s, f):
    """Whether heat does something to food."""
    traits = s.traits[f]
    burns = traits & COOKED and traits & EDIBLE
    return burns or traits & RAW or (traits & NEEDS_COOKING and traits & INEDIBLE)


@kernel
def parts_ready(s):
    """Number of ingredients that a meal would take now; 0 if none can be prepared."""
    g = s.game
    if g.meal < 0 or s.room != g.kitchen:
        return 0
    parts = 1 if g.rules & RECIPE_PARTS else g.recipe_length
    for k in range(parts):
        f = g.ingredient[k]
        done = s.traits[f] & g.wanted[k] == g.wanted[k] or not g.rules & RECIPE_DONE
        if s.place[f] != inventory(s) or not done:
            return 0
    return parts


@kernel
def offer_food(s, f):
    """Commands for food that is carried."""
    g = s.game
    if s.carried > g.stuck:
        if s.traits[f] & EDIBLE or not g.rules & EDIBLE_ONLY:
            offer(s, EAT, f, NONE)
        if s.traits[f] & DRINKABLE:
            offer(s, DRINK, f, NONE)
    if can_cook(s, f):
        for k in range(s.near_count):
            if g.heat[s.near[k]]:
                offer(s, COOK, f, s.near[k])
    if s.traits[f] & UNCUT:
        for t in range(g.thing_count):
            if s.traits[t] & SHARP and s.place[t] == inventory(s):
                for verb in range(SLICE, CHOP + 1):
                    offer(s, verb, f, t)


@kernel
def offer_rest(s, t):
    """Commands that put down what is carried."""
    offer(s, DROP, t, NONE)
    for k in range(s.near_count):
        holder = s.near[k]
        if s.game.kind[holder] == SUPPORTER:
            offer(s, PUT, t, holder)
        elif s.lid[holder] == OPEN:
            offer(s, INSERT, t, holder)


@kernel
def offer_thing(s, t):
    """Commands for a thing within reach."""
    g = s.game
    held = s.place[t] == inventory(s)
    if g.kind[t] == CONTAINER:
        offer_lid(s, t, s.lid[t])
    elif held:
        if s.carried > g.stuck:
            offer_rest(s, t)
        if g.kind[t] == FOOD:
            offer_food(s, t)
    elif g.kind[t] != SUPPORTER and s.carried < g.capacity:
        offer(s, TAKE, t, holder_of(s, t))
    if not g.rules & NO_SENSES and (not held or g.rules & EXAMINE_HELD):
        offer(s, EXAMINE, t, NONE)


@kernel
def list_commands(s):
    """Write all commands that are possible now."""
    g = s.game
    s.command_count, s.near_count = 0, 0
    for t in range(g.thing_count):
        if g.kind[t] >= CONTAINER and s.place[t] == s.room:
            s.near[s.near_count] = t
            s.near_count += 1
    if not g.rules & NO_SENSES:
        offer(s, LOOK, NONE, NONE)
        offer(s, INVENTORY, NONE, NONE)
    for side in range(4):
        door = g.gates[4 * s.room + side]
        if door >= 0:
            offer_lid(s, door_object(s, door), s.door_state[door])
            if g.rules & EXAMINE_DOORS:
                offer(s, EXAMINE, door_object(s, door), NONE)
        if g.exits[4 * s.room + side] >= 0 and (door < 0 or s.door_state[door] == OPEN):
            offer(s, GO, side, NONE)
    for t in range(g.thing_count):
        if within_reach(s, t):
            offer_thing(s, t)
    if parts_ready(s) > 0:
        offer(s, PREPARE, NONE, NONE)


@kernel
def set_lid(s, x, state):
    """Open, close or lock a door or container."""
    if x >= s.place.shape[0]:
        s.door_state[x - s.place.shape[0]] = state
    else:
        s.lid[x] = state


@kernel
def heat_food(s, f, heat):
    """What an appliance does to food: it burns what was cooked before."""
    traits = s.traits[f]
    if traits & COOKED and traits & EDIBLE:
        s.traits[f] = (traits & (ALL_TRAITS ^ (COOKED | EDIBLE))) | BURNED | INEDIBLE
    elif traits & RAW:
        s.traits[f] = (traits & (ALL_TRAITS ^ RAW)) | heat | COOKED
    else:
        s.traits[f] = (traits & (ALL_TRAITS ^ (NEEDS_COOKING | INEDIBLE))) | heat | EDIBLE | COOKED


@kernel
def prepare_meal(s):
    """Turn the ingredients into a meal."""
    g = s.game
    parts = parts_ready(s)
    for k in range(parts):
        s.place[g.ingredient[k]] = NONE
    s.place[g.meal] = inventory(s)
    s.traits[g.meal] |= EDIBLE | RAW
    s.carried += 1 - parts


@kernel
def consume(s, f):
    """Eat or drink it."""
    s.place[f] = NONE
    s.traits[f] = (s.traits[f] & (ALL_TRAITS ^ (EDIBLE | DRINKABLE))) | CONSUMED
    s.carried -= 1


@kernel
def obey(s, verb, first, second):
    """Do what a possible command says."""
    g = s.game
    if verb == GO:
        s.room = g.exits[4 * s.room + first]
        s.visited[s.room] = 1
    elif verb == TAKE:
        s.place[first] = inventory(s)
        s.carried += 1
    elif verb == DROP:
        s.place[first] = s.room
        s.carried -= 1
    elif verb in (PUT, INSERT):
        s.place[first] = place_of(s, second)
        s.carried -= 1
    elif verb == OPEN_IT:
        set_lid(s, first, OPEN)
    elif verb in (CLOSE_IT, UNLOCK):
        set_lid(s, first, CLOSED)
    elif verb == LOCK:
        set_lid(s, first, LOCKED)
    elif verb in (EAT, DRINK):
        consume(s, first)
    elif verb == COOK:
        heat_food(s, first, g.heat[second])
    elif verb == PREPARE:
        prepare_meal(s)
    elif verb == EXAMINE:
        s.learned = s.learned or first == g.cookbook
    elif SLICE <= verb <= CHOP:
        cut = SLICED if verb == SLICE else (DICED if verb == DICE else CHOPPED)
        s.traits[first] = (s.traits[first] & (ALL_TRAITS ^ UNCUT)) | cut


@kernel
def holds(s, k):
    """Whether a fact is true."""
    kind, first, second = s.game.fact_kind[k], s.game.fact_first[k], s.game.fact_second[k]
    if kind == PLAYER_AT:
        return s.room == first
    if kind == THING_AT:
        return s.place[first] == second
    if kind == DOOR_IS:
        return s.door_state[first] == second
    if kind == LID_IS:
        return s.lid[first] == second
    return kind == TRAIT_IS and s.traits[first] & second != 0


@kernel
def facts_end(s, event):
    """One beyond the last fact of an event."""
    return s.game.event_first[event + 1] if event + 1 < s.game.event_count else s.game.fact_count


@kernel
def happens(s, event):
    """Whether all facts of an event are true."""
    true = True
    for k in range(s.game.event_first[event], facts_end(s, event)):
        true = true and holds(s, k)
    return true


@kernel
def out_of_reach(s, event):
    """Whether an event needs something that was eaten or became part of a meal."""
    for k in range(s.game.event_first[event], facts_end(s, event)):
        kind, thing = s.game.fact_kind[k], s.game.fact_first[k]
        about = kind == THING_AT or (kind == TRAIT_IS and s.game.fact_second[k] != CONSUMED)
        if about and s.place[thing] == NONE and thing != s.game.meal:
            return True
    return False


@kernel
def judge(s):
    """Update quests, score, and whether the game is won or lost. Events stand in the order of their quests."""
    g = s.game
    pending, event = 0, 0
    for quest in range(g.quest_count):
        open_still = not s.failed[quest] and (s.completed[quest] == 0 or g.repeatable[quest])
        done, failed, winnable = False, False, False
        while event < g.event_count and g.event_quest[event] == quest:
            wins = g.event_effect[event] == WIN
            winnable = winnable or wins
            if open_still:
                if happens(s, event):
                    done, failed = done or wins, failed or not wins
                elif wins and g.rules & NEEDS_LAST and out_of_reach(s, event):
                    failed = True
            event += 1
        if done:
            s.completed[quest] += 1
            s.score += g.reward[quest]
        if failed:
            s.failed[quest] = 1
        if not g.optional[quest]:
            s.lost = s.lost or s.failed[quest]
            pending += winnable and s.completed[quest] == 0
    s.won = pending == 0
