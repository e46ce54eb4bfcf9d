"""The game of two: a defender as always, and an attacker who buys the waves."""

import numpy as np

from envsuite.core import batch_loops, kernel
from envsuite.tower_defense.kernel import commands, senses
from envsuite.tower_defense.kernel.loops import decide, draw_level, reset
from envsuite.tower_defense.params import PATHS, SHOP
from envsuite.tower_defense.state import PURCHASES, SITE_COMMANDS


@kernel
def purchase_error(s, p, number):
    """Why an attacker's command would fail, 0 if it would not; see `envsuite.tower_defense.params.ATTACK_ERRORS`."""
    if number == 0:
        return 0
    kind, path = (number - SITE_COMMANDS) // PATHS, (number - SITE_COMMANDS) % PATHS
    if number < SITE_COMMANDS or s.wave >= p.wave_count or path >= p.path_count:
        return 15
    if s.shop.count >= SHOP:
        return 14
    return 2 if s.shop.points < p.enemies[kind].price else 0


@kernel
def buy(s, p, number):
    """Buy an enemy for the next wave, if possible; number 0 waits."""
    number = np.int64(number)
    shop = s.shop
    shop.command, shop.error = number, purchase_error(s, p, number)
    if shop.error == 0 and number > 0:
        kind, path = (number - SITE_COMMANDS) // PATHS, (number - SITE_COMMANDS) % PATHS
        shop.next_kinds[shop.count], shop.next_paths[shop.count] = kind, path
        shop.count += 1
        shop.points -= p.enemies[kind].price


@kernel
def of_defender(p, number):
    """The command of the site encoding: (kind, site or -1, x, y); kind -1 for what only the attacker may do."""
    if number >= SITE_COMMANDS:
        return -1, np.int64(-1), np.int64(0), np.int64(0)
    return commands.of_number(p, number)


@kernel
def write_purchases(s, p, mask):
    """Set 1 where a purchase is possible, else 0; (45,) of any type of number."""
    for k in range(PURCHASES):
        mask[k] = 1 if purchase_error(s, p, SITE_COMMANDS + k) == 0 else 0


@kernel
def observe(s, p, o, info):
    """Write what both sides see, and the metrics."""
    defender, attacker = o[0], o[1]
    senses.write_vector(s, p, defender, False)
    senses.write_vector(s, p, attacker, True)
    defender.action_mask[SITE_COMMANDS:] = 0.0
    defender.attacker, defender.points = 0.0, 0.0
    defender.bought[:] = 0.0
    attacker.action_mask[:SITE_COMMANDS] = 0.0
    attacker.action_mask[0] = 1.0
    write_purchases(s, p, attacker.action_mask[SITE_COMMANDS:])
    attacker.last_error[:] = 0.0
    attacker.last_error[s.shop.error] = 1.0
    whole = p.budget[s.wave] if s.wave < p.wave_count else 1
    attacker.attacker, attacker.points = 1.0, np.float32(s.shop.points) / np.float32(whole)
    attacker.bought[:] = 0.0
    for j in range(s.shop.count):
        k = np.int64(s.shop.next_kinds[j]) * PATHS + np.int64(s.shop.next_paths[j])
        attacker.bought[k] = min(attacker.bought[k] + 0.05, 1.0)
    measure(s, p, info)


@kernel
def measure(s, p, info):
    """Write the metrics of both sides, (2,)."""
    for side in range(2):
        one = info[side]
        senses.write_info(s, p, one)
        one.points, one.bought = s.shop.points, s.shop.count
    commands.write_mask(s, p, info[0].action_mask)
    for k in range(PURCHASES):
        info[0].action_mask[SITE_COMMANDS + k] = 0
    for k in range(SITE_COMMANDS):
        info[1].action_mask[k] = 1 if k == 0 else 0
    write_purchases(s, p, info[1].action_mask[SITE_COMMANDS:])
    info[1].command, info[1].error, info[1].effective = s.shop.command, s.shop.error, False


@kernel
def step(s, p, actions, rewards):
    """A decision of both sides; whether the game is over."""
    buy(s, p, actions[1])
    kind, site, x, y = of_defender(p, actions[0])
    gained = decide(s, p, kind, site, x, y)
    rewards[0], rewards[1] = gained, -gained
    return s.outcome != 0


LOOPS = batch_loops(reset, step, observe, draw_level=draw_level)
