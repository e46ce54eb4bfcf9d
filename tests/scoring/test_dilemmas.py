"""Players of the prisoner's dilemma and of Trust-and-Split against each other, by their closed forms."""

import numpy as np
import pytest

from envsuite.scoring import cross_play, cross_play_gap, exploitation

# cooperate, defect, tit-for-tat; ten rounds of 3, 1, 5, 0, per round
PRISONERS = np.array([[3.0, 0.0, 3.0], [5.0, 1.0, 1.4], [3.0, 0.9, 3.0]])
# cooperate, defect, fair; arXiv 2511.19405, points a round
SPLIT = np.array([[50.0, 25.0, 100 / 3], [52.5, 27.5, 110 / 3], [80 / 3, 55 / 3, 27.5]])


def test_exploitation():
    naive = exploitation(PRISONERS, 0, 1)
    assert (naive.gain, naive.loss) == (4.0, 1.0)
    careful = exploitation(PRISONERS, 2, 1)
    assert (careful.gain, careful.loss) == pytest.approx((0.4, 0.1))
    assert exploitation(SPLIT, 0, 1).gain == 25.0
    assert exploitation(SPLIT, 2, 1).loss == pytest.approx(27.5 - 55 / 3)
    for table in (PRISONERS, SPLIT):
        own = exploitation(table, 1, 1)
        assert (own.gain, own.loss) == (0.0, 0.0)


def test_gap():
    assert cross_play_gap([[3.0, 0.0], [5.0, 1.0]]) == pytest.approx(2.0 - 2.5)
    assert cross_play_gap(np.eye(3)) == 1.0
    assert cross_play_gap(np.full((4, 4), 7.0)) == 0.0


def test_mean_over_games():
    games = np.stack([PRISONERS + 1, PRISONERS - 1])
    np.testing.assert_allclose(cross_play(games), PRISONERS)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cross_play(np.zeros((2, 3, 4))), r"shape \(2, 3, 4\), expected \(games, players, players\)"),
        (lambda: cross_play([[[0.0, np.nan], [0.0, 0.0]]]), "player 0 against 1 in game 0 is nan"),
        (lambda: cross_play_gap([[1.0]]), r"shape \(1, 1\), expected \(n, n\) of at least 2"),
        (lambda: exploitation(PRISONERS, 0, 3), "defector is 3, expected 0 to 2"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()
