"""The state, the metrics, and the layouts of observations and actions."""

import numpy as np

from envsuite.core import Block, Choice, Choices, Record, StateRecord, Vector, field
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
    whole,
)


class Enemy(Record):
    """One enemy."""

    alive = whole()
    type = whole(meaning="an index of ENEMY_NAMES")
    hp = whole(unit="HP")
    path = whole()
    progress = whole(unit="su/256", meaning="along the path")
    x = whole(unit="su")
    y = whole(unit="su")
    cooldown = whole(unit="ticks", meaning="to its next blow")
    blocker = whole(meaning="slot of the guard that blocks it, GUARDS for the hero, -1 for none")
    hidden = whole(meaning="under fog")
    id = whole()
    met = whole(meaning="1 for a frozen, 2 for a fogged tower that could have reached it")


class Guard(Record):
    """One guard."""

    alive = whole()
    hp = whole(unit="HP")
    x = whole(unit="su")
    y = whole(unit="su")
    home_x = whole(unit="su")
    home_y = whole(unit="su")
    cooldown = whole(unit="ticks", meaning="to its next blow")
    owner = whole(meaning="site of its barracks, -1 for reinforcements")
    life = whole(unit="ticks", meaning="that it has left, -1 for ever")
    level = whole()
    hidden = whole(meaning="under fog")


class Site(Record):
    """One site, and the tower on it."""

    type = whole(meaning="an index of TOWER_NAMES, -1 where nothing is built")
    level = whole()
    cooldown = whole(unit="ticks", meaning="to the next shot or guard")
    frozen = whole()
    hidden = whole(meaning="under fog")
    rally_x = whole(unit="su")
    rally_y = whole(unit="su")
    spent = whole(unit="gold")
    dealt = whole(unit="HP", meaning="damage")


class Zone(Record):
    """One fire."""

    left = whole(unit="ticks", meaning="-1 for none")
    x = whole(unit="su")
    y = whole(unit="su")


class Hero(Record):
    """The hero."""

    hp = whole(unit="HP")
    max_hp = whole(unit="HP")
    x = whole(unit="su")
    y = whole(unit="su")
    to_x = whole(unit="su")
    to_y = whole(unit="su")
    moving = whole()
    cooldown = whole(unit="ticks", meaning="to its next blow")
    dead = whole(unit="ticks", meaning="until it lives again, 0 where it does")
    hidden = whole(meaning="under fog")


class Fog(Record):
    """The cloud."""

    x = whole(unit="su")
    y = whole(unit="su")
    to_x = whole(unit="su")
    to_y = whole(unit="su")


class Coin(Record):
    """The coin."""

    on = whole(meaning="whether there is one")
    x = whole(unit="su")
    y = whole(unit="su")
    timer = whole(unit="ticks", meaning="to its end, or to the next")


class Last(Record):
    """The last command."""

    command = whole(meaning="an index of COMMANDS")
    error = whole(meaning="one of ERRORS")
    x = whole(unit="su")
    y = whole(unit="su")
    effective = whole(meaning="whether it changed the future")


class Account(Record):
    """What the diagnostics in `Info` are made of: gold, then looks every ACCOUNT_EVERY ticks."""

    spent = whole(unit="gold")
    astray = whole(unit="gold", meaning="on towers that reach no path")
    samples = whole(meaning="looks")
    idle = whole(meaning="sum of thousandths of gold not spent")
    open_air = whole(meaning="looks with a flyer on a path that no ballista reaches")
    frozen = whole(meaning="looks with a frozen tower")
    answered = whole(meaning="of these, with hero or guards at a hexer")
    walking = whole(meaning="looks with a walking hero")
    twofold = whole(meaning="of these, towards a coin and near a path with enemies")
    causes = whole(shape=len(CAUSES), meaning="enemies that arrived, by CAUSES")


class Shop(Record):
    """What an attacker has bought."""

    points = whole(meaning="left for the next wave")
    count = whole(meaning="enemies of the next wave")
    size = whole(meaning="enemies of the present wave")
    command = whole(meaning="the last one")
    error = whole(meaning="of that, one of ATTACK_ERRORS")
    kinds = field(type=np.int8, shape=SHOP)
    paths = field(type=np.int8, shape=SHOP)
    next_kinds = field(type=np.int8, shape=SHOP)
    next_paths = field(type=np.int8, shape=SHOP)


