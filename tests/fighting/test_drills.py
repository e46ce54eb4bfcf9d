"""What makes each of the small games that game."""

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.world import make_world
from envsuite.fighting.kernel import DuelWorld
from envsuite.fighting.params import STAGE, UNIT
from tests.fighting.common import Bout

STILL, BACK = (4, 0), (3, 0)


def begun(name, number=64, **options):
    card = envsuite.card(name)
    batch = Batch(make_world(card.world, **{**card.options, **options}), number, num_threads=1, horizon=card.horizon)
    batch.seed(range(number))
    return batch, batch.reset()


def test_the_first_blow_decides():
    batch, _ = begun("DuelFirstHit", 128, rounds=1)
    luck = np.random.default_rng(0)
    ended = np.zeros(128, np.bool_)
    while not ended.all():
        # directions that block nothing: any blow then is a clean one, unless the computer player blocks
        actions = np.stack([luck.integers(4, 9, 128), luck.integers(0, 10, 128)], axis=1)
        output = batch.step(actions, ended)
        fighters = batch.states["fighters"]
        going = ~batch.done & ~ended
        assert (fighters["hits"][going] == 0).all()
        over = batch.done & ~ended
        assert (fighters["hits"][over].sum(axis=1) >= 1)[fighters["hp"][over].min(axis=1) <= 0].all()
        assert np.array_equal(output.rewards[over], output.info["won"][over])
        ended |= batch.done


def test_specials_wear_a_guard_down():
    bout = Bout(gap=200, health=(1, 1), chip_ko=True, start_gap=200)
    left = []
    for _ in range(2):
        bout.place(200)
        bout.perform(19, second=(4, "none"))
        for _ in range(80):
            if not bout.state["clock"]["done"]:
                bout.step(second=(4, "none"))
        left.append(int(bout.fighter(1)["hp"]))
    scratch = (int(bout.moves()[19]["damage"]) // 8, int(bout.moves()[19]["damage"]) * 192 // 256 // 8)
    assert left[0] == 10 - scratch[0] > 0
    assert left[1] == max(0, 10 - sum(scratch))


def test_five_rounds_make_the_match():
    batch, output = begun("DuelFirstHitVersus", 32)
    luck, ended = np.random.default_rng(1), np.zeros(32, np.bool_)
    while not ended.all():
        output = batch.step(np.stack([luck.integers(0, 9, (32, 2)), luck.integers(0, 10, (32, 2))], axis=2), ended)
        over, ended = batch.done & ~ended, ended | batch.done
        won = output.info["rounds"][over]
        assert (won.max(axis=1) == 5).all()
        assert np.array_equal(output.rewards[over, 0], np.sign(won[:, 0].astype(int) - won[:, 1]))
        assert output.terminated[over].all()


def test_the_approach_is_from_afar_against_shots():
    batch, output = begun("DuelApproach")
    table = batch.world.params["characters"][0]
    assert (table["shoots"][output.info["other_character"]] >= 0).all()
    assert len(set(output.info["other_character"].tolist())) == 4
    assert (table["shoots"][output.info["character"]] < 0).all()
    assert (abs(np.diff(batch.states["fighters"]["x"], axis=1)) == 340 * UNIT).all()
    seen, ended, won = np.zeros(64, np.bool_), np.zeros(64, np.bool_), np.zeros(64)
    while not ended.all():
        output = batch.step(np.tile(STILL, (64, 1)), ended)
        seen |= batch.states["fighters"]["shots"]["on"][:, 1].any(axis=1)
        won[batch.done & ~ended] = output.info["won"][batch.done & ~ended]
        ended |= batch.done
    assert seen.mean() > 0.7
    assert won.mean() < -0.9, "who stays away loses"


def test_the_corner_leaves_no_way_back():
    batch, _ = begun("DuelCorner")
    x, side = batch.states["fighters"]["x"], batch.states["side"]
    wall = np.where(side == 1, x[:, 0], STAGE - x[:, 0])
    assert set(side.tolist()) == {-1, 1}
    assert (wall == 22 * UNIT).all()
    assert (side * (x[:, 1] - x[:, 0]) == 60 * UNIT).all()
    batch.step(np.tile(BACK, (64, 1)))
    batch.step(np.tile(BACK, (64, 1)))
    half = int(batch.world.params["characters"]["half"][0, 0]) * UNIT
    now = batch.states["fighters"]["x"][:, 0]
    free = batch.states["fighters"]["hp"][:, 0] == batch.states["fighters"]["full"][:, 0]
    assert (np.where(side == 1, now, STAGE - now)[free] <= 22 * UNIT).all()
    for _ in range(20):
        batch.step(np.tile(BACK, (64, 1)))
    nearest = np.where(side == 1, batch.states["fighters"]["x"][:, 0], STAGE - batch.states["fighters"]["x"][:, 0])
    assert nearest.min() == half


def test_shifts_that_leave_the_stage_are_refused():
    DuelWorld(start_gap=340)
    with pytest.raises(ValueError, match="start_shift is 141, expected at most 140"):
        DuelWorld(start_gap=60, start_shift=141)
    with pytest.raises(ValueError, match="start_shift is -1"):
        DuelWorld(start_shift=-1)
