"""Worlds: noise, the shares of materials and creatures of the original, and what configurations change."""

import json

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.crafting.crafter import config as configs
from envsuite.crafting.crafter.noise import simplex
from envsuite.crafting.crafter.params import GROUPS
from envsuite.crafting.crafter.things import (
    COW,
    GRASS,
    MATERIALS,
    PATH,
    PLAYER,
    SAND,
    SKELETON,
    TREE,
    WATER,
    ZOMBIE,
)
from envsuite.crafting.crafter.world import CrafterWorld

# mean and standard error of 1,000 worlds of Crafter 1.8.3: PYTHONPATH=DIR python tests/crafting/measure_worlds.py 1000
ORIGINAL = {
    "water": (0.2129, 0.0019),
    "grass": (0.42912, 0.002),
    "stone": (0.143637, 0.0011),
    "path": (0.0857473, 0.00091),
    "sand": (0.0566858, 0.00042),
    "tree": (0.0463276, 0.00028),
    "lava": (0.00774878, 0.00015),
    "coal": (0.0125103, 0.00013),
    "iron": (0.00452393, 6.8e-05),
    "diamond": (0.000799316, 1.6e-05),
    "cow": (25.977, 0.2),
    "zombie": (14.566, 0.13),
    "skeleton": (9.618, 0.13),
}


def drawn(n, seed=0, **options):
    batch = Batch(CrafterWorld(**options), n, num_threads=1)
    batch.seed(range(seed, seed + n))
    batch.reset()
    return batch.states


def test_shares_are_those_of_the_original():
    states = drawn(1000)
    found = {name: (states["terrain"] == k + 1).mean(axis=(1, 2)) for k, name in enumerate(MATERIALS)}
    for name, kind in (("cow", COW), ("zombie", ZOMBIE), ("skeleton", SKELETON)):
        found[name] = (states["things"]["kind"] == kind).sum(axis=1).astype(float)
    for name, (mean, error) in ORIGINAL.items():
        both = np.hypot(error, found[name].std(ddof=1) / np.sqrt(1000))
        assert abs(found[name].mean() - mean) < 3 * both, name
    assert (found["table"] == 0).all()


def test_records_agree_with_themselves():
    for state in drawn(40):
        things, beings = state["things"][: state["count"]], state["beings"]
        assert (beings[things["x"], things["y"]] == things["kind"]).all()
        assert (beings != 0).sum() == state["count"] + 1
        assert beings[32, 32] == PLAYER
        assert state["terrain"][32, 32] == GRASS
        assert np.isin(state["terrain"][things["x"], things["y"]], (GRASS, PATH, SAND)).all()
        assert state["terrain"].min() >= 1
        assert state["terrain"].max() <= len(MATERIALS)
        assert (state["things"][state["count"] :]["kind"] == 0).all()


def test_noise_is_smooth_bounded_and_zero_on_the_lattice():
    permutation = np.random.default_rng(0).permutation(256).astype(np.uint8)
    chance = np.random.default_rng(1)
    for x, y, z in chance.uniform(-50, 50, (500, 3)):
        value = simplex(permutation, x, y, z)
        assert abs(value) <= 1
        assert abs(simplex(permutation, x + 1e-6, y, z) - value) < 2e-4  # the original drops a term now and then


def test_a_configuration_changes_what_it_names():
    states = drawn(20, config={"terrain": {"tree_share": 0.0}, "creatures": {"zombie_share": 0.0, "cow_share": 0.05}})
    assert not (states["terrain"] == TREE).any()
    assert not (states["things"]["kind"] == ZOMBIE).any()
    assert (states["things"]["kind"] == COW).sum() / 20 > 2 * ORIGINAL["cow"][0]
    states = drawn(5, config={"world": {"width": 32, "height": 40}, "start": {"sapling": 3, "wood": 9}})
    assert states["terrain"].shape == (5, 32, 40)
    assert (states["players"][:, 0]["inventory"][:, 4:6] == (3, 9)).all()
    assert (states["players"][:, 0]["x"] == 16).all()


