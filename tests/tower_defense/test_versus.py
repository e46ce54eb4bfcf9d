"""The game of two: budgets, purchases, masks, rewards, and who wins against whom."""

import json

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Players, Words, companion
from envsuite.core.language import Refusal
from envsuite.evaluation.rollout import play
from envsuite.tower_defense.experts import Attacker, Contest
from envsuite.tower_defense.experts.scripted import Scripted
from envsuite.tower_defense.kernel import BulwarkVersusWorld, BulwarkWorld
from envsuite.tower_defense.levels import benchmark
from envsuite.tower_defense.params import PATHS, SHOP
from envsuite.tower_defense.state import SITE_COMMANDS, VERSUS_COMMANDS, VERSUS_VECTOR, purchase_names

# points by hand: health times speed, rounded
POINTS = (165, 180, 195, 360, 280, 210, 190, 384, 1344)


def versus(n=1, first=0, **options):
    batch = Batch(BulwarkVersusWorld(**options), n, num_threads=1)
    batch.seed(range(first, first + n))
    batch.reset()
    return batch


def number(kind, path=0):
    return SITE_COMMANDS + kind * PATHS + path


def test_there_are_45_purchases():
    names = purchase_names()
    assert len(names) == 45 == VERSUS_COMMANDS - SITE_COMMANDS
    assert names[number(3, 2) - SITE_COMMANDS] == "buy_brute_P2"


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_budgets_are_those_of_the_levels_own_waves(level):
    batch = versus(level=level)
    budget = batch.world.params[0]["budget"][:5].tolist()
    expected = [sum(POINTS[kind] * count for kind, count in wave) for wave in benchmark(level).waves]
    assert budget == expected
    assert int(batch.states[0]["shop"]["points"]) == budget[0]


def test_what_is_bought_comes_on_the_path_that_was_chosen():
    batch = versus(level=4)
    orders = [(0, 2), (1, 1), (2, 0), (0, 0)]
    for kind, path in orders:
        batch.step(np.array([[0, number(kind, path)]]))
    shop = batch.states[0]["shop"]
    assert int(shop["points"]) == 7 * 165 - (165 + 180 + 195 + 165)
    assert int(batch.last.info["bought"][0, 1]) == 4
    found = {}
    while int(batch.states[0]["wave"]) < 2:
        batch.step(np.zeros((1, 2), np.int64))
        for enemy in batch.states[0]["enemies"]:
            if enemy["alive"]:
                found[int(enemy["id"])] = (int(enemy["type"]), int(enemy["path"]))
    assert [found[k] for k in range(4)] == orders
    assert int(batch.states[0]["shop"]["size"]) == 0, "nothing was bought for the second wave"


def test_points_of_a_wave_lapse_with_it():
    batch = versus(level=2)
    budget = batch.world.params[0]["budget"]
    while int(batch.states[0]["wave"]) < 1:
        batch.step(np.zeros((1, 2), np.int64))
    assert int(batch.states[0]["shop"]["points"]) == budget[1]


def test_an_attacker_who_waits_loses_and_the_rewards_sum_to_zero():
    batch = versus(6, level="multi")
    luck = np.random.default_rng(0)
    returns = np.zeros((6, 2))
    while not batch.done.all():
        actions = np.zeros((6, 2), np.int64)
        live = ~batch.done
        if batch.states["clock"]["step"].max() % 3:
            for i in range(3):  # three of them play at random, three wait
                masks = batch.last.info["action_mask"][i]
                actions[i] = [luck.choice(np.flatnonzero(mask)) for mask in masks]
        output = batch.step(actions, batch.done & False)
        assert (output.rewards.sum(axis=1) == 0).all()
        returns[live] += output.rewards[live]
    assert (returns[3:] == 0).all()
    assert (batch.states["outcome"][3:] == 2).all(), "no enemy came, so all waves are over"
    assert (returns[:, 0] == batch.states["life"] - 20).all()


def test_masks_of_both_sides_are_exact():
    batch = versus(8, level="multi")
    luck = np.random.default_rng(1)
    at = VERSUS_VECTOR.offset("action_mask")
    full = 0
    for _ in range(160):
        mask = batch.last.info["action_mask"] != 0
        assert (batch.last.observations[:, :, at : at + VERSUS_COMMANDS] == mask).all()
        assert not mask[:, 0, SITE_COMMANDS:].any()
        assert not mask[:, 1, 1:SITE_COMMANDS].any()
        assert mask[:, :, 0].all()
        tried = luck.integers(VERSUS_COMMANDS, size=(8, 2))
        tried[:, 1] = SITE_COMMANDS + luck.integers(45, size=8)
        going = ~batch.done
        output = batch.step(tried, batch.done)
        allowed = np.take_along_axis(mask, tried[:, :, None], axis=2)[:, :, 0]
        assert ((output.info["error"] == 0) == allowed)[going].all()
        full += int((batch.states["shop"]["points"] < min(POINTS)).sum())
    assert full > 0


