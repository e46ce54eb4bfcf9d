"""The reference player: it sees the whole world, and plans its way to all 22 achievements."""

import numpy as np

from envsuite.core import Players, kernel
from envsuite.core.jit import records
from envsuite.crafting.crafter.player import (
    COLLECT_DIAMOND,
    COLLECT_DRINK,
    COLLECT_SAPLING,
    COLLECT_STONE,
    DEFEAT_SKELETON,
    DEFEAT_ZOMBIE,
    EAT_COW,
    EAT_PLANT,
    PLACED,
    WAKE_UP,
    affords,
    beside,
)
from envsuite.crafting.crafter.search import SEAL, SHELTER, enclosed, find, make_room, solid, to_seal
from envsuite.crafting.crafter.table import distance, free, inside, walkable
from envsuite.crafting.crafter.things import (
    ACROSS,
    ALONG,
    ARROW,
    COAL,
    COALS,
    COW,
    DIAMOND,
    DO,
    DRINK,
    ENERGY,
    FOOD,
    FURNACE,
    GRASS,
    HEALTH,
    IRON,
    IRONS,
    LAVA,
    MAKE_WOOD_PICKAXE,
    MOST,
    MOVE_LEFT,
    NOOP,
    PLACE_STONE,
    PLANT,
    RIPE,
    SAPLINGS,
    SKELETON,
    SLEEP,
    STONE,
    STONE_PICKAXE,
    STONES,
    TABLE,
    TREE,
    WATER,
    WOOD_PICKAXE,
    WOODS,
    ZOMBIE,
)

FAR = 400  # steps of the longest way that is looked for
DARK, LIGHT, BRIGHT = 0.45, 0.6, 0.84  # it hides below the first until the second; above the third no zombies come
TOOLS = (0, 3, 1, 4, 2, 5)
"""Tools in the order in which they are made: pickaxe before sword, wood before stone before iron."""
CHARM = 9  # steps around a plant in which it waits


@kernel
def enter(s, me, side, target):
    """The action that leads to a side: walk, dig, hit, bridge or turn."""
    x, y = me.x + ACROSS[side], me.y + ALONG[side]
    if not inside(s, x, y):
        return NOOP
    material, being = s.terrain[x, y], s.beings[x, y]
    if being == 0 and material == LAVA:
        return NOOP
    if being == 0 and walkable(material):
        if target and me.facing == side:
            return DO
        return MOVE_LEFT + side
    if me.facing != side:
        return MOVE_LEFT + side
    if being == 0 and material == WATER and not target:
        return PLACE_STONE
    return DO


@kernel
def close_to(s, me, kind, reach):
    """Whether something of a kind is within some steps."""
    for i in range(s.count):
        thing = s.things[i]
        if thing.kind == kind and distance(s, me, thing.x, thing.y) <= reach:
            return True
    return False


@kernel
def seek(s, p, me, room, goal, reach):
    """The action on the way to the nearest cell of a kind; -1 if there is none."""
    if goal >= COW and goal <= RIPE and not close_to(s, me, PLANT if goal == RIPE else goal, reach):
        return -1
    side, _, target = find(s, p, me, room, goal, reach)
    return enter(s, me, side, target) if side >= 0 else -1


@kernel
def defend(s, me):
    """Step out of the way of an arrow, or hit who stands beside: the action, or -1."""
    for i in range(s.count):
        arrow = s.things[i]
        if arrow.kind == ARROW and distance(s, me, arrow.x, arrow.y) == 1:
            side = arrow.facing
            if arrow.x + ACROSS[side] == me.x and arrow.y + ALONG[side] == me.y:
                for turn in (2, 3) if side < 2 else (0, 1):
                    if free(s, me.x + ACROSS[turn], me.y + ALONG[turn]):
                        return MOVE_LEFT + turn
    for side in range(4):
        x, y = me.x + ACROSS[side], me.y + ALONG[side]
        if inside(s, x, y) and (s.beings[x, y] == ZOMBIE or s.beings[x, y] == SKELETON):
            return DO if me.facing == side else MOVE_LEFT + side
    return -1


