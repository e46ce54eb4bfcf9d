"""How creatures of Craftax-Classic move, strike, shoot, come and go (its game_logic.py)."""

from envsuite.core import kernel, rng
from envsuite.crafting.crafter.beings import chance, move, open_to_arrows, opposite
from envsuite.crafting.crafter.player import WAKE_UP
from envsuite.crafting.crafter.table import add, distance, free, inside, leave
from envsuite.crafting.crafter.things import (
    ACROSS,
    ALONG,
    ARROW,
    COW,
    DOWN,
    FURNACE,
    GRASS,
    HEALTH,
    LEFT,
    PATH,
    PLANT,
    PLAYER,
    RIGHT,
    SKELETON,
    TABLE,
    UP,
    ZOMBIE,
)

FAR = 14
"""Steps from the player at which creatures are gone, and within which they come."""
MOST_ZOMBIES, MOST_COWS, MOST_SKELETONS, MOST_ARROWS, MOST_PLANTS = 3, 3, 2, 3, 10
COW_CHANCE, ZOMBIE_CHANCE, ZOMBIE_NIGHT, SKELETON_CHANCE = 0.1, 0.02, 0.1, 0.05
"""Of one more, each step; of zombies more in darkness."""
STRIKE, SHOT = 5, 4
"""Steps between two strokes of a zombie, two shots of a skeleton."""


@kernel
def count_of(s, kind):
    """How many things of a kind there are."""
    found = 0
    for i in range(s.count):
        found += s.things[i].kind == kind
    return found


@kernel
def lift_arrows(s):
    """Take arrows off the map of who stands where: they are in nobody's way."""
    for i in range(s.count):
        thing = s.things[i]
        if thing.kind == ARROW and s.beings[thing.x, thing.y] == ARROW:
            s.beings[thing.x, thing.y] = 0


@kernel
def lay_arrows(s):
    """Put arrows back, to be seen where nobody stands."""
    for i in range(s.count):
        thing = s.things[i]
        if thing.kind == ARROW and s.beings[thing.x, thing.y] == 0:
            s.beings[thing.x, thing.y] = ARROW


@kernel
def any_side(s):
    """One of four sides."""
    return rng.integers(s.rng, rng.DYNAMICS, 4)


@kernel
def toward(s, thing, me):
    """Side on which the player is, along the longer way; of two equal ones either."""
    dx, dy = me.x - thing.x, me.y - thing.y
    if abs(dx) > abs(dy) or (abs(dx) == abs(dy) and chance(s) < 0.5):
        return RIGHT if dx > 0 else LEFT
    return DOWN if dy > 0 else UP


@kernel
def act_zombie(s, p, i, me):
    """Strike who is beside it, else come near or wander."""
    thing = s.things[i]
    away = distance(s, me, thing.x, thing.y)
    if away == 1 and thing.timer <= 0:
        if me.sleeping:
            me.sleeping = 0
            me.achievements[WAKE_UP] += 1
            me.inventory[HEALTH] -= p.creatures.zombie_damage_asleep
        else:
            me.inventory[HEALTH] -= p.creatures.zombie_damage
        thing.timer = STRIKE
    else:
        thing.timer -= 1
        move(s, i, toward(s, thing, me) if away < 10 and chance(s) < 0.75 else any_side(s))
    if away >= FAR:
        leave(s, i)


@kernel
def act_cow(s, i, me):
    """Wander."""
    thing = s.things[i]
    away = distance(s, me, thing.x, thing.y)
    if chance(s) < 0.5:
        move(s, i, any_side(s))
    if away >= FAR:
        leave(s, i)


