"""Craftax-Classic of the package craftax 1.6.1 beside ours: worlds, and what comes of a state.

Its random numbers cannot be made ours, so laws are compared: shares of materials and of neighbouring pairs in worlds,
and means and spreads of what thousands of copies of a state lead to in one step.

Run with the package at hand: ``pip install craftax==1.6.1`` and ``pytest -m slow tests/crafting/test_craftax.py``.
"""

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="needs the original package")
pytest.importorskip("craftax", reason="needs the original package")

import jax.numpy as jnp  # noqa: E402
from craftax.craftax_classic.constants import Achievement  # noqa: E402
from craftax.craftax_classic.envs.craftax_state import (  # noqa: E402
    EnvParams,
    EnvState,
    Inventory,
    Mobs,
    StaticEnvParams,
)
from craftax.craftax_classic.game_logic import craftax_step  # noqa: E402
from craftax.craftax_classic.world_gen import generate_world  # noqa: E402

from envsuite.core.batch import Batch  # noqa: E402
from envsuite.core.companions import Players, companion  # noqa: E402
from envsuite.crafting.crafter.state import BLOCKS  # noqa: E402
from envsuite.crafting.crafter.things import (  # noqa: E402
    ACHIEVEMENTS,
    ACROSS,
    ACTIONS,
    ALONG,
    ARROW,
    COW,
    GRASS,
    ITEMS,
    MATERIALS,
    PATH,
    PLANT,
    PLAYER,
    SKELETON,
    ZOMBIE,
)
from envsuite.crafting.crafter.world import CrafterWorld  # noqa: E402

pytestmark = pytest.mark.slow

PARAMS, STATIC = EnvParams(), StaticEnvParams()
WORLDS, COPIES = 1000, 2000
BLOCK = np.array([0, *(BLOCKS.index(name) for name in MATERIALS)])
"""Number there of each material here."""
MOST = {ZOMBIE: STATIC.max_zombies, COW: STATIC.max_cows, SKELETON: STATIC.max_skeletons, ARROW: STATIC.max_arrows}
NAMES = [one.name.lower() for one in Achievement]


def world():
    return CrafterWorld(rules="craftax-classic", compat="craftax-1.6.1")


def begun(count):
    batch = Batch(world(), count, num_threads=1, horizon=10_000)
    batch.seed(range(count))
    batch.reset()
    return batch


def maps_here(batch):
    """(n, rows, columns), in the original's numbers, plants included."""
    states = batch.states
    found = BLOCK[states["terrain"]].swapaxes(1, 2)
    return np.where(states["beings"].swapaxes(1, 2) == PLANT, BLOCKS.index("plant"), found)


def same_law(ours, theirs, at_most=4.5):
    """Means of columns differ by few standard errors, and so do their squares' about the common mean."""
    middle = theirs.mean(0)
    for a, b in ((ours, theirs), ((ours - middle) ** 2, (theirs - middle) ** 2)):
        error = np.sqrt(a.var(0) / len(a) + b.var(0) / len(b))
        apart = np.abs(a.mean(0) - b.mean(0))
        assert (apart[error == 0] < 1e-5).all(), np.flatnonzero((error == 0) & (apart >= 1e-5))
        worst = np.where(error > 0, apart / np.where(error > 0, error, 1), 0)
        assert worst.max() < at_most, (
            worst.argmax(),
            worst.max(),
            a.mean(0)[worst.argmax()],
            b.mean(0)[worst.argmax()],
        )


