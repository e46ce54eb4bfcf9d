"""Worlds and steps with ``compat="craftax-1.6.1"``, on worlds drawn and laid out by hand.

`test_craftax.py` compares them with the package itself, where that is installed.
"""

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.crafting.crafter.things import (
    ACHIEVEMENTS,
    ACTIONS,
    ARROW,
    COW,
    DIAMOND,
    GRASS,
    ITEMS,
    LAVA,
    MATERIALS,
    PATH,
    PLANT,
    PLAYER,
    SKELETON,
    STONE,
    TABLE,
    UP,
    WATER,
    ZOMBIE,
)
from envsuite.crafting.crafter.world import CrafterCoopWorld, CrafterWorld

CRAFTAX = {"rules": "craftax-classic", "compat": "craftax-1.6.1"}

#: Mean shares of materials in 2,000 worlds of craftax 1.6.1, and their standard errors.
SHARES = {
    "grass": (0.46083, 0.00133), "water": (0.12816, 0.00089), "stone": (0.15882, 0.00084), "tree": (0.05084, 0.00022),
    "path": (0.06562, 0.00051), "coal": (0.00687, 5e-05), "iron": (0.00492, 4e-05), "diamond": (0.00052, 1e-05),
    "sand": (0.11238, 0.00054), "lava": (0.01105, 0.00012),
}  # fmt: skip


def begun(count, **options):
    batch = Batch(CrafterWorld(**CRAFTAX | options), count, num_threads=1, horizon=10_000)
    batch.seed(range(count))
    batch.reset()
    return batch


def emptied(count, material=GRASS, **options):
    """A plain with one player in its middle, who looks up."""
    batch = begun(count, **options)
    batch.states["terrain"] = material
    return batch


def put(batch, kind, x, y, **values):
    for state in batch.states:
        thing = state["things"][state["count"]]
        state["count"] += 1
        state["beings"][x, y] = kind
        for name, value in {"kind": kind, "x": x, "y": y, "health": 3, "timer": 0, **values}.items():
            thing[name] = value


def act(batch, name):
    return batch.step(np.full(len(batch.states), ACTIONS.index(name)))


def of(batch, kind):
    """(n, things) which are of a kind."""
    return batch.states["things"]["kind"] == kind


def deed(batch, name):
    return batch.states["players"]["achievements"][:, 0, ACHIEVEMENTS.index(name)]


def own(batch, name):
    return batch.states["players"]["inventory"][:, 0, ITEMS.index(name)]


def test_worlds_are_made_of_the_same_shares():
    states = begun(1000).states
    for name, (mean, error) in SHARES.items():
        share = (states["terrain"] == MATERIALS.index(name) + 1).mean((1, 2))
        assert abs(share.mean() - mean) < 4 * np.hypot(share.std() / len(share) ** 0.5, error), name
    assert ((states["terrain"] == DIAMOND).sum((1, 2)) >= 1).all()
    assert (states["terrain"][:, 32, 32] == GRASS).all()
    assert (states["count"] == 0).all()
    assert (states["players"]["facing"] == UP).all()


def test_few_creatures_come_and_none_is_far_away():
    batch = begun(200)
    for step in range(200):
        batch.states["players"]["inventory"][:, 0, :4] = 9
        batch.step(np.random.default_rng(step).integers(1, 5, size=200))
        states, me = batch.states, batch.states["players"][:, 0]
        away = abs(states["things"]["x"] - me["x"][:, None]) + abs(states["things"]["y"] - me["y"][:, None])
        for kind, most, far in ((ZOMBIE, 3, 15), (COW, 3, 15), (SKELETON, 2, 15)):
            assert of(batch, kind).sum(1).max() <= most
            assert away[of(batch, kind)].max(initial=0) <= far  # one step away from where they would have been gone
    assert of(batch, COW).sum() > 200
    assert of(batch, ZOMBIE).sum() > 20


def test_cows_come_within_sight_but_not_near():
    batch = emptied(4000)
    batch.step(np.zeros(4000, int))
    come = of(batch, COW).any(1)
    assert come.mean() == pytest.approx(0.1, abs=4 * 0.3 / 4000**0.5)
    things = batch.states["things"][:, 0][come]
    away = abs(things["x"] - 32) + abs(things["y"] - 32)
    cells = np.array([4 * k for k in range(4, 14)])  # cells at each distance
    found = np.bincount(away, minlength=14)[4:]
    assert len(found) == 10
    expected = cells / cells.sum() * len(away)
    assert ((found - expected) ** 2 / expected).sum() < 27.9  # chi-square, 9 degrees of freedom, 0.1 %


def test_who_is_struck_asleep_wakes_with_the_achievement():
    batch = emptied(3)
    batch.states["players"]["sleeping"], batch.states["players"]["inventory"][:, 0, 3] = 1, 5
    put(batch, ZOMBIE, 33, 32)
    out = act(batch, "noop")
    assert own(batch, "health").tolist() == [2] * 3
    assert deed(batch, "wake_up").tolist() == [1] * 3
    assert out.rewards.tolist() == pytest.approx([1 - 0.7] * 3)
    assert (batch.states["players"]["sleeping"] == 0).all()
    act(batch, "noop")
    assert own(batch, "health").tolist() == [2] * 3, "it strikes every sixth step"


