"""The game of two: a defender as always, and an attacker who buys the waves."""

import numpy as np

from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.tower_defense.kernel import commands, senses
from envsuite.tower_defense.kernel.loops import decide, draw_level, reset
from envsuite.tower_defense.params import ERROR_CODES, PATHS, SHOP
from envsuite.tower_defense.state import PURCHASES, SITE_COMMANDS, VECTOR_SIZE

_LAST_ERROR = 24  # where the vector has the last error


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
def observe(s, p, observations, info):
    """Write what both sides see, (2, numbers), and the metrics, (2,)."""
    defender, attacker = observations[0], observations[1]
    defender[:] = np.float32(0.0)
    senses.write_vector(s, p, defender[:VECTOR_SIZE], False)
    senses.write_vector(s, p, attacker[:VECTOR_SIZE], True)
    for k in range(VECTOR_SIZE - SITE_COMMANDS, VECTOR_SIZE):
        attacker[k] = np.float32(0.0)
    attacker[VECTOR_SIZE - SITE_COMMANDS] = np.float32(1.0)
    for k in range(ERROR_CODES):
        attacker[_LAST_ERROR + k] = np.float32(1.0 if k == s.shop.error else 0.0)
    at = VECTOR_SIZE
    write_purchases(s, p, attacker[at : at + PURCHASES])
    at += PURCHASES
    whole = p.budget[s.wave] if s.wave < p.wave_count else 1
    attacker[at], attacker[at + 1] = np.float32(1.0), np.float32(s.shop.points) / np.float32(whole)
    at += 2
    for k in range(PURCHASES):
        attacker[at + k] = np.float32(0.0)
    for j in range(s.shop.count):
        k = at + np.int64(s.shop.next_kinds[j]) * PATHS + np.int64(s.shop.next_paths[j])
        attacker[k] = min(attacker[k] + np.float32(0.05), np.float32(1.0))
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