NO_COWS = {"cow_share": 0, "cow_spawn": 0}
NO_NEED = {"body": {"hunger": 1_000_000}}
BARREN = {"creatures": NO_COWS, "farming": {"sapling_chance": 0}}
ONE_SAPLING = {"start": {"sapling": 1}, "farming": {"sapling_chance": 0}}


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("forest.json", "config is 'forest.json', expected an object"),
        ([], r"config is \[\], expected an object"),
        ({"biome": {}}, "config has no key 'biome'"),
        ({"terrain": {"swamp": 1}}, "config terrain has no key 'swamp'"),
        ({"terrain": {"tree_share": 1.5}}, "terrain.tree_share is 1.5, expected a number from 0 to 1"),
        ({"terrain": {"tree_share": "many"}}, "terrain.tree_share is 'many'"),
        ({"body": {"hunger": 2.5}}, "body.hunger is 2.5, expected a whole number"),
        ({"start": {"gold": 1}}, "config start has no item 'gold'"),
        ({"start": {"wood": 10}}, "start.wood is 10, expected a whole number from 0 to 9"),
        ({"start": {"health": 0}}, "start.health is 0"),
        ({"costs": {"boat": {}}}, "config costs has no key 'boat'"),
        ({"costs": {"table": {"wood": -1}}}, "costs.table.wood is -1"),
        ({"world": {"width": 5}}, "world.width is 5, expected a whole number from 24 to 128"),
        ({"terrain": 3}, "config terrain is 3, expected an object"),
        (
            {"terrain": {"water": 2}},
            r"water \(8 of 8 drawn\); it depends on terrain\.water \(2\), .*, body\.decay \(15\)$",
        ),
        ({"terrain": {"water": 0.95}}, r"without water \([5-8] of 8 drawn\); it depends on terrain\.water \(0\.95\)"),
        (
            {"creatures": NO_COWS, "farming": {"sapling_chance": 0}},
            r"cow_share \(0\), creatures.cow_spawn \(0\), farming.sapling_c",
        ),
        ({"creatures": {"cow_share": 1e-4, "cow_spawn": 0}, "farming": {"sapling_chance": 0}}, "worlds without food"),
        ({"creatures": NO_COWS, "farming": {"ripe_after": 30000}}, r"cow_spawn \(0\), farming.ripe_after \(30000\)$"),
        ({"creatures": NO_COWS, "costs": {"plant": {"diamond": 9}}}, r"cow_spawn \(0\), costs.plant.diamond \(9\)$"),
        ({"creatures": NO_COWS, "costs": {"plant": {"food": 4}}}, r"cow_spawn \(0\), farming.plant_food \(4\)$"),
        ({"creatures": NO_COWS, "costs": {"plant": {"sapling": 2}}, **ONE_SAPLING}, r"start.sapling \(1\)$"),
        ({"farming": {"cow_food": 0, "plant_food": 0}}, r"on farming.cow_food \(0\), farming.plant_food \(0\)$"),
        (
            {"terrain": {"tree_share": 0}, **NO_NEED, **BARREN},
            r"anything to collect .* on terrain.tree_share \(0\)",
        ),
        ({"terrain": {"meadow": 0, "water": -4, "mountain": 2, "shore": 2}}, "begin where nobody can stand"),
    ],
)
def test_bad_configurations_are_refused(config, message):
    with pytest.raises(ValueError, match=message):
        CrafterWorld(config=config)


def test_what_craftax_fixes_cannot_be_configured():
    with pytest.raises(ValueError, match=r"config has 'terrain', which compat 'craftax-1\.6\.1' does not let change"):
        CrafterWorld(rules="craftax-classic", compat="craftax-1.6.1", config={"terrain": {"water": 0}})


def test_what_feeds_is_named_where_worlds_are_given():
    with pytest.raises(
        ValueError, match=r"on farming\.cow_food \(0\), farming\.plant_food \(0\), farming\.ripe_after \(599\)$"
    ):
        CrafterWorld(
            rules="craftax-classic", compat="craftax-1.6.1", config={"farming": {"cow_food": 0, "plant_food": 0}}
        )


@pytest.mark.parametrize(
    "config",
    [
        {"terrain": {"water": 2}, "body": {"thirst": 1_000_000}},
        {"terrain": {"water": 2}, "body": {"thirst": 1110}},
        {"terrain": {"water": 2}, "body": {"decay": 1_000_000}},
        {"creatures": NO_COWS},
        {"creatures": NO_COWS, **ONE_SAPLING},
        {**BARREN, **NO_NEED},
    ],
)
def test_worlds_that_can_be_survived_are_accepted(config):
    states = drawn(3, config=config)
    assert (states["terrain"] == WATER).any() == ("terrain" not in config)


def test_the_schema_tells_the_defaults_and_bounds():
    schema = json.loads(json.dumps(configs.schema()))
    assert set(schema["properties"]) == {"world", "start", "costs", *GROUPS}
    share = schema["properties"]["terrain"]["properties"]["coal_share"]
    assert (share["minimum"], share["maximum"], share["default"]) == (0, 1, 0.15)
    defaults = {
        group: {name: one["default"] for name, one in schema["properties"][group]["properties"].items()}
        for group in GROUPS
    }
    assert configs.make_params(defaults).tobytes() == configs.make_params({}).tobytes()


def test_configurations_are_read_from_json():
    assert configs.read('{"time": {"day_length": 500}}') == {"time": {"day_length": 500}}
    assert configs.make_params({"time": {"day_length": 500.0}}) == configs.make_params({"time": {"day_length": 500}})
    for text, message in (
        ("no json", "config is no JSON: "),
        ("[" * 100_000, "config is no JSON that can be read: it is nested too deeply"),
        ("[1]", r"config is \[1\], expected an object"),
        ('{"time": {"day_length": 1}}', "config time.day_length is 1"),
        ('{"start": {"wood": 1, "coal": 1, "wood": 2}}', "config has the key 'wood' twice"),
    ):
        with pytest.raises(ValueError, match=message):
            configs.read(text)
