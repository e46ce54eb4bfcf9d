"""What the scripted players do, on one record.

Three styles. 1: ballistae on the sites that cover most path, then upgrades. 2: a mixture of towers, the hero collects
coins, upgrades when all good sites are taken. 3: as 2, and the hero meets enemies that have come far, calls
reinforcements and lights fires.
"""

import numpy as np

from envsuite.core import kernel
from envsuite.tower_defense.kernel.commands import cell_centre, error_of
from envsuite.tower_defense.kernel.senses import coin_seen, seen
from envsuite.tower_defense.kernel.space import square
from envsuite.tower_defense.params import (
    BALLISTA,
    BARRACKS,
    BLAZE,
    BLAZE_RADIUS,
    CELLS,
    COIN_REACH,
    HERO,
    HERO_REACH,
    MORTAR,
    REINFORCE,
    TOP_LEVEL,
    UPGRADE,
    WAIT,
)

PATTERN = np.array(
    [BALLISTA, MORTAR, BALLISTA, BARRACKS, BALLISTA, MORTAR, BALLISTA, MORTAR, BALLISTA, BALLISTA], np.int64
)
"""Towers of styles 2 and 3, on the best site first."""

NO_PLAN = np.empty((0, 2), np.int64)

CALL_AT, DEFEND_AT = 55, 75  # percent of its path after which an enemy is met
BLAZE_CROWD, BLAZE_HEALTH = 3, 600


@kernel
def choose(s, p, style, pattern, plan, exact):
    """The next command of a scripted player: (kind, site or -1, x, y).

    Args:
        s: state.
        p: parameters.
        style: 1, 2 or 3.
        pattern: types of towers by rank of the site, int64 (k,).
        plan: investments to make before all others, in order: command and site, int64 (n, 2).
        exact: whether the hero can be sent to any place; else to the centres of the 8 x 8 cells.
    """
    if style == 3:
        kind, x, y = _alarm(s, p)
        if kind >= 0:
            return kind, -1, x, y
    kind, site = _planned(s, p, plan)
    if site < 0:
        kind, site = _invest(s, p, style, pattern)
    if kind >= 0:
        return kind, site, np.int64(p.sites[site, 0]), np.int64(p.sites[site, 1])
    if style == 1 or s.hero.dead > 0:
        return WAIT, -1, np.int64(0), np.int64(0)
    if style == 3:
        x, y, needed = _defend(s, p)
        if needed:
            return _send(s, x, y, exact)
    if not coin_seen(s, p) or (s.hero.moving != 0 and _passes(s, s.hero.to_x, s.hero.to_y)):
        return WAIT, -1, np.int64(0), np.int64(0)
    if exact:
        return HERO, -1, np.int64(s.coin.x), np.int64(s.coin.y)
    return _fetch(s)


@kernel
def _planned(s, p, plan):
    """The next investment of a plan: (kind, -1 where gold does not suffice; site, -1 after its end)."""
    made = 0
    for k in range(p.site_count):
        made += 1 + s.sites[k].level if s.sites[k].type >= 0 else 0
    if made >= plan.shape[0]:
        return np.int64(-1), np.int64(-1)
    kind, site = plan[made, 0], plan[made, 1]
    possible = error_of(s, p, kind, site, np.int64(0), np.int64(0)) == 0
    return (kind, site) if possible else (np.int64(-1), site)


@kernel
def _invest(s, p, style, pattern):
    """Build on the best free site, or upgrade when all are taken: (kind or -1, site)."""
    for rank in range(p.useful):
        site = np.int64(p.order[rank])
        if s.sites[site].type < 0:
            kind = np.int64(BALLISTA) if style == 1 else pattern[rank % pattern.shape[0]]
            return (kind, site) if s.gold >= p.towers[kind].price else (np.int64(-1), site)
    for rank in range(p.useful):
        site = np.int64(p.order[rank])
        if s.sites[site].level < TOP_LEVEL:
            possible = s.gold >= p.towers[s.sites[site].type].upgrade
            return (np.int64(UPGRADE), site) if possible else (np.int64(-1), site)
    return np.int64(-1), np.int64(0)


@kernel
def foremost(s, p, air):
    """The visible enemy that has the smallest share of its path left: (slot or -1, percent passed)."""
    best, most = -1, np.int64(-1)
    for i in range(s.top):
        if seen(s, i, False) and (air or p.enemies[s.enemies[i].type].flying == 0):
            passed = np.int64(s.enemies[i].progress) * 10000 // p.path_length[s.enemies[i].path]
            if passed > most:
                best, most = i, passed
    return best, most // 100


