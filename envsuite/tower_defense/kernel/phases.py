"""One tick, phase by phase in the order in which `tick` calls them."""

import numpy as np

from envsuite.core import kernel
from envsuite.tower_defense.kernel import account, space
from envsuite.tower_defense.kernel.guards import send_guard, use_guard, use_hero
from envsuite.tower_defense.kernel.space import covered, draw, earn, front, hurt_enemy, square, walk
from envsuite.tower_defense.params import (
    ACCOUNT_EVERY,
    BALLISTA,
    BARRACKS,
    BLAZE_DAMAGE,
    BLAZE_EVERY,
    BLAZE_EXTRA,
    BLAZE_RADIUS,
    COIN_RANGE,
    COIN_REACH,
    COMPENSATION,
    ENEMIES,
    FOG_SPEED,
    GUARDS,
    HALF,
    HERO_DEAD,
    HEX_RADIUS,
    HEXER,
    MEND_EVERY,
    MEND_HP,
    MEND_RADIUS,
    MENDER,
    SPLASH,
    ZONES,
)


@kernel
def tick(s, p):
    """Let a twentieth of a second pass."""
    s.tick += 1
    move_fog(s, p)
    age_fires(s, p)
    spawn(s, p)
    move_enemies(s, p)
    freeze_sites(s, p)
    for k in range(p.site_count):
        use_tower(s, p, k)
    for k in range(GUARDS):
        if s.guards[k].alive != 0:
            use_guard(s, p, k)
    use_hero(s, p)
    mind_coin(s, p)
    burn(s, p)
    cool(s, p)
    if s.tick % ACCOUNT_EVERY == 0:
        account.look(s, p)
    judge(s, p)


@kernel
def move_fog(s, p):
    """Drift towards a way-point, and choose the next one there."""
    if walk(s.fog, s.fog.to_x, s.fog.to_y, FOG_SPEED):
        s.fog.to_x = space.anywhere(s, space.FOG_X, HALF)
        s.fog.to_y = space.anywhere(s, space.FOG_Y, HALF)


@kernel
def age_fires(s, p):
    """Fires burn down; one whose centre lies under the fog lifts it."""
    s.lit = 0
    for k in range(ZONES):
        zone = s.zones[k]
        if zone.left < 0:
            continue
        zone.left -= 1
        if zone.left >= 0 and space.in_cloud(s, p, zone.x, zone.y):
            s.lit = 1


@kernel
def spawn(s, p):
    """The clock of waves: a new wave when it is due and the last has come out; an enemy at its turn."""
    if s.wave < p.wave_count:
        if s.wave_timer > 0:
            s.wave_timer -= 1
        if s.wave_timer == 0 and s.spawn_left == 0:
            s.wave += 1
            s.spawn_left = next_wave(s, p)
            s.spawn_timer = 0
            s.wave_timer = p.interval
    if s.spawn_left == 0:
        return
    if s.spawn_timer > 0:
        s.spawn_timer -= 1
    if s.spawn_timer == 0:
        for i in range(ENEMIES):
            if s.enemies[i].alive == 0:
                kind = space.kind_in_wave(s, p, space.size_of_wave(s, p) - s.spawn_left)
                place_enemy(s, p, i, kind, path_of_next(s, p))
                s.spawn_left -= 1
                s.spawn_timer = p.spawn
                return


@kernel
def next_wave(s, p):
    """Make what was bought the present wave, where waves are bought; how many enemies the present wave has."""
    shop = s.shop
    if p.versus == 0:
        return p.wave_size[s.wave - 1]
    for k in range(shop.count):
        shop.kinds[k], shop.paths[k] = shop.next_kinds[k], shop.next_paths[k]
    shop.size, shop.count = shop.count, 0
    shop.points = p.budget[s.wave] if s.wave < p.wave_count else 0
    return shop.size


@kernel
def path_of_next(s, p):
    """The path of the enemy whose turn it is: the attacker's choice, or luck."""
    if p.versus == 0:
        return draw(s, space.PATH, p.path_count)
    return np.int64(s.shop.paths[s.shop.size - s.spawn_left])


