"""Searing Spotlights: the rules on one record, and the world.

Lengths are pixels of the original's picture, constants those of memory-gym 1.0.2 (Pleines et al. 2023, arXiv
2309.17207).
"""

import math
from typing import Annotated

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choices,
    Record,
    Reward,
    StateRecord,
    Vector,
    World,
    batch_loops,
    field,
    fmath,
    kernel,
    rng,
)

SIDE = 84
"""Of the picture."""
BAR = 4
"""Height of the bar on top of it, where the agent cannot go."""
AGENT, COIN, EXIT = 6, 3, 5
"""Radii."""
STRAIGHT, SLANTED = 3, 2
"""Pixels a step along each axis: the original cuts 3 / sqrt(2) off."""
SMALL, LARGE = 7, 13
"""Radii of lights."""
SLOW, FAST = 0.0025, 0.0075
"""Shares of its way that a light goes in a step."""
LIGHTS = 16
"""That a record holds."""
DARK, DIM = 255, 42
"""Darkness at its end, and what comes to it in each step: a sixth, rounded down."""
SHOWN = 6
"""Observations in which a new coin is seen."""
APART = (28, 21)
"""How far coins are from the agent or the coin before, and the exit from the coin."""
MARGIN = 7
"""Of coins and the exit from the picture's border."""
ACROSS = ("stay", "left", "right")
ALONG = ("stay", "up", "down")


class Params(Record):
    """The options that kernels know."""

    endless = field(type=np.uint8, meaning="1 if there is always another coin, and no exit")
    health = field(type=np.int32, meaning="steps in light that end the episode")
    lights = field(type=np.int32, meaning="lights at the beginning")
    interval = field(type=np.int32, meaning="steps between further lights")
    patience = field(type=np.int32, meaning="steps for each coin, where there is always another one")
    agent_seen = field(type=np.uint8, meaning="1 if the agent is seen in the dark")
    coin_seen = field(type=np.uint8, meaning="1 if coin and exit are seen in the dark")


class State(StateRecord):
    """Agent, coin, exit and lights. A light leaves `begin` for `end` and turns to `bend` on the way."""

    x = field(type=np.int32, meaning="of the agent, from the left")
    y = field(type=np.int32, meaning="of the agent, from the top")
    coin = field(type=np.int32, shape=2, meaning="x and y of the coin")
    exit = field(type=np.int32, shape=2, meaning="x and y of the exit")
    health = field(type=np.int32, meaning="steps in light that are left")
    coins = field(type=np.int32, meaning="coins collected")
    success = field(type=np.uint8, meaning="1 at the exit")
    dark = field(type=np.int32, meaning="darkness, up to 255")
    timer = field(type=np.int32, meaning="steps since the last light was added")
    coin_time = field(type=np.int32, meaning="steps since the coin appeared")
    lit = field(type=np.uint8, meaning="1 if the agent was in light in this step")
    paid = field(type=np.uint8, meaning="1 if the step was paid")
    last = field(type=np.int32, shape=2, meaning="the last action")
    there = field(type=np.uint8, shape=LIGHTS, meaning="1 for lights that there are")
    begin = field(shape=(LIGHTS, 2), meaning="where lights come from")
    end = field(shape=(LIGHTS, 2), meaning="where they would go on a straight way")
    bend = field(shape=(LIGHTS, 2), meaning="where they go instead")
    place = field(shape=(LIGHTS, 2), meaning="where they are")
    radius = field(type=np.int32, shape=LIGHTS, meaning="of the lights")
    speed = field(shape=LIGHTS, meaning="share of the way in a step")
    gone = field(shape=LIGHTS, meaning="share of the way that is behind them")


class Info(Record):
    """The metrics."""

    coins = field(type=np.int32, meaning="coins collected")
    health = field(type=np.int32, meaning="steps in light that are left")
    is_success = field(type=np.bool_, meaning="the exit was reached; where there is none, ten coins were collected")
    privileged = field(type=np.float32, shape="places", meaning="for critics: x and y of agent, coin and exit")


@kernel
def on_circle(place, radius, degrees):
    """Put a place on a circle around the picture's middle."""
    angle = degrees * (np.pi / 180.0)
    place[0], place[1] = SIDE // 2 + radius * fmath.cos(angle), SIDE // 2 + radius * fmath.sin(angle)


@kernel
def add_light(s, purpose):
    """Another light, from beyond the picture's corners; none if the record is full."""
    for k in range(LIGHTS):
        if not s.there[k]:
            s.there[k], s.gone[k] = 1, 0.0
            s.radius[k] = SMALL + rng.integers(s.rng, purpose, LARGE - SMALL + 1)
            s.speed[k] = rng.uniform(s.rng, purpose, SLOW, FAST)
            around = SIDE * math.sqrt(0.5) + s.radius[k]
            begin = rng.integers(s.rng, purpose, 360)
            end = begin + 180 + rng.integers(s.rng, purpose, 90) - 45
            on_circle(s.begin[k], around, begin)
            on_circle(s.end[k], around, end)
            on_circle(s.bend[k], around, end + rng.integers(s.rng, purpose, 270) - 135)
            s.place[k, 0], s.place[k, 1] = s.begin[k, 0], s.begin[k, 1]
            return