@kernel
def hide(s, p, me, room):
    """Get behind stone: the action; `SLEEP` or `NOOP` once it is done, -1 if there is no way."""
    if enclosed(s, room, me.x, me.y, -1, -1):
        return SLEEP if me.inventory[ENERGY] < MOST else NOOP
    if me.inventory[STONES] < 1:
        return seek(s, p, me, room, STONE, FAR)
    x, y = me.x + ACROSS[me.facing], me.y + ALONG[me.facing]
    if free(s, x, y) and enclosed(s, room, me.x, me.y, x, y):
        return PLACE_STONE
    for side in range(4):
        nx, ny = me.x + ACROSS[side], me.y + ALONG[side]
        fx, fy = nx + ACROSS[side], ny + ALONG[side]
        if free(s, nx, ny) and free(s, fx, fy) and enclosed(s, room, nx, ny, fx, fy):
            return MOVE_LEFT + side
    for side in range(4):  # a step in, to come back facing the way out
        ox, oy = me.x - ACROSS[side], me.y - ALONG[side]
        nx, ny = me.x + ACROSS[side], me.y + ALONG[side]
        digs = inside(s, nx, ny) and s.beings[nx, ny] == 0 and (s.terrain[nx, ny] == STONE or s.terrain[nx, ny] == COAL)
        if (digs or free(s, nx, ny)) and enclosed(s, room, me.x, me.y, ox, oy):
            return enter(s, me, side, False)
    return seek(s, p, me, room, SHELTER, 60)


@kernel
def build(s, p, me, room, what):
    """Place a table, furnace, stone or plant in front, or go where it can be: the action, or -1."""
    x, y = me.x + ACROSS[me.facing], me.y + ALONG[me.facing]
    if free(s, x, y) and (what != 3 or s.terrain[x, y] == GRASS):
        return PLACE_STONE + what
    if what == 3:
        return seek(s, p, me, room, GRASS, FAR)
    if inside(s, x, y) and s.beings[x, y] == 0 and s.terrain[x, y] == WATER and what == 0:
        return PLACE_STONE
    if inside(s, x, y) and s.beings[x, y] == 0 and me.inventory[WOOD_PICKAXE] > 0 and s.terrain[x, y] == STONE:
        return DO
    for side in range(4):
        if free(s, me.x + ACROSS[side], me.y + ALONG[side]):
            return MOVE_LEFT + side
    return seek(s, p, me, room, GRASS, FAR)


@kernel
def wanted_of(p, me, item):
    """How much of an item the tools that are still missing take."""
    most = 0
    for tool in range(6):
        if me.achievements[PLACED[4 + tool]] == 0:
            most += p.costs[4 + tool, item]
    return most


@kernel
def gather(s, p, me, room, item, amount):
    """Collect an item until one has some: the action, -1 if there is enough or no way."""
    if me.inventory[item] >= min(amount, MOST):
        return -1
    if item == WOODS:
        return seek(s, p, me, room, TREE, FAR)
    if item == STONES:
        return seek(s, p, me, room, STONE, FAR) if me.inventory[WOOD_PICKAXE] > 0 else -1
    if item == COALS:
        return seek(s, p, me, room, COAL, FAR) if me.inventory[WOOD_PICKAXE] > 0 else -1
    if item == IRONS:
        return seek(s, p, me, room, IRON, FAR) if me.inventory[STONE_PICKAXE] > 0 else -1
    return -1


@kernel
def make_tool(s, p, me, room, tool):
    """Gather what a tool takes, find or build what it is made at, make it: the action, or -1."""
    what = 4 + tool
    iron = tool == 2 or tool == 5
    for item in (IRONS, COALS, STONES, WOODS):
        cost = p.costs[what, item]
        action = gather(s, p, me, room, item, cost)
        if action >= 0:
            return action
    if not affords(p, me, what):
        return -1
    if not beside(s, p, me, TABLE):
        side, steps, _ = find(s, p, me, room, TABLE, FAR)
        spare = me.inventory[WOODS] - p.costs[1, WOODS] >= wanted_of(p, me, WOODS)
        if side >= 0 and not (spare and steps > 8):
            return enter(s, me, side, False)
        action = gather(s, p, me, room, WOODS, p.costs[1, WOODS] + p.costs[what, WOODS])
        return action if action >= 0 else build(s, p, me, room, 1)
    if iron and not beside(s, p, me, FURNACE):
        action = gather(s, p, me, room, STONES, p.costs[2, STONES] + p.costs[what, STONES])
        return action if action >= 0 else build(s, p, me, room, 2)
    return MAKE_WOOD_PICKAXE + tool