@kernel
def place_enemy(s, p, i, kind, path):
    """Put an enemy at the beginning of a path."""
    enemy = s.enemies[i]
    enemy.alive, enemy.type, enemy.hp, enemy.path, enemy.progress = 1, kind, p.enemies[kind].hp, path, 0
    enemy.x, enemy.y = p.table[path, 0, 0], p.table[path, 0, 1]
    enemy.cooldown, enemy.blocker, enemy.hidden, enemy.id, enemy.met = 0, -1, 0, s.next_id, 0
    s.next_id += 1
    s.top = max(s.top, i + 1)


@kernel
def move_enemies(s, p):
    """March, arrive, strike whoever is in the way, mend others; then forget who was in the way."""
    for i in range(s.top):
        enemy = s.enemies[i]
        if enemy.alive == 0:
            continue
        rules = p.enemies[enemy.type]
        if enemy.blocker < 0:
            enemy.progress += rules.step
            if enemy.progress >= p.path_length[enemy.path]:
                arrive(s, p, enemy)
                continue
            place = (enemy.progress >> 8) >> 4
            enemy.x, enemy.y = p.table[enemy.path, place, 0], p.table[enemy.path, place, 1]
        enemy.hidden = 1 if covered(s, p, enemy.x, enemy.y) else 0
        if enemy.blocker >= 0 and enemy.cooldown == 0 and rules.damage > 0:
            enemy.cooldown = rules.every
            strike(s, enemy.blocker, rules.damage + draw(s, space.BLOW + i, rules.extra + 1))
        if enemy.type == MENDER and s.tick % MEND_EVERY == 0:
            mend(s, p, i)
        enemy.blocker = -1


@kernel
def arrive(s, p, enemy):
    """An enemy at the end of its path costs a life, if there is one left."""
    enemy.alive = 0
    if s.life > 0:
        s.life -= 1
        s.leaks[enemy.type] += 1
        account.blame(s, p, enemy)


@kernel
def strike(s, blocker, damage):
    """An enemy's blow falls on the guard or the hero in its way."""
    if blocker == GUARDS:
        if s.hero.dead == 0:
            s.hero.hp -= damage
            if s.hero.hp <= 0:
                s.hero.hp, s.hero.dead, s.hero.moving = 0, HERO_DEAD, 0
    else:
        guard = s.guards[blocker]
        if guard.alive != 0:
            guard.hp -= damage
            if guard.hp <= 0:
                guard.alive = 0


@kernel
def mend(s, p, i):
    """A mender gives health to all others near it."""
    mender = s.enemies[i]
    for j in range(s.top):
        enemy = s.enemies[j]
        if j != i and enemy.alive != 0 and square(enemy.x, enemy.y, mender.x, mender.y) <= MEND_RADIUS * MEND_RADIUS:
            enemy.hp = min(enemy.hp + MEND_HP, p.enemies[enemy.type].hp)


@kernel
def freeze_sites(s, p):
    """Sites under fog are hidden; every hexer freezes the nearest tower in its reach."""
    for k in range(p.site_count):
        s.sites[k].hidden = 1 if covered(s, p, p.sites[k, 0], p.sites[k, 1]) else 0
        s.sites[k].frozen = 0
    for i in range(s.top):
        enemy = s.enemies[i]
        if enemy.alive == 0 or enemy.type != HEXER:
            continue
        nearest, least = -1, HEX_RADIUS * HEX_RADIUS + 1
        for k in range(p.site_count):
            gap = square(p.sites[k, 0], p.sites[k, 1], enemy.x, enemy.y)
            if s.sites[k].type >= 0 and gap < least:
                nearest, least = k, gap
        if nearest >= 0:
            s.sites[nearest].frozen = 1