def test_arrows_are_in_nobodys_way_and_break_tables():
    batch = emptied(1, PATH)
    state = batch.states[0]
    state["terrain"][32, 28] = TABLE
    put(batch, ARROW, 32, 31, facing=UP)
    act(batch, "move_up")
    assert state["players"][0]["y"] == 31, "an arrow does not stop a player"
    assert (state["things"][0]["x"], state["things"][0]["y"]) == (32, 30)
    assert state["beings"][32, 30] == ARROW
    act(batch, "noop")
    act(batch, "noop")
    assert state["terrain"][32, 28] == PATH
    assert not of(batch, ARROW).any()
    put(batch, ARROW, 32, 33, facing=UP)
    state["terrain"][32, 32] = WATER
    act(batch, "noop")
    assert own(batch, "health")[0] == 9
    act(batch, "noop")
    assert own(batch, "health")[0] == 7
    assert state["beings"][32, 31] == PLAYER


def test_skeletons_shoot_from_four_and_five_steps():
    for away, shoots in ((3, False), (4, True), (5, True), (6, False)):
        batch = emptied(20, PATH)
        put(batch, SKELETON, 32, 32 - away)
        act(batch, "noop")
        assert of(batch, ARROW).any(1).all() == shoots, away
        if shoots:
            assert (batch.states["beings"][:, 32, 32 - away] == SKELETON).all()
            assert (batch.states["beings"][:, 32, 33 - away] == ARROW).all()


def test_an_arrow_over_a_skeleton_is_not_what_is_hit():
    batch = emptied(1, PATH)
    put(batch, ARROW, 32, 32, facing=UP)
    put(batch, SKELETON, 32, 31, timer=9)
    batch.states["things"]["y"][0, 0] = 31
    batch.states["beings"][0, 32, 32] = PLAYER
    act(batch, "do")
    assert deed(batch, "defeat_skeleton")[0] == 0
    assert batch.states["things"]["health"][0][of(batch, SKELETON)[0]].tolist() == [2]


def test_slain_creatures_are_gone_at_once():
    batch = emptied(10)
    put(batch, ZOMBIE, 32, 31, health=1, timer=0)
    act(batch, "do")
    assert deed(batch, "defeat_zombie").tolist() == [1] * 10
    assert own(batch, "health").tolist() == [9] * 10, "it does not strike any more"
    assert (batch.states["beings"][:, 32, 31] == 0).all()


def test_ten_plants_grow_and_are_eaten_by_nobody_else():
    batch = emptied(1)
    for x in range(20, 31):
        put(batch, PLANT, x, 40, health=1, timer=5)
    put(batch, COW, 20, 41)
    for _ in range(4):
        act(batch, "noop")
    things = batch.states["things"][0]
    assert things["timer"][things["kind"] == PLANT].tolist() == [9] * 10 + [5]
    assert (things["health"][things["kind"] == PLANT] == 1).all()


def test_tables_stand_on_lava():
    batch = emptied(1)
    state = batch.states[0]
    state["terrain"][32, 31] = LAVA
    state["players"]["inventory"][0, ITEMS.index("wood")] = 2
    act(batch, "place_table")
    assert state["terrain"][32, 31] == TABLE
    assert own(batch, "wood")[0] == 0
    state["terrain"][32, 31] = LAVA
    act(batch, "place_furnace")
    assert state["terrain"][32, 31] == LAVA, "without a stone"
    out = act(batch, "move_up")
    assert out.terminated[0]
    assert own(batch, "health")[0] == 0


def test_the_light_is_that_of_the_next_step():
    batch = begun(1)
    for step in range(1, 40):
        act(batch, "noop")
        dark = abs(np.cos(np.pi * (step / 300 % 1 + 0.3))) ** 3
        assert batch.states["daylight"][0] == pytest.approx(1 - dark, abs=1e-6)


def test_the_planner_plays_there_too():
    batch = begun(16, observed="symbolic")
    player = companion(batch.world, Players).expert()
    player.reset(np.ones(16, bool), np.arange(16))
    for _ in range(500):
        batch.step(player.act(batch.last.observations, batch.states))
    done = (batch.states["players"]["achievements"][:, 0] > 0).sum(1)
    assert done.mean() > 8
    assert batch.last.observations.shape == (16, 1345)


def test_other_rules_and_worlds_are_refused():
    for options, message in (
        ({"rules": "crafter"}, "rules are 'crafter', expected 'craftax-classic' with compat 'craftax-1.6.1'"),
        ({"config": {"terrain": {"water": 0.5}}}, "config has 'terrain', which compat 'craftax-1.6.1'"),
        ({"config": {"world": {"width": 48}}}, "config has 'world'"),
    ):
        with pytest.raises(ValueError, match=message):
            CrafterWorld(**CRAFTAX | options)
    with pytest.raises(TypeError):
        CrafterCoopWorld(**CRAFTAX)
    batch = begun(2, config={"start": {"wood": 5}, "body": {"hunger": 2}})
    assert own(batch, "wood").tolist() == [5, 5]
    for _ in range(3):
        act(batch, "noop")
    assert own(batch, "food").tolist() == [8, 8]
    assert (batch.states["terrain"] == STONE).any()
