"""What the agent sees: the state without what the fog hides, as a vector."""

import numpy as np

from envsuite.core.jit import kernel
from envsuite.tower_defense.kernel import account
from envsuite.tower_defense.kernel.commands import write_mask
from envsuite.tower_defense.kernel.space import in_cloud, kind_in_wave, size_of_wave, way_left
from envsuite.tower_defense.params import (
    ENEMIES,
    ERROR_CODES,
    GUARDS,
    HALF,
    SITES,
    TICKS,
    TOP_LEVEL,
    TOWERS,
    TYPES,
    UNIT,
    ZONES,
)
from envsuite.tower_defense.state import (
    PER_ENEMY,
    PER_GUARD,
    PER_SITE,
    PER_ZONE,
    SEEN_ENEMIES,
    SEEN_GUARDS,
    SITE_COMMANDS,
)

_LONGEST = 20 * UNIT * 256  # su / 256, the longest path
_FULL_HP = 660  # of a guard of the highest level


@kernel
def part(value, whole):
    """A share in single precision, cut to [-1, 1]."""
    share = np.float32(value) / np.float32(whole)
    return min(max(share, np.float32(-1.0)), np.float32(1.0))


@kernel
def coin_seen(s, p):
    """Whether there is a coin that the fog does not hide."""
    return s.coin.on != 0 and (s.lit != 0 or not in_cloud(s, p, s.coin.x, s.coin.y))


@kernel
def seen(s, i, everything):
    """Whether an enemy can be seen; fog hides them from the defender, but not from one who sees everything."""
    return s.enemies[i].alive != 0 and (everything or s.enemies[i].hidden == 0)


@kernel
def write_vector(s, p, out, everything):
    """The default observation, see `envsuite.tower_defense.state.VECTOR`.

    Args:
        s: state.
        p: parameters.
        out: float32 (1178,).
        everything: whether enemies under fog are listed too.
    """
    out[:] = np.float32(0.0)
    at = _write_globals(s, p, out)
    at = _write_sites(s, p, out, at)
    at = _write_enemies(s, p, out, at, everything)
    count = 0
    for k in range(GUARDS):
        guard = s.guards[k]
        if guard.alive != 0 and count < SEEN_GUARDS:
            row = at + PER_GUARD * count
            out[row], out[row + 1] = part(guard.x, HALF), part(guard.y, HALF)
            out[row + 2], out[row + 3] = part(guard.hp, _FULL_HP), np.float32(1.0)
            out[row + 4] = np.float32(1.0 if guard.life >= 0 else 0.0)
            count += 1
    at += PER_GUARD * SEEN_GUARDS
    for k in range(ZONES):
        zone = s.zones[k]
        if zone.left >= 0:
            row = at + PER_ZONE * k
            out[row], out[row + 1], out[row + 2] = part(zone.x, HALF), part(zone.y, HALF), part(zone.left, 100)
    at += PER_ZONE * ZONES
    if s.wave > 0:
        size = size_of_wave(s, p)
        for j in range(size - s.spawn_left, size):
            kind = kind_in_wave(s, p, j)
            out[at + kind] = min(out[at + kind] + np.float32(0.05), np.float32(1.0))
    at += TYPES
    write_mask(s, p, out[at : at + SITE_COMMANDS])


@kernel
def _write_globals(s, p, out):
    hero = s.hero
    out[0], out[1] = part(s.tick, 6000), part(s.wave, p.wave_count)
    out[2], out[3] = part(s.gold, p.gold_cap), part(s.life, p.life)
    out[4], out[5] = part(s.wave_timer, 1000), part(s.spawn_left, 100)
    out[6] = part(s.cooldown, 400)
    out[7], out[8] = part(hero.x, HALF), part(hero.y, HALF)
    out[9], out[10] = part(hero.to_x, HALF), part(hero.to_y, HALF)
    out[11], out[12], out[13] = part(hero.hp, hero.max_hp), part(hero.max_hp, 6000), part(hero.dead, 200)
    out[14], out[15] = np.float32(hero.moving), np.float32(hero.hidden)
    if coin_seen(s, p):
        out[16], out[17], out[18] = np.float32(1.0), part(s.coin.x, HALF), part(s.coin.y, HALF)
        out[19] = part(s.coin.timer, 1000)
    if p.fog_a > 0:
        out[20], out[21] = part(s.fog.x, HALF), part(s.fog.y, HALF)
        out[22], out[23] = np.float32(1.0), np.float32(s.lit)
    out[24 + s.last.error] = np.float32(1.0)
    return 24 + ERROR_CODES


