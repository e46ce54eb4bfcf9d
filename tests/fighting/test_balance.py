"""The balance: no character, level or trick stands out."""

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.fighting import balance
from envsuite.fighting.kernel import DuelVersusWorld
from envsuite.fighting.kernel.watching import NOTHING
from envsuite.fighting.params import ATTACK, CROUCH, LEVELS, MACRO_NAMES, UNIT


def test_equal_players_have_equal_chances():
    """Mirror matches of one level are even, whoever is first."""
    k = np.repeat(np.arange(12), 40)
    played = balance.fight(k, k, np.full((len(k), 2), 6), seed=10**7)
    assert abs(played.score.mean() - 0.5) < 4 * 0.5 / np.sqrt(len(k))


def test_levels_and_characters_at_a_glance():
    assert balance.step(8, 1, 240, seed=10**7) > 0.8
    assert balance.randoms(1, 144, seed=10**7) < balance.RANDOM_GATE + 0.1
    table, played = balance.match_ups(2, seed=10**7)
    assert np.allclose(table + table.T, 1)
    assert (abs(balance.means(table) - 0.5) < 0.15).all()
    assert 20 < played.seconds.mean() < 45


@pytest.mark.slow
def test_characters_are_balanced():
    table, _ = balance.match_ups(60, seed=2 * 10**7)
    mean = balance.means(table)
    for found, (low, high) in ((mean, balance.MEAN_GATE), (table, balance.MATCH_GATE)):
        assert found.min() >= low, found.round(2)
        assert found.max() <= high, found.round(2)


@pytest.mark.slow
def test_each_level_beats_the_one_below():
    rates = [balance.step(level + 1, level, 1008, seed=2 * 10**7) for level in range(1, 8)]
    assert min(rates) >= balance.LEVEL_GATE, rates


@pytest.mark.slow
@pytest.mark.parametrize("reach", [0, balance.WALK_UP])
@pytest.mark.parametrize("level", [4, 5, 6, 8])
def test_no_trick_beats_the_upper_levels(level, reach):
    best = balance.best_trick(level, 24, 2 * 10**7, reach)
    assert best[0] <= balance.TRICK_GATE, best


def test_cycles_are_all_there_and_each_once():
    cycles = balance.all_cycles()
    assert cycles.shape == (24 + 24 * 23 // 2 + (24**3 - 24) // 3, 3)
    turns = {min(tuple(np.roll(cycle, k)) for k in range(3)) for cycle in cycles[300:].tolist()}
    assert len(turns) == 4600


def cycles_of(*names):
    numbers = [[MACRO_NAMES.index(one) for one in name.split()] for name in names]
    return np.array([[*cycle, *[NOTHING] * (3 - len(cycle))] for cycle in numbers], np.int32)


@pytest.mark.parametrize("level", [4, 8])
def test_cycles_that_once_won_do_not_any_more(level):
    cycles = cycles_of(
        "low_jab ex_special special_236", "stand_block jump_in sweep", "dash_back jump_in poke", "low_jab special_236",
        "back special_236 jump_in", "stand_block ex_special sweep", "poke special_623 jump_in",
    )  # fmt: skip
    best = balance.best_cycles(level, 10**7, cycles, best=6, rounds=96)
    assert len(best) == 6
    assert best[0][0] <= balance.CYCLE_GATE + 0.05, best
    assert best == sorted(best, key=lambda one: -one[0])


@pytest.mark.slow
@pytest.mark.parametrize("level", range(balance.TRICK_LEVEL, LEVELS + 1))
def test_no_blind_cycle_scores_more_than_the_level_itself(level):
    best = balance.best_cycles(level, 2 * 10**7)
    assert len(best) == balance.BEST
    assert best[0][0] <= balance.CYCLE_GATE, best[:5]


def test_who_repeats_a_cycle_is_seen_through():
    """Three attacks by turns are noted with all that follows from them; those of a wild player are not."""
    world = DuelVersusWorld(frame_skip=1, start_gap=340, characters=("arden", "arden"), swap_sides=False)
    batch = Batch(world, 2, num_threads=1)
    batch.seed([0, 1])
    batch.reset()
    batch.states["fighters"]["level"][:, 1] = 8
    attacks = ([1, 4, 11], [0, 3, 7, 9, 1, 4, 10, 2, 11, 5])  # standing normals by button, crouching ones from 6 on
    begun, looked = np.zeros(2, int), 0
    for _ in range(600):
        fighters = batch.states["fighters"]
        fighters["hp"], fighters["x"][:, 0] = 500, 30 * UNIT
        rows = np.full((2, 2, 2), 4)
        rows[..., 1] = 0
        for k in range(2):
            move = attacks[k][begun[k] % len(attacks[k])]
            if fighters["state"][k, 0] <= CROUCH and fighters["pressed"][k, 0] == 0:
                rows[k, 0], begun[k] = (1 if move >= 6 else 4, 1 + move % 6), begun[k] + 1
        batch.step(rows)
        if begun.min() >= 10 and (fighters["state"][0, 0] == ATTACK and fighters["frame"][0, 0] == 3):
            brain, latest = batch.states["fighters"]["brain"][:, 1], attacks[0][(begun[0] - 1) % 3]
            assert brain["cycles"].tolist() == [1, 0]
            assert brain["moves"][0, 0] == 1 + latest
            assert brain["expected"][0] == attacks[0][begun[0] % 3]
            looked += 1
    assert looked > 3


@pytest.mark.slow
def test_random_inputs_lose_to_every_level():
    rates = [balance.randoms(level, 576, 2 * 10**7) for level in range(1, 9)]
    assert max(rates) <= balance.RANDOM_GATE, rates
    assert rates[7] <= rates[4] <= rates[0], rates


def test_tables_are_written_from_a_report():
    found = {
        "characters": [one.name for one in balance.CAST],
        "win rates": np.full((12, 12), 0.5).tolist(),
        "means": [0.5] * 12,
        "seconds": {"mean": 30.0, "out of time": 0.01},
        "levels": np.full((8, 8), 0.25).tolist(),
        "random": {"held for eight frames": [0.125] * 8},
        "tricks": [[4, "walking up", 0.375, "Juno", "sweep"]],
        "cycles": [[8, 0.25, 0.125, "Cinder", ["back", "jump_in", "sweep"]]],
        "rounds": 24,
    }
    text = balance.page(found)
    assert "| Arden |  | 0.50 |" in text
    assert "| 1 |  | 0.25 |" in text
    assert "| held for eight frames | 0.12 |" in text
    assert "all 58,800 by 2 rounds each, the best 7,350 by 4 more, the best 918 by 12 more, the best 50 by" in text
    assert "| 8 | 0.25 | 0.12 | Cinder | `back`, `jump_in`, `sweep` |" in text
    assert "| 4 | walking up | 0.38 | Juno | `sweep` |" in text
