"""Whether the worlds of a configuration have what a player needs."""

from typing import Any

import numpy as np

from envsuite.core.batch import Batch
from envsuite.core.world import World
from envsuite.crafting.crafter.params import BUILT
from envsuite.crafting.crafter.things import (
    COAL,
    COALS,
    COW,
    DIAMOND,
    DIAMONDS,
    DRINK,
    FOOD,
    GRASS,
    IRON,
    IRONS,
    ITEMS,
    MOST,
    PATH,
    SAND,
    SAPLINGS,
    STONE,
    STONES,
    TREE,
    WATER,
    WOODS,
)

HORIZON = 10_000
"""Steps of an episode."""
SAMPLED = 8
"""Worlds that are drawn."""
_MINED = {WOODS: TREE, STONES: STONE, COALS: COAL, IRONS: IRON, DIAMONDS: DIAMOND}

_Conditions = list[tuple[Any, tuple[str, ...]]]
"""What has to hold, for all worlds or for each, and the keys that decide on it."""


def check_worlds(world: World) -> None:
    """Refuse configurations whose worlds lack water, food, anything to collect, or a place to stand at first.

    Eight worlds are drawn, and refused is what most of them lack; the place to stand has to be there in all of them.
    Water or food may be lacking where a body that stays awake lasts an episode without. Food are cows, if they feed;
    and plants, if they feed more than they cost, ripen before a body without food is dead, and one can be paid for: by
    what a player has at first, by saplings from grass, and by the trees, stones and ores of the world. Costs of other
    kinds are not looked at, and neither is how dangerous a world is.

    Args:
        world: made with the configuration.

    Raises:
        ValueError: naming the lack, and the keys that decide on it.
    """
    batch = Batch(world, SAMPLED, num_threads=1)
    batch.seed(np.arange(SAMPLED))
    batch.reset()
    p, terrain, players = world.params[0], batch.states["terrain"], batch.states["players"]
    stood = terrain[np.arange(SAMPLED)[:, np.newaxis], players["x"], players["y"]]
    if not np.isin(stood, (GRASS, PATH, SAND)).all():
        raise ValueError(
            f"config lets players begin where nobody can stand: raise terrain.meadow, which is "
            f"{float(p['terrain']['meadow']):g}, to 4 or more"
        )
    cows, plants = _cows(p, batch.states), _plants(p, terrain)
    fed = _hold(cows) | _hold(plants)
    if _lasts(p, "thirst", DRINK) < HORIZON:
        keys = ("terrain.water", "terrain.meadow", "terrain.mountain", "body.thirst", "body.decay")
        water: _Conditions = [(_has(terrain, WATER), keys)]
        _refuse(p, "water", _hold(water), water)
    if _lasts(p, "hunger", FOOD) < HORIZON:
        _refuse(p, "food", fed, [*cows, *plants])
    trees: _Conditions = [(_has(terrain, TREE), ("terrain.tree_share", "terrain.tree_noise"))]
    _refuse(p, "anything to collect", _hold(trees) | fed | p["start"][SAPLINGS:].any(), trees)


def _cows(p: np.void, states: np.ndarray) -> _Conditions:
    there = (states["beings"] == COW).any(axis=(1, 2))
    come = _has(states["terrain"], GRASS) & (p["creatures"]["cow_spawn"] > 0)
    return [
        (there | come, ("creatures.cow_share", "creatures.cow_spawn")),
        (p["farming"]["cow_food"] > 0, ("farming.cow_food",)),
    ]


def _plants(p: np.void, terrain: np.ndarray) -> _Conditions:
    farming, start, costs = p["farming"], p["start"], p["costs"][BUILT.index("plant")]
    grass = _has(terrain, GRASS)
    own = start[SAPLINGS] >= costs[SAPLINGS]
    conditions: _Conditions = [
        (grass, ("terrain.meadow",)),
        (own | (grass & (farming["sapling_chance"] > 0)), ("farming.sapling_chance", "start.sapling")),
        (farming["plant_food"] > costs[FOOD], ("farming.plant_food",)),
        (farming["ripe_after"] < _lasts(p, "hunger", FOOD), ("farming.ripe_after",)),
    ]
    for item, material in _MINED.items():
        found = (terrain == material).sum(axis=(1, 2))
        conditions.append((start[item] + found >= costs[item], (f"costs.plant.{ITEMS[item]}",)))
    return conditions


def _lasts(p: np.void, need: str, item: int) -> int:
    """Steps that a body lasts awake, when it gets nothing for a need."""
    return int(p["start"][item]) * (int(p["body"][need]) + 1) + MOST * (int(p["body"]["decay"]) + 1)


def _has(terrain: np.ndarray, material: int) -> np.ndarray:
    return (terrain == material).any(axis=(1, 2))


def _hold(conditions: _Conditions) -> np.ndarray:
    """(worlds,) whether all hold."""
    return np.all([np.broadcast_to(holds, SAMPLED) for holds, _ in conditions], axis=0)


def _refuse(p: np.void, what: str, found: np.ndarray, conditions: _Conditions) -> None:
    lacking = SAMPLED - int(found.sum())
    if 2 * lacking > SAMPLED:
        keys = ", ".join(_told(p, key) for holds, keys in conditions if not np.all(holds) for key in keys)
        raise ValueError(f"config makes worlds without {what} ({lacking} of {SAMPLED} drawn); it depends on {keys}")


def _told(p: np.void, key: str) -> str:
    """A key with its value."""
    group, name, *item = key.split(".")
    if group == "start":
        value = p["start"][ITEMS.index(name)]
    elif group == "costs":
        value = p["costs"][BUILT.index(name), ITEMS.index(item[0])]
    else:
        value = p[group][name]
    return f"{key} ({float(value):g})"
