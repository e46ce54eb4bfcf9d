"""Ways around spotlights: whoever has seen a light three times knows its way, a curve of second order."""

import math

import numpy as np

from envsuite.core import kernel
from envsuite.memory.memory_gym.spotlights import (
    AGENT,
    COIN,
    DARK,
    EXIT,
    LIGHTS,
    SHOWN,
    SIDE,
    STRAIGHT,
    in_picture,
    squared,
    walked,
)

AHEAD = 36
"""Steps that are thought of."""
LENGTHS = (1, 2, 4, 7, 11, 16, 24)
"""Steps in which a plan goes in one direction, before it turns to where it wants to be."""
DEATH = 1000.0
"""Steps that the last of the health is worth."""
HURT = 20.0
"""Steps that one in the light is worth."""
PATIENCE = 200
"""Steps after which a coin is worth any harm."""
GRACE = 1.0
"""Pixels by which lights are thought to be larger."""

MEMORY = np.dtype(
    [
        ("seen", np.int32, (LIGHTS,)),
        ("places", np.float64, (LIGHTS, 3, 2)),
        ("ahead", np.float64, (AHEAD, LIGHTS, 2)),
    ],
    align=True,
)


@kernel
def watch(s, kept):
    """Keep where lights were, and work out where they will be."""
    for k in range(LIGHTS):
        kept.seen[k] = kept.seen[k] + 1 if in_picture(s, k) else 0
        for j in range(2):
            kept.places[k, 2, j], kept.places[k, 1, j] = kept.places[k, 1, j], kept.places[k, 0, j]
            kept.places[k, 0, j] = s.place[k, j]
            speed = kept.places[k, 0, j] - kept.places[k, 1, j] if kept.seen[k] >= 2 else 0.0
            before = kept.places[k, 1, j] - kept.places[k, 2, j] if kept.seen[k] >= 3 else speed
            for h in range(AHEAD):
                kept.ahead[h, k, j] = (
                    kept.places[k, 0, j] + (h + 1) * speed + 0.5 * (h + 1) * (h + 2) * (speed - before)
                )


@kernel
def in_future_light(s, kept, h, x, y):
    """Whether the agent would be in the light there, some steps ahead."""
    for k in range(LIGHTS):
        reach = s.radius[k] + AGENT + GRACE
        if kept.seen[k] and squared(kept.ahead[h, k, 0], kept.ahead[h, k, 1], x, y) <= reach * reach:
            return True
    return False


@kernel
def toward(right, down):
    """The action for what there is to go, as 3 times across plus along."""
    across = 2 if right > 1 else (1 if right < -1 else 0)
    along = 2 if down > 1 else (1 if down < -1 else 0)
    return 3 * across + along


@kernel
def price(s, kept, hurt, first, length, x, y, near):
    """What a plan costs: steps until it is where it wants to be, and those in the light.

    Args:
        s: the state.
        kept: of a player.
        hurt: what a step in the light costs.
        first: action of its first steps.
        length: how many they are.
        x: where it wants to be.
        y: where it wants to be.
        near: how near.
    """
    at_x, at_y, cost, health = np.int64(s.x), np.int64(s.y), 0.0, s.health
    for h in range(AHEAD):
        action = first if h < length else toward(x - at_x, y - at_y)
        at_x, at_y = walked(at_x, at_y, action // 3, action % 3)
        cost += 1.0
        if in_future_light(s, kept, h, at_x, at_y):
            health -= 1
            cost += hurt if health > 0 else DEATH
        if squared(at_x, at_y, x, y) <= near * near:
            return cost
    return cost + math.sqrt(1.0 * squared(at_x, at_y, x, y)) / STRAIGHT


@kernel
def dodge(states, params, memory, streams, actions):
    """Go to the coin, or with it to the exit, on the plan that costs least."""
    p = params[0]
    for i in range(states.shape[0]):
        s, kept = states[i], memory[i]
        watch(s, kept)
        out = s.coins > 0 and not p.endless
        x, y = (s.exit[0], s.exit[1]) if out else (s.coin[0], s.coin[1])
        near = AGENT + (EXIT if out else COIN)
        hurt = HURT * max(0.0, 1.0 - s.coin_time / PATIENCE)
        best, chosen = price(s, kept, hurt, 0, 0, x, y, near), toward(x - s.x, y - s.y)
        for first in range(9):
            for k in range(len(LENGTHS)):
                cost = price(s, kept, hurt, first, LENGTHS[k], x, y, near)
                if cost < best:
                    best, chosen = cost, first
        actions[i, 0], actions[i, 1] = chosen // 3, chosen % 3


@kernel
def rush(states, params, memory, streams, actions):
    """Without memory: toward what is seen, and else as before, which is seen too; out of the light where it is lit."""
    for i in range(states.shape[0]):
        s, p = states[i], params[0]
        out = s.coins > 0 and not p.endless
        chosen = 3 * s.last[0] + s.last[1]
        bright = s.dark < DARK or p.agent_seen
        x, y = (s.exit[0], s.exit[1]) if out else (s.coin[0], s.coin[1])
        if bright:
            chosen = toward(x - s.x, y - s.y)
        elif s.lit:
            nearest, far = -1, 1e9
            for k in range(LIGHTS):
                d = squared(s.place[k, 0], s.place[k, 1], s.x, s.y)
                if s.there[k] and d < far:
                    nearest, far = k, d
            chosen = toward(s.x - s.place[nearest, 0], s.y - s.place[nearest, 1])
        elif p.endless and s.coin_time < SHOWN:
            chosen = toward(x - SIDE // 2, y - SIDE // 2)
        actions[i, 0], actions[i, 1] = chosen // 3, chosen % 3
