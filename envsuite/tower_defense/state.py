"""The state record, the info record, and the layouts of observations and actions."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Choice, Choices, Vector
from envsuite.core.rng import STREAM
from envsuite.tower_defense.params import (
    CAUSES,
    CELLS,
    COMMANDS,
    ENEMIES,
    ENEMY_NAMES,
    ERROR_CODES,
    FRACTIONS,
    GRID,
    GUARDS,
    PATHS,
    RALLIES,
    SHOP,
    SITES,
    TOWER_NAMES,
    TYPES,
    ZONES,
)


def _integers(*names: str) -> list[tuple[str, type]]:
    return [(name, np.int32) for name in names]


ENEMY_STATE = np.dtype(
    # blocker: -1 none, a guard's slot, or GUARDS for the hero; hidden: under fog; met: 1 for a frozen, 2 for a fogged
    # tower that could have reached it
    _integers("alive", "type", "hp", "path", "progress", "x", "y", "cooldown", "blocker", "hidden", "id", "met"),
    align=True,
)
GUARD_STATE = np.dtype(
    # owner: site of the barracks, -1 for reinforcements; life: ticks left, -1 for ever
    _integers("alive", "hp", "x", "y", "home_x", "home_y", "cooldown", "owner", "life", "level", "hidden"),
    align=True,
)
SITE_STATE = np.dtype(
    # type: -1 where nothing is built
    _integers("type", "level", "cooldown", "frozen", "hidden", "rally_x", "rally_y", "spent", "dealt"),
    align=True,
)
ZONE_STATE = np.dtype(_integers("left", "x", "y"), align=True)  # left: ticks, -1 for none
HERO_STATE = np.dtype(
    _integers("hp", "max_hp", "x", "y", "to_x", "to_y", "moving", "cooldown", "dead", "hidden"), align=True
)
FOG_STATE = np.dtype(_integers("x", "y", "to_x", "to_y"), align=True)
COIN_STATE = np.dtype(_integers("on", "x", "y", "timer"), align=True)

LAST = np.dtype(_integers("command", "error", "x", "y", "effective"), align=True)

ACCOUNT = np.dtype(
    [
        *_integers("spent", "astray", "samples", "idle", "open_air", "frozen", "answered", "walking", "twofold"),
        ("causes", np.int32, (len(CAUSES),)),
    ],
    align=True,
)
"""What the diagnostics in `INFO` are made of: gold, gold on towers that reach no path, then looks every
`envsuite.tower_defense.params.ACCOUNT_EVERY` ticks; `idle`: sum of thousandths."""

SHOP_STATE = np.dtype(
    [
        *_integers("points", "count", "size", "command", "error"),
        ("kinds", np.int8, (SHOP,)),
        ("paths", np.int8, (SHOP,)),
        ("next_kinds", np.int8, (SHOP,)),
        ("next_paths", np.int8, (SHOP,)),
    ],
    align=True,
)
"""What an attacker has bought: `size` enemies of the present wave, `count` of the next."""

STATE = np.dtype(
    [
        ("clock", CLOCK),
        ("rng", STREAM),
        *_integers("level", "tick", "gold", "life", "wave", "spawn_left", "spawn_timer", "wave_timer", "next_id"),
        *_integers("top", "lit", "cooldown", "outcome"),
        *_integers("kills", "blazes", "compensations", "coins", "coins_missed", "damage"),
        ("fog", FOG_STATE),
        ("coin", COIN_STATE),
        ("hero", HERO_STATE),
        ("enemies", ENEMY_STATE, (ENEMIES,)),
        ("guards", GUARD_STATE, (GUARDS,)),
        ("sites", SITE_STATE, (SITES,)),
        ("zones", ZONE_STATE, (ZONES,)),
        ("leaks", np.int32, (TYPES,)),
        ("last", LAST),
        ("decisions", np.int32),
        ("waits", np.int32),
        ("faults", np.int32, (ERROR_CODES,)),  # decisions by error code
        ("account", ACCOUNT),
        ("shop", SHOP_STATE),
    ],
    align=True,
)
"""Everything that the future depends on. `top`: one more than the highest slot in use; `lit`: a fire lifts the fog;
`outcome`: 0 going on, 1 lost, 2 won."""

SITE_COMMANDS = (
    1 + SITES * 3 + SITES + SITES + SITES * RALLIES + PATHS * FRACTIONS + CELLS * CELLS + 2
)  # 315, see `site_names`

_MEASURED = [
    ("command", np.int32),  # the last one, see `envsuite.tower_defense.params.COMMANDS`
    ("error", np.int32),  # of the last command, see `envsuite.tower_defense.params.ERRORS`
    ("effective", np.bool_),  # it changed the future
    ("is_success", np.bool_),  # all waves are over and the base stands
    ("life", np.int32),
    ("gold", np.int32),
    ("wave", np.int32),
    ("tick", np.int32),
    ("level", np.int32),
    ("leaks", np.int32, (TYPES,)),  # by type of enemy
    ("damage", np.int32, (SITES,)),  # dealt from each site
    ("kills", np.int32),
    ("coins", np.int32),
    ("coins_missed", np.int32),
    ("decisions", np.int32),
    ("waits", np.int32),
    ("faults", np.int32, (ERROR_CODES,)),  # decisions by error code
    ("difficulty", np.float32),  # the level's index D
    ("decoy_spending", np.float32),  # share of the gold spent that went into towers that reach no path
    ("air_gap", np.float32),  # s with a flyer on a path that no ballista reaches
    ("idle_gold", np.float32),  # gold / (gold + gold spent), mean over time
    ("coin_capture", np.float32),  # share of coins picked up; 1 before the first
    ("freeze_response", np.float32),  # of the time with a frozen tower, hero or guards at a hexer; 1 without
    ("hero_twofold", np.float32),  # of the hero's walks, towards a coin and near a path with enemies; 0 without
    *[(f"leaks_{cause}", np.int32) for cause in CAUSES],
]

INFO = np.dtype([("action_mask", np.int8, (SITE_COMMANDS,)), *_MEASURED], align=True)
"""`action_mask`: 1 where the command of the site encoding would succeed."""

PURCHASES = TYPES * PATHS
VERSUS_COMMANDS = SITE_COMMANDS + PURCHASES
VERSUS_INFO = np.dtype(
    [
        ("action_mask", np.int8, (VERSUS_COMMANDS,)),
        *_MEASURED,
        ("points", np.int32),  # that the attacker has left for the next wave
        ("bought", np.int32),  # enemies for it
    ],
    align=True,
)
"""Of each side; the mask is its own."""


def site_names() -> tuple[str, ...]:
    """Names of the 315 commands of the site encoding, in order."""
    sites = range(SITES)
    return (
        "wait",
        *(f"build_{kind}_S{site}" for site in sites for kind in TOWER_NAMES),
        *(f"upgrade_S{site}" for site in sites),
        *(f"sell_S{site}" for site in sites),
        *(f"rally_S{site}_{k}" for site in sites for k in range(RALLIES)),
        *(f"reinforce_P{path}_{k}" for path in range(PATHS) for k in range(FRACTIONS)),
        *(f"hero_{column}_{row}" for column in range(CELLS) for row in range(CELLS)),
        "blaze",
        "hero_health",
    )


SITE_ACTION = Choice(site_names())


def purchase_names() -> tuple[str, ...]:
    """Names of an attacker's purchases, in order."""
    return tuple(f"buy_{kind}_P{path}" for kind in ENEMY_NAMES for path in range(PATHS))


