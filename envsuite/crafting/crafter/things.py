"""What there is: materials, creatures, items, actions and achievements, by the names and numbers of the original."""

MATERIALS = (
    "water",
    "grass",
    "stone",
    "path",
    "sand",
    "tree",
    "lava",
    "coal",
    "iron",
    "diamond",
    "table",
    "furnace",
)
"""From 1 on; 0 stands for what lies outside the world."""
WATER, GRASS, STONE, PATH, SAND, TREE, LAVA, COAL, IRON, DIAMOND, TABLE, FURNACE = range(1, 13)

BEINGS = ("player", "cow", "zombie", "skeleton", "arrow", "plant")
"""From 13 on: what stands on a cell."""
PLAYER, COW, ZOMBIE, SKELETON, ARROW, PLANT = range(13, 19)
RIPE = 19
"""A plant that can be eaten; views tell it apart, as pictures do."""
KINDS = RIPE + 1
"""Numbers that a cell of a view can have."""

ITEMS = (
    "health",
    "food",
    "drink",
    "energy",
    "sapling",
    "wood",
    "stone",
    "coal",
    "iron",
    "diamond",
    "wood_pickaxe",
    "stone_pickaxe",
    "iron_pickaxe",
    "wood_sword",
    "stone_sword",
    "iron_sword",
)
(
    HEALTH,
    FOOD,
    DRINK,
    ENERGY,
    SAPLINGS,
    WOODS,
    STONES,
    COALS,
    IRONS,
    DIAMONDS,
    WOOD_PICKAXE,
    STONE_PICKAXE,
    IRON_PICKAXE,
    WOOD_SWORD,
    STONE_SWORD,
    IRON_SWORD,
) = range(16)
MOST = 9
"""Of each item."""

ACTIONS = (
    "noop",
    "move_left",
    "move_right",
    "move_up",
    "move_down",
    "do",
    "sleep",
    "place_stone",
    "place_table",
    "place_furnace",
    "place_plant",
    "make_wood_pickaxe",
    "make_stone_pickaxe",
    "make_iron_pickaxe",
    "make_wood_sword",
    "make_stone_sword",
    "make_iron_sword",
)
NOOP, MOVE_LEFT, MOVE_RIGHT, MOVE_UP, MOVE_DOWN, DO, SLEEP = range(7)
PLACE_STONE, PLACE_TABLE, PLACE_FURNACE, PLACE_PLANT, MAKE_WOOD_PICKAXE = range(7, 12)
MAKE_IRON_SWORD = len(ACTIONS) - 1

ACHIEVEMENTS = (
    "collect_coal",
    "collect_diamond",
    "collect_drink",
    "collect_iron",
    "collect_sapling",
    "collect_stone",
    "collect_wood",
    "defeat_skeleton",
    "defeat_zombie",
    "eat_cow",
    "eat_plant",
    "make_iron_pickaxe",
    "make_iron_sword",
    "make_stone_pickaxe",
    "make_stone_sword",
    "make_wood_pickaxe",
    "make_wood_sword",
    "place_furnace",
    "place_plant",
    "place_stone",
    "place_table",
    "wake_up",
)
NUMBER = {name: k for k, name in enumerate(ACHIEVEMENTS)}
"""Of each achievement."""

LEFT, RIGHT, UP, DOWN = range(4)
SIDES = ("left", "right", "up", "down")
STAY = 4
"""The side of who goes nowhere."""
ACROSS, ALONG = (-1, 1, 0, 0, 0), (0, 0, -1, 1, 0)
"""Steps to the right and downwards that each side is away."""

VIEW = (9, 7)
"""Cells to the right and downwards that a player sees; it stands in the middle."""
CHUNK = 12
"""Cells along each side of a chunk, in which creatures come and go."""
REACH = 18
"""Things nearer to a player than this, in steps, act; twice the longer side of the original's view of 9 x 9."""
PERIOD = 10
"""Steps after which creatures come and go."""
