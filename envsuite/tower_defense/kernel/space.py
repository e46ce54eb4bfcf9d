"""Luck, distances and motion, in whole numbers."""

import numpy as np

from envsuite.core import fmath, kernel, rng
from envsuite.tower_defense.params import HALF

# Streams: which draw of a tick it is. The fourth word of the counter; the draws of `envsuite.core.rng` have 0 there.
PATH, BLOW, SHOT, GUARD_BLOW, HERO_BLOW, COIN_VALUE, COIN_X, COIN_Y, FIRE, PAID, FOG_X, FOG_Y, CLOUD_X, CLOUD_Y = (
    7, 100, 300, 400, 500, 600, 601, 602, 700, 800, 901, 902, 903, 904,
)  # fmt: skip


@kernel
def draw(s, stream, n):
    """An integer in [0, n) that depends on seed, episode, tick and stream alone, not on what was drawn before.

    Two plans played on the same seed therefore meet the same luck. The bias is below n / 2^32.
    """
    word, _, _, _ = rng.philox(
        np.uint64(s.tick),
        np.uint64(rng.DYNAMICS),
        np.uint64(s.rng.episode),
        np.uint64(stream),
        np.uint64(s.rng.key[0]),
        np.uint64(s.rng.key[1]),
    )
    return np.int64((word * np.uint64(n)) >> np.uint64(32))


@kernel
def square(ax, ay, bx, by):
    """Squared distance of two places; below 2^27 on the map."""
    return (ax - bx) * (ax - bx) + (ay - by) * (ay - by)


@kernel
def root(n):
    """Largest integer whose square is not above n."""
    guess = np.int64(fmath.sqrt(np.float64(n)))
    while guess * guess > n:
        guess -= 1
    while (guess + 1) * (guess + 1) <= n:
        guess += 1
    return guess


@kernel
def walk(body, to_x, to_y, stride):
    """Move a body with x and y towards a place; whether it is there."""
    dx, dy = np.int64(to_x - body.x), np.int64(to_y - body.y)
    gap = dx * dx + dy * dy
    if gap <= stride * stride:
        body.x, body.y = to_x, to_y
        return True
    length = root(gap)
    body.x += dx * stride // length
    body.y += dy * stride // length
    return False


@kernel
def anywhere(s, stream, reach):
    """A coordinate in -reach .. reach."""
    return draw(s, stream, 2 * reach + 1) - reach


@kernel
def in_cloud(s, p, x, y):
    """Whether a place lies under the fog, lifted or not."""
    if p.fog_a == 0 or p.fog_b == 0:
        return False
    dx, dy = np.int64(x - s.fog.x), np.int64(y - s.fog.y)
    a, b = np.int64(p.fog_a), np.int64(p.fog_b)
    return dx * dx * b * b + dy * dy * a * a <= a * a * b * b


@kernel
def covered(s, p, x, y):
    """Whether the fog hides a place."""
    return s.lit == 0 and in_cloud(s, p, x, y)


@kernel
def on_map(value):
    """A coordinate, brought back to the map."""
    return min(max(value, -HALF), HALF)


@kernel
def way_left(p, enemy):
    """Su / 256 between an enemy and the base along its path."""
    return p.path_length[enemy.path] - enemy.progress


@kernel
def front(s, p, x, y, reach, air, hidden_too):
    """Slot of the enemy in reach that has the shortest way left, or -1.

    Args:
        s: state.
        p: parameters.
        x: of the centre.
        y: of the centre.
        reach: su.
        air: whether flyers count.
        hidden_too: whether enemies under fog count.
    """
    best, least = -1, np.int64(1) << np.int64(40)
    for i in range(s.top):
        enemy = s.enemies[i]
        if enemy.alive == 0 or (enemy.hidden != 0 and not hidden_too):
            continue
        if p.enemies[enemy.type].flying != 0 and not air:
            continue
        left = way_left(p, enemy)
        if left < least and square(enemy.x, enemy.y, x, y) <= reach * reach:
            best, least = i, left
    return best


@kernel
def hurt_enemy(s, p, i, damage):
    """Take health from an enemy; how much it lost."""
    enemy = s.enemies[i]
    lost = min(damage, enemy.hp)
    enemy.hp -= lost
    s.damage += lost
    if enemy.hp <= 0:
        enemy.alive = 0
        enemy.blocker = -1
        s.kills += 1
    return lost


@kernel
def earn(s, p, gold):
    """Add gold up to the cap."""
    s.gold = min(s.gold + gold, p.gold_cap)


@kernel
def size_of_wave(s, p):
    """Enemies of the present wave."""
    return p.wave_size[s.wave - 1] if p.versus == 0 else s.shop.size


@kernel
def kind_in_wave(s, p, k):
    """Type of the k-th enemy of the present wave."""
    return np.int64(p.waves[s.wave - 1, k]) if p.versus == 0 else np.int64(s.shop.kinds[k])
