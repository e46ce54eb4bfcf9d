"""What the agent sees as a small picture of numbers: one plane for each kind of thing."""

import numpy as np

from envsuite.core import kernel
from envsuite.tower_defense.kernel.senses import coin_seen, seen
from envsuite.tower_defense.kernel.space import covered
from envsuite.tower_defense.params import BLAZE_RADIUS, GRID, GUARDS, HALF, TOP_LEVEL, ZONES

_FULL = 255
(
    ROAD, BASE, EMPTY, TOWER, LEVEL, GROUND, GROUND_HP, AIR, AIR_HP, GUARD, HERO, COIN, FOG, FIRE, LIFE, GOLD, WAVE,
) = (0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18)  # fmt: skip


@kernel
def _row(y):
    """Row of a place's cell, from the top."""
    return min(max((HALF - np.int64(y)) * GRID // (2 * HALF), 0), GRID - 1)


@kernel
def _column(x):
    """Column of a place's cell, from the left."""
    return min(max((np.int64(x) + HALF) * GRID // (2 * HALF), 0), GRID - 1)


@kernel
def _add(out, x, y, plane, amount):
    """Brighten the cell of a place."""
    row, column = _row(y), _column(x)
    out[row, column, plane] = min(np.int64(out[row, column, plane]) + amount, _FULL)


@kernel
def write_planes(s, p, out):
    """Fill the planes, see `envsuite.tower_defense.state.PLANES`.

    Args:
        s: state.
        p: parameters.
        out: uint8 (24, 24, 19).
    """
    out[:] = np.uint8(0)
    for k in range(p.path_count):
        last = p.waypoint_count[k] - 1
        _add(out, p.waypoints[k, last, 0], p.waypoints[k, last, 1], BASE, _FULL)
    for k in range(p.site_count):
        site, x, y = s.sites[k], p.sites[k, 0], p.sites[k, 1]
        _add(out, x, y, EMPTY if site.type < 0 else TOWER + site.type, _FULL)
        if site.type >= 0:
            _add(out, x, y, LEVEL, _FULL * (site.level + 1) // (TOP_LEVEL + 1))
    for i in range(s.top):
        if seen(s, i, False):
            enemy = s.enemies[i]
            plane = AIR if p.enemies[enemy.type].flying != 0 else GROUND
            _add(out, enemy.x, enemy.y, plane, 32)
            _add(out, enemy.x, enemy.y, plane + 1, np.int64(enemy.hp) // 16 + 1)
    for k in range(GUARDS):
        if s.guards[k].alive != 0:
            _add(out, s.guards[k].x, s.guards[k].y, GUARD, 64)
    if s.hero.dead == 0:
        _add(out, s.hero.x, s.hero.y, HERO, 64 + 191 * np.int64(s.hero.hp) // s.hero.max_hp)
    if coin_seen(s, p):
        _add(out, s.coin.x, s.coin.y, COIN, _FULL)
    life, gold = _FULL * np.int64(s.life) // p.life, _FULL * np.int64(s.gold) // p.gold_cap
    wave = _FULL * np.int64(s.wave) // p.wave_count
    for row in range(GRID):
        y = HALF - (2 * row + 1) * HALF // GRID
        for column in range(GRID):
            x = (2 * column + 1) * HALF // GRID - HALF
            cell = out[row, column]
            cell[ROAD] = p.road[row, column]
            cell[FOG] = _FULL if covered(s, p, x, y) else 0
            cell[LIFE], cell[GOLD], cell[WAVE] = life, gold, wave
            for k in range(ZONES):
                zone = s.zones[k]
                if zone.left >= 0 and (zone.x - x) ** 2 + (zone.y - y) ** 2 <= BLAZE_RADIUS * BLAZE_RADIUS:
                    cell[FIRE] = _FULL