@kernel
def _alarm(s, p):
    """Fire where enemies crowd around the hero; reinforcements before the foremost of them: (kind or -1, x, y)."""
    crowd = 0
    for i in range(s.top):
        enemy = s.enemies[i]
        near = square(enemy.x, enemy.y, s.hero.x, s.hero.y) <= BLAZE_RADIUS * BLAZE_RADIUS
        if near and seen(s, i, False) and p.enemies[enemy.type].flying == 0:
            crowd += 1
    if crowd >= BLAZE_CROWD and s.hero.hp > BLAZE_HEALTH and not _burning(s):
        return np.int64(BLAZE), np.int64(0), np.int64(0)
    i, passed = foremost(s, p, False)
    if i >= 0 and passed >= CALL_AT:
        x, y = np.int64(s.enemies[i].x), np.int64(s.enemies[i].y)
        if error_of(s, p, REINFORCE, np.int64(-1), x, y) == 0:
            return np.int64(REINFORCE), x, y
    return np.int64(-1), np.int64(0), np.int64(0)


@kernel
def _burning(s):
    """Whether the hero stands in a fire already."""
    for k in range(s.zones.shape[0]):
        zone = s.zones[k]
        if zone.left > 0 and square(zone.x, zone.y, s.hero.x, s.hero.y) <= BLAZE_RADIUS * BLAZE_RADIUS:
            return True
    return False


@kernel
def _defend(s, p):
    """Where the hero is needed, and whether it is."""
    i, passed = foremost(s, p, True)
    if i < 0 or passed < DEFEND_AT:
        return np.int64(0), np.int64(0), False
    return np.int64(s.enemies[i].x), np.int64(s.enemies[i].y), True


@kernel
def _send(s, x, y, exact):
    """Send the hero near a place, or let it stand where it can fight."""
    hero = s.hero
    if square(hero.x, hero.y, x, y) <= HERO_REACH * HERO_REACH:
        if hero.moving == 0:
            return WAIT, -1, np.int64(0), np.int64(0)
        x, y = np.int64(hero.x), np.int64(hero.y)
    if not exact:
        x, y = _nearest_cell(x), _nearest_cell(y)
    if hero.moving != 0 and hero.to_x == x and hero.to_y == y:
        return WAIT, -1, np.int64(0), np.int64(0)
    if hero.moving == 0 and hero.x == x and hero.y == y:
        return WAIT, -1, np.int64(0), np.int64(0)
    return HERO, -1, x, y


@kernel
def _nearest_cell(value):
    """The cell's centre that is nearest to a coordinate."""
    best, least = cell_centre(0), np.int64(1) << np.int64(40)
    for k in range(CELLS):
        gap = abs(cell_centre(k) - value)
        if gap < least:
            best, least = cell_centre(k), gap
    return best


@kernel
def _passes(s, x, y):
    """Whether the coin is picked up on the straight way from the hero to a place."""
    ax, ay = np.int64(s.coin.x - s.hero.x), np.int64(s.coin.y - s.hero.y)
    bx, by = np.int64(x - s.hero.x), np.int64(y - s.hero.y)
    length, dot = bx * bx + by * by, ax * bx + ay * by
    reach = np.int64(COIN_REACH - 10) * (COIN_REACH - 10)
    if dot <= 0:
        return ax * ax + ay * ay <= reach
    if dot >= length:
        return (ax - bx) * (ax - bx) + (ay - by) * (ay - by) <= reach
    cross = ax * by - ay * bx
    return cross * cross <= reach * length


@kernel
def _fetch(s):
    """Send the hero to the nearest cell on the way to whose centre it picks up the coin; else to the coin's cell."""
    best_x, best_y, least = _nearest_cell(s.coin.x), _nearest_cell(s.coin.y), np.int64(1) << np.int64(40)
    for i in range(CELLS):
        for j in range(CELLS):
            x, y = cell_centre(i), cell_centre(j)
            gap = square(np.int64(s.hero.x), np.int64(s.hero.y), x, y)
            if gap < least and _passes(s, x, y):
                best_x, best_y, least = x, y, gap
    return HERO, -1, best_x, best_y