@kernel
def _write_sites(s, p, out, at):
    one = np.float32(1.0)
    for k in range(p.site_count):
        site, row = s.sites[k], at + PER_SITE * k
        out[row], out[row + 1], out[row + 2] = part(p.sites[k, 0], HALF), part(p.sites[k, 1], HALF), one
        if site.type >= 0:
            out[row + 3 + site.type] = one
        out[row + 6] = part(site.level, TOP_LEVEL)
        out[row + 7], out[row + 8] = np.float32(site.frozen), np.float32(site.hidden)
        for kind in range(TOWERS):
            out[row + 9 + kind] = part(p.coverage[k, kind], 10)
            if s.gold >= p.towers[kind].price:
                out[row + 12 + kind] = one
        out[row + 15] = part(site.cooldown, 120)
    return at + PER_SITE * SITES


@kernel
def _write_enemies(s, p, out, at, everything):
    """Enemies that can be seen, nearest to the base first: each is put behind all that are nearer."""
    for i in range(s.top):
        if not seen(s, i, everything):
            continue
        enemy = s.enemies[i]
        left, rank = way_left(p, enemy), 0
        for j in range(s.top):
            if j != i and seen(s, j, everything):
                other = way_left(p, s.enemies[j])
                rank += 1 if other < left or (other == left and j < i) else 0
        if rank >= SEEN_ENEMIES:
            continue
        row = at + PER_ENEMY * rank
        out[row], out[row + 1] = part(enemy.x, HALF), part(enemy.y, HALF)
        out[row + 2], out[row + 3] = part(left, _LONGEST), part(enemy.hp, p.enemies[enemy.type].hp)
        out[row + 4 + enemy.type] = np.float32(1.0)
        # blows follow marks of the last tick
        out[row + 13] = np.float32(1.0 if enemy.blocker >= 0 else 0.0)
    return at + PER_ENEMY * SEEN_ENEMIES


@kernel
def write_info(s, p, info):
    """The metrics of `envsuite.tower_defense.state.INFO`, but for the mask."""
    account.report(s, p, info)
    info.command, info.error, info.effective = s.last.command, s.last.error, s.last.effective != 0
    info.is_success = s.outcome == 2
    info.life, info.gold, info.wave, info.tick, info.level = s.life, s.gold, s.wave, s.tick, s.level
    for k in range(TYPES):
        info.leaks[k] = s.leaks[k]
    for k in range(SITES):
        info.damage[k] = s.sites[k].dealt
    info.kills, info.coins, info.coins_missed = s.kills, s.coins, s.coins_missed
    info.decisions, info.waits = s.decisions, s.waits
    for k in range(ERROR_CODES):
        info.faults[k] = s.faults[k]