def test_worlds_have_the_same_law():
    """Shares of materials, and of pairs of neighbours along rows and along columns."""
    make = jax.jit(jax.vmap(lambda key: generate_world(key, PARAMS, STATIC).map))
    theirs = np.concatenate(
        [np.asarray(make(jax.random.split(jax.random.PRNGKey(k), 100))) for k in range(WORLDS // 100)]
    )

    def shares(maps):
        kinds = range(2, len(BLOCKS) - 2)
        own = [(maps == kind).mean((1, 2)) for kind in kinds]
        across = [((maps == kind)[:, :, 1:] & (maps == kind)[:, :, :-1]).mean((1, 2)) for kind in kinds]
        along = [((maps == kind)[:, 1:] & (maps == kind)[:, :-1]).mean((1, 2)) for kind in kinds]
        middle = [(maps[:, 28:36, 28:36] == kind).mean((1, 2)) for kind in kinds]
        return np.stack(own + across + along + middle, 1)

    same_law(shares(maps_here(begun(WORLDS))), shares(theirs), at_most=4.0)


def theirs_of(state, light):
    """The same state in their record."""
    me, things = state["players"][0], state["things"][: state["count"]]
    mobs, occupied = {}, np.zeros((64, 64), bool)
    for kind, most in MOST.items():
        some = things[things["kind"] == kind]
        assert len(some) <= most
        place, health, timer = np.zeros((most, 2), int), np.ones(most, int), np.zeros(most, int)
        place[: len(some)] = np.stack([some["y"], some["x"]], 1)
        health[: len(some)], timer[: len(some)] = some["health"], some["timer"]
        mask = np.arange(most) < len(some)
        mobs[kind] = Mobs(*(jnp.array(one) for one in (place, health, mask, timer)))
        if kind != ARROW:
            occupied[some["y"], some["x"]] = True
    arrows = things[things["kind"] == ARROW]
    ways = np.ones((MOST[ARROW], 2), int)
    for k, one in enumerate(arrows):
        ways[k] = ALONG[one["facing"]], ACROSS[one["facing"]]
    plants = things[things["kind"] == PLANT]
    count = STATIC.max_growing_plants
    places, ages, growing = np.zeros((count, 2), int), np.zeros(count, int), np.arange(count) < len(plants)
    places[: len(plants)], ages[: len(plants)] = (
        np.stack([plants["y"], plants["x"]], 1)[:count],
        plants["timer"][:count],
    )
    blocks = BLOCK[state["terrain"]].T.copy()
    for one in plants:
        blocks[one["y"], one["x"]] = BLOCKS.index("ripe plant" if one["timer"] > 599 else "plant")
    owned = {name: int(me["inventory"][k]) for k, name in enumerate(ITEMS)}
    body = {name: owned.pop(name) for name in ("health", "food", "drink", "energy")}
    deeds = np.array([me["achievements"][ACHIEVEMENTS.index(name)] > 0 for name in NAMES])
    return EnvState(
        map=jnp.array(blocks),
        mob_map=jnp.array(occupied),
        player_position=jnp.array([me["y"], me["x"]]),
        player_direction=int(me["facing"]) + 1,
        **{f"player_{name}": value for name, value in body.items()},
        is_sleeping=bool(me["sleeping"]),
        **{f"player_{name}": float(me[name]) for name in ("recover", "hunger", "thirst", "fatigue")},
        inventory=Inventory(**owned),
        zombies=mobs[ZOMBIE],
        cows=mobs[COW],
        skeletons=mobs[SKELETON],
        arrows=mobs[ARROW],
        arrow_directions=jnp.array(ways),
        growing_plants_positions=jnp.array(places),
        growing_plants_age=jnp.array(ages),
        growing_plants_mask=jnp.array(growing),
        light_level=light,
        achievements=jnp.array(deeds),
        state_rng=jax.random.PRNGKey(0),
        timestep=int(state["clock"]["step"]),
    )


def features(place, player, body, owned, deeds, blocks):
    """(copies, numbers) of what a step led to.

    `place` has for each kind (copies, slots, 5): whether it is there, row, column, timer, health. Timers count near the
    player alone: in the original one that has just come, ten steps away, goes on with the timer of one that left.
    """
    found = [body, owned, deeds, player]
    for one in place:
        there = one[:, :, :1]
        away = np.abs(one[:, :, 1:3] - player[:, None]).sum(2, keepdims=True)
        timer = one[:, :, 3:4] * (away < 10)
        columns = [np.ones_like(away), one[:, :, 1:3], away, away == 1, timer, one[:, :, 4:]]
        found.append((there * np.concatenate(columns, 2)).sum(1))
    found += [(blocks == kind).sum((1, 2))[:, None] for kind in range(2, len(BLOCKS))]
    return np.concatenate([np.asarray(one, float) for one in found], 1)


def features_here(batch):
    states, me = batch.states, batch.states["players"][:, 0]
    things = states["things"]
    place = []
    for kind in MOST:
        there = things["kind"] == kind
        timer, health = (
            np.zeros_like(things["timer"]) if kind in (COW, ARROW) else things["timer"].clip(0),
            things["health"],
        )
        health = np.zeros_like(health) if kind == ARROW else health
        place.append(np.stack([there, things["y"], things["x"], timer, health], 2)[:, :40])
    body = np.concatenate([me["inventory"][:, :4], me["sleeping"][:, None], *(me[n][:, None] for n in BODY)], 1)
    order = [ITEMS.index(name) for name in OWNED]
    deeds = me["achievements"][:, [ACHIEVEMENTS.index(name) for name in NAMES]] > 0
    blocks = maps_here(batch)
    return features(place, np.stack([me["y"], me["x"]], 1), body, me["inventory"][:, order], deeds, blocks)


BODY = ("recover", "hunger", "thirst", "fatigue")
OWNED = [name for name in ITEMS if name not in ("health", "food", "drink", "energy")]


def features_there(s):
    place = []
    for kind, mobs in zip(MOST, (s.zombies, s.cows, s.skeletons, s.arrows), strict=True):
        timer = np.zeros(mobs.mask.shape) if kind in (COW, ARROW) else np.asarray(mobs.attack_cooldown).clip(0)
        health = np.zeros(mobs.mask.shape) if kind == ARROW else np.asarray(mobs.health)
        spot = np.asarray(mobs.position)
        place.append(np.stack([np.asarray(mobs.mask), spot[:, :, 0], spot[:, :, 1], timer, health], 2))
    body = [s.player_health, s.player_food, s.player_drink, s.player_energy, s.is_sleeping]
    body = np.stack([np.asarray(one, float) for one in (*body, *(getattr(s, f"player_{n}") for n in BODY))], 1)
    owned = np.stack([np.asarray(getattr(s.inventory, name)) for name in OWNED], 1)
    blocks = np.asarray(s.map)
    blocks = np.where(blocks == BLOCKS.index("ripe plant"), BLOCKS.index("plant"), blocks)
    return features(place, np.asarray(s.player_position), body, owned, np.asarray(s.achievements), blocks)


def moments():
    """States on the way of planners who now and then do anything, at all times of the day, and a hard night."""
    batch, draw = begun(24), np.random.default_rng(7)
    planner = companion(batch.world, Players).expert()
    planner.reset(np.ones(24, bool), np.arange(24))
    for step in range(600):
        actions = planner.act(batch.last.observations, batch.states)
        chosen = np.where(draw.random(24) < 0.3, draw.integers(len(ACTIONS), size=24), actions.reshape(-1))
        batch.step(chosen)
        if step % 25 == 24:
            alive = batch.states["players"]["inventory"][:, 0, 0] > 0
            for k in np.flatnonzero(alive)[(step // 25) % 3 :: 6]:
                yield batch.states[k].copy(), int(draw.integers(len(ACTIONS)))


def arenas(count):
    """Crowded places of all materials, with creatures, arrows and plants around a player of any condition."""
    batch, draw = begun(1), np.random.default_rng(11)
    empty = batch.states[0].copy()
    shares = {
        "grass": 30,
        "path": 45,
        "sand": 5,
        "stone": 6,
        "water": 4,
        "tree": 2,
        "lava": 3,
        "table": 3,
        "furnace": 2,
    }
    kinds = np.array([MATERIALS.index(name) + 1 for name in shares])
    for _ in range(count):
        state, me = empty.copy(), empty["players"][0].copy()
        state["terrain"] = draw.choice(kinds, size=(64, 64), p=np.array([*shares.values()]) / 100)
        me["x"], me["y"] = draw.integers(20, 44, size=2)
        state["beings"][:] = 0
        state["beings"][me["x"], me["y"]] = PLAYER
        state["terrain"][me["x"], me["y"]] = GRASS
        rows = []
        for kind in (*[ZOMBIE] * 3, *[COW] * 3, *[SKELETON] * 2, *[ARROW] * 2, *[PLANT] * draw.integers(13)):
            x, y = (int(me[name]) + round(draw.normal() * 4) for name in ("x", "y"))
            if draw.random() < 0.2 or state["beings"][x, y]:
                continue
            state["beings"][x, y] = kind
            state["terrain"][x, y] = GRASS if kind == PLANT else state["terrain"][x, y] if kind == ARROW else PATH
            timer = draw.choice([3, 598, 599, 600]) if kind == PLANT else draw.integers(6)
            rows.append((kind, x, y, draw.integers(1, 4), timer, draw.integers(4)))
        state["count"] = len(rows)
        for thing, row in zip(state["things"], rows, strict=False):
            for name, value in zip(("kind", "x", "y", "health", "timer", "facing"), row, strict=True):
                thing[name] = value
        me["facing"], me["sleeping"] = draw.integers(4), draw.random() < 0.3
        me["inventory"][:4], me["inventory"][4:] = draw.integers(1, 10, size=4), draw.integers(4, size=12)
        me["inventory"][4:] += draw.integers(2) * 6
        for name, most in (("recover", 25), ("hunger", 25), ("thirst", 20), ("fatigue", 30)):
            me[name] = draw.integers(-10 if name in ("recover", "fatigue") else 0, most + 1)
        state["players"][0], state["daylight"] = me, draw.random()
        state["players"]["paid"] = me["inventory"][0]
        yield state, 5 if draw.random() < 0.4 else int(draw.integers(len(ACTIONS)))


@pytest.mark.parametrize("states", [moments, lambda: arenas(100)], ids=["on the way", "crowded"])
def test_steps_have_the_same_law(states):
    step = jax.jit(
        jax.vmap(lambda key, state, action: craftax_step(key, state, action, PARAMS, STATIC)[0], (0, None, None))
    )
    batch, seen = begun(COPIES), 0
    for number, (state, action) in enumerate(states()):
        kept = batch.states["rng"].copy()
        batch.states[:] = state
        batch.states["rng"] = kept
        batch.step(np.full(COPIES, action))
        after = step(
            jax.random.split(jax.random.PRNGKey(number), COPIES), theirs_of(state, float(state["daylight"])), action
        )
        same_law(features_here(batch), features_there(after))
        seen += 1
    assert seen > 60