class State(StateRecord):
    """Everything that the future depends on."""

    level = whole(meaning="index of the parameter record")
    tick = whole()
    gold = whole()
    life = whole(meaning="enemies that may still arrive")
    wave = whole(meaning="waves begun")
    spawn_left = whole(meaning="enemies of this wave still to come")
    spawn_timer = whole(unit="ticks", meaning="to the next of them")
    wave_timer = whole(unit="ticks", meaning="to the next wave")
    next_id = whole(meaning="of an enemy")
    top = whole(meaning="one more than the highest slot in use")
    lit = whole(meaning="whether a fire lifts the fog")
    cooldown = whole(unit="ticks", meaning="until reinforcements are ready")
    outcome = whole(meaning="0 going on, 1 lost, 2 won")
    kills = whole()
    blazes = whole()
    compensations = whole(meaning="for guards lost to one's own fire")
    coins = whole(meaning="picked up")
    coins_missed = whole()
    damage = whole(unit="HP", meaning="dealt")
    fog = field(type=Fog)
    coin = field(type=Coin)
    hero = field(type=Hero)
    enemies = field(type=Enemy, shape=ENEMIES)
    guards = field(type=Guard, shape=GUARDS)
    sites = field(type=Site, shape=SITES)
    zones = field(type=Zone, shape=ZONES)
    leaks = whole(shape=TYPES, meaning="enemies that arrived, by type")
    last = field(type=Last)
    decisions = whole()
    waits = whole()
    faults = whole(shape=ERROR_CODES, meaning="decisions by error code")
    account = field(type=Account)
    shop = field(type=Shop)


SITE_COMMANDS = (
    1 + SITES * 3 + SITES + SITES + SITES * RALLIES + PATHS * FRACTIONS + CELLS * CELLS + 2
)  # 315, see `site_names`


class Info(Record):
    """The metrics."""

    action_mask = field(type=np.int8, shape="commands", meaning="1 where the command would succeed")
    command = whole(meaning="the last one, an index of COMMANDS")
    error = whole(meaning="of the last command, one of ERRORS")
    effective = field(type=np.bool_, meaning="it changed the future")
    is_success = field(type=np.bool_, meaning="all waves are over and the base stands")
    life = whole()
    gold = whole()
    wave = whole()
    tick = whole()
    level = whole()
    leaks = whole(shape=TYPES, meaning="enemies that arrived, by type")
    damage = whole(shape=SITES, unit="HP", meaning="dealt from each site")
    kills = whole()
    coins = whole(meaning="picked up")
    coins_missed = whole()
    decisions = whole()
    waits = whole()
    faults = whole(shape=ERROR_CODES, meaning="decisions by error code")
    difficulty = field(type=np.float32, meaning="the level's index D")
    decoy_spending = field(type=np.float32, meaning="share of the gold spent that went into towers that reach no path")
    air_gap = field(type=np.float32, unit="s", meaning="with a flyer on a path that no ballista reaches")
    idle_gold = field(type=np.float32, meaning="gold / (gold + gold spent), mean over time")
    coin_capture = field(type=np.float32, meaning="share of coins picked up; 1 before the first")
    freeze_response = field(
        type=np.float32, meaning="of the time with a frozen tower, hero or guards at a hexer; 1 without"
    )
    hero_twofold = field(
        type=np.float32, meaning="of the hero's walks, towards a coin and near a path with enemies; 0 without"
    )
    leaks_boss = whole(meaning="enemies that arrived, by cause, see `envsuite.tower_defense.params.CAUSES`")
    leaks_air = whole()
    leaks_frozen = whole()
    leaks_fogged = whole()
    leaks_underbuilt = whole()


class VersusInfo(Info):
    """The metrics of each side; the mask is its own."""

    points = whole(meaning="that the attacker has left for the next wave")
    bought = whole(meaning="enemies for it")


PURCHASES = TYPES * PATHS
VERSUS_COMMANDS = SITE_COMMANDS + PURCHASES


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
