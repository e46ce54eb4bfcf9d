"""Constants of the rules, and the parameter record of a level.

Lengths are in sub-units (su, 1024 to a map unit), times in ticks (20 to a second). The numbers of the rules are this
suite's own, calibrated so that its levels run from easy to hard; the kinds of things and of commands are those of
TowerMind (arXiv 2601.05899).
"""

import numpy as np

UNIT = 1024  # su in a map unit
HALF = 3 * UNIT  # the map is [-HALF, HALF] squared
TICKS = 20  # a second

ENEMIES, GUARDS, SITES, ZONES, PATHS = 50, 24, 16, 10, 5
WAYPOINTS = 20
SAMPLE = 16  # su of path between two entries of its table
SAMPLES = 1281  # so paths may be 20 units long
WAVES, WAVE_SIZE = 16, 192
TYPES = 9
TOWERS = 3
RALLIES = 8  # points of a site's path at which its guards may be told to gather
FRACTIONS = 8  # points of a path at which reinforcements may be set down
CELLS = 8  # cells on each side of the map to whose centres the hero may be sent

BALLISTA, MORTAR, BARRACKS = 0, 1, 2
TOWER_NAMES = ("ballista", "mortar", "barracks")
RAIDER, RUNNER, KITE, BRUTE, SHIELDMAN, HEXER, MENDER, DRAKE, WARLORD = range(TYPES)
ENEMY_NAMES = ("raider", "runner", "kite", "brute", "shieldman", "hexer", "mender", "drake", "warlord")

ENEMY = np.dtype(
    [
        ("hp", np.int32),
        ("step", np.int32),  # su / 256 a tick
        ("damage", np.int32),
        ("extra", np.int32),  # damage is uniform in damage .. damage + extra
        ("every", np.int32),  # ticks between blows
        ("flying", np.int32),
        ("from_ballista", np.int32),  # percent of the damage taken
        ("from_mortar", np.int32),
        ("price", np.int32),  # points that an attacker pays: HP times speed
    ],
    align=True,
)


def _enemy(hp, speed, damage, extra, every, flying=0, ballista=100, mortar=100):
    step = round(speed * UNIT / TICKS * 256)
    return (hp, step, damage, extra, every, flying, ballista, mortar, round(hp * speed))


ENEMY_TABLE: np.ndarray = np.array(
    [
        _enemy(300, 0.55, 40, 20, 20),
        _enemy(180, 1.00, 20, 10, 16),
        _enemy(260, 0.75, 0, 0, 20, flying=1),
        _enemy(900, 0.40, 90, 40, 24),
        _enemy(560, 0.50, 50, 20, 20, ballista=40),
        _enemy(420, 0.50, 30, 10, 20, mortar=60),
        _enemy(380, 0.50, 0, 0, 20),
        _enemy(640, 0.60, 0, 0, 20, flying=1),
        _enemy(4200, 0.32, 180, 80, 20, ballista=70, mortar=70),
    ],
    ENEMY,
)
"""HP, speed in units a second, blows, wings and armour of each type."""

TOWER = np.dtype(
    [
        ("price", np.int32),
        ("upgrade", np.int32),
        ("interval", np.int32),  # ticks
        ("damage", np.int32),
        ("extra", np.int32),
        ("radius", np.int32),  # su; of a barracks, in which its guards may gather
    ],
    align=True,
)

TOWER_TABLE: np.ndarray = np.array(
    [
        (120, 100, 16, 52, 26, round(1.25 * UNIT)),
        (180, 150, 40, 150, 60, round(1.20 * UNIT)),
        (140, 110, 120, 0, 0, round(1.30 * UNIT)),
    ],
    TOWER,
)
"""Ballista, mortar, barracks."""

TOP_LEVEL = 2
SPLASH = 666  # su around a mortar's target
REFUND = 60  # percent of all that was spent on a tower
BOX = 256  # su from a site's centre to each side of the box that stands for it

HEX_RADIUS = 1000
MEND_RADIUS, MEND_HP, MEND_EVERY = 819, 25, 20

GUARDS_EACH = 3  # of one barracks
GUARD_HP, GUARD_HP_LEVEL = 420, 120
GUARD_DAMAGE, GUARD_EXTRA, GUARD_EVERY = 34, 16, 16
GUARD_SPEED = 31  # su a tick, a fifth more each level
LEASH, MELEE = 512, 150  # su from the gathering point, and to the enemy fought

REINFORCEMENTS, REINFORCEMENT_APART = 2, 120
REINFORCEMENT_LIFE, REINFORCEMENT_COOLDOWN = 200, 400

HERO_HP, HERO_SPEED = 1200, 46
HERO_DAMAGE, HERO_EXTRA, HERO_EVERY, HERO_REACH = 70, 40, 16, 600
HERO_HEAL, HERO_HEAL_EVERY, HERO_DEAD = 30, 20, 200
HEALTH_PRICE, HEALTH_GAIN = 300, 200

