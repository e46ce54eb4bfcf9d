"""Diagnostics and shaped rewards against what follows from the rules by hand."""

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.tower_defense.kernel import BulwarkWorld
from envsuite.tower_defense.levels import Level, benchmark
from envsuite.tower_defense.params import CAUSES
from tests.tower_defense.common import batch_of, randomly

OPEN = Level(
    "Open",
    (((-3, 0), (3, 0)), ((-3, 2), (3, 2))),
    ((0, 0.5), (0, -2.5), (0, 1.5), (-2, 0.5)),
    (((2, 4),),),
    gold=1500,
    fog=0,
    first=1,
)
"""Kites on two paths, far apart; S1 is a decoy."""


def kites(level=OPEN, actions=(), steps=600):
    batch = batch_of(1, level=level)
    for action in actions:
        batch.step(np.array([action]))
    for _ in range(steps):
        if batch.done[0]:
            break
        batch.step(np.zeros(1, np.int64))
    return batch


def test_spending_on_decoys():
    batch = kites(actions=[1, 4, 49 + 1], steps=0)  # ballistae on S0 and S1, an upgrade of S1
    assert batch.last.info["error"][0] == 0
    assert batch.last.info["decoy_spending"][0] == pytest.approx(220 / 340)


def test_idle_gold_is_a_mean_over_time():
    batch = kites(steps=4)
    assert batch.last.info["idle_gold"][0] == 1.0
    batch.step(np.array([2]))  # a mortar, for 180 of 1500, in the fifth of six looks
    batch.step(np.array([0]))
    assert batch.last.info["idle_gold"][0] == pytest.approx((4 + 2 * 1320 / 1500) / 6, abs=1e-3)


def test_the_gap_in_the_air_ends_with_a_ballista_in_reach():
    """Four kites need 6 / 0.75 = 8 s for their way, the last appears 3.3 s after the first."""
    alone = kites()
    paths = benchmark(1)
    assert paths.name
    info = alone.last.info[0]
    assert int(info["leaks_air"]) == 4 == int(info["leaks"].sum())
    assert float(info["air_gap"]) == pytest.approx(8 + 3.3, abs=0.6)
    both = kites(actions=[1, 7])  # ballistae on S0 and S2: every path is in reach of one
    assert float(both.last.info["air_gap"][0]) == 0.0


def test_every_leak_has_one_cause():
    batch = batch_of(40, level=5)
    for _ in randomly(batch, 280, np.random.default_rng(0)):
        info = batch.last.info
        causes = np.stack([info[f"leaks_{name}"] for name in CAUSES], axis=1)
        assert (causes.sum(axis=1) == info["leaks"].sum(axis=1)).all()
        assert (causes[:, 0] == info["leaks"][:, 8]).all()
        assert (causes[:, 1] == info["leaks"][:, 2] + info["leaks"][:, 7]).all()
    assert causes[:, 4].sum() > 0


def test_frozen_and_fogged_towers_are_blamed():
    level = Level("Ice", (((-3, 0), (3, 0)),), ((0, 0.5),), (((5, 2), (0, 2)),), gold=130, fog=0, first=1, life=9)
    batch = kites(level, [1])
    info = batch.last.info[0]
    assert int(info["leaks_frozen"]) == int(info["leaks"].sum()) > 0
    fog = Level("Cloud", (((-3, 0), (3, 0)),), ((0, 0.5),), (((0, 4),),), gold=130, fog=200, first=1, life=9)
    batch = batch_of(1, level=fog)
    state = batch.states[0]
    batch.step(np.array([1]))
    while not batch.done[0]:
        for name in ("x", "y"):
            state["fog"][name] = state["fog"]["to_" + name] = 0
        batch.step(np.zeros(1, np.int64))
    info = batch.last.info[0]
    assert int(info["leaks_fogged"]) == int(info["leaks"].sum()) == 4


def test_an_answer_to_a_freeze_is_somebody_at_the_hexer():
    level = Level("Ice", (((-3, 0), (3, 0)),), ((0, 0.5),), (((5, 1),),), gold=130, fog=0, first=1)
    ignored, met = [], []
    for far, found in ((True, ignored), (False, met)):
        batch = batch_of(1, level=level)
        batch.step(np.array([1]))
        hero = batch.states[0]["hero"]
        hero["x"], hero["y"] = (2900, 2900) if far else (-1300, 300)
        while not batch.done[0]:
            batch.step(np.zeros(1, np.int64))
        found.append(float(batch.last.info["freeze_response"][0]))
    assert ignored == [0.0]
    assert met[0] == 1.0