@kernel
def use_tower(s, p, k):
    """A tower shoots, or sends a guard, when it is ready."""
    site = s.sites[k]
    if site.type < 0 or site.cooldown > 0 or site.frozen != 0 or site.hidden != 0:
        return
    if site.type == BARRACKS:
        send_guard(s, p, k)
        return
    rules = p.towers[site.type]
    target = front(s, p, p.sites[k, 0], p.sites[k, 1], rules.radius, site.type == BALLISTA, False)
    if target < 0:
        return
    site.cooldown = rules.interval
    damage = rules.damage + draw(s, space.SHOT + k, rules.extra + 1)
    for _ in range(site.level):
        damage = damage * 14 // 10
    if site.type == BALLISTA:
        share = p.enemies[s.enemies[target].type].from_ballista
        site.dealt += hurt_enemy(s, p, target, damage * share // 100)
        return
    x, y = s.enemies[target].x, s.enemies[target].y
    for i in range(s.top):
        enemy = s.enemies[i]
        if enemy.alive == 0 or p.enemies[enemy.type].flying != 0:
            continue
        if square(enemy.x, enemy.y, x, y) <= SPLASH * SPLASH:
            site.dealt += hurt_enemy(s, p, i, damage * p.enemies[enemy.type].from_mortar // 100)


@kernel
def mind_coin(s, p):
    """A coin appears, is picked up by the hero or a guard, or vanishes."""
    coin = s.coin
    if coin.timer > 0:
        coin.timer -= 1
    if coin.on == 0:
        if coin.timer == 0:
            coin.on, coin.timer = 1, p.coin_stay
            coin.x = space.anywhere(s, space.COIN_X, COIN_RANGE)
            coin.y = space.anywhere(s, space.COIN_Y, COIN_RANGE)
        return
    reach = COIN_REACH * COIN_REACH
    taken = s.hero.dead == 0 and square(s.hero.x, s.hero.y, coin.x, coin.y) <= reach
    for k in range(GUARDS):
        guard = s.guards[k]
        taken = taken or (guard.alive != 0 and square(guard.x, guard.y, coin.x, coin.y) <= reach)
    if taken:
        s.coins += 1
        earn(s, p, p.coin_value + draw(s, space.COIN_VALUE, p.coin_extra + 1))
    elif coin.timer == 0:
        s.coins_missed += 1
    if taken or coin.timer == 0:
        coin.on, coin.timer = 0, p.coin_refresh


@kernel
def burn(s, p):
    """Fires hurt enemies on the ground, and guards."""
    reach = BLAZE_RADIUS * BLAZE_RADIUS
    for k in range(ZONES):
        zone = s.zones[k]
        if zone.left < 0 or zone.left % BLAZE_EVERY != 0:
            continue
        damage = BLAZE_DAMAGE + draw(s, space.FIRE + k, BLAZE_EXTRA + 1)
        for i in range(s.top):
            enemy = s.enemies[i]
            if (
                enemy.alive != 0
                and p.enemies[enemy.type].flying == 0
                and square(enemy.x, enemy.y, zone.x, zone.y) <= reach
            ):
                hurt_enemy(s, p, i, damage)
        if p.friendly_fire == 0:
            continue
        for j in range(GUARDS):
            guard = s.guards[j]
            if guard.alive != 0 and square(guard.x, guard.y, zone.x, zone.y) <= reach:
                guard.hp -= damage
                if guard.hp <= 0:
                    guard.alive = 0
                    if draw(s, space.PAID + j, 2) == 0:
                        s.compensations += 1
                        earn(s, p, COMPENSATION)


@kernel
def cool(s, p):
    """Everything that waits waits a tick less."""
    top = 0
    for i in range(s.top):
        enemy = s.enemies[i]
        if enemy.alive != 0:
            top = i + 1
            if enemy.cooldown > 0:
                enemy.cooldown -= 1
    s.top = top
    for k in range(p.site_count):
        if s.sites[k].cooldown > 0:
            s.sites[k].cooldown -= 1
    for k in range(GUARDS):
        if s.guards[k].cooldown > 0:
            s.guards[k].cooldown -= 1
    if s.hero.cooldown > 0:
        s.hero.cooldown -= 1
    if s.cooldown > 0:
        s.cooldown -= 1


@kernel
def judge(s, p):
    """The base is lost, or all waves are over."""
    if s.life == 0:
        s.outcome = 1
    elif s.wave == p.wave_count and s.spawn_left == 0 and s.top == 0:
        s.outcome = 2