BLAZE_COST, BLAZE_RADIUS, BLAZE_TICKS, BLAZE_EVERY = 100, 358, 100, 10
BLAZE_DAMAGE, BLAZE_EXTRA = 30, 20
COMPENSATION = 20  # gold for a guard lost to one's own fire, half of the time

GRID = 24  # cells on each side of the map in planes

COIN_RANGE, COIN_REACH = 2816, 307
FOG_A, FOG_B, FOG_SPEED = 1792, 870, 20  # half-axes at 100 percent, su; su a tick

ATTACK_ERRORS = {
    0: "none",
    2: "not enough points for this enemy",
    14: "the wave has no room for more",
    15: "no such path, no further wave, or a command of the defender",
}
"""Why an attacker's purchase fails."""

ACCOUNT_EVERY = 10  # ticks between two looks of the diagnostics
CAUSES = ("boss", "air", "frozen", "fogged", "underbuilt")
"""Why an enemy arrived, the first that holds; see `envsuite.tower_defense.kernel.account`."""

SHOP = 64  # enemies that an attacker can buy for one wave

COMMANDS = (
    "build ballista",
    "build mortar",
    "build barracks",
    "upgrade",
    "sell",
    "show range",
    "wait",
    "rally",
    "reinforce",
    "hero",
    "blaze",
    "hero health",
)
"""Commands by the numbers that TowerMind gives them."""
UPGRADE, SELL, SHOW, WAIT, RALLY, REINFORCE, HERO, BLAZE, HEALTH = range(3, 12)

ERROR_CODES = 16
ERRORS = {
    0: "none",
    1: "the site is occupied",
    2: "not enough gold to build",
    3: "no tower to upgrade",
    4: "not enough gold to upgrade",
    5: "no tower to sell",
    6: "no site there",
    7: "no barracks reaches this place",
    8: "reinforcements are not ready",
    9: "the hero is dead",
    10: "not enough gold for hero health",
    11: "no tower whose range to show",
    12: "the tower has its highest level",
    13: "not enough hero health for a blaze",
    14: "no room for more guards",
    15: "no such path",
}
"""Why a command fails; 0 to 11 are TowerMind's."""

PARAMS = np.dtype(
    [
        ("enemies", ENEMY, (TYPES,)),
        ("towers", TOWER, (TOWERS,)),
        # the level
        ("path_count", np.int32),
        ("path_length", np.int32, (PATHS,)),  # su * 256
        ("table", np.int16, (PATHS, SAMPLES, 2)),  # su, every SAMPLE along each path
        ("road", np.uint8, (GRID, GRID)),  # 255 where a path crosses the cell, rows from the top
        ("waypoints", np.int16, (PATHS, WAYPOINTS, 2)),
        ("waypoint_count", np.int32, (PATHS,)),
        ("site_count", np.int32),
        ("sites", np.int32, (SITES, 2)),
        ("rally", np.int32, (SITES, 2)),  # default: the path's nearest point
        ("rally_count", np.int32, (SITES,)),
        ("rallies", np.int32, (SITES, RALLIES, 2)),
        ("coverage", np.float32, (SITES, TOWERS)),  # units of path in range
        ("worth", np.float32, (SITES, TOWERS)),  # of the best site's coverage
        ("overlooks", np.int32, (SITES,)),  # bit k: a ballista there reaches path k
        ("difficulty", np.float32),  # the index D
        ("order", np.int32, (SITES,)),  # useful sites, the best first
        ("useful", np.int32),  # how many those are
        ("wave_count", np.int32),
        ("wave_size", np.int32, (WAVES,)),
        ("waves", np.int8, (WAVES, WAVE_SIZE)),
        ("budget", np.int32, (WAVES,)),  # points of each wave
        ("life", np.int32),
        ("gold", np.int32),
        ("gold_cap", np.int32),
        ("coin_value", np.int32),
        ("coin_extra", np.int32),
        ("coin_refresh", np.int32),
        ("coin_stay", np.int32),
        ("first", np.int32),
        ("interval", np.int32),
        ("spawn", np.int32),
        ("fog_a", np.int32),
        ("fog_b", np.int32),
        ("hero_start", np.int32, (2,)),
        # options
        ("levels", np.int32),  # how many there are; every episode draws one
        ("decision", np.int32),  # ticks
        ("friendly_fire", np.int32),
        ("grid", np.int32),  # bins an axis; 0 where coordinates are numbers
        ("senses", np.int32),
        ("step_penalty", np.float32),
        ("damage_reward", np.float32),
        ("coin_reward", np.float32),
        ("wealth_reward", np.float32),  # a unit of gold, in potential-based shaping
        ("threat_reward", np.float32),  # an enemy at the base, likewise
        ("discount", np.float32),  # of the learner, likewise
        ("versus", np.int32),  # an attacker buys the waves
    ],
    align=True,
)
"""The rules, one level and the options. A world's parameters are one record a level; the options are alike in all."""
