"""What a player does in a step, and what its body does."""

from envsuite.core import kernel
from envsuite.crafting.crafter.beings import chance
from envsuite.crafting.crafter.params import BUILT
from envsuite.crafting.crafter.table import add, enliven, inside, thing_at, walkable
from envsuite.crafting.crafter.things import (
    ACROSS,
    ALONG,
    COAL,
    COALS,
    COW,
    DIAMOND,
    DIAMONDS,
    DO,
    DRINK,
    ENERGY,
    FOOD,
    FURNACE,
    GRASS,
    HEALTH,
    IRON,
    IRON_PICKAXE,
    IRON_SWORD,
    IRONS,
    LAVA,
    MAKE_WOOD_PICKAXE,
    MOST,
    MOVE_DOWN,
    MOVE_LEFT,
    NUMBER,
    PATH,
    PLACE_PLANT,
    PLACE_STONE,
    PLANT,
    PLAYER,
    SAPLINGS,
    SKELETON,
    SLEEP,
    STONE,
    STONE_PICKAXE,
    STONE_SWORD,
    STONES,
    TABLE,
    TREE,
    WATER,
    WOOD_PICKAXE,
    WOOD_SWORD,
    WOODS,
    ZOMBIE,
)

COLLECT_COAL, COLLECT_DIAMOND, COLLECT_DRINK = (NUMBER[f"collect_{name}"] for name in ("coal", "diamond", "drink"))
COLLECT_IRON, COLLECT_SAPLING, COLLECT_STONE = (NUMBER[f"collect_{name}"] for name in ("iron", "sapling", "stone"))
COLLECT_WOOD, EAT_COW, EAT_PLANT = (NUMBER[name] for name in ("collect_wood", "eat_cow", "eat_plant"))
DEFEAT_SKELETON, DEFEAT_ZOMBIE, WAKE_UP = (NUMBER[name] for name in ("defeat_skeleton", "defeat_zombie", "wake_up"))
PLACED = tuple(NUMBER[("place_" if k < 4 else "make_") + name] for k, name in enumerate(BUILT))
"""Achievement of each thing that is built."""
MADE = (WOOD_PICKAXE, STONE_PICKAXE, IRON_PICKAXE, WOOD_SWORD, STONE_SWORD, IRON_SWORD)
NEEDS_FURNACE = (False, False, True, False, False, True)
LAYS = (STONE, TABLE, FURNACE)


@kernel
def begin(s, p, k, x, y):
    """Put a new player onto a cell."""
    me = s.players[k]
    me.x, me.y, me.facing, me.sleeping, me.alive = x, y, 3, 0, 1
    me.hunger, me.thirst, me.fatigue, me.recover = 0.0, 0.0, 0.0, 0.0
    for item in range(me.inventory.shape[0]):
        me.inventory[item] = p.start[item]
    for deed in range(me.achievements.shape[0]):
        me.achievements[deed] = 0
    me.felt, me.paid, me.unlocked = me.inventory[HEALTH], me.inventory[HEALTH], 0
    s.beings[x, y] = PLAYER
    enliven(s, x, y)


@kernel(apart=True)
def act(s, p, k, action):
    """One step of a player: its deed, its body, and pain, which wakes it."""
    me = s.players[k]
    in_lava = False
    if me.sleeping:
        if me.inventory[ENERGY] < MOST:
            action = SLEEP
        else:
            me.sleeping = 0
            me.achievements[WAKE_UP] += 1
    if MOVE_LEFT <= action <= MOVE_DOWN:
        in_lava = walk(s, me, action - MOVE_LEFT)
    elif action == DO:
        use(s, p, me)
    elif action == SLEEP:
        if me.inventory[ENERGY] < MOST:
            me.sleeping = 1
    elif PLACE_STONE <= action <= PLACE_PLANT:
        place(s, p, me, action - PLACE_STONE)
    elif action >= MAKE_WOOD_PICKAXE:
        make(s, p, me, action - PLACE_STONE)
    live(p, me)
    for item in range(me.inventory.shape[0]):
        me.inventory[item] = max(0, min(me.inventory[item], MOST))
    if in_lava and not p.original:
        me.inventory[HEALTH] = 0  # even if health was about to rise
    if me.inventory[HEALTH] < me.felt:
        me.sleeping = 0
    me.felt = me.inventory[HEALTH]


@kernel
def walk(s, me, side):
    """Turn to a side and step there, if the cell is free; whether that is into lava."""
    me.facing = side
    x, y = me.x + ACROSS[side], me.y + ALONG[side]
    if inside(s, x, y) and s.beings[x, y] == 0:
        material = s.terrain[x, y]
        if walkable(material) or material == LAVA:
            s.beings[me.x, me.y], s.beings[x, y] = 0, PLAYER
            me.x, me.y = x, y
            enliven(s, x, y)
    if s.terrain[me.x, me.y] == LAVA:
        me.inventory[HEALTH] = 0
        return True
    return False


@kernel
def strength(me):
    """Damage that a player does, by the best sword it has."""
    if me.inventory[IRON_SWORD] > 0:
        return 5
    if me.inventory[STONE_SWORD] > 0:
        return 3
    return 2 if me.inventory[WOOD_SWORD] > 0 else 1


