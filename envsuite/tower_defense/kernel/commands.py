"""Commands: what they are in each encoding, whether they succeed, and what they do."""

import math

import numpy as np

from envsuite.core import kernel
from envsuite.tower_defense.kernel.account import pay
from envsuite.tower_defense.kernel.guards import free_guard, place_guard
from envsuite.tower_defense.kernel.space import earn, on_map, square
from envsuite.tower_defense.params import (
    BARRACKS,
    BLAZE,
    BLAZE_COST,
    BLAZE_TICKS,
    BOX,
    CELLS,
    FRACTIONS,
    GUARDS,
    HALF,
    HEALTH,
    HEALTH_GAIN,
    HEALTH_PRICE,
    HERO,
    PATHS,
    RALLIES,
    RALLY,
    REFUND,
    REINFORCE,
    REINFORCEMENT_APART,
    REINFORCEMENT_COOLDOWN,
    REINFORCEMENT_LIFE,
    REINFORCEMENTS,
    SAMPLE,
    SELL,
    SHOW,
    SITES,
    TOP_LEVEL,
    UPGRADE,
    WAIT,
    ZONES,
)

_KINDS = HEALTH + 1
_BUILD_END = 1 + 3 * SITES
_UPGRADE_END = _BUILD_END + SITES
_SELL_END = _UPGRADE_END + SITES
_RALLY_END = _SELL_END + SITES * RALLIES
_REINFORCE_END = _RALLY_END + PATHS * FRACTIONS
_HERO_END = _REINFORCE_END + CELLS * CELLS


@kernel
def fraction_point(p, path, k):
    """The place at (2 k + 1) / 16 of a path."""
    along = np.int64(p.path_length[path]) * (2 * k + 1) // (2 * FRACTIONS)
    place = (along >> 8) // SAMPLE
    return np.int64(p.table[path, place, 0]), np.int64(p.table[path, place, 1])


