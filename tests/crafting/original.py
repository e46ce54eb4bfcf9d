"""Crafter 1.8.3 itself, made to draw our numbers in our order, so that episodes can be compared exactly."""

from typing import Any

import numpy as np

from envsuite.core import rng
from envsuite.core.jit import records
from envsuite.crafting.crafter.noise import draw_permutation
from envsuite.crafting.crafter.things import ITEMS

DIRECTIONS = ((-1, 0), (1, 0), (0, -1), (0, 1))


class Stream:
    """Stands for NumPy's generator: each draw takes one of ours."""

    def __init__(self, state):
        self._g = records(np.array([state["rng"]]))
        self.purpose = rng.RESET
        self.permutation = np.zeros(256, np.uint8)

    def uniform(self, low=0.0, high=1.0, size=None):
        if size is not None:  # the noise of night pictures, which draws elsewhere here
            return np.zeros(size)
        return rng.uniform(self._g[0], self.purpose, low, high)

    def randint(self, low, high):
        if high == 2**31 - 1:  # the seed of the noise
            draw_permutation(self._g[0], self.permutation)
            return 0
        return low + int(rng.integers(self._g[0], self.purpose, high - low))


class Ordered:
    """Stands for the set of a chunk's objects, in the order in which they came to the world."""

    def __init__(self, world):
        self._world, self._held = world, []

    def add(self, one):
        self._held.append(one)

    def remove(self, one):
        self._held.remove(one)

    def __iter__(self):
        order = {id(one): k for k, one in enumerate(self._world._objects)}
        return iter(sorted(self._held, key=lambda one: order[id(one)]))


class Original:
    """An episode of the original from the record of ours at its beginning.

    Args:
        fresh: record as it was before the reset: the streams with the episode's number, nothing drawn.
    """

    def __init__(self, fresh):
        import crafter
        import opensimplex
        from crafter import engine, worldgen

        stream = Stream(fresh)
        self.env: Any = crafter.Env(seed=0)
        world, reset = self.env._world, engine.World.reset

        class Chunks(dict):
            def __missing__(self, key):
                self[key] = Ordered(world)
                return self[key]

        def begin(seed=None):
            reset(world)
            world.random, world._chunks = stream, Chunks()

        class Noise:
            def __init__(self, seed):
                self._inner = opensimplex.OpenSimplex(0)
                self._inner._perm = stream.permutation.astype(np.int64)
                self._inner._perm_grad_index3 = self._inner._perm % 24 * 3

            def noise3(self, x, y, z):
                return self._inner.noise3(x, y, z)

        world.reset = begin
        keep, worldgen.opensimplex = worldgen.opensimplex, type("Module", (), {"OpenSimplex": Noise})
        try:
            self.env._obs = self._nothing
            self.env.reset()
        finally:
            worldgen.opensimplex = keep
        stream.purpose = rng.DYNAMICS
        self.stream = stream

    @staticmethod
    def _nothing():
        return None

    def step(self, action):
        _, reward, done, info = self.env.step(action)
        return reward, done, info

    def things(self):
        """Kind, column, row, health, timer and side of all but the player, in order."""
        from crafter import objects

        found = []
        for one in self.env._world.objects[1:]:
            kind = 14 + [objects.Cow, objects.Zombie, objects.Skeleton, objects.Arrow, objects.Plant].index(type(one))
            timer = {15: "cooldown", 16: "reload", 18: "grown"}.get(kind)
            side = DIRECTIONS.index(tuple(one.facing)) if kind == 17 else 0
            found.append((kind, *one.pos, one.health, getattr(one, timer) if timer else 0, side))
        return found

    def player(self):
        """Column, row, side, whether asleep, the four counters, the inventory."""
        me = self.env._player
        body = (me._hunger, me._thirst, me._fatigue, me._recover)
        side = DIRECTIONS.index(tuple(me.facing))
        return (*me.pos, side, me.sleeping, *body, *(me.inventory[item] for item in ITEMS))


def ours(state):
    """The same two of our record."""
    me = state["players"][0]
    names = ("x", "y", "facing", "sleeping", "hunger", "thirst", "fatigue", "recover")
    rows = state["things"][: state["count"]]
    things = [tuple(int(one[n]) for n in ("kind", "x", "y", "health", "timer", "facing")) for one in rows]
    return (*(me[n] for n in names), *me["inventory"]), things