VERSUS_ACTION = Choice(site_names() + purchase_names())


def grid_action(bins: int) -> Choices:
    """A place on a grid and a command.

    Args:
        bins: of each axis.
    """
    names = tuple(str(k) for k in range(bins))
    return Choices((("x", names), ("y", names), ("command", tuple(name.replace(" ", "_") for name in COMMANDS))))


def flat_action(bins: int) -> Choice:
    """The same as one number, TowerMind's ``(x bin * bins + y bin) * 12 + command``.

    Args:
        bins: of each axis.
    """
    axis, names = range(bins), [name.replace(" ", "_") for name in COMMANDS]
    return Choice(tuple(f"{name}_{x}_{y}" for x in axis for y in axis for name in names))


POINT_ACTION = Vector(
    (
        Block("x", 1, -1.0, 1.0, "", "a third of the coordinate in units"),
        Block("y", 1, -1.0, 1.0, "", "likewise"),
        Block("command", 1, -1.0, 1.0, "", "2 (c + 0.5) / 12 - 1 for command c"),
    ),
    out_of_range="clip",
)

SEEN_ENEMIES = 32
SEEN_GUARDS = 16
PER_SITE, PER_ENEMY, PER_GUARD, PER_ZONE = 16, 14, 5, 3

_HERO = (
    "x, y, target x, y (of 3 units), health (of its maximum), maximum (of 6,000), dead (ticks of 200), moving, hidden"
)
_SITE = (
    "each: x, y, exists, ballista, mortar, barracks, level / 2, frozen, hidden, path that the three towers would cover "
    "(of 10 units), whether gold suffices for the three, ticks to the next shot or guard (of 120)"
)
_ENEMY = (
    "nearest to the base first, each: x, y, way left (of 20 units), health, nine types one-hot, blocked; zeros where "
    "there is none"
)

