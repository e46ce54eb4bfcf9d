"""What the agent sees: the state without what the fog hides, as a vector."""

import numpy as np

from envsuite.core import kernel
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
)

_LONGEST = 20 * UNIT * 256  # su / 256, the longest path
_FULL_HP = 660  # of a guard of the highest level


@kernel
def part(value, whole):
    """A share in single precision, cut to [-1, 1]."""
    return min(max(np.float32(value) / np.float32(whole), -1.0), 1.0)


@kernel
def coin_seen(s, p):
    """Whether there is a coin that the fog does not hide."""
    return s.coin.on != 0 and (s.lit != 0 or not in_cloud(s, p, s.coin.x, s.coin.y))


@kernel
def seen(s, i, everything):
    """Whether an enemy can be seen; fog hides them from the defender, but not from one who sees everything."""
    return s.enemies[i].alive != 0 and (everything or s.enemies[i].hidden == 0)


@kernel
def write_vector(s, p, o, everything):
    """The default observation, see `envsuite.tower_defense.state.VECTOR`.

    Sites, enemies, guards and fires are tables whose rows follow one another in a block.

    Args:
        s: state.
        p: parameters.
        o: record of the observation.
        everything: whether enemies under fog are listed too.
    """
    _write_globals(s, p, o)
    _write_sites(s, p, o.sites)
    _write_enemies(s, p, o.enemies, everything)
    _write_guards(s, o.guards)
    _write_fires(s, o.fires)
    o.to_come[:] = 0.0
    if s.wave > 0:
        size = size_of_wave(s, p)
        for j in range(size - s.spawn_left, size):
            kind = kind_in_wave(s, p, j)
            o.to_come[kind] = min(o.to_come[kind] + 0.05, 1.0)
    write_mask(s, p, o.action_mask)


@kernel
def _write_globals(s, p, o):
    hero = s.hero
    o.time, o.wave = part(s.tick, 6000), part(s.wave, p.wave_count)
    o.gold, o.life = part(s.gold, p.gold_cap), part(s.life, p.life)
    o.next_wave, o.to_spawn = part(s.wave_timer, 1000), part(s.spawn_left, 100)
    o.reinforcements = part(s.cooldown, 400)
    o.hero[0], o.hero[1] = part(hero.x, HALF), part(hero.y, HALF)
    o.hero[2], o.hero[3] = part(hero.to_x, HALF), part(hero.to_y, HALF)
    o.hero[4], o.hero[5], o.hero[6] = part(hero.hp, hero.max_hp), part(hero.max_hp, 6000), part(hero.dead, 200)
    o.hero[7], o.hero[8] = hero.moving, hero.hidden
    o.coin[:], o.fog[:], o.last_error[:] = 0.0, 0.0, 0.0
    if coin_seen(s, p):
        o.coin[0], o.coin[1], o.coin[2] = 1.0, part(s.coin.x, HALF), part(s.coin.y, HALF)
        o.coin[3] = part(s.coin.timer, 1000)
    if p.fog_a > 0:
        o.fog[0], o.fog[1], o.fog[2], o.fog[3] = part(s.fog.x, HALF), part(s.fog.y, HALF), 1.0, s.lit
    o.last_error[s.last.error] = 1.0


@kernel
def _write_sites(s, p, out):
    out[:] = 0.0
    for k in range(p.site_count):
        site, row = s.sites[k], PER_SITE * k
        out[row], out[row + 1], out[row + 2] = part(p.sites[k, 0], HALF), part(p.sites[k, 1], HALF), 1.0
        if site.type >= 0:
            out[row + 3 + site.type] = 1.0
        out[row + 6], out[row + 7], out[row + 8] = part(site.level, TOP_LEVEL), site.frozen, site.hidden
        for kind in range(TOWERS):
            out[row + 9 + kind] = part(p.coverage[k, kind], 10)
            if s.gold >= p.towers[kind].price:
                out[row + 12 + kind] = 1.0
        out[row + 15] = part(site.cooldown, 120)


@kernel
def _write_enemies(s, p, out, everything):
    """Enemies that can be seen, nearest to the base first: each is put behind all that are nearer."""
    out[:] = 0.0
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
        row = PER_ENEMY * rank
        out[row], out[row + 1] = part(enemy.x, HALF), part(enemy.y, HALF)
        out[row + 2], out[row + 3] = part(left, _LONGEST), part(enemy.hp, p.enemies[enemy.type].hp)
        out[row + 4 + enemy.type] = 1.0
        # blows follow marks of the last tick
        out[row + 13] = 1.0 if enemy.blocker >= 0 else 0.0


