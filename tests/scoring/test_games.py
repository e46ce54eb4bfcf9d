"""Distances from equilibrium and alpha-rank against closed forms and published examples."""

import math

import numpy as np
import pytest

from envsuite.scoring import (
    alpha_rank,
    cyclic_share,
    exploitability,
    matrix_values,
    nash_conv,
)
from envsuite.scoring.games import stationary_distribution

ROCK_PAPER_SCISSORS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def test_nash_conv_is_what_best_responses_gain():
    assert nash_conv([0.0, 0.0], [0.5, 0.25]) == 0.75
    assert exploitability([0.0, 0.0], [0.5, 0.25]) == 0.375
    rock = np.array([1.0, 0, 0])
    values, best = matrix_values((ROCK_PAPER_SCISSORS, -ROCK_PAPER_SCISSORS), (rock, rock))
    assert (values.tolist(), best.tolist()) == ([0, 0], [1, 1])
    uniform = np.full(3, 1 / 3)
    assert nash_conv(*matrix_values((ROCK_PAPER_SCISSORS, -ROCK_PAPER_SCISSORS), (uniform, uniform))) == pytest.approx(
        0
    )


def test_cycles_are_what_ratings_cannot_show():
    odds = np.exp(np.array([0.0, 1.0, 3.0]))
    transitive = odds[:, None] / (odds[:, None] + odds)
    assert cyclic_share(transitive) == pytest.approx(0.0, abs=1e-12)
    assert cyclic_share(0.5 + 0.3 * ROCK_PAPER_SCISSORS) == pytest.approx(1.0)
    assert cyclic_share(np.full((3, 3), 0.5)) == 0.0


@pytest.mark.parametrize("gain", [0.02, 0.3, -0.1])
def test_two_strategies_have_the_closed_form(gain):
    """Fixation of the better over that of the worse one is exp((m - 1) alpha d)."""
    alpha, population = 0.8, 20
    found = alpha_rank([[0.0, gain], [0.0, 0.0]], alpha=alpha, population=population)
    assert found[0] / found[1] == pytest.approx(math.exp((population - 1) * alpha * gain))


def test_alpha_rank_of_published_games():
    """Rock-paper-scissors, its biased form and the battle of the sexes of Omidshafiei et al. (2019)."""
    assert alpha_rank(ROCK_PAPER_SCISSORS) == pytest.approx(np.full(3, 1 / 3))
    biased = np.array([[0.0, -0.5, 1.0], [0.5, 0.0, -0.1], [-1.0, 0.1, 0.0]])
    assert alpha_rank(biased) == pytest.approx(np.full(3, 1 / 3))
    sexes = (np.array([[3.0, 0.0], [0.0, 2.0]]), np.array([[2.0, 0.0], [0.0, 3.0]]))
    assert alpha_rank(sexes) == pytest.approx(np.diag([0.5, 0.5]))
    dilemma = np.array([[3.0, 0.0], [5.0, 1.0]])
    assert alpha_rank(dilemma) == pytest.approx([0.0, 1.0])
    assert alpha_rank((dilemma, dilemma.T)) == pytest.approx(np.array([[0.0, 0.0], [0.0, 1.0]]))


@pytest.mark.parametrize("alpha", [0.01, 0.1, 1.0])
def test_alpha_rank_is_the_stationary_distribution_of_its_chain(alpha):
    table, population = np.random.default_rng(1).normal(size=(4, 4)), 10
    chain = np.zeros((4, 4))
    for i in range(4):
        for j in range(4):
            if i != j:  # the mutant j has f(j, i), the resident f(i, j)
                x = alpha * (table[j, i] - table[i, j])
                chain[i, j] = (1 - math.exp(-x)) / (1 - math.exp(-population * x)) / 3
        chain[i, i] = 1 - chain[i].sum()
    values, vectors = np.linalg.eig(chain.T)
    expected = np.real(vectors[:, np.argmax(np.real(values))])
    assert alpha_rank(table, alpha=alpha, population=population) == pytest.approx(expected / expected.sum(), abs=1e-9)


def test_alpha_rank_does_not_break_down_at_great_intensity():
    table = np.random.default_rng(2).normal(size=(30, 30))
    found = alpha_rank(table, alpha=1e6)
    assert np.isfinite(found).all()
    assert found == pytest.approx(alpha_rank(table), abs=1e-9)
    assert alpha_rank(np.ones((3, 3))) == pytest.approx(np.full(3, 1 / 3))


def test_stationary_distribution_keeps_tiny_probabilities():
    # a birth-death chain: detailed balance gives the ratios
    up, down = np.array([-700.0, -3.0]), np.array([-1.0, -900.0])
    rates = np.full((3, 3), -np.inf)
    rates[0, 1], rates[1, 2], rates[1, 0], rates[2, 1] = up[0], up[1], down[0], down[1]
    assert stationary_distribution(rates)[2] == pytest.approx(1.0)
    rates[2, 1] = -3.0
    found = stationary_distribution(rates)
    assert found[1] == pytest.approx(found[2])
    assert math.log(found[1]) == pytest.approx(-699.0)


@pytest.mark.parametrize(
    ("call", "mention"),
    [
        (lambda: nash_conv([1.0], [0.5]), "best response of player 0 is worth 0.5"),
        (lambda: nash_conv([1.0], [0.5, 1.0]), "equal vectors"),
        (lambda: matrix_values((np.eye(2), np.eye(2)), ([0.5, 0.6], [1, 0])), "no probability distribution"),
        (lambda: matrix_values((np.eye(2), np.eye(3)), ([1, 0], [1, 0])), "do not fit"),
        (lambda: cyclic_share([[0.5, 1.0], [0.0, 0.5]]), "add up"),
        (lambda: alpha_rank(np.eye(2), alpha=0.0), "alpha is 0.0"),
        (lambda: alpha_rank(np.eye(2), population=1), "population is 1"),
        (lambda: alpha_rank(np.ones((2, 3))), r"\(2, 3\)"),
        (lambda: alpha_rank((np.ones((2, 3)), np.ones((2, 2)))), "2 players"),
    ],
)
def test_bad_input_is_named(call, mention):
    with pytest.raises(ValueError, match=mention):
        call()
