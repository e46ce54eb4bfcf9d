"""Episodes and decisions on one record, and the batch loops."""

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import kernel
from envsuite.core.world import begin_episode, out_of_time, tick
from envsuite.tower_defense.kernel import account, commands, phases, planes, senses, space
from envsuite.tower_defense.params import ENEMIES, ERROR_CODES, GUARDS, HALF, HERO_HP, SITES, TYPES, WAIT, ZONES


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
def begin(s, params):
    """Draw a level, and begin an episode on it."""
    begin_episode(s.clock, s.rng)
    s.level = rng.integers(s.rng, rng.RESET, params[0].levels)
    reset(s, params[s.level])


@kernel
def potential(s, p):
    """The potential of reward shaping (Ng, Harada and Russell 1999): 0 at the start and at the end of an episode.

    Wealth counts for, gold by half and towers by the path that they reach, of the best site's. Against it count
    enemies, by their health times the way that they have come.
    """
    if s.outcome != 0 or (p.wealth_reward == 0 and p.threat_reward == 0):
        return np.float32(0.0)
    wealth = np.float32(s.gold - min(p.gold, p.gold_cap)) * np.float32(0.5)
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
def observe(s, p, observation, info):
    """Write what the agent sees, and the metrics."""
    if observation.ndim == 3:
        planes.write_planes(s, p, observation)
    elif p.senses == 0:
        senses.write_vector(s, p, observation, False)
    else:
        senses.write_compat(s, p, observation)
    commands.write_mask(s, p, info.action_mask)
    senses.write_info(s, p, info)


@kernel
def reset_batch(states, params, mask, observations, info, start, stop):
    """Begin a new episode in every instance of [start, stop) whose mask is set."""
    for i in range(start, stop):
        if mask[i]:
            s = states[i]
            begin(s, params)
            observe(s, params[s.level], observations[i], info[i])


@kernel
def _step(s, params, kind, site, x, y, horizon, observation, info):
    """A decision of one instance; reward, terminated, truncated."""
    p = params[s.level]
    tick(s.clock)
    reward = decide(s, p, kind, site, x, y)
    terminated = s.outcome != 0
    truncated = out_of_time(s.clock, horizon)
    s.clock.over = terminated or truncated
    observe(s, p, observation, info)
    return reward, terminated, truncated


@kernel
def step_numbers(
    states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
):
    """Step every instance of [start, stop) by commands of the site encoding, or begin where `restart` is set."""
    for i in range(start, stop):
        s = states[i]
        if restart[i]:
            begin(s, params)
            rewards[i], terminated[i], truncated[i] = np.float32(0.0), False, False
            observe(s, params[s.level], observations[i], info[i])
        else:
            kind, site, x, y = commands.of_number(params[s.level], actions[i])
            rewards[i], terminated[i], truncated[i] = _step(
                s, params, kind, site, x, y, horizon, observations[i], info[i]
            )


@kernel
def step_places(
    states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
):
    """Step every instance of [start, stop) by places and commands, or begin where `restart` is set."""
    for i in range(start, stop):
        s = states[i]
        if restart[i]:
            begin(s, params)
            rewards[i], terminated[i], truncated[i] = np.float32(0.0), False, False
            observe(s, params[s.level], observations[i], info[i])
        else:
            kind, site, x, y = commands.of_place(params[s.level], actions[i])
            rewards[i], terminated[i], truncated[i] = _step(
                s, params, kind, site, x, y, horizon, observations[i], info[i]
            )


@kernel
def elapse_batch(states, params, ticks, observations, rewards, terminated, truncated, info, start, stop):
    """Let ticks pass without a command in every instance of [start, stop) whose episode goes on."""
    for i in range(start, stop):
        s = states[i]
        p = params[s.level]
        rewards[i] = let_pass(s, p, ticks, potential(s, p))
        terminated[i], truncated[i] = s.outcome != 0, False
        s.clock.over = s.clock.over or s.outcome != 0
        observe(s, p, observations[i], info[i])