@kernel
def _write_guards(s, out):
    out[:] = 0.0
    count = 0
    for k in range(GUARDS):
        guard = s.guards[k]
        if guard.alive != 0 and count < SEEN_GUARDS:
            row = PER_GUARD * count
            out[row], out[row + 1], out[row + 2] = part(guard.x, HALF), part(guard.y, HALF), part(guard.hp, _FULL_HP)
            out[row + 3], out[row + 4] = 1.0, 1.0 if guard.life >= 0 else 0.0
            count += 1


@kernel
def _write_fires(s, out):
    out[:] = 0.0
    for k in range(ZONES):
        zone, row = s.zones[k], PER_ZONE * k
        if zone.left >= 0:
            out[row], out[row + 1], out[row + 2] = part(zone.x, HALF), part(zone.y, HALF), part(zone.left, 100)


@kernel
def write_info(s, p, info):
    """The metrics of `envsuite.tower_defense.state.Info`, but for the mask."""
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
    """The vector of TowerMind, in its order, with our numbers: units, seconds, and our types of enemies.

    Its numbers have no blocks and no names, only places.
    """
    out[:] = -9999.0
    _compat_level(s, p, out)
    _compat_now(s, p, out)
    for k in range(p.path_count):
        for j in range(p.waypoint_count[k]):
            row = 44 + 40 * k + 2 * j
            out[row], out[row + 1] = _units(p.waypoints[k, j, 0]), _units(p.waypoints[k, j, 1])
    if s.wave > 0:
        for j in range(min(p.wave_size[s.wave - 1], 25)):
            out[244 + j] = p.waves[s.wave - 1, j]
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
            out[row + 2], out[row + 3] = enemy.type, enemy.hp
            row += 4
    row = 609
    for k in range(GUARDS):
        guard = s.guards[k]
        if guard.alive != 0 and guard.hidden == 0:
            out[row], out[row + 1], out[row + 2] = _units(guard.x), _units(guard.y), guard.hp
            row += 3


@kernel
def _units(value):
    return np.float32(value) / np.float32(UNIT)


@kernel
def _seconds(ticks):
    return np.float32(ticks) / np.float32(TICKS)


@kernel
def _compat_level(s, p, out):
    out[0], out[1], out[2], out[3] = 0.0, 0.0, 6.0, -3.0
    out[4], out[5], out[6], out[7] = 3.0, 3.0, -3.0, 0.5
    out[8], out[9], out[10] = s.coins, s.compensations, p.gold_cap
    out[11], out[12], out[13] = p.life, p.wave_count, _seconds(p.interval)
    out[14], out[15], out[16] = 0.6, _seconds(p.coin_refresh), _seconds(p.coin_stay)
    out[17], out[18] = p.coin_value, p.coin_value + p.coin_extra
    last = p.waypoint_count[0] - 1
    out[19], out[20] = _units(p.waypoints[0, last, 0]), _units(p.waypoints[0, last, 1])


@kernel
def _compat_now(s, p, out):
    out[21], out[22], out[23] = s.tick, _seconds(s.tick), s.wave
    out[24] = _seconds(s.wave_timer) if s.wave < p.wave_count else 0.0
    out[25], out[26], out[27] = s.gold, s.life, p.wave_count - s.wave
    if p.fog_a > 0:
        out[28], out[29] = _units(s.fog.x), _units(s.fog.y)
    hero = s.hero
    out[30], out[31] = _seconds(s.cooldown), _seconds(hero.dead)
    out[32] = 1.0 if hero.dead > 0 else 0.0
    if hero.dead == 0 and hero.hidden == 0:
        out[33], out[34], out[35] = _units(hero.x), _units(hero.y), hero.hp
    if coin_seen(s, p):
        out[36], out[37], out[38] = _units(s.coin.x), _units(s.coin.y), _seconds(s.coin.timer)
    out[39], out[40] = _units(s.last.x), _units(s.last.y)
    out[41] = s.last.command
    out[42], out[43] = 1.0 if s.last.error == 0 else 0.0, s.last.error


@kernel
def _compat_sites(s, p, out):
    for k in range(min(p.site_count, 15)):
        site, row = s.sites[k], 289 + 8 * k
        out[row], out[row + 1] = _units(p.sites[k, 0]), _units(p.sites[k, 1])
        built = site.type >= 0
        if built and site.hidden != 0:
            continue
        out[row + 2], out[row + 3] = site.level, 1.0 if built else 0.0
        out[row + 4] = site.frozen
        if site.type == 2:
            out[row + 5], out[row + 6] = _units(site.rally_x), _units(site.rally_y)
        out[row + 7] = np.float32(3 - site.type) if site.type >= 0 else 0.0  # archer 3 ... knight 1
