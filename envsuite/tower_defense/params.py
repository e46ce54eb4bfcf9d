"""Constants of the rules, and the parameter record of a level.

Lengths are in sub-units (su, 1024 to a map unit), times in ticks (20 to a second). The numbers of the rules are this
suite's own, calibrated so that its levels run from easy to hard; the kinds of things and of commands are those of
TowerMind (arXiv 2601.05899).
"""

from functools import partial

import numpy as np

from envsuite.core import Record, field

whole = partial(field, type=np.int32)
"""Declare a field of a whole number."""

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


class EnemyKind(Record):
    """One type of enemy."""

    hp = whole(unit="HP")
    step = whole(unit="su/256 a tick")
    damage = whole(unit="HP")
    extra = whole(unit="HP", meaning="damage is uniform in damage .. damage + extra")
    every = whole(unit="ticks", meaning="between blows")
    flying = whole(meaning="whether it flies")
    from_ballista = whole(unit="%", meaning="of a ballista's damage that it takes")
    from_mortar = whole(unit="%", meaning="of a mortar's damage that it takes")
    price = whole(unit="points", meaning="that an attacker pays: HP times speed")


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
    EnemyKind.dtype(),
)
"""HP, speed in units a second, blows, wings and armour of each type."""


class TowerKind(Record):
    """One type of tower."""

    price = whole(unit="gold")
    upgrade = whole(unit="gold")
    interval = whole(unit="ticks", meaning="between shots, or guards")
    damage = whole(unit="HP")
    extra = whole(unit="HP", meaning="damage is uniform in damage .. damage + extra")
    radius = whole(unit="su", meaning="of a barracks, in which its guards may gather")


TOWER_TABLE: np.ndarray = np.array(
    [
        (120, 100, 16, 52, 26, round(1.25 * UNIT)),
        (180, 150, 40, 150, 60, round(1.20 * UNIT)),
        (140, 110, 120, 0, 0, round(1.30 * UNIT)),
    ],
    TowerKind.dtype(),
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


class Params(Record):
    """The rules, one level and the options: a world's parameters are one record a level, with options alike in all."""

    enemies = field(type=EnemyKind, shape=TYPES)
    towers = field(type=TowerKind, shape=TOWERS)
    path_count = whole()
    path_length = whole(shape=PATHS, unit="su/256")
    table = field(type=np.int16, shape=(PATHS, SAMPLES, 2), unit="su", meaning="places every SAMPLE along each path")
    road = field(type=np.uint8, shape=(GRID, GRID), meaning="255 where a path crosses the cell, rows from the top")
    waypoints = field(type=np.int16, shape=(PATHS, WAYPOINTS, 2), unit="su")
    waypoint_count = whole(shape=PATHS)
    site_count = whole()
    sites = whole(shape=(SITES, 2), unit="su")
    rally = whole(shape=(SITES, 2), unit="su", meaning="where guards gather at first: the path's nearest point")
    rally_count = whole(shape=SITES)
    rallies = whole(shape=(SITES, RALLIES, 2), unit="su", meaning="where guards may be told to gather")
    coverage = field(type=np.float32, shape=(SITES, TOWERS), unit="units", meaning="of path in range")
    worth = field(type=np.float32, shape=(SITES, TOWERS), meaning="of the best site's coverage")
    overlooks = whole(shape=SITES, meaning="bit k: a ballista there reaches path k")
    difficulty = field(type=np.float32, meaning="the index D")
    order = whole(shape=SITES, meaning="useful sites, the best first")
    useful = whole(meaning="how many those are")
    wave_count = whole()
    wave_size = whole(shape=WAVES)
    waves = field(type=np.int8, shape=(WAVES, WAVE_SIZE), meaning="types in spawn order")
    budget = whole(shape=WAVES, unit="points", meaning="of each wave")
    life = whole(meaning="enemies that may arrive before the base is lost")
    gold = whole(meaning="at the start")
    gold_cap = whole()
    coin_value = whole(unit="gold", meaning="least")
    coin_extra = whole(unit="gold", meaning="by which a coin may be worth more")
    coin_refresh = whole(unit="ticks", meaning="from a coin's end to the next")
    coin_stay = whole(unit="ticks")
    first = whole(unit="ticks", meaning="before the first wave")
    interval = whole(unit="ticks", meaning="between the starts of waves")
    spawn = whole(unit="ticks", meaning="between two enemies of a wave")
    fog_a = whole(unit="su", meaning="half-axis of the cloud, 0 for none")
    fog_b = whole(unit="su")
    hero_start = whole(shape=2, unit="su")
    levels = whole(1, "", "how many there are; every episode draws one")
    decision = whole(10, "ticks")
    friendly_fire = whole(1, "", "whether a blaze hurts one's own guards")
    grid = whole(0, "", "bins an axis; 0 where coordinates are numbers")
    senses = whole(0, "", "form of the observation, an index of SENSES")
    step_penalty = field(0.0, type=np.float32)
    damage_reward = field(0.0, "", "a point of damage", type=np.float32)
    coin_reward = field(0.0, "", "a coin", type=np.float32)
    wealth_reward = field(0.0, "", "a unit of gold, in potential-based shaping", type=np.float32)
    threat_reward = field(0.0, "", "an enemy at the base, likewise", type=np.float32)
    discount = field(1.0, "", "of the learner, likewise", type=np.float32)
    versus = whole(0, "", "whether an attacker buys the waves")