@kernel
def squared(ax, ay, bx, by):
    """The square of a distance."""
    return (ax - bx) * (ax - bx) + (ay - by) * (ay - by)


@kernel
def draw_place(s, purpose, place, ax, ay, from_a, bx, by, from_b):
    """Put a place anywhere in the picture but near two others, then two or three pixels on."""
    near = True
    while near:
        place[0], place[1] = rng.integers(s.rng, purpose, SIDE), rng.integers(s.rng, purpose, SIDE)
        near = squared(place[0], place[1], ax, ay) < from_a**2 or squared(place[0], place[1], bx, by) < from_b**2
    for k in range(2):
        place[k] = min(max(place[k] + 2 + rng.integers(s.rng, purpose, 2), MARGIN), SIDE - MARGIN)


@kernel
def reset(s, p):
    """Draw agent, lights, coin and exit; the light is on."""
    x, y = rng.integers(s.rng, rng.RESET, SIDE), rng.integers(s.rng, rng.RESET, SIDE)
    s.x, s.y = x + 2 + rng.integers(s.rng, rng.RESET, 2), y + 2 + rng.integers(s.rng, rng.RESET, 2)
    for k in range(LIGHTS):
        s.there[k], s.radius[k], s.speed[k], s.gone[k] = 0, 0, 0.0, 0.0
        for j in range(2):
            s.begin[k, j], s.end[k, j], s.bend[k, j], s.place[k, j] = 0.0, 0.0, 0.0, 0.0
    for _ in range(p.lights):
        add_light(s, rng.RESET)
    if p.endless:
        draw_place(s, rng.RESET, s.coin, x, y, 0, x, y, 0)
        s.exit[0], s.exit[1] = 0, 0
    else:
        draw_place(s, rng.RESET, s.coin, x, y, APART[0], x, y, 0)
        draw_place(s, rng.RESET, s.exit, x, y, APART[0], s.coin[0], s.coin[1], APART[1])
    s.health, s.coins, s.success, s.lit, s.paid = p.health, 0, 0, 0, 0
    s.dark, s.timer, s.coin_time = 0, 0, 0
    s.last[0], s.last[1] = 0, 0


@kernel
def walked(x, y, across, along):
    """Where a step leads, within the picture below the bar.

    Args:
        x: of the agent.
        y: of the agent.
        across: 0 to stay, 1 left, 2 right.
        along: 0 to stay, 1 up, 2 down.
    """
    far = SLANTED if across and along else STRAIGHT
    x += far * (across == 2) - far * (across == 1)
    y += far * (along == 2) - far * (along == 1)
    return min(max(x, AGENT), SIDE - AGENT), min(max(y, BAR + AGENT), SIDE - AGENT)


@kernel
def move_lights(s, p):
    """Add a light when it is time, remove those that are through, and move the others."""
    s.timer += 1
    if s.timer >= p.interval:
        add_light(s, rng.DYNAMICS)
        s.timer = 0
    for k in range(LIGHTS):
        if s.there[k] and s.gone[k] >= 1.0:
            s.there[k] = 0
        elif s.there[k]:
            t = s.gone[k]
            for j in range(2):
                toward = s.end[k, j] + (s.bend[k, j] - s.end[k, j]) * t
                s.place[k, j] = s.begin[k, j] + (toward - s.begin[k, j]) * t
            s.gone[k] = min(t + s.speed[k], 1.0)


@kernel
def in_light(s, x, y, radius):
    """Whether a disc is in the light, at least in part."""
    found = False
    for k in range(LIGHTS):
        reach = s.radius[k] + radius
        found = found or (s.there[k] and squared(s.place[k, 0], s.place[k, 1], x, y) <= reach * reach)
    return found


@kernel
def collect(s, p):
    """Take the coin, or leave by the exit when it is taken; returns what that pays."""
    reach = AGENT + COIN
    if (p.endless or s.coins == 0) and squared(s.x, s.y, s.coin[0], s.coin[1]) <= reach * reach:
        s.coins += 1
        s.coin_time = 0
        if p.endless:
            x, y = s.coin[0], s.coin[1]
            draw_place(s, rng.DYNAMICS, s.coin, x, y, APART[0], x, y, 0)
        reward = 0.25
    else:
        reward = 0.0
    reach = AGENT + EXIT
    if not p.endless and s.coins and squared(s.x, s.y, s.exit[0], s.exit[1]) <= reach * reach:
        s.success = 1
        reward += 1.0
    return reward


@kernel
def step(s, p, action):
    """Move; returns the reward and whether the episode terminated."""
    s.last[0], s.last[1] = action[0], action[1]
    s.x, s.y = walked(s.x, s.y, action[0], action[1])
    s.dark = min(s.dark + DIM, DARK)
    move_lights(s, p)
    s.lit = in_light(s, s.x, s.y, AGENT)
    s.health -= s.lit
    reward = collect(s, p)
    s.paid = reward > 0.0
    s.coin_time += 1
    return reward, s.health <= 0 or s.success != 0 or (p.endless and s.coin_time >= p.patience)


