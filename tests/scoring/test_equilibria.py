"""Equilibria against closed forms, and against a general solver."""

import numpy as np
import pytest

from envsuite.scoring import (
    matrix_values,
    max_entropy_equilibrium,
    nash_conv,
    regret_matching_plus,
    zero_sum_equilibrium,
)

ROCK_PAPER_SCISSORS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def biased(a, b, c):
    """Rock beats scissors by a, these paper by b, that rock by c; the equilibrium is (b, a, c) / (a + b + c)."""
    return np.array([[0.0, -c, a], [c, 0.0, -b], [-a, b, 0.0]])


def gap(table, x, y):
    return nash_conv(*matrix_values((table, -table), (x, y)))


def test_equilibrium_of_a_biased_game():
    value, strategy = zero_sum_equilibrium(ROCK_PAPER_SCISSORS)
    assert value == pytest.approx(0.0, abs=1e-9)
    assert strategy == pytest.approx(np.full(3, 1 / 3))
    # matching pennies with pay-offs a, b, c, d has the mixture (d - c) / (a + d - b - c)
    value, strategy = zero_sum_equilibrium([[3.0, -1.0], [-2.0, 1.0]])
    assert strategy == pytest.approx([3 / 7, 4 / 7])
    assert value == pytest.approx(1 / 7)
    value, strategy = zero_sum_equilibrium([[1.0, 2.0], [0.0, 1.0]])
    assert strategy == pytest.approx([1.0, 0.0]), "the dominated row is not played"


def test_equilibrium_cannot_be_exploited():
    table = np.random.default_rng(0).normal(size=(12, 12))
    table -= table.T
    value, strategy = zero_sum_equilibrium(table)
    assert value == pytest.approx(0.0, abs=1e-9)
    assert nash_conv(*matrix_values((table, -table), (strategy, strategy))) == pytest.approx(0.0, abs=1e-8)


@pytest.mark.parametrize("solve", [zero_sum_equilibrium, max_entropy_equilibrium])
def test_a_unique_equilibrium_is_found(solve):
    value, strategy = solve(biased(1.0, 2.0, 3.0))
    assert value == pytest.approx(0.0, abs=1e-12)
    assert strategy == pytest.approx([2 / 6, 1 / 6, 3 / 6])


def test_copies_share_their_weight():
    """Balduzzi et al. (2018): invariance to redundant agents."""
    who = [0, 0, 0, 1, 2, 2]
    value, strategy = max_entropy_equilibrium(ROCK_PAPER_SCISSORS[np.ix_(who, who)])
    assert value == pytest.approx(0.0)
    assert strategy == pytest.approx([1 / 9, 1 / 9, 1 / 9, 1 / 3, 1 / 6, 1 / 6])


def test_games_of_many_equilibria_give_the_one_of_most_entropy():
    assert max_entropy_equilibrium(np.zeros((4, 7)))[1] == pytest.approx(np.full(4, 0.25))
    transitive = np.array([[0.0, 1, 2], [-1, 0, 1], [-2, -1, 0]])
    assert max_entropy_equilibrium(transitive)[1].tolist() == [1.0, 0.0, 0.0]
    # the first row loses to the last; the others may be played with up to half of the last one's weight
    table = np.array([[0, 0.2, 0.2, -0.1], [-0.2, 0, 0, 0], [-0.2, 0, 0, 0], [0.1, 0, 0, 0]])
    assert max_entropy_equilibrium(table)[1] == pytest.approx([0, 1 / 6, 1 / 6, 2 / 3])
    # a rectangular game of value 1: the first two rows are worth the same, the third is not
    value, strategy = max_entropy_equilibrium([[1.0, 2.0], [1.0, 1.5], [0.0, 4.0]])
    assert value == pytest.approx(1.0)
    assert strategy == pytest.approx([0.5, 0.5, 0.0])


@pytest.mark.parametrize("seed", range(6))
def test_entropy_is_that_of_a_general_solver(seed):
    from scipy.optimize import minimize

    draw = np.random.default_rng(seed)
    table = draw.integers(-1, 2, size=(7, 4)).astype(float)  # few values: many equilibria
    value, strategy = max_entropy_equilibrium(table)
    limits = [
        {"type": "eq", "fun": lambda x: x.sum() - 1},
        {"type": "ineq", "fun": lambda x: x @ table - value},
    ]
    found = minimize(
        lambda x: (x * np.log(np.maximum(x, 1e-300))).sum(),
        np.full(7, 1 / 7),
        bounds=[(0, 1)] * 7,
        constraints=limits,
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert strategy == pytest.approx(found.x, abs=2e-5)
    assert (strategy @ table).min() >= value - 1e-9


def test_regret_matching_comes_near():
    table = biased(1.0, 2.0, 3.0)
    x, y = regret_matching_plus(table, 2000)
    assert x == pytest.approx([2 / 6, 1 / 6, 3 / 6], abs=5e-3)
    assert gap(table, x, y) < 0.01
    random = np.random.default_rng(3).normal(size=(20, 30))
    gaps = [gap(random, *regret_matching_plus(random, rounds)) for rounds in (10, 100, 1000)]
    assert gaps[0] > 3 * gaps[1] > 9 * gaps[2]
    value, _ = zero_sum_equilibrium(random)
    x, y = regret_matching_plus(random, 1000)
    assert x @ random @ y == pytest.approx(value, abs=0.02)
    assert regret_matching_plus([[1.0, 1.0], [0.0, 0.0]], 50)[0] == pytest.approx([1.0, 0.0], abs=1e-2)


@pytest.mark.parametrize(
    ("call", "mention"),
    [
        (lambda: zero_sum_equilibrium([1.0]), "matrix"),
        (lambda: max_entropy_equilibrium([[np.nan, 1.0]]), "finite"),
        (lambda: regret_matching_plus(np.eye(2), 0), "iterations is 0"),
    ],
)
def test_bad_input_is_named(call, mention):
    with pytest.raises(ValueError, match=mention):
        call()
