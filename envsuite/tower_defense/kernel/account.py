"""Diagnostics of how a game is played: where the gold went, what was left open, why enemies arrived.

None of this moves anything in the game. Most of it is looked at every `ACCOUNT_EVERY` ticks, so times are multiples of
half a second. They are named after what is reported of language agents in TowerMind (arXiv 2601.05899).
"""

import numpy as np

from envsuite.core import kernel
from envsuite.tower_defense.kernel.space import covered, square
from envsuite.tower_defense.params import ACCOUNT_EVERY, BALLISTA, HERO_REACH, HEXER, TICKS, WARLORD

_FROZEN, _FOGGED = 1, 2  # bits of an enemy's `met`


@kernel
def look(s, p):
    """Note how things stand."""
    book = s.account
    book.samples += 1
    book.idle += s.gold * 1000 // max(s.gold + book.spent, 1)
    guarded, frozen, fogged = 0, False, False
    for k in range(p.site_count):
        site = s.sites[k]
        if site.type == BALLISTA:
            guarded |= p.overlooks[k]
        frozen |= site.frozen != 0
        fogged |= site.type >= 0 and site.hidden != 0
    busy, open_air, answered = 0, False, False
    for i in range(s.top):
        enemy = s.enemies[i]
        if enemy.alive == 0:
            continue
        busy |= 1 << enemy.path
        open_air |= p.enemies[enemy.type].flying != 0 and (guarded >> enemy.path) & 1 == 0
        answered |= frozen and enemy.type == HEXER and _met_by_someone(s, enemy)
        if frozen or fogged:
            _note_towers(s, p, enemy)
    book.open_air += 1 if open_air else 0
    book.frozen += 1 if frozen else 0
    book.answered += 1 if answered else 0
    if s.hero.dead == 0 and s.hero.moving != 0:
        book.walking += 1
        book.twofold += 1 if _towards_coin(s, p) and _near_paths(s, p, busy) else 0


@kernel
def _met_by_someone(s, enemy):
    """Whether someone stands in an enemy's way, or the hero is in reach of it."""
    near = square(s.hero.x, s.hero.y, enemy.x, enemy.y) <= HERO_REACH * HERO_REACH
    return enemy.blocker >= 0 or (s.hero.dead == 0 and s.hero.hidden == 0 and near)


@kernel
def _note_towers(s, p, enemy):
    """Remember the frozen and the fogged towers that could have reached an enemy."""
    for k in range(p.site_count):
        site = s.sites[k]
        if site.type < 0 or (site.frozen == 0 and site.hidden == 0):
            continue
        reach = p.towers[site.type].radius
        if square(p.sites[k, 0], p.sites[k, 1], enemy.x, enemy.y) <= reach * reach:
            enemy.met |= _FROZEN if site.frozen != 0 else _FOGGED


@kernel
def _towards_coin(s, p):
    """Whether the hero's way leads nearer to a coin that can be seen."""
    if s.coin.on == 0 or covered(s, p, s.coin.x, s.coin.y):
        return False
    hero = s.hero
    along = np.int64(hero.to_x - hero.x) * (s.coin.x - hero.x) + np.int64(hero.to_y - hero.y) * (s.coin.y - hero.y)
    return along > 0


@kernel
def _near_paths(s, p, paths):
    """Whether the hero is within its reach of one of the paths, given as bits."""
    for k in range(p.path_count):
        if (paths >> k) & 1 == 0:
            continue
        for j in range(p.waypoint_count[k] - 1):
            ax, ay = np.int64(p.waypoints[k, j, 0]), np.int64(p.waypoints[k, j, 1])
            dx, dy = np.int64(p.waypoints[k, j + 1, 0]) - ax, np.int64(p.waypoints[k, j + 1, 1]) - ay
            if _near_segment(np.int64(s.hero.x) - ax, np.int64(s.hero.y) - ay, dx, dy):
                return True
    return False


@kernel
def _near_segment(x, y, dx, dy):
    """Whether a place lies within the hero's reach of the segment from the origin to (dx, dy)."""
    length, dot = dx * dx + dy * dy, x * dx + y * dy
    if dot <= 0:
        return x * x + y * y <= HERO_REACH * HERO_REACH
    if dot >= length:
        return square(x, y, dx, dy) <= HERO_REACH * HERO_REACH
    cross = x * dy - y * dx
    return cross * cross <= HERO_REACH * HERO_REACH * length


@kernel
def blame(s, p, enemy):
    """Count why an enemy arrived, see `envsuite.tower_defense.params.CAUSES`."""
    cause = 4
    if enemy.type == WARLORD:
        cause = 0
    elif p.enemies[enemy.type].flying != 0:
        cause = 1
    elif enemy.met & _FROZEN:
        cause = 2
    elif enemy.met & _FOGGED:
        cause = 3
    s.account.causes[cause] += 1


@kernel
def pay(s, gold, wasted):
    """Spend gold.

    Args:
        s: state.
        gold: how much.
        wasted: on a tower that reaches no path.
    """
    s.gold -= gold
    s.account.spent += gold
    s.account.astray += gold if wasted else 0


@kernel
def clear(s):
    """Begin a new account."""
    book = s.account
    book.spent, book.astray, book.samples, book.idle, book.open_air = 0, 0, 0, 0, 0
    book.frozen, book.answered, book.walking, book.twofold = 0, 0, 0, 0
    for k in range(book.causes.shape[0]):
        book.causes[k] = 0


@kernel
def _share(part, whole, otherwise):
    return np.float32(part) / np.float32(whole) if whole > 0 else np.float32(otherwise)


@kernel
def report(s, p, info):
    """Write the diagnostics of `envsuite.tower_defense.state.Info`."""
    book = s.account
    info.difficulty = p.difficulty
    info.decoy_spending = _share(book.astray, book.spent, 0.0)
    info.air_gap = np.float32(book.open_air) * np.float32(ACCOUNT_EVERY) / np.float32(TICKS)
    info.idle_gold = _share(book.idle, 1000 * book.samples, 1.0)
    info.coin_capture = _share(s.coins, s.coins + s.coins_missed, 1.0)
    info.freeze_response = _share(book.answered, book.frozen, 1.0)
    info.hero_twofold = _share(book.twofold, book.walking, 0.0)
    info.leaks_boss, info.leaks_air, info.leaks_frozen = book.causes[0], book.causes[1], book.causes[2]
    info.leaks_fogged, info.leaks_underbuilt = book.causes[3], book.causes[4]