VECTOR = Vector(
    (
        Block("time", 1, 0, 1, "", "of 6,000 ticks"),
        Block("wave", 1, 0, 1, "", "waves begun, of all"),
        Block("gold", 1, 0, 1, "", "of the cap"),
        Block("life", 1, 0, 1, "", "of that at the start"),
        Block("next wave", 1, 0, 1, "", "ticks to it, of 1,000"),
        Block("to spawn", 1, 0, 1, "", "enemies of this wave still to come, of 100"),
        Block("reinforcements", 1, 0, 1, "", "ticks until they are ready, of 400"),
        Block("hero", 9, -1, 1, "", _HERO),
        Block("coin", 4, -1, 1, "", "there, x, y, ticks left (of 1,000)"),
        Block("fog", 4, -1, 1, "", "x, y, there is one, lifted by a fire"),
        Block("last error", ERROR_CODES, 0, 1, "", "one-hot"),
        Block("sites", SITES * PER_SITE, -1, 1, "", _SITE),
        Block("enemies", SEEN_ENEMIES * PER_ENEMY, -1, 1, "", _ENEMY),
        Block("guards", SEEN_GUARDS * PER_GUARD, -1, 1, "", "each: x, y, health (of 660), there, for a time only"),
        Block("fires", ZONES * PER_ZONE, -1, 1, "", "each: x, y, ticks left (of 100)"),
        Block("to come", TYPES, 0, 1, "", "enemies of this wave still to come by type, of 20"),
        Block("action_mask", SITE_COMMANDS, 0, 1, "", "commands of the site encoding that would succeed"),
    )
)
"""What the agent sees by default."""

VERSUS_VECTOR = Vector(
    (
        *VECTOR.blocks[:-1],
        Block("action_mask", VERSUS_COMMANDS, 0, 1, "", "commands that would succeed; each side has its own"),
        Block("attacker", 1, 0, 1, "", "1 for the attacker, who sees its enemies under fog too"),
        Block("points", 1, 0, 1, "", "left for the next wave, of its budget; 0 for the defender"),
        Block("bought", PURCHASES, 0, 1, "", "enemies of the next wave by type and path, of 20; 0 for the defender"),
    )
)
"""What each side sees."""

VECTOR_SIZE = VECTOR.shape[0]

COMPAT = Vector((Block("TowerMind state", 759, -1e6, 1e6, "", "in the order of the original; -9999 where missing"),))
"""The state vector of TowerMind."""

PLANE_NAMES = (
    *("road", "base", "empty sites", *TOWER_NAMES, "levels", "ground enemies", "their health", "flyers"),
    *("their health", "guards", "hero", "coin", "fog", "fires", "life", "gold", "wave"),
)

PLANES = Vector(
    (Block("planes", GRID * GRID * len(PLANE_NAMES), 0, 255, "", f"bytes: {', '.join(PLANE_NAMES)}"),),
    np.uint8,
    (GRID, GRID, len(PLANE_NAMES)),
)
"""Rows from the top, columns, planes; the last three are the same everywhere."""