@kernel
def in_picture(s, k):
    """Whether a light is seen."""
    x, y = s.place[k, 0], s.place[k, 1]
    return s.there[k] and squared(x, y, min(max(x, 0.0), 1.0 * SIDE), min(max(y, 0.0), 1.0 * SIDE)) < s.radius[k] ** 2


@kernel
def agent_seen(s, p):
    """Whether the agent is."""
    return p.agent_seen or s.dark < DARK or s.lit


@kernel
def coin_seen(s, p):
    """Whether the coin is; where there is always another one, it is shown at first."""
    there = p.endless or s.coins == 0
    fresh = p.endless and s.coin_time < SHOWN
    return there and (p.coin_seen or fresh or s.dark < DARK or in_light(s, s.coin[0], s.coin[1], COIN))


@kernel
def exit_seen(s, p):
    """Whether the exit is."""
    return not p.endless and (p.coin_seen or s.dark < DARK or in_light(s, s.exit[0], s.exit[1], EXIT))


@kernel
def put(block, seen, x, y):
    """A place that is seen, or zeros."""
    block[0], block[1], block[2] = seen, (x / SIDE if seen else 0.0), (y / SIDE if seen else 0.0)


@kernel
def observe(s, p, o, info):
    """What is in the light."""
    for k in range(LIGHTS):
        seen = in_picture(s, k)
        o.lights[3 * k] = s.place[k, 0] / SIDE if seen else 0.0
        o.lights[3 * k + 1] = s.place[k, 1] / SIDE if seen else 0.0
        o.lights[3 * k + 2] = s.radius[k] / SIDE if seen else 0.0
    put(o.agent, agent_seen(s, p), s.x, s.y)
    put(o.coin, coin_seen(s, p), s.coin[0], s.coin[1])
    put(o.exit, exit_seen(s, p), s.exit[0], s.exit[1])
    o.open = s.coins > 0 and exit_seen(s, p)
    o.light, o.health, o.lit, o.paid = 1.0 - s.dark / DARK, s.health / p.health, s.lit, s.paid
    for k in range(3):
        o.across[k], o.along[k] = s.last[0] == k, s.last[1] == k
    info.privileged[0], info.privileged[1] = s.x / SIDE, s.y / SIDE
    for k in range(2):
        info.privileged[2 + k], info.privileged[4 + k] = s.coin[k] / SIDE, s.exit[k] / SIDE
    info.coins, info.health = s.coins, s.health
    info.is_success = s.coins >= 10 if p.endless else s.success != 0


class SearingSpotlightsWorld(World):
    """The light goes out; coins are to be collected in the dark, away from spotlights.

    Args:
        endless: a coin that is collected is followed by another one; there is no exit.
        health: steps in light that end the episode.
        initial_spawns: lights at the beginning.
        spawn_interval: steps between further lights.
        steps_per_coin: steps for each coin, where there is always another one.
        agent_visible: the agent is seen in the dark.
        coins_visible: coin and exit are.
    """

    loops = batch_loops(reset, step, observe)
    action = Choices((("across", ACROSS), ("along", ALONG)))
    state_dtype = State.dtype()
    info_dtype = Info.dtype(places=6)
    observation = Vector(
        (
            Block("lights", 3 * LIGHTS, -0.2, 1.2, "", "x, y and radius of each light in the picture, of 84 pixels"),
            Block("agent", 3, 0, 1.1, "", "1 if the agent is seen, x, y"),
            Block("coin", 3, 0, 1, "", "1 if the coin is seen, x, y"),
            Block("exit", 3, 0, 1, "", "1 if the exit is seen, x, y"),
            Block("open", 1, 0, 1, "", "1 if the exit is seen and open"),
            Block("light", 1, 0, 1, "", "what is left of the light at the beginning"),
            Block("health", 1, 0, 1, "", "share that is left"),
            Block("lit", 1, 0, 1, "", "1 if the agent is in light"),
            Block("across", 3, 0, 1, "", "1 for the last action: stay, left, right"),
            Block("along", 3, 0, 1, "", "1 for the last action: stay, up, down"),
            Block("paid", 1, 0, 1, "", "1 if it was paid"),
        )
    )

    def __init__(
        self,
        *,
        endless: bool = False,
        health: Annotated[int, Between(1, 1000)] = 5,
        initial_spawns: Annotated[int, Between(0, LIGHTS)] = 4,
        spawn_interval: Annotated[int, Between(1, 100_000)] = 40,
        steps_per_coin: Annotated[int, Between(1, 100_000)] = 160,
        agent_visible: bool = False,
        coins_visible: bool = False,
    ):
        self.params = Params.make(
            endless=endless,
            health=health,
            lights=initial_spawns,
            interval=spawn_interval,
            patience=steps_per_coin,
            agent_seen=agent_visible,
            coin_seen=coins_visible,
        )
        self.reward = Reward(low=np.array(0.0), high=np.array(0.25 if endless else 1.25))
