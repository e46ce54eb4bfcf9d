"""Guards and the hero: who they turn to, how they walk, fight and heal."""

import numpy as np

from envsuite.core import kernel
from envsuite.tower_defense.kernel import space
from envsuite.tower_defense.kernel.space import covered, draw, front, hurt_enemy, square, walk
from envsuite.tower_defense.params import (
    BARRACKS,
    GUARD_DAMAGE,
    GUARD_EVERY,
    GUARD_EXTRA,
    GUARD_HP,
    GUARD_HP_LEVEL,
    GUARD_SPEED,
    GUARDS,
    GUARDS_EACH,
    HERO_DAMAGE,
    HERO_EVERY,
    HERO_EXTRA,
    HERO_HEAL,
    HERO_HEAL_EVERY,
    HERO_REACH,
    HERO_SPEED,
    LEASH,
    MELEE,
)


@kernel
def free_guard(s):
    """The first free slot of a guard, or -1."""
    for k in range(GUARDS):
        if s.guards[k].alive == 0:
            return k
    return -1


@kernel
def send_guard(s, p, k):
    """A guard leaves a barracks that has fewer than three."""
    mine = 0
    for j in range(GUARDS):
        if s.guards[j].alive != 0 and s.guards[j].owner == k:
            mine += 1
    slot = free_guard(s)
    if mine < GUARDS_EACH and slot >= 0:
        site = s.sites[k]
        site.cooldown = p.towers[BARRACKS].interval
        place_guard(s, slot, p.sites[k, 0], p.sites[k, 1], site.rally_x, site.rally_y, k, -1, site.level)


@kernel
def place_guard(s, slot, x, y, home_x, home_y, owner, life, level):
    """Put a guard somewhere."""
    guard = s.guards[slot]
    guard.alive, guard.hp, guard.level = 1, GUARD_HP + GUARD_HP_LEVEL * level, level
    guard.x, guard.y, guard.home_x, guard.home_y = x, y, home_x, home_y
    guard.cooldown, guard.owner, guard.life, guard.hidden = 0, owner, life, 0


@kernel
def opponent(s, p, guard):
    """Slot of the enemy that a guard turns to, or -1.

    The nearest visible one on the ground within the leash of its gathering point; those in nobody's way come first.
    """
    best, least, best_taken = -1, np.int64(1) << np.int64(40), True
    for i in range(s.top):
        enemy = s.enemies[i]
        if enemy.alive == 0 or enemy.hidden != 0 or p.enemies[enemy.type].flying != 0:
            continue
        if square(enemy.x, enemy.y, guard.home_x, guard.home_y) > LEASH * LEASH:
            continue
        taken = enemy.blocker >= 0
        gap = square(enemy.x, enemy.y, guard.x, guard.y)
        if (best_taken and not taken) or (taken == best_taken and gap < least):
            best, least, best_taken = i, gap, taken
    return best


@kernel
def use_guard(s, p, k):
    """A guard fights the enemy that it has reached, walks to the one it has not, or goes home."""
    guard = s.guards[k]
    if guard.life > 0:
        guard.life -= 1
        if guard.life == 0:
            guard.alive = 0
            return
    guard.hidden = 1 if covered(s, p, guard.x, guard.y) else 0
    stride = GUARD_SPEED * (10 + 2 * guard.level) // 10
    i = -1 if guard.hidden != 0 else opponent(s, p, guard)
    if i < 0:
        walk(guard, guard.home_x, guard.home_y, stride)
        return
    enemy = s.enemies[i]
    if square(enemy.x, enemy.y, guard.x, guard.y) > MELEE * MELEE:
        walk(guard, enemy.x, enemy.y, stride)
        return
    if enemy.blocker < 0:
        enemy.blocker = k
    if guard.cooldown == 0:
        guard.cooldown = GUARD_EVERY
        damage = GUARD_DAMAGE + draw(s, space.GUARD_BLOW + k, GUARD_EXTRA + 1)
        for _ in range(guard.level):
            damage = damage * 13 // 10
        hurt_enemy(s, p, i, damage)


@kernel
def use_hero(s, p):
    """The hero comes back, heals, walks, or fights the foremost enemy in reach."""
    hero = s.hero
    if hero.dead > 0:
        hero.dead -= 1
        if hero.dead == 0:
            hero.hp = hero.max_hp
        return
    if s.tick % HERO_HEAL_EVERY == 0:
        hero.hp = min(hero.hp + HERO_HEAL, hero.max_hp)
    if hero.moving != 0 and walk(hero, hero.to_x, hero.to_y, HERO_SPEED):
        hero.moving = 0
    hero.hidden = 1 if covered(s, p, hero.x, hero.y) else 0
    if hero.moving != 0 or hero.hidden != 0:
        return
    i = front(s, p, hero.x, hero.y, HERO_REACH, True, False)
    if i < 0:
        return
    enemy = s.enemies[i]
    if enemy.blocker < 0 and p.enemies[enemy.type].flying == 0:
        enemy.blocker = GUARDS
    if hero.cooldown == 0:
        hero.cooldown = HERO_EVERY
        hurt_enemy(s, p, i, HERO_DAMAGE + draw(s, space.HERO_BLOW, HERO_EXTRA + 1))
