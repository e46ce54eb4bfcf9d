"""The random policy: uniform, and a function of each slot's seed alone."""

import numpy as np
import pytest
from scipy import stats

from envsuite.agents.random import RandomPolicy
from envsuite.core.layout import Block, Choice, Choices, Vector

VECTOR = Vector((Block("a", 1, 0.0, 2.0), Block("b", 2, -1.0, 1.0)))


def draw(layout, seeds, steps):
    policy = RandomPolicy(layout, (len(seeds),))
    policy.reset(np.ones(len(seeds), bool), np.array(seeds))
    return np.array([policy.act(None, None).copy() for _ in range(steps)])


def test_slots_do_not_depend_on_each_other():
    together = draw(VECTOR, [5, 6, 7], 50)
    for slot, seed in enumerate([5, 6, 7]):
        np.testing.assert_array_equal(draw(VECTOR, [seed], 50)[:, 0], together[:, slot])
    assert not np.array_equal(together[:, 0], together[:, 1])


def test_numbers_are_uniform_within_their_bounds():
    drawn = draw(VECTOR, range(50), 200).reshape(-1, 3)
    for column, (low, high) in enumerate([(0, 2), (-1, 1), (-1, 1)]):
        assert stats.kstest(drawn[:, column], stats.uniform(low, high - low).cdf).pvalue > 1e-3


@pytest.mark.parametrize(
    ("layout", "sizes"),
    [
        (Choice(("a", "b", "c")), [3]),
        (Choices((("x", ("p", "q")), ("y", ("r", "s", "t", "u")))), [2, 4]),
    ],
)
def test_choices_are_equally_likely(layout, sizes):
    drawn = draw(layout, range(50), 200).reshape(-1, len(sizes))
    for column, size in enumerate(sizes):
        counts = np.bincount(drawn[:, column], minlength=size)
        assert len(counts) == size
        assert stats.chisquare(counts).pvalue > 1e-3
