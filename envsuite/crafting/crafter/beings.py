"""What cows, zombies, skeletons, arrows and plants do in a step."""

from envsuite.core import kernel, rng
from envsuite.crafting.crafter.table import add, distance, free, hurt, inside, leave, nearest, travel, walkable
from envsuite.crafting.crafter.things import (
    ACROSS,
    ALONG,
    ARROW,
    COW,
    DOWN,
    FURNACE,
    LAVA,
    LEFT,
    PATH,
    PLANT,
    REACH,
    RIGHT,
    SKELETON,
    STAY,
    TABLE,
    UP,
    WATER,
    ZOMBIE,
)


@kernel
def chance(s):
    """A number in [0, 1)."""
    return rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0)


@kernel
def move(s, i, side):
    """Step to a side, if the cell there is free; whether it was. Who has left the world stays out of it."""
    thing = s.things[i]
    x, y = thing.x + ACROSS[side], thing.y + ALONG[side]
    if not free(s, x, y):
        return False
    if thing.kind != 0:
        travel(s, i, x, y)
    return True


@kernel
def toward(thing, me, along_longer):
    """Side on which a player is, along the longer way or the shorter one; `STAY` where that is none."""
    dx, dy = me.x - thing.x, me.y - thing.y
    wide = abs(dx) > abs(dy)
    if wide == along_longer:
        return RIGHT if dx > 0 else LEFT if dx < 0 else STAY
    return DOWN if dy > 0 else UP if dy < 0 else STAY


@kernel
def opposite(side):
    """The side across."""
    return side if side == STAY else side ^ 1


@kernel
def act_cow(s, p, i):
    """Wander."""
    if s.things[i].health <= 0:
        leave(s, i)
        if not p.original:
            return
    if chance(s) < 0.5:
        move(s, i, rng.integers(s.rng, rng.DYNAMICS, 4))


@kernel
def act_zombie(s, p, i):
    """Come near, and strike."""
    thing, c = s.things[i], p.creatures
    if thing.health <= 0:
        leave(s, i)
        if not p.original:
            return
    me = s.players[nearest(s, thing.x, thing.y)]
    if distance(s, me, thing.x, thing.y) <= 8 and chance(s) < 0.9:
        move(s, i, toward(thing, me, chance(s) < 0.8))
    else:
        move(s, i, rng.integers(s.rng, rng.DYNAMICS, 4))
    me = s.players[nearest(s, thing.x, thing.y)]
    if distance(s, me, thing.x, thing.y) <= 1:
        if thing.timer > 0:
            thing.timer -= 1
        else:
            damage = c.zombie_damage_asleep if me.sleeping else c.zombie_damage
            me.inventory[0] = max(0, me.inventory[0] - damage)
            thing.timer = 5


@kernel
def act_skeleton(s, p, i):
    """Step away from who is near, shoot at who is a little farther away, come nearer to others."""
    thing = s.things[i]
    if thing.health <= 0:
        leave(s, i)
        if not p.original:
            return
    thing.timer = max(0, thing.timer - 1)
    me = s.players[nearest(s, thing.x, thing.y)]
    away = distance(s, me, thing.x, thing.y)
    if away <= 3 and move(s, i, opposite(toward(thing, me, chance(s) < 0.6))):
        return
    if away <= 5 and chance(s) < 0.5:
        shoot(s, p, i, toward(thing, me, True))
    elif away <= 8 and chance(s) < 0.3:
        move(s, i, toward(thing, me, chance(s) < 0.6))
    elif chance(s) < 0.2:
        move(s, i, rng.integers(s.rng, rng.DYNAMICS, 4))


@kernel
def open_to_arrows(s, x, y):
    """Whether an arrow can fly onto a cell where nothing stands."""
    if not inside(s, x, y):
        return False
    material = s.terrain[x, y]
    return walkable(material) or material in (WATER, LAVA)


@kernel
def shoot(s, p, i, side):
    """Send an arrow to a side."""
    thing = s.things[i]
    if thing.timer > 0 or side == STAY:
        return
    x, y = thing.x + ACROSS[side], thing.y + ALONG[side]
    if open_to_arrows(s, x, y) and s.beings[x, y] == 0 and add(s, p, ARROW, x, y, side):
        thing.timer = 4


@kernel
def act_arrow(s, p, i):
    """Fly on, and hit what is in the way."""
    thing = s.things[i]
    x, y = thing.x + ACROSS[thing.facing], thing.y + ALONG[thing.facing]
    if inside(s, x, y) and s.beings[x, y] != 0:
        hurt(s, x, y, p.creatures.arrow_damage)
        leave(s, i)
    elif not open_to_arrows(s, x, y):
        leave(s, i)
        if inside(s, x, y) and (s.terrain[x, y] == TABLE or s.terrain[x, y] == FURNACE):
            s.terrain[x, y] = PATH
    else:
        travel(s, i, x, y)


@kernel
def act_plant(s, i):
    """Grow; suffer from creatures beside it."""
    thing = s.things[i]
    thing.timer += 1
    for side in range(4):
        x, y = thing.x + ACROSS[side], thing.y + ALONG[side]
        if inside(s, x, y):
            kind = s.beings[x, y]
            if kind in (ZOMBIE, SKELETON, COW):
                thing.health = max(0, thing.health - 1)
                break
    if thing.health <= 0:
        leave(s, i)


@kernel(apart=True)
def act_all(s, p, count):
    """The first things of the table act, if near a player; whether one of them is gone."""
    gone = False
    for i in range(count):
        thing = s.things[i]
        if distance(s, s.players[nearest(s, thing.x, thing.y)], thing.x, thing.y) >= REACH:
            continue
        kind = thing.kind
        if kind == COW:
            act_cow(s, p, i)
        elif kind == ZOMBIE:
            act_zombie(s, p, i)
        elif kind == SKELETON:
            act_skeleton(s, p, i)
        elif kind == ARROW:
            act_arrow(s, p, i)
        elif kind == PLANT:
            act_plant(s, i)
        gone = gone or thing.kind == 0
    return gone