@kernel
def use(s, p, me):
    """Hit, eat, drink or collect what is in front."""
    x, y = me.x + ACROSS[me.facing], me.y + ALONG[me.facing]
    if not inside(s, x, y):
        return
    kind = s.beings[x, y]
    if kind == 0:
        collect(s, p, me, x, y)
        return
    i = thing_at(s, x, y)
    if i < 0:
        return  # another player, whom nobody hits
    thing = s.things[i]
    if kind == PLANT:
        if thing.timer > p.farming.ripe_after:
            thing.timer = 0
            me.inventory[FOOD] += p.farming.plant_food
            me.achievements[EAT_PLANT] += 1
            if p.farming.plant_sates:
                me.hunger = 0.0
    elif kind in (ZOMBIE, SKELETON, COW):
        thing.health = max(0, thing.health - strength(me))
        if thing.health <= 0:
            if kind == ZOMBIE:
                me.achievements[DEFEAT_ZOMBIE] += 1
            elif kind == SKELETON:
                me.achievements[DEFEAT_SKELETON] += 1
            else:
                me.inventory[FOOD] += p.farming.cow_food
                me.achievements[EAT_COW] += 1
                me.hunger = 0.0


@kernel
def collect(s, p, me, x, y):
    """Take what a cell without creatures gives."""
    material, own = s.terrain[x, y], me.inventory
    likely = 1.0
    if material == TREE:
        item, deed, leaves = WOODS, COLLECT_WOOD, GRASS
    elif material == STONE and own[WOOD_PICKAXE] > 0:
        item, deed, leaves = STONES, COLLECT_STONE, PATH
    elif material == COAL and own[WOOD_PICKAXE] > 0:
        item, deed, leaves = COALS, COLLECT_COAL, PATH
    elif material == IRON and own[STONE_PICKAXE] > 0:
        item, deed, leaves = IRONS, COLLECT_IRON, PATH
    elif material == DIAMOND and own[IRON_PICKAXE] > 0:
        item, deed, leaves = DIAMONDS, COLLECT_DIAMOND, PATH
    elif material == WATER:
        me.thirst = 0.0
        item, deed, leaves = DRINK, COLLECT_DRINK, WATER
    elif material == GRASS:
        item, deed, leaves = SAPLINGS, COLLECT_SAPLING, GRASS
        likely = p.farming.sapling_chance
    else:
        return
    s.terrain[x, y] = leaves
    if chance(s) <= likely:
        own[item] += 1
        me.achievements[deed] += 1


@kernel
def affords(p, me, what):
    """Whether a player has all that a thing costs."""
    enough = True
    for item in range(me.inventory.shape[0]):
        enough = enough and me.inventory[item] >= p.costs[what, item]
    return enough


@kernel
def pay(p, me, what):
    """Use up what a thing costs, and count the deed."""
    for item in range(me.inventory.shape[0]):
        me.inventory[item] -= p.costs[what, item]
    me.achievements[PLACED[what]] += 1


@kernel
def place(s, p, me, what):
    """Put a stone, table, furnace or plant in front, where nothing stands."""
    x, y = me.x + ACROSS[me.facing], me.y + ALONG[me.facing]
    if not inside(s, x, y) or s.beings[x, y] != 0 or not affords(p, me, what):
        return
    material = s.terrain[x, y]
    if what == PLACE_PLANT - PLACE_STONE:
        if material == GRASS and add(s, p, PLANT, x, y, 0):
            pay(p, me, what)
        return
    if walkable(material) or (what == 0 and material in (WATER, LAVA)):
        s.terrain[x, y] = LAYS[what]
        pay(p, me, what)


@kernel
def beside(s, p, me, material):
    """Whether there is such a cell among the nine around a player.

    In the original there is none where these begin outside the world: its slice then counts from the other end.
    """
    if p.original and (me.x == 0 or me.y == 0):
        return False
    found = False
    for x in range(max(0, me.x - 1), min(s.terrain.shape[0], me.x + 2)):
        for y in range(max(0, me.y - 1), min(s.terrain.shape[1], me.y + 2)):
            found = found or s.terrain[x, y] == material
    return found


@kernel
def make(s, p, me, what):
    """Make a tool."""
    tool = what - (PLACE_PLANT - PLACE_STONE + 1)
    if not beside(s, p, me, TABLE) or (NEEDS_FURNACE[tool] and not beside(s, p, me, FURNACE)):
        return
    if affords(p, me, what):
        pay(p, me, what)
        me.inventory[MADE[tool]] += 1


@kernel
def live(p, me):
    """Grow hungry, thirsty and tired, and heal or fade."""
    b, own, asleep = p.body, me.inventory, me.sleeping != 0
    me.hunger += 0.5 if asleep else 1.0
    if me.hunger > b.hunger:
        me.hunger = 0.0
        own[FOOD] -= 1
    me.thirst += 0.5 if asleep else 1.0
    if me.thirst > b.thirst:
        me.thirst = 0.0
        own[DRINK] -= 1
    me.fatigue = min(me.fatigue - 1.0, 0.0) if asleep else me.fatigue + 1.0
    if me.fatigue < -b.rest:
        me.fatigue = 0.0
        own[ENERGY] += 1
    if me.fatigue > b.fatigue:
        me.fatigue = 0.0
        own[ENERGY] -= 1
    if own[FOOD] > 0 and own[DRINK] > 0 and (own[ENERGY] > 0 or asleep):
        me.recover += 2.0 if asleep else 1.0
    else:
        me.recover -= 0.5 if asleep else 1.0
    if me.recover > b.heal:
        me.recover = 0.0
        own[HEALTH] += 1
    if me.recover < -b.decay:
        me.recover = 0.0
        own[HEALTH] = max(0, own[HEALTH] - 1)


@kernel
def reward(me, p):
    """What a step pays: 1 for each achievement that is new, and a tenth of the change of health."""
    new = 0
    for deed in range(me.achievements.shape[0]):
        new += me.achievements[deed] > 0
    new, me.unlocked = new - me.unlocked, new
    if p.original:
        new = min(new, 1)
    paid = new + (me.inventory[HEALTH] - me.paid) / 10
    me.paid = me.inventory[HEALTH]
    return paid
