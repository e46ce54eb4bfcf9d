"""The balance: no character, level or trick stands out."""

import numpy as np
import pytest

from envsuite.fighting import balance


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
        "rounds": 24,
    }
    text = balance.page(found)
    assert "| Arden |  | 0.50 |" in text
    assert "| 1 |  | 0.25 |" in text
    assert "| held for eight frames | 0.12 |" in text
    assert "| 4 | walking up | 0.38 | Juno | `sweep` |" in text
