"""The rules of the coin game on one record, the batch loops, and the world."""

from typing import Literal

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.core.world import World
from envsuite.momarl.coin_game.params import COIN, COLORS, LOSS, PARAMS
from envsuite.momarl.coin_game.state import ACTION, INFO, observation_layout, state_dtype
from envsuite.momarl.world import named, one_of, whole


@kernel
def toss(s, purpose):
    """Lay the coin on a cell, each as likely, on which nobody stands."""
    size = s.grid.shape[0]
    free = size * size
    for i in range(size):
        for j in range(size):
            s.grid[i, j] = np.uint8(0)
    for n in range(2):
        free -= 1 - np.int64(s.grid[s.place[n, 0], s.place[n, 1]])
        s.grid[s.place[n, 0], s.place[n, 1]] = np.uint8(1)
    left = rng.integers(s.rng, purpose, free)
    for i in range(size):
        for j in range(size):
            if s.grid[i, j] == 0:
                if left == 0:
                    s.coin[0], s.coin[1] = np.uint8(i), np.uint8(j)
                left -= 1


@kernel
def reset(s):
    """Agents on two different cells, a coin of either on a third."""
    size = s.grid.shape[0]
    first = rng.integers(s.rng, rng.RESET, size * size)
    other = (first + 1 + rng.integers(s.rng, rng.RESET, size * size - 1)) % (size * size)
    s.place[0, 0], s.place[0, 1] = np.uint8(first // size), np.uint8(first % size)
    s.place[1, 0], s.place[1, 1] = np.uint8(other // size), np.uint8(other % size)
    s.owner = np.uint8(rng.integers(s.rng, rng.RESET, 2))
    toss(s, rng.RESET)
    for n in range(2):
        s.taken[n, 0], s.taken[n, 1] = np.uint16(0), np.uint16(0)


@kernel
def step(s, p, actions, rewards):
    """Both move at once; whoever comes to the coin takes it, both if both do."""
    size, found = s.grid.shape[0], False
    rewards[0], rewards[1] = np.float32(0.0), np.float32(0.0)
    for n in range(2):
        action = np.int64(actions[n])
        down = 1 if action == 1 else (-1 if action == 0 else 0)
        right = 1 if action == 3 else (-1 if action == 2 else 0)
        s.place[n, 0] = np.uint8((np.int64(s.place[n, 0]) + down + size) % size)
        s.place[n, 1] = np.uint8((np.int64(s.place[n, 1]) + right + size) % size)
        if s.place[n, 0] == s.coin[0] and s.place[n, 1] == s.coin[1]:
            found = True
            rewards[n] += np.float32(COIN)
            s.taken[n, 0 if s.owner == n else 1] += np.uint16(1)
            if s.owner != n:
                rewards[1 - n] += np.float32(LOSS)
    if found:
        s.owner = np.uint8(rng.integers(s.rng, rng.DYNAMICS, 2)) if p.drawn != 0 else np.uint8(1 - s.owner)
        toss(s, rng.DYNAMICS)
    return s.clock.step >= p.steps


@kernel
def observe(s, observations, info):
    """Write what both agents see, and the metrics."""
    size = s.grid.shape[0]
    cells = size * size
    for n in range(2):
        for k in range(4 * cells):
            observations[n, k] = np.float32(0.0)
        for who in range(2):
            at = np.int64(s.place[who, 0]) * size + np.int64(s.place[who, 1])
            observations[n, at + (0 if who == n else cells)] = np.float32(1.0)
        at = np.int64(s.coin[0]) * size + np.int64(s.coin[1])
        observations[n, at + (2 if s.owner == n else 3) * cells] = np.float32(1.0)
        own, others = np.float32(s.taken[n, 0]), np.float32(s.taken[n, 1])
        info[n].own, info[n].others = own, others
        info[n].kind = own / (own + others) if own + others > 0 else np.float32(1.0)


class CoinGameWorld(World):
    """Two agents on a torus take coins; a coin of the other costs it twice what it brings.

    Args:
        size: rows and columns, 2 to 15.
        steps: of an episode.
        colors: ``"alternate"``: coins belong to both in turn; ``"random"``: to either by chance.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """

    info_dtype = INFO
    action = ACTION
    agents = named("player", 2)
    loops = batch_loops(reset, step, observe)

    def __init__(self, *, size: int = 3, steps: int = 50, colors: Literal["alternate", "random"] = "alternate"):
        self.params = np.zeros(1, PARAMS)
        self.params[0]["steps"] = whole("steps", steps, 1, 10_000)
        self.params[0]["drawn"] = one_of("colors", colors, COLORS)
        self.state_dtype = state_dtype(whole("size", size, 2, 15))
        self.observation = observation_layout(size)
