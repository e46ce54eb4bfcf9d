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
def test_no_trick_beats_the_strongest_level():
    rates = balance.tricks(8, 72, seed=2 * 10**7)
    assert rates.max() <= balance.TRICK_GATE, rates.max()
