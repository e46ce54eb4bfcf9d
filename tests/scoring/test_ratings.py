"""Ratings against closed forms, published examples and brute force."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from envsuite.scoring import (
    Glicko2,
    bradley_terry,
    bradley_terry_intervals,
    elo,
    proportion_interval,
    rating_against,
    share_intervals,
    win_matrix,
    win_shares,
)


@pytest.mark.parametrize("share", [0.5, 0.75, 0.9])
def test_two_players_differ_by_their_log_odds(share):
    found = bradley_terry([[0, 40 * share], [40 * (1 - share), 0]])
    assert found[0] - found[1] == pytest.approx(400 * math.log10(share / (1 - share)))
    assert found.mean() == pytest.approx(1000.0)


def test_ratings_maximise_the_likelihood():
    points = np.random.default_rng(0).integers(1, 20, (5, 5)).astype(float)
    np.fill_diagonal(points, 0)
    points[0, 1] = 0.5  # a tie and nothing else

    def loss(free):
        strength = np.append(0.0, free)
        return -(points * -np.log1p(np.exp(strength[None] - strength[:, None]))).sum()

    best = np.append(0.0, minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-9}).x)
    expected = 1000 + 400 / math.log(10) * (best - best[2])
    assert bradley_terry(points, anchor=2) == pytest.approx(expected, abs=1e-3)


def test_consistent_tables_give_their_strengths_back():
    truth = np.array([1200.0, 1000.0, 900.0, 1100.0])
    shares = 1 / (1 + 10 ** ((truth[None] - truth[:, None]) / 400))
    np.fill_diagonal(shares, 0)
    assert bradley_terry(shares * 100, anchor=1) == pytest.approx(truth)


def test_players_who_never_scored_have_no_rating_without_a_prior():
    points = [[0, 5, 5], [0, 0, 5], [0, 1, 0]]
    with pytest.raises(ValueError, match="player 1 has no point against 0"):
        bradley_terry(points)
    found = bradley_terry(points, prior=1.0)
    assert found[0] > found[1] > found[2]
    assert np.isfinite(found).all()


def test_strong_inequality_converges():
    points = np.array([[0.0, 1e6], [1.0, 0.0]])
    assert np.diff(bradley_terry(points))[0] == pytest.approx(-400 * 6)


def test_intervals_are_over_seeds():
    generator = np.random.default_rng(1)
    truth = np.array([1150.0, 1000.0, 900.0])
    shares = 1 / (1 + 10 ** ((truth[None] - truth[:, None]) / 400))
    upper = np.triu(generator.binomial(6, shares, (12, 3, 3)), 1).astype(float)
    points = upper + np.triu(6 - upper, 1).transpose(0, 2, 1)
    found = bradley_terry_intervals(points, anchor=1)
    assert [each.value for each in found] == pytest.approx(bradley_terry(points.sum(axis=0), anchor=1))
    assert (found[1].low, found[1].high) == (1000.0, 1000.0)
    assert all(each.low <= each.value <= each.high for each in found)
    assert found[0].basis.startswith("N=12 seeds")
    assert 60 < found[0].high - found[0].low < 400
    again = bradley_terry_intervals(points, anchor=1)
    assert found == again
    same = bradley_terry_intervals(np.repeat(points[:1] + 1 - np.eye(3), 5, axis=0))
    assert same[0].low == pytest.approx(same[0].high)


def test_win_matrix_counts_ties_half():
    games = [("a", "b", 1.0), ("b", "a", 0.5), ("c", "a", 0.0)]
    points = win_matrix(games, ["a", "b", "c"])
    assert points.tolist() == [[0, 1.5, 1], [0.5, 0, 0], [0, 0, 0]]
    shares = win_shares(points)
    assert shares[0, 1] == 0.75
    assert np.isnan(shares[1, 2])


def test_intervals_of_shares_are_wilsons():
    points = np.array([[0.0, 30, 0], [10, 0, 200.5], [0, 199.5, 0]])
    low, high = share_intervals(points)
    alone = proportion_interval(30, 40)
    assert (low[0, 1], high[0, 1]) == pytest.approx((alone.low, alone.high))
    assert (low[1, 0], high[1, 0]) == pytest.approx((1 - alone.high, 1 - alone.low))
    assert high[1, 2] - low[1, 2] == pytest.approx(0.1, abs=0.005), "400 games give five points each way"
    assert np.isnan([low[0, 2], high[2, 0], low[1, 1]]).all()
    assert share_intervals(points, confidence=0.5)[0][0, 1] > low[0, 1]


def test_elo_moves_by_the_surprise():
    found = elo([("a", "b", 1.0)], k=32)
    assert found == {"a": 1516.0, "b": 1484.0}
    # worked by hand: expected score of a 400 points stronger player is 10/11
    found = elo([("a", "b", 0.0)], k=11, ratings={"a": 1900.0, "b": 1500.0})
    assert found == pytest.approx({"a": 1890.0, "b": 1510.0})
    stream = [("a", "b", 1.0), ("a", "b", 0.0)]
    assert elo(stream) != elo(stream[::-1]), "the order matters"


def test_glicko_gives_glickmans_example():
    opponents = [(Glicko2(1400, 30), 1.0), (Glicko2(1550, 100), 0.0), (Glicko2(1700, 300), 0.0)]
    found = Glicko2(1500, 200, 0.06).after(opponents, tau=0.5)
    assert found.rating == pytest.approx(1464.06, abs=0.02)  # the example rounds its intermediate figures
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=1e-5)


def test_glicko_deviation_grows_without_games():
    found = Glicko2(1500, 50, 0.06).after([])
    assert found.rating == 1500
    assert found.deviation == pytest.approx(math.hypot(50, 0.06 * 400 / math.log(10)))


def test_glicko_volatility_solves_its_equation():
    """Step 5 by bisection of f instead, where the result was a great surprise."""
    player, other = Glicko2(1500, 60, 0.06), Glicko2(1500, 40)
    found = player.after([(other, 0.0)] * 20, tau=1.0)
    scale = 400 / math.log(10)
    weight = 1 / math.sqrt(1 + 3 * (40 / scale / math.pi) ** 2)
    variance = 1 / (20 * weight**2 * 0.25)
    delta = variance * weight * -10
    phi = 60 / scale

    def f(x):
        spread = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - math.log(0.06**2))

    low, high = math.log(0.06**2), 5.0
    assert f(low) > 0 > f(high)
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    assert found.volatility == pytest.approx(math.exp(low / 2), rel=1e-6)


@pytest.mark.parametrize(
    ("call", "mention"),
    [
        (lambda: win_matrix([("a", "z", 1.0)], ["a", "b"]), "'z'"),
        (lambda: win_matrix([("a", "b", 2.0)], ["a", "b"]), "is 2.0"),
        (lambda: bradley_terry([[0, 1, 2], [1, 0, 2]]), "shape"),
        (lambda: bradley_terry([[0, -1], [1, 0]]), "below 0"),
        (lambda: bradley_terry([[1, 1], [1, 0]]), "with itself"),
        (lambda: bradley_terry([[0, 1], [1, 0]], anchor=2), "anchor is 2"),
        (lambda: bradley_terry([[0, 1], [1, 0]], prior=-1), "prior is -1"),
        (lambda: bradley_terry_intervals([[[0, 1], [1, 0]]]), "seeds >= 2"),
        (lambda: bradley_terry_intervals([[[0, 1], [0, 0]], [[0, 0], [1, 0]]]), "of 2000 resamples"),
        (lambda: elo([("a", "a", 1.0)]), "two players"),
        (lambda: Glicko2().after([(Glicko2(), 2.0)]), "score is 2.0"),
    ],
)
def test_bad_input_is_named(call, mention):
    with pytest.raises(ValueError, match=mention):
        call()


@pytest.mark.parametrize("share", [0.03, 0.5, 0.9])
def test_one_opponent_is_beaten_by_the_log_odds(share):
    assert rating_against(share, [1234]) == pytest.approx(1234 + 400 * math.log10(share / (1 - share)))


def test_opponents_whose_ratings_stand_give_the_likeliest_rating():
    ratings = np.array([700.0, 1000.0, 1100.0, 1900.0])
    won = np.array([19.0, 14.0, 13.0, 2.0])  # of 20 each

    def loss(own):
        odds = (own[0] - ratings) * math.log(10) / 400
        return (won * np.log1p(np.exp(-odds)) + (20 - won) * np.log1p(np.exp(odds))).sum()

    best = minimize(loss, [1000.0], method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-12}).x[0]
    assert rating_against(won.sum() / 80, ratings) == pytest.approx(best, abs=1e-3)


@pytest.mark.parametrize(
    ("share", "opponents", "message"),
    [
        (0.0, [1000], "share is 0.0"),
        (1.0, [1000], "share is 1.0"),
        (0.5, [], "one finite rating"),
        (0.5, [np.nan], "nan"),
    ],
)
def test_ratings_that_nothing_explains_are_refused(share, opponents, message):
    with pytest.raises(ValueError, match=message):
        rating_against(share, opponents)