@kernel
def farm(s, p, me, room):
    """Plant, wall the plant in, wait beside it, eat it: the action, or -1."""
    action = seek(s, p, me, room, RIPE, FAR)
    if action >= 0:
        return action
    best, least = -1, 1 << 30
    for i in range(s.count):
        thing = s.things[i]
        away = distance(s, me, thing.x, thing.y)
        if thing.kind == PLANT and away < least:
            best, least = i, away
    if best < 0 or least > 60:
        if me.inventory[SAPLINGS] < 1:
            return seek(s, p, me, room, GRASS, FAR)
        action = gather(s, p, me, room, STONES, 6)
        return action if action >= 0 else build(s, p, me, room, 3)
    plant = s.things[best]
    for side in range(4):
        x, y = plant.x + ACROSS[side], plant.y + ALONG[side]
        if not solid(s, x, y):
            action = gather(s, p, me, room, STONES, 1)
            if action >= 0:
                return action
            x, y = me.x + ACROSS[me.facing], me.y + ALONG[me.facing]
            if to_seal(s, x, y):
                return PLACE_STONE
            action = seek(s, p, me, room, SEAL, FAR)
            return action if action >= 0 else stroll(s, me)
    if least > CHARM:
        for side in range(4):
            x, y = me.x + ACROSS[side], me.y + ALONG[side]
            if distance(s, plant, x, y) < least and (free(s, x, y) or s.terrain[x, y] == STONE):
                return enter(s, me, side, False)
        return stroll(s, me)
    return hide(s, p, me, room)