def test_coin_capture_and_walks_with_two_purposes():
    level = Level("Walk", (((-3, 0), (3, 0)),), ((0, 2.5),), (((3, 1),),), fog=0, first=0.5, coin_refresh=0.05)
    batch = batch_of(1, level=level)
    state = batch.states[0]
    batch.step(np.zeros(1, np.int64))
    batch.step(np.zeros(1, np.int64))
    hero, coin = state["hero"], state["coin"]
    hero["x"], hero["y"] = -2900, 0
    coin["on"], coin["x"], coin["y"], coin["timer"] = 1, 2900, 0, 900
    before = int(state["account"]["walking"])
    for _ in range(3):  # along the road on which the brute marches, towards the coin
        hero["moving"], hero["to_x"], hero["to_y"] = 1, 2900, 0
        batch.step(np.zeros(1, np.int64))
    assert int(state["account"]["walking"]) == before + 3
    assert int(state["account"]["twofold"]) == 3
    hero["y"], hero["to_y"] = 2900, 2900  # far from the road
    hero["moving"] = 1
    batch.step(np.zeros(1, np.int64))
    assert int(state["account"]["twofold"]) == 3
    info = batch.last.info[0]
    total = int(info["coins"]) + int(info["coins_missed"])
    assert float(info["coin_capture"]) == (int(info["coins"]) / total if total else 1.0)


def test_difficulty_is_told():
    assert float(batch_of(1, level=4).last.info["difficulty"][0]) == pytest.approx(benchmark(4).difficulty, rel=1e-6)


@pytest.mark.parametrize("level", [2, 5])
def test_shaping_by_a_potential_leaves_the_return_as_it_is(level):
    """Undiscounted, the differences of the potential cancel: it is 0 at both ends (Ng et al. 1999)."""
    batch = batch_of(20, level=level, reward="potential")
    luck = np.random.default_rng(2)
    total, parts = np.zeros(20), np.zeros(20)
    for _ in range(400):
        live = ~batch.done
        if not live.any():
            break
        masks = batch.last.info["action_mask"]
        actions = np.array([luck.choice(np.flatnonzero(mask)) for mask in masks])
        before = batch.states["life"].copy()
        rewards = batch.step(actions, batch.done & False).rewards
        total[live] += rewards[live]
        parts[live] += (batch.states["life"] - before)[live] - rewards[live]
    assert batch.done.all()
    assert np.allclose(total, batch.states["life"] - 20.0, atol=1e-3)
    assert np.allclose(parts, 0, atol=1e-3)


def test_the_potential_knows_good_sites_from_bad():
    rewards = {}
    for name, action in (("good", 1), ("decoy", 4), ("wait", 0)):
        batch = batch_of(1, level=OPEN, reward="potential")
        rewards[name] = float(batch.step(np.array([action])).rewards[0])
    share = np.sqrt(1.25**2 - 0.5**2) / np.sqrt(1.3**2 - 0.5**2)  # of the path that the best, a barracks there, reaches
    assert rewards["good"] == pytest.approx(0.002 * (120 * share - 60), abs=0.003)
    assert rewards["decoy"] == pytest.approx(-0.002 * 60)
    assert rewards["wait"] == 0


def test_a_discount_multiplies_the_new_potential():
    one, less = (batch_of(1, level=OPEN, reward="potential", discount=one) for one in (1.0, 0.9))
    gained = one.step(np.array([1])).rewards[0]
    assert gained > 0.1
    assert less.step(np.array([1])).rewards[0] == pytest.approx(0.9 * gained)
    with pytest.raises(ValueError, match=r"discount is 1\.5"):
        BulwarkWorld(discount=1.5)


def test_time_passes_without_commands():
    """As many ticks as decisions to wait have, with the same end."""
    waits, thinks = (Batch(BulwarkWorld(level=3), 2, num_threads=1) for _ in range(2))
    for batch in (waits, thinks):
        batch.seed([4, 5])
        batch.reset()
    lost = np.zeros((2, 2))
    while not waits.done.all():
        lost[0] += waits.step(np.zeros(2, np.int64), waits.done & False).rewards
    while not thinks.done.all():
        lost[1] += thinks.elapse(7).rewards
    assert (lost == -20).all()
    for name in ("enemies", "coin", "fog", "tick", "leaks"):
        assert (waits.states[name] == thinks.states[name]).all(), name
    assert (thinks.last.terminated == 1).all()
    assert thinks.states["clock"]["step"].max() == 0
    with pytest.raises(ValueError, match="ticks is -1"):
        thinks.elapse(-1)
