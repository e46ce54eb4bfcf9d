"""The same episodes as Crafter 1.8.3, chance included: its generator is made to draw our numbers in our order.

Run with the package at hand: ``pip install --no-deps --target DIR crafter==1.8.3 opensimplex==0.4.5.1 ruamel.yaml
imageio`` and ``PYTHONPATH=.:DIR pytest tests/crafting/test_original.py``.
"""

import numpy as np
import pytest

pytest.importorskip("crafter", reason="needs the original package")
pytest.importorskip("opensimplex", reason="needs the original package")

from envsuite.core.batch import Batch
from envsuite.crafting.crafter.noise import simplex
from envsuite.crafting.crafter.table import add, enliven
from envsuite.crafting.crafter.things import (
    ACHIEVEMENTS,
    ACROSS,
    ALONG,
    COW,
    ITEMS,
    MATERIALS,
    PLANT,
    SKELETON,
    ZOMBIE,
)
from envsuite.crafting.crafter.world import CrafterWorld
from tests.crafting.original import Original, ours

pytestmark = pytest.mark.slow

OFTEN = np.array([1] + [3] * 4 + [6, 1] + [1] * 10)
"""Weights of actions: walk and use things more often than the uniform policy."""


class Pair:
    """An episode of ours and of the original."""

    def __init__(self, seed):
        self.batch = Batch(CrafterWorld(compat="crafter-1.8.3"), 1, num_threads=1)
        self.batch.seed([seed])
        fresh = self.batch.states[0].copy()
        fresh["rng"]["episode"] = 1
        self.batch.reset()
        self.other = Original(fresh)
        self.chance = np.random.default_rng(seed)
        self.compare()

    @property
    def state(self):
        return self.batch.states[0]

    def compare(self):
        player, things = ours(self.state)
        np.testing.assert_array_equal(np.array(player, float), np.array(self.other.player(), float))
        assert things == self.other.things()
        np.testing.assert_array_equal(self.state["terrain"], self.other.env._world._mat_map)
        assert self.state["daylight"] == pytest.approx(self.other.env._world.daylight, abs=1e-12)
        drawn = self.other.stream._g[0]["counter"]
        np.testing.assert_array_equal(drawn, self.state["rng"]["counter"])

    def step(self, action=None):
        action = self.chance.choice(17, p=OFTEN / OFTEN.sum()) if action is None else action
        reward, done, info = self.other.step(int(action))
        out = self.batch.step(np.array([action]))
        self.compare()
        assert out.rewards[0] == pytest.approx(reward, abs=1e-6)
        assert bool(out.terminated[0]) == (info["discount"] == 0)
        assert float(out.info["discount"][0]) == info["discount"]
        for name in ACHIEVEMENTS:
            assert out.info[name][0] == info["achievements"][name]
        return done, info

    def give(self, **items):
        """Set items of both."""
        for name, amount in items.items():
            self.other.env._player.inventory[name] = int(amount)
            self.state["players"][0]["inventory"][ITEMS.index(name)] = amount

    def carry(self, x, y):
        """Put both players onto another cell."""
        me, world = self.state["players"][0], self.other.env._world
        if world._obj_map[x, y] or world[(x, y)][0] not in ("grass", "sand", "path"):
            return
        world.move(self.other.env._player, (x, y))
        self.state["beings"][me["x"], me["y"]], self.state["beings"][x, y] = 0, 13
        me["x"], me["y"] = x, y
        enliven(self.state, x, y)

    def lay(self):
        """Put random materials, a table and a furnace more often than others, around both players."""
        me, world = self.state["players"][0], self.other.env._world
        for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1), (1, 1)):
            x, y = int(me["x"]) + dx, int(me["y"]) + dy
            if 0 <= x < 64 and 0 <= y < 64 and not world._obj_map[x, y]:
                number = int(self.chance.choice([*range(1, 7), *range(8, 13), 10, 11, 11, 11, 12, 12]))
                world[x, y] = MATERIALS[number - 1]
                self.state["terrain"][x, y] = number

    def meet(self):
        """Put a creature or a ripe plant in front of both players, if nothing stands there."""
        from crafter import objects

        me, world = self.state["players"][0], self.other.env._world
        x, y = (int(me[name] + step[int(me["facing"])]) for name, step in (("x", ACROSS), ("y", ALONG)))
        if not (0 <= x < 64 and 0 <= y < 64) or world._obj_map[x, y]:
            return
        kind = self.chance.choice([COW, ZOMBIE, SKELETON, PLANT])
        made = (objects.Cow, objects.Zombie, objects.Skeleton, None, objects.Plant)[kind - COW]
        world.add(made(world, (x, y), *([self.other.env._player] if kind in (ZOMBIE, SKELETON) else [])))
        add(self.state, self.batch.world.params[0], kind, x, y, 0)
        if kind == PLANT:
            world.objects[-1].grown = 300
            self.state["things"][self.state["count"] - 1]["timer"] = 300


@pytest.mark.parametrize("seed", range(8))
def test_episodes_of_random_players_are_the_same(seed):
    pair = Pair(seed)
    while not pair.step()[0]:
        pass


def test_ten_thousand_steps_with_all_items_and_in_all_places_are_the_same():
    steps, seed, done_once = 0, 100, set()
    while steps < 10_000:
        pair, n, done = Pair(seed), 0, False
        while not done and n < 3000:
            pair.give(health=9)
            if n % 15 == 0:
                pair.give(food=pair.chance.integers(1, 10), drink=pair.chance.integers(1, 10))
                pair.give(energy=pair.chance.integers(0, 10))
            if n % 60 == 0:
                pair.give(**{name: pair.chance.integers(0, 6) for name in ITEMS[4:]})
            if n % 45 == 0:  # now and then to the border, where the original cannot craft
                for _ in range(20):
                    x, y = pair.chance.integers(0, 64, 2)
                    pair.carry(int(x * (n % 4 > 0)), int(y))
            if n % 9 == 0:
                pair.lay()
            if n % 13 == 0:
                pair.meet()
            done, info = pair.step()
            n += 1
        done_once |= {name for name, times in info["achievements"].items() if times}
        steps, seed = steps + n, seed + 1
    assert set(ACHIEVEMENTS) == done_once


def test_bodies_are_the_same_awake_and_asleep():
    pair = Pair(7)
    pair.other.env._world._objects[2:] = []  # nobody else, so that all 10,000 steps are the body's
    pair.other.env._world._obj_map[:] = 0
    pair.other.env._world._obj_map[32, 32] = 1
    pair.other.env._world._chunks.clear()
    pair.state["things"]["kind"], pair.state["count"], pair.state["chunk_count"] = 0, 0, 0
    pair.state["beings"][:] = 0
    pair.state["beings"][32, 32] = 13
    for n in range(10_000):
        if n % 100 == 99:
            pair.give(health=9, food=9, drink=9)
        if n % 1500 == 1000:
            pair.give(energy=2)
        pair.step(6 if n % 1500 > 1000 else 0)


def test_noise_has_the_package_s_values():
    from opensimplex.internals import _init, _noise3

    permutation, gradients = _init(1234)
    chance = np.random.default_rng(0)
    places = chance.uniform(-40, 40, (4000, 3))
    grid = [(x / s, y / s, z) for x in range(0, 64, 2) for y in range(64) for z, s in ((8, 3), (0, 15), (3, 5), (5, 7))]
    for x, y, z in [*places, *grid]:
        assert simplex(permutation.astype(np.uint8), float(x), float(y), float(z)) == pytest.approx(
            _noise3(float(x), float(y), float(z), permutation, gradients), abs=1e-12
        )