def test_a_wave_has_room_for_so_many():
    batch = versus(level=1)
    batch.states[0]["shop"]["points"] = 10**6
    for _ in range(SHOP):
        batch.states[0]["wave_timer"] = 50
        batch.step(np.array([[0, number(0)]]))
    assert int(batch.last.info["bought"][0, 1]) == SHOP
    assert not batch.last.info["action_mask"][0, 1, 1:].any()
    batch.step(np.array([[0, number(0)]]))
    assert int(batch.last.info["error"][0, 1]) == 14


def test_the_attacker_sees_through_the_fog_and_the_defender_does_not():
    batch = versus(level=5, decision_ticks=1)
    for _ in range(230):  # ticks; the wave begins after 160
        batch.step(np.array([[0, number(0)]]))
    state = batch.states[0]
    enemy = next(one for one in state["enemies"] if one["alive"])
    for name in ("x", "y"):
        state["fog"][name] = state["fog"]["to_" + name] = enemy[name]
    batch.step(np.zeros((1, 2), np.int64))
    at = VERSUS_VECTOR.offset("enemies")
    seen = (batch.last.observations[0, :, at : at + 32 * 14].reshape(2, 32, 14)[:, :, 4:13].sum(axis=2) > 0).sum(axis=1)
    alive = int(state["enemies"]["alive"].sum())
    assert seen[1] == alive > seen[0]
    texts = [json.loads(companion(batch.world, Words).describe(state, side))["now"] for side in range(2)]
    assert len(texts[1]["enemies"]) == alive > len(texts[0]["enemies"])
    assert "points_left" not in texts[0]


def test_answers_of_each_side():
    batch = versus(level=3)
    world, state = batch.world, batch.states[0]
    assert companion(world, Words).parse("I take buy_drake_P1.", state, 1) == number(7, 1)
    assert companion(world, Words).parse("wait", state, 1) == 0
    assert isinstance(companion(world, Words).parse("build_mortar_S0", state, 1), Refusal)
    assert companion(world, Words).parse("build_mortar_S0", state, 0) == 2
    assert "buy_" not in companion(world, Words).instructions(state, 0)
    assert "buy_raider_P0" in companion(world, Words).instructions(state, 1)


def lost(level, defender, attacker, games=24):
    batch = versus(games, level=level, friendly_fire=False)
    player = Contest(batch.world, defender, attacker)
    while not batch.done.all():
        batch.step(player.act(batch.last.observations, batch.states), batch.done & False)
    return 20 - batch.states["life"]


def test_the_level_s_own_waves_are_about_as_hard_as_in_the_game_of_one():
    """A1 buys just what the level sends, on other paths."""
    batch = Batch(BulwarkWorld(level=3, friendly_fire=False), 24, num_threads=1)
    batch.seed(range(24))
    batch.reset()
    alone = Scripted(batch.world, "S3")
    while not batch.done.all():
        batch.step(alone.act(batch.last.observations, batch.states), batch.done & False)
    assert abs(lost(3, "S3", "A1").mean() - (20 - batch.states["life"]).mean()) < 3


def test_looking_for_gaps_costs_the_defender_more():
    plain, gaps = lost(5, "S3", "A1"), lost(5, "S3", "A2")
    assert gaps.mean() > plain.mean() + 2 * np.hypot(plain.std(), gaps.std()) / np.sqrt(len(plain))


def test_better_defenders_lose_less():
    found = [lost(4, style, "A1").mean() for style in ("S1", "S3")]
    assert found[1] < found[0] - 2


def test_anchors_are_of_the_first_side():
    card = envsuite.card("BulwarkVersus")
    played = play(card, lambda world, slots: companion(world, Players).expert(), 20)
    assert (played.returns <= 0).all()
    assert card.expert.mean > card.random.mean


def test_wrong_styles_are_named():
    with pytest.raises(ValueError, match="style is 'A9'"):
        Attacker(BulwarkVersusWorld(level=1), "A9")
    with pytest.raises(TypeError, match="actions"):
        BulwarkVersusWorld(actions="xyc")  # ty: ignore[unknown-argument]