@kernel
def stroll(s, me):
    """Walk about, a new way every few steps."""
    for turn in range(4):
        side = (s.clock.step // 5 + turn) % 4
        if free(s, me.x + ACROSS[side], me.y + ALONG[side]):
            return MOVE_LEFT + side
    return DO


@kernel
def rested(s, p, me, room):
    """Whether there is no reason to hide, or to stay hidden."""
    own = me.inventory
    if own[WOOD_PICKAXE] == 0:
        return True
    starving = own[DRINK] == 0 or own[FOOD] == 0
    if enclosed(s, room, me.x, me.y, -1, -1):
        if s.daylight < LIGHT:
            return starving and own[HEALTH] <= 3
        return starving or own[DRINK] <= 2 or own[FOOD] <= 2 or (own[HEALTH] >= 7 and own[ENERGY] >= 8)
    if starving or own[DRINK] <= 1:
        return True
    return s.daylight >= DARK and (own[HEALTH] > 3 or own[DRINK] <= 2 or own[FOOD] <= 2) and own[ENERGY] > 3


@kernel
def needs(s, p, me, room):
    """Eat, drink and sleep in time: the action, or -1."""
    own = me.inventory
    if not rested(s, p, me, room):
        action = hide(s, p, me, room)
        if action >= 0:
            return action
    for within in (25, FAR):
        least = 5 if within < FAR else 3
        if own[DRINK] <= least:
            action = seek(s, p, me, room, WATER, within)
            if action >= 0:
                return action
        if own[FOOD] <= least:
            action = seek(s, p, me, room, COW, within)
            if action >= 0:
                return action
    sleepy = me.achievements[WAKE_UP] == 0 and 7 <= own[ENERGY] < MOST and s.daylight > BRIGHT
    if sleepy and not (close_to(s, me, ZOMBIE, 12) or close_to(s, me, SKELETON, 9) or close_to(s, me, ARROW, 6)):
        return SLEEP
    if own[ENERGY] <= 1:
        return SLEEP
    evening = 3 * p.time.day_length < 10 * (s.clock.step % p.time.day_length) < 6 * p.time.day_length
    if own[DRINK] <= 6 and find(s, p, me, room, WATER, 25 if evening else 4)[0] >= 0:
        return seek(s, p, me, room, WATER, 25)
    if own[FOOD] <= 6 and evening:
        return seek(s, p, me, room, COW, 15)
    return -1


@kernel
def achieve(s, p, me, room):
    """Work for the next achievement: the action, or -1."""
    done, own = me.achievements, me.inventory
    if done[COLLECT_SAPLING] == 0:
        return seek(s, p, me, room, GRASS, FAR)
    if done[PLACED[3]] == 0 and own[SAPLINGS] > 0:
        return build(s, p, me, room, 3)
    if done[COLLECT_DRINK] == 0 and own[DRINK] < 8:
        action = seek(s, p, me, room, WATER, 25)
        if action >= 0:
            return action
    if done[PLACED[1]] == 0:
        action = gather(s, p, me, room, WOODS, p.costs[1, WOODS] + wanted_of(p, me, WOODS))
        if action >= 0:
            return action
        if own[WOODS] >= p.costs[1, WOODS]:
            return build(s, p, me, room, 1)
    for n in range(2):
        if done[PLACED[4 + TOOLS[n]]] == 0:
            action = make_tool(s, p, me, room, TOOLS[n])
            if action >= 0:
                return action
    if done[EAT_COW] == 0 and own[FOOD] < 8:
        action = seek(s, p, me, room, COW, 40)
        if action >= 0:
            return action
    if done[COLLECT_STONE] == 0:
        action = gather(s, p, me, room, STONES, 1)
        if action >= 0:
            return action
    if done[PLACED[0]] == 0 and own[STONES] > 0:
        return build(s, p, me, room, 0)
    if done[PLACED[4 + 1]] == 0:
        action = gather(s, p, me, room, STONES, 2 * p.costs[2, STONES])
        if action >= 0:
            return action
    for n in range(2, 4):
        if done[PLACED[4 + TOOLS[n]]] == 0:
            action = make_tool(s, p, me, room, TOOLS[n])
            if action >= 0:
                return action
    if done[PLACED[2]] == 0 and own[WOOD_PICKAXE] > 0:
        action = gather(s, p, me, room, STONES, p.costs[2, STONES])
        return action if action >= 0 else build(s, p, me, room, 2)
    for item in (COALS, IRONS):
        action = gather(s, p, me, room, item, wanted_of(p, me, item))
        if action >= 0:
            return action
    for n in range(4, 6):
        if done[PLACED[4 + TOOLS[n]]] == 0:
            action = make_tool(s, p, me, room, TOOLS[n])
            if action >= 0:
                return action
    if done[COLLECT_DIAMOND] == 0:
        action = seek(s, p, me, room, DIAMOND, FAR)
        if action >= 0:
            return action
    return late(s, p, me, room)


@kernel
def late(s, p, me, room):
    """What is left when tools are made: fights, food, the plant."""
    done, own = me.achievements, me.inventory
    if done[EAT_COW] == 0:
        action = seek(s, p, me, room, COW, FAR)
        if action >= 0:
            return action
    if done[COLLECT_DRINK] == 0:
        action = seek(s, p, me, room, WATER, FAR)
        if action >= 0:
            return action
    for kind, deed in ((SKELETON, DEFEAT_SKELETON), (ZOMBIE, DEFEAT_ZOMBIE)):
        if done[deed] == 0 and own[HEALTH] >= 5:
            action = seek(s, p, me, room, kind, FAR)
            if action >= 0:
                return action
    if done[EAT_PLANT] == 0:
        return farm(s, p, me, room)
    return hide(s, p, me, room)


@kernel
def decide(s, p, k, room):
    """The action of a player."""
    me = s.players[k]
    if me.sleeping or not me.alive:
        return NOOP
    action = defend(s, me)
    if action < 0:
        action = needs(s, p, me, room)
    if action < 0:
        action = achieve(s, p, me, room)
    return action if action >= 0 else stroll(s, me)


@kernel
def decide_batch(states, params, room, actions):
    """Actions of all players of many instances, int64 (n, agents)."""
    p = params[0]
    for n in range(states.shape[0]):
        for k in range(actions.shape[1]):
            actions[n, k] = decide(states[n], p, k, room[0])


class Planner:
    """Plans every step anew from the whole world: needs first, then the next achievement.

    Args:
        world: a `envsuite.crafting.crafter.world.CrafterWorld`.
    """

    def __init__(self, world):
        width, height = world.state_dtype["terrain"].shape
        self._params, self._room = records(world.params), records(make_room(width, height))
        self._agents = len(world.agents)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, int64 (n,) or (n, agents)."""
        actions = np.zeros((len(states), max(1, self._agents)), np.int64)
        decide_batch(records(states), self._params, self._room, actions)
        return actions if self._agents else actions[:, 0]


class CrafterPlayers(Players):
    """The planner."""

    def expert(self):
        """See `Planner`."""
        return Planner(self.world)