@kernel
def act_skeleton(s, p, i, me):
    """Shoot at who is four or five steps away, or near when there is no way back; else wander."""
    thing = s.things[i]
    away, ahead = distance(s, me, thing.x, thing.y), toward(s, thing, me)
    side = any_side(s)
    if chance(s) > 0.85:
        if away >= 10:
            side = ahead
        elif away <= 3:
            side = opposite(ahead)
    shut = not free(s, thing.x + ACROSS[side], thing.y + ALONG[side])
    if (away in (4, 5) or (away <= 3 and shut)) and thing.timer <= 0:
        if count_of(s, ARROW) < MOST_ARROWS and add(s, p, ARROW, thing.x, thing.y, ahead):
            s.beings[thing.x, thing.y] = SKELETON
        thing.timer = SHOT
    else:
        thing.timer -= 1
        move(s, i, side)
    if away >= FAR:
        leave(s, i)


@kernel
def fly(s, p, i, me):
    """Take an arrow on, or end its flight."""
    thing = s.things[i]
    x, y = thing.x + ACROSS[thing.facing], thing.y + ALONG[thing.facing]
    if open_to_arrows(s, x, y) and s.beings[x, y] == 0:
        thing.x, thing.y = x, y
        return
    thing.kind = 0
    if not inside(s, x, y):
        return
    if s.beings[x, y] == PLAYER:
        me.inventory[HEALTH] -= p.creatures.arrow_damage
        me.sleeping = 0
    elif s.terrain[x, y] == TABLE or s.terrain[x, y] == FURNACE:
        s.terrain[x, y] = PATH


@kernel(apart=True)
def act_all(s, p):
    """Zombies act, then cows, then skeletons, then arrows, the new ones too."""
    me = s.players[0]
    for kind in (ZOMBIE, COW, SKELETON, ARROW):
        for i in range(s.count):
            if s.things[i].kind == kind:
                if kind == ZOMBIE:
                    act_zombie(s, p, i, me)
                elif kind == COW:
                    act_cow(s, i, me)
                elif kind == SKELETON:
                    act_skeleton(s, p, i, me)
                else:
                    fly(s, p, i, me)


@kernel
def may_come(s, me, kind, x, y):
    """Whether a creature may come to a cell."""
    away = distance(s, me, x, y)
    if not inside(s, x, y) or s.beings[x, y] != 0 or away >= FAR:
        return False
    material = s.terrain[x, y]
    if kind == COW:
        return material == GRASS and away > 3
    return away > 9 and (material == PATH or (kind == ZOMBIE and material == GRASS))


@kernel
def come(s, p, me, kind, likely):
    """Let a creature come, by chance, to a cell around the player."""
    if chance(s) >= likely:
        return
    space = 0
    for x in range(me.x - FAR, me.x + FAR + 1):
        for y in range(me.y - FAR, me.y + FAR + 1):
            space += may_come(s, me, kind, x, y)
    if space == 0:
        return
    number = rng.integers(s.rng, rng.DYNAMICS, space)
    for x in range(me.x - FAR, me.x + FAR + 1):
        for y in range(me.y - FAR, me.y + FAR + 1):
            if may_come(s, me, kind, x, y):
                if number == 0:
                    add(s, p, kind, x, y, 0)
                    return
                number -= 1


@kernel(apart=True)
def all_come(s, p):
    """Cows, zombies and skeletons come, one of each a step at most."""
    me, dark = s.players[0], 1.0 - s.daylight
    if count_of(s, COW) < MOST_COWS:
        come(s, p, me, COW, COW_CHANCE)
    if count_of(s, ZOMBIE) < MOST_ZOMBIES:
        come(s, p, me, ZOMBIE, ZOMBIE_CHANCE + ZOMBIE_NIGHT * dark * dark)
    if count_of(s, SKELETON) < MOST_SKELETONS:
        come(s, p, me, SKELETON, SKELETON_CHANCE)


@kernel
def grow(s):
    """Let the first plants grow; there are ten that do."""
    growing = 0
    for i in range(s.count):
        if s.things[i].kind == PLANT and growing < MOST_PLANTS:
            s.things[i].timer += 1
            growing += 1