@kernel
def write_compat(s, p, out):
    """The vector of TowerMind, in its order, with our numbers: units, seconds, and our types of enemies."""
    out[:] = np.float32(-9999.0)
    _compat_level(s, p, out)
    _compat_now(s, p, out)
    for k in range(p.path_count):
        for j in range(p.waypoint_count[k]):
            row = 44 + 40 * k + 2 * j
            out[row], out[row + 1] = _units(p.waypoints[k, j, 0]), _units(p.waypoints[k, j, 1])
    if s.wave > 0:
        for j in range(min(p.wave_size[s.wave - 1], 25)):
            out[244 + j] = np.float32(p.waves[s.wave - 1, j])
    row = 269
    for k in range(ZONES):
        if s.zones[k].left >= 0:
            out[row], out[row + 1] = _units(s.zones[k].x), _units(s.zones[k].y)
            row += 2
    _compat_sites(s, p, out)
    row = 409
    for i in range(ENEMIES):
        if seen(s, i, False):
            enemy = s.enemies[i]
            out[row], out[row + 1] = _units(enemy.x), _units(enemy.y)
            out[row + 2], out[row + 3] = np.float32(enemy.type), np.float32(enemy.hp)
            row += 4
    row = 609
    for k in range(GUARDS):
        guard = s.guards[k]
        if guard.alive != 0 and guard.hidden == 0:
            out[row], out[row + 1], out[row + 2] = _units(guard.x), _units(guard.y), np.float32(guard.hp)
            row += 3


@kernel
def _units(value):
    return np.float32(value) / np.float32(UNIT)


@kernel
def _seconds(ticks):
    return np.float32(ticks) / np.float32(TICKS)


@kernel
def _compat_level(s, p, out):
    zero, three = np.float32(0.0), np.float32(3.0)
    out[0], out[1], out[2], out[3] = zero, zero, np.float32(6.0), -three
    out[4], out[5], out[6], out[7] = three, three, -three, np.float32(0.5)
    out[8], out[9], out[10] = np.float32(s.coins), np.float32(s.compensations), np.float32(p.gold_cap)
    out[11], out[12], out[13] = np.float32(p.life), np.float32(p.wave_count), _seconds(p.interval)
    out[14], out[15], out[16] = np.float32(0.6), _seconds(p.coin_refresh), _seconds(p.coin_stay)
    out[17], out[18] = np.float32(p.coin_value), np.float32(p.coin_value + p.coin_extra)
    last = p.waypoint_count[0] - 1
    out[19], out[20] = _units(p.waypoints[0, last, 0]), _units(p.waypoints[0, last, 1])


@kernel
def _compat_now(s, p, out):
    out[21], out[22], out[23] = np.float32(s.tick), _seconds(s.tick), np.float32(s.wave)
    out[24] = _seconds(s.wave_timer) if s.wave < p.wave_count else np.float32(0.0)
    out[25], out[26], out[27] = np.float32(s.gold), np.float32(s.life), np.float32(p.wave_count - s.wave)
    if p.fog_a > 0:
        out[28], out[29] = _units(s.fog.x), _units(s.fog.y)
    hero = s.hero
    out[30], out[31] = _seconds(s.cooldown), _seconds(hero.dead)
    out[32] = np.float32(1.0 if hero.dead > 0 else 0.0)
    if hero.dead == 0 and hero.hidden == 0:
        out[33], out[34], out[35] = _units(hero.x), _units(hero.y), np.float32(hero.hp)
    if coin_seen(s, p):
        out[36], out[37], out[38] = _units(s.coin.x), _units(s.coin.y), _seconds(s.coin.timer)
    out[39], out[40] = _units(s.last.x), _units(s.last.y)
    out[41] = np.float32(s.last.command)
    out[42], out[43] = np.float32(1.0 if s.last.error == 0 else 0.0), np.float32(s.last.error)


@kernel
def _compat_sites(s, p, out):
    for k in range(min(p.site_count, 15)):
        site, row = s.sites[k], 289 + 8 * k
        out[row], out[row + 1] = _units(p.sites[k, 0]), _units(p.sites[k, 1])
        built = site.type >= 0
        if built and site.hidden != 0:
            continue
        out[row + 2], out[row + 3] = np.float32(site.level), np.float32(1.0 if built else 0.0)
        out[row + 4] = np.float32(site.frozen)
        if site.type == 2:
            out[row + 5], out[row + 6] = _units(site.rally_x), _units(site.rally_y)
        out[row + 7] = np.float32(3 - site.type) if site.type >= 0 else np.float32(0.0)  # archer 3 ... knight 1
