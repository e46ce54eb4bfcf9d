"""What players see, and the metrics."""

from envsuite.core import kernel
from envsuite.crafting.crafter.player import COLLECT_DIAMOND
from envsuite.crafting.crafter.state import BLOCKS, MOBS
from envsuite.crafting.crafter.table import inside, thing_at
from envsuite.crafting.crafter.things import (
    BEINGS,
    COALS,
    COW,
    DIAMONDS,
    HEALTH,
    IRON_SWORD,
    IRONS,
    MATERIALS,
    PLANT,
    PLAYER,
    RIPE,
    SAPLINGS,
    STONES,
    VIEW,
    WOOD_PICKAXE,
    WOODS,
)

_PARTS = len(BLOCKS) + len(MOBS)
BLOCK_OF = (1, *(BLOCKS.index(name) for name in MATERIALS))
"""Place of each material in the symbolic view; of what lies outside first."""
MOB_OF = tuple(MOBS.index(name) if name in MOBS else -1 for name in BEINGS)
"""Place of each being among the creatures of the symbolic view."""
ORDER = (WOODS, STONES, COALS, IRONS, DIAMONDS, SAPLINGS, *range(WOOD_PICKAXE, IRON_SWORD + 1))
"""Items of the symbolic view."""


@kernel
def kind_at(s, p, x, y):
    """What one sees on a cell: what stands there, else its material; 0 outside the world."""
    if not inside(s, x, y):
        return 0
    kind = s.beings[x, y]
    if kind == PLANT:
        return RIPE if s.things[thing_at(s, x, y)].timer > p.farming.ripe_after else PLANT
    return kind if kind != 0 else s.terrain[x, y]


@kernel
def see(s, p, k, o):
    """Write the view of a player in kinds."""
    me = s.players[k]
    wide, high = VIEW
    left, top = me.x - wide // 2, me.y - high // 2
    for j in range(high):
        for i in range(wide):
            o.map[j * wide + i] = kind_at(s, p, left + i, top + j)
    for item in range(me.inventory.shape[0]):
        o.inventory[item] = me.inventory[item]
    for side in range(4):
        o.facing[side] = me.facing == side
    o.daylight = round(100.0 * s.daylight)
    o.sleeping = me.sleeping


@kernel
def see_all(s, p, k, o):
    """Write the view of a player, and the whole world."""
    see(s, p, k, o)
    wide, high = s.terrain.shape
    for y in range(high):
        for x in range(wide):
            o.world[y * wide + x] = kind_at(s, p, x, y)
    o.position[0], o.position[1] = s.players[k].x, s.players[k].y


@kernel
def see_symbols(s, p, k, o):
    """Write the view of a player in zeros and ones, as Craftax-Classic does."""
    me = s.players[k]
    wide, high = VIEW
    for n in range(o.map.shape[0]):
        o.map[n] = 0.0
    for j in range(high):
        for i in range(wide):
            x, y, first = me.x - wide // 2 + i, me.y - high // 2 + j, (j * wide + i) * _PARTS
            kind = kind_at(s, p, x, y)
            block = BLOCK_OF[s.terrain[x, y]] if inside(s, x, y) else 1
            if kind == PLAYER and (x != me.x or y != me.y):
                block = 0
            elif kind in (PLANT, RIPE):
                block = len(BLOCKS) - 2 + (kind - PLANT)
            elif COW <= kind < PLANT:
                o.map[first + len(BLOCKS) + MOB_OF[kind - PLAYER]] = 1.0
            o.map[first + block] = 1.0
    for n in range(len(ORDER)):
        o.inventory[n] = 0.1 * me.inventory[ORDER[n]]
    for n in range(4):
        o.body[n] = 0.1 * me.inventory[HEALTH + n]
        o.facing[n] = me.facing == n
    o.daylight = s.daylight
    o.sleeping = me.sleeping


@kernel
def count_deeds(d, info):
    """Write the counters of achievements, which stand in the order of `ACHIEVEMENTS`."""
    info.collect_coal = d[0]
    info.collect_diamond = d[1]
    info.collect_drink = d[2]
    info.collect_iron = d[3]
    info.collect_sapling = d[4]
    info.collect_stone = d[5]
    info.collect_wood = d[6]
    info.defeat_skeleton = d[7]
    info.defeat_zombie = d[8]
    info.eat_cow = d[9]
    info.eat_plant = d[10]
    info.make_iron_pickaxe = d[11]
    info.make_iron_sword = d[12]
    info.make_stone_pickaxe = d[13]
    info.make_stone_sword = d[14]
    info.make_wood_pickaxe = d[15]
    info.make_wood_sword = d[16]
    info.place_furnace = d[17]
    info.place_plant = d[18]
    info.place_stone = d[19]
    info.place_table = d[20]
    info.wake_up = d[21]


@kernel
def measure_player(s, k, info):
    """Write the metrics of a player."""
    me = s.players[k]
    count_deeds(me.achievements, info)
    info.achievements = me.unlocked
    info.is_success = me.achievements[COLLECT_DIAMOND] > 0
    info.position[0], info.position[1] = me.x, me.y
    for item in range(me.inventory.shape[0]):
        info.inventory[item] = me.inventory[item]
    info.discount = 1.0 if me.inventory[HEALTH] > 0 else 0.0
    info.daylight = s.daylight
    info.crowded = s.crowded
