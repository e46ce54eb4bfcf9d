"""Episodes and decisions on one record."""

from typing import Any

import numpy as np

from envsuite.core import batch_loops, kernel, rng
from envsuite.core.clock import begin_episode
from envsuite.tower_defense.kernel import account, commands, phases, planes, senses, space
from envsuite.tower_defense.params import ENEMIES, ERROR_CODES, GUARDS, HALF, HERO_HP, SITES, TICKS, TYPES, WAIT, ZONES


@kernel
def reset(s, p):
    """An empty map before the first wave."""
    s.tick, s.gold, s.life, s.wave, s.outcome = 0, min(p.gold, p.gold_cap), p.life, 0, 0
    s.spawn_left, s.spawn_timer, s.wave_timer, s.next_id, s.top, s.lit, s.cooldown = 0, 0, p.first, 0, 0, 0, 0
    s.kills, s.blazes, s.compensations, s.coins, s.coins_missed, s.damage = 0, 0, 0, 0, 0, 0
    s.fog.x, s.fog.y = space.anywhere(s, space.CLOUD_X, HALF), space.anywhere(s, space.CLOUD_Y, HALF)
    s.fog.to_x, s.fog.to_y = space.anywhere(s, space.FOG_X, HALF), space.anywhere(s, space.FOG_Y, HALF)
    s.coin.on, s.coin.x, s.coin.y, s.coin.timer = 0, 0, 0, p.coin_refresh
    hero = s.hero
    hero.x, hero.y, hero.to_x, hero.to_y = p.hero_start[0], p.hero_start[1], p.hero_start[0], p.hero_start[1]
    hero.hp, hero.max_hp, hero.moving, hero.cooldown, hero.dead, hero.hidden = HERO_HP, HERO_HP, 0, 0, 0, 0
    for i in range(ENEMIES):
        s.enemies[i].alive, s.enemies[i].blocker = 0, -1
    for k in range(GUARDS):
        s.guards[k].alive, s.guards[k].owner, s.guards[k].cooldown = 0, -1, 0
    for k in range(SITES):
        site = s.sites[k]
        site.type, site.level, site.cooldown, site.frozen, site.hidden = -1, 0, 0, 0, 0
        site.spent, site.dealt, site.rally_x, site.rally_y = 0, 0, p.rally[k, 0], p.rally[k, 1]
    for k in range(ZONES):
        s.zones[k].left = -1
    for k in range(TYPES):
        s.leaks[k] = 0
    last = s.last
    last.command, last.error, last.x, last.y, last.effective = WAIT, 0, 0, 0, 0
    s.decisions, s.waits = 0, 0
    for k in range(ERROR_CODES):
        s.faults[k] = 0
    account.clear(s)
    shop = s.shop
    shop.points, shop.count, shop.size, shop.command, shop.error = p.budget[0], 0, 0, 0, 0


@kernel
def draw_level(s, params):
    """Draw the level of an episode."""
    s.level = rng.integers(s.rng, rng.RESET, params[0].levels)


@kernel
def begin(s, params):
    """Draw a level, and begin an episode on it."""
    begin_episode(s.clock, s.rng)
    draw_level(s, params)
    reset(s, params[s.level])


@kernel
def potential(s, p):
    """The potential of reward shaping (Ng, Harada and Russell 1999): 0 at the start and at the end of an episode.

    Wealth counts for, gold by half and towers by the path that they reach, of the best site's. Against it count
    enemies, by their health times the way that they have come.
    """
    if s.outcome != 0 or (p.wealth_reward == 0 and p.threat_reward == 0):
        return np.float32(0.0)
    wealth = np.float32(s.gold - min(p.gold, p.gold_cap)) * 0.5
    for k in range(p.site_count):
        if s.sites[k].type >= 0:
            wealth += np.float32(s.sites[k].spent) * p.worth[k, s.sites[k].type]
    threat = np.float32(0.0)
    for i in range(s.top):
        enemy = s.enemies[i]
        if enemy.alive != 0:
            come = np.float32(enemy.progress) / np.float32(p.path_length[enemy.path])
            threat += come * np.float32(enemy.hp) / np.float32(p.enemies[enemy.type].hp)
    return p.wealth_reward * wealth - p.threat_reward * threat


@kernel
def decide(s, p, kind, site, x, y):
    """Obey one command, then let the ticks of a decision pass; the reward."""
    before = potential(s, p)
    commands.obey(s, p, kind, site, x, y)
    return let_pass(s, p, p.decision, before) - p.step_penalty


@kernel
def let_pass(s, p, ticks, before):
    """Let ticks pass while the episode goes on; the reward, counted from the potential `before`."""
    life, damage, coins = s.life, s.damage, s.coins
    for _ in range(ticks):
        if s.outcome != 0:
            break
        phases.tick(s, p)
    reward = np.float32(s.life - life)
    reward += p.damage_reward * np.float32(s.damage - damage) + p.coin_reward * np.float32(s.coins - coins)
    return reward + p.discount * potential(s, p) - before


@kernel
def observe_vector(s, p, o, info):
    """Write what the agent sees by default, and the metrics."""
    senses.write_vector(s, p, o, False)
    measure(s, p, info)


@kernel
def observe_compat(s, p, observation, info):
    """Write the vector of TowerMind, and the metrics."""
    senses.write_compat(s, p, observation)
    measure(s, p, info)


@kernel
def observe_planes(s, p, observation, info):
    """Write the planes, and the metrics."""
    planes.write_planes(s, p, observation)
    measure(s, p, info)


@kernel
def measure(s, p, info):
    """Write the metrics."""
    commands.write_mask(s, p, info.action_mask)
    senses.write_info(s, p, info)


@kernel
def step_number(s, p, action):
    """A decision by a command of the site encoding."""
    kind, site, x, y = commands.of_number(p, action)
    return decide(s, p, kind, site, x, y), s.outcome != 0


@kernel
def step_place(s, p, action):
    """A decision by a place and a command."""
    kind, site, x, y = commands.of_place(p, action)
    return decide(s, p, kind, site, x, y), s.outcome != 0


@kernel
def elapse(s, p, ticks):
    """Let ticks pass without a command."""
    return let_pass(s, p, ticks, potential(s, p)), s.outcome != 0


_CLOCK: Any = {"draw_level": draw_level, "clock": (elapse, float(TICKS))}
LOOPS = {
    (by, form): batch_loops(reset, step, observe, **_CLOCK)
    for by, step in (("number", step_number), ("place", step_place))
    for form, observe in (("vector", observe_vector), ("compat", observe_compat), ("planes", observe_planes))
}
"""Loops by the form of actions and of observations."""
