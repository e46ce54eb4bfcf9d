"""The state record, the info record, and the layouts of observations and actions."""

import numpy as np

from envsuite.core.layout import Block, Choice, Choices, Vector
from envsuite.core.rng import STREAM
from envsuite.core.world import CLOCK
from envsuite.tower_defense.params import (
    CELLS,
    COMMANDS,
    ENEMIES,
    ERROR_CODES,
    FRACTIONS,
    GUARDS,
    PATHS,
    RALLIES,
    SITES,
    TOWER_NAMES,
    TYPES,
    ZONES,
)


def _integers(*names: str) -> list[tuple[str, type]]:
    return [(name, np.int32) for name in names]


ENEMY_STATE = np.dtype(
    # blocker: -1 none, a guard's slot, or GUARDS for the hero; hidden: under fog
    _integers("alive", "type", "hp", "path", "progress", "x", "y", "cooldown", "blocker", "hidden", "id"),
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
POINT = np.dtype(_integers("x", "y"), align=True)
COIN_STATE = np.dtype(_integers("on", "x", "y", "timer"), align=True)

LAST = np.dtype(_integers("command", "error", "x", "y", "effective"), align=True)

STATE = np.dtype(
    [
        ("clock", CLOCK),
        ("rng", STREAM),
        *_integers("level", "tick", "gold", "life", "wave", "spawn_left", "spawn_timer", "wave_timer", "next_id"),
        *_integers("top", "lit", "cooldown", "outcome"),
        *_integers("kills", "blazes", "compensations", "coins", "coins_missed", "damage"),
        ("fog", POINT),
        ("fog_to", POINT),
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
    ],
    align=True,
)
"""Everything that the future depends on. `top`: one more than the highest slot in use; `lit`: a fire lifts the fog;
`outcome`: 0 going on, 1 lost, 2 won."""

SITE_COMMANDS = (
    1 + SITES * 3 + SITES + SITES + SITES * RALLIES + PATHS * FRACTIONS + CELLS * CELLS + 2
)  # 315, see `site_names`

INFO = np.dtype(
    [
        ("action_mask", np.int8, (SITE_COMMANDS,)),  # 1 where the command of the site encoding would succeed
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
    ],
    align=True,
)


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


def grid_action(bins: int) -> Choices:
    """A place on a grid and a command.

    Args:
        bins: of each axis.
    """
    names = tuple(str(k) for k in range(bins))
    return Choices((("x", names), ("y", names), ("command", tuple(name.replace(" ", "_") for name in COMMANDS))))


POINT_ACTION = Vector(
    (
        Block("x", 1, -1.0, 1.0, "", "a third of the coordinate in units"),
        Block("y", 1, -1.0, 1.0, "", "likewise"),
        Block("command", 1, -1.0, 1.0, "", "2 (c + 0.5) / 12 - 1 for command c"),
    )
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

COMPAT = Vector((Block("TowerMind state", 759, -1e6, 1e6, "", "in the order of the original; -9999 where missing"),))
"""The state vector of TowerMind."""