@kernel
def cell_centre(k):
    """Coordinate of the centre of the k-th of the hero's columns or rows."""
    return np.int64((2 * k + 1) * HALF // CELLS - HALF)


@kernel
def of_number(p, number):
    """The command of the site encoding: (kind, site or -1, x, y); kind -1 where a path does not exist."""
    number = np.int64(number)
    if p.grid > 0:
        return of_cell(p, number)
    if number == 0:
        return WAIT, np.int64(-1), np.int64(0), np.int64(0)
    if number < _SELL_END:
        if number < _BUILD_END:
            site, kind = (number - 1) // 3, (number - 1) % 3
        elif number < _UPGRADE_END:
            site, kind = number - _BUILD_END, np.int64(UPGRADE)
        else:
            site, kind = number - _UPGRADE_END, np.int64(SELL)
        x, y = np.int64(p.sites[site, 0]), np.int64(p.sites[site, 1])
        return kind, site if site < p.site_count else np.int64(-1), x, y
    if number < _RALLY_END:
        site, k = (number - _SELL_END) // RALLIES, (number - _SELL_END) % RALLIES
        if site >= p.site_count or p.rally_count[site] == 0:
            return RALLY, np.int64(SITES), np.int64(0), np.int64(0)
        return RALLY, site, np.int64(p.rallies[site, k, 0]), np.int64(p.rallies[site, k, 1])
    if number < _REINFORCE_END:
        path = (number - _RALLY_END) // FRACTIONS
        if path >= p.path_count:
            return -1, np.int64(-1), np.int64(0), np.int64(0)
        x, y = fraction_point(p, path, (number - _RALLY_END) % FRACTIONS)
        return REINFORCE, np.int64(-1), x, y
    if number < _HERO_END:
        k = number - _REINFORCE_END
        return HERO, np.int64(-1), cell_centre(k // CELLS), cell_centre(k % CELLS)
    return np.int64(BLAZE + number - _HERO_END), np.int64(-1), np.int64(0), np.int64(0)


@kernel
def at_bin(p, column, row, kind):
    """The command of a bin of a grid: (kind, site or -1, x, y)."""
    x = np.int64((2 * column + 1) * HALF // p.grid - HALF)
    y = np.int64((2 * row + 1) * HALF // p.grid - HALF)
    return kind, site_at(p, x, y) if kind <= SHOW else np.int64(-1), x, y


@kernel
def of_cell(p, number):
    """The command of a number that counts bins and commands, TowerMind's (column * bins + row) * 12 + command."""
    place = number // _KINDS
    return at_bin(p, place // p.grid, place % p.grid, number % _KINDS)


@kernel
def of_place(p, action):
    """The command of a place and a number, on a grid or in [-1, 1]: (kind, site or -1, x, y)."""
    if p.grid > 0:
        return at_bin(p, np.int64(action[0]), np.int64(action[1]), np.int64(action[2]))
    x = np.int64(math.floor(np.float64(action[0]) * HALF + 0.5))
    y = np.int64(math.floor(np.float64(action[1]) * HALF + 0.5))
    kind = min(np.int64(math.floor((np.float64(action[2]) + 1.0) * 6.0)), np.int64(HEALTH))
    return kind, site_at(p, x, y) if kind <= SHOW else np.int64(-1), x, y


@kernel
def site_at(p, x, y):
    """The site in whose box a place lies, or -1."""
    for k in range(p.site_count):
        if abs(x - p.sites[k, 0]) <= BOX and abs(y - p.sites[k, 1]) <= BOX:
            return np.int64(k)
    return np.int64(-1)


@kernel
def gathers_at(s, p, site, x, y):
    """The barracks that a gathering order is for, or -1: the one named, else the nearest that reaches the place."""
    reach = p.towers[BARRACKS].radius
    if site >= 0:
        if site >= p.site_count or s.sites[site].type != BARRACKS:
            return np.int64(-1)
        return site if square(p.sites[site, 0], p.sites[site, 1], x, y) <= reach * reach else np.int64(-1)
    best, least = -1, reach * reach + 1
    for k in range(p.site_count):
        gap = square(p.sites[k, 0], p.sites[k, 1], x, y)
        if s.sites[k].type == BARRACKS and gap < least:
            best, least = k, gap
    return np.int64(best)


@kernel
def free_guards(s):
    """How many more guards there is room for."""
    count = 0
    for k in range(GUARDS):
        count += 1 if s.guards[k].alive == 0 else 0
    return count


@kernel
def error_of(s, p, kind, site, x, y):
    """Why a command would fail, 0 if it would not; see `envsuite.tower_defense.params.ERRORS`.

    Order: hero dead, no such place, occupied or empty, level, gold, range, readiness, health.
    """
    if kind < 0:
        return 15
    if kind == WAIT:
        return 0
    if kind >= HERO:
        return _hero_error(s, kind)
    if kind == RALLY:
        return 7 if gathers_at(s, p, site, x, y) < 0 else 0
    if kind == REINFORCE:
        if s.cooldown > 0:
            return 8
        return 14 if free_guards(s) < REINFORCEMENTS else 0
    if site < 0:
        return 6
    built = s.sites[site].type
    if kind < UPGRADE:
        if built >= 0:
            return 1
        return 2 if s.gold < p.towers[kind].price else 0
    if built < 0:
        return 3 if kind == UPGRADE else (5 if kind == SELL else 11)
    if kind == UPGRADE:
        if s.sites[site].level >= TOP_LEVEL:
            return 12
        return 4 if s.gold < p.towers[built].upgrade else 0
    return 0


@kernel
def _hero_error(s, kind):
    if s.hero.dead > 0:
        return 9
    if kind == HEALTH and s.gold < HEALTH_PRICE:
        return 10
    if kind == BLAZE and s.hero.hp <= BLAZE_COST:
        return 13
    return 0


@kernel
def perform(s, p, kind, site, x, y):
    """Do what has been found possible; whether it changes the future."""
    if kind < UPGRADE:
        _build(s, p, kind, site)
    elif kind == UPGRADE:
        built = s.sites[site].type
        price = p.towers[built].upgrade
        pay(s, price, p.coverage[site, built] == 0)
        s.sites[site].spent += price
        s.sites[site].level += 1
    elif kind == SELL:
        earn(s, p, s.sites[site].spent * REFUND // 100)
        s.sites[site].type, s.sites[site].spent, s.sites[site].level = -1, 0, 0
        s.sites[site].cooldown = 0
        for k in range(GUARDS):
            if s.guards[k].owner == site:
                s.guards[k].alive = 0
    elif kind == RALLY:
        return _gather(s, gathers_at(s, p, site, x, y), x, y)
    elif kind == REINFORCE:
        s.cooldown = REINFORCEMENT_COOLDOWN
        for k in range(REINFORCEMENTS):
            at = on_map(x + REINFORCEMENT_APART * (2 * k - 1))
            place_guard(s, free_guard(s), at, y, at, y, -1, REINFORCEMENT_LIFE, 0)
    elif kind == HERO:
        hero = s.hero
        same = (hero.to_x == x and hero.to_y == y) if hero.moving != 0 else (hero.x == x and hero.y == y)
        hero.to_x, hero.to_y = x, y
        hero.moving = 0 if hero.x == x and hero.y == y else 1
        return not same
    elif kind == BLAZE:
        _blaze(s)
    elif kind == HEALTH:
        pay(s, HEALTH_PRICE, False)
        s.hero.max_hp += HEALTH_GAIN
        s.hero.hp += HEALTH_GAIN
    return kind != SHOW and kind != WAIT


@kernel
def _build(s, p, kind, k):
    site = s.sites[k]
    site.type, site.level, site.cooldown, site.spent = kind, 0, 0, p.towers[kind].price
    site.rally_x, site.rally_y = p.rally[k, 0], p.rally[k, 1]
    pay(s, p.towers[kind].price, p.coverage[k, kind] == 0)


@kernel
def _gather(s, k, x, y):
    site = s.sites[k]
    same = site.rally_x == x and site.rally_y == y
    site.rally_x, site.rally_y = x, y
    for j in range(GUARDS):
        if s.guards[j].alive != 0 and s.guards[j].owner == k:
            s.guards[j].home_x, s.guards[j].home_y = x, y
    return not same


@kernel
def _blaze(s):
    """Light a fire at the hero; with all slots burning, the oldest fire makes room."""
    slot = 0
    for k in range(ZONES):
        if s.zones[k].left < s.zones[slot].left:
            slot = k
    zone = s.zones[slot]
    zone.left, zone.x, zone.y = BLAZE_TICKS, s.hero.x, s.hero.y
    s.hero.hp -= BLAZE_COST
    s.blazes += 1


@kernel
def obey(s, p, kind, site, x, y):
    """Try a command and keep account of it."""
    error = error_of(s, p, kind, site, x, y)
    last = s.last
    last.command, last.error, last.x, last.y, last.effective = (kind if kind >= 0 else REINFORCE), error, x, y, 0
    if error == 0 and perform(s, p, kind, site, x, y):
        last.effective = 1
    s.decisions += 1
    s.faults[error] += 1
    if kind == WAIT:
        s.waits += 1


@kernel
def _mask_site(s, p, mask, k):
    """The part of the mask that is about a site; all 0 where there is none."""
    there = k < p.site_count
    built = s.sites[k].type if there else -1
    for kind in range(3):
        mask[1 + 3 * k + kind] = 1 if there and built < 0 and s.gold >= p.towers[kind].price else 0
    can_upgrade = built >= 0 and s.sites[k].level < TOP_LEVEL and s.gold >= p.towers[built].upgrade
    mask[_BUILD_END + k] = 1 if can_upgrade else 0
    mask[_UPGRADE_END + k] = 1 if built >= 0 else 0
    gathers = 1 if built == BARRACKS and p.rally_count[k] > 0 else 0
    for j in range(RALLIES):
        mask[_SELL_END + RALLIES * k + j] = gathers


@kernel
def write_mask(s, p, mask):
    """Set 1 where a command of the site encoding would succeed, else 0; (315,) of any type of number."""
    mask[0] = 1
    for k in range(SITES):
        _mask_site(s, p, mask, k)
    ready = s.cooldown == 0 and free_guards(s) >= REINFORCEMENTS
    for k in range(PATHS):
        for j in range(FRACTIONS):
            mask[_RALLY_END + FRACTIONS * k + j] = 1 if ready and k < p.path_count else 0
    lives = 1 if s.hero.dead == 0 else 0
    for k in range(CELLS * CELLS):
        mask[_REINFORCE_END + k] = lives
    mask[_HERO_END] = 1 if lives and s.hero.hp > BLAZE_COST else 0
    mask[_HERO_END + 1] = 1 if lives and s.gold >= HEALTH_PRICE else 0


@kernel
def number_of(p, kind, site, x, y):
    """The command of the site encoding that comes nearest to a command; its places are fewer."""
    if kind < UPGRADE:
        return 1 + 3 * site + kind
    if kind == UPGRADE:
        return _BUILD_END + site
    if kind == SELL:
        return _UPGRADE_END + site
    if kind == RALLY:
        best, least = np.int64(0), np.int64(1) << np.int64(40)
        for k in range(SITES * RALLIES):
            if site >= 0 and k // RALLIES != site:
                continue
            place = p.rallies[k // RALLIES, k % RALLIES]
            gap = square(np.int64(place[0]), np.int64(place[1]), x, y)
            if p.rally_count[k // RALLIES] > 0 and gap < least:
                best, least = np.int64(k), gap
        return _SELL_END + best
    if kind == REINFORCE:
        best, least = np.int64(0), np.int64(1) << np.int64(40)
        for path in range(p.path_count):
            for k in range(FRACTIONS):
                a, b = fraction_point(p, path, k)
                gap = square(a, b, x, y)
                if gap < least:
                    best, least = np.int64(path * FRACTIONS + k), gap
        return _RALLY_END + best
    if kind == HERO:
        column = min(max((x + HALF) * CELLS // (2 * HALF), 0), CELLS - 1)
        row = min(max((y + HALF) * CELLS // (2 * HALF), 0), CELLS - 1)
        return _REINFORCE_END + CELLS * column + row
    return _HERO_END + kind - BLAZE if kind >= BLAZE else 0
