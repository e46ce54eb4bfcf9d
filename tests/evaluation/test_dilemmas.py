"""Scripted players of the dilemmas against each other: the matrices that the games' closed forms give."""

import numpy as np
import pytest

import envsuite
from envsuite.core.companions import Players, companion
from envsuite.evaluation.dilemmas import payoffs
from envsuite.momarl.prisoners.experts import Fixed
from envsuite.momarl.trust_split.experts import Splitter
from envsuite.scoring import cross_play, exploitation


def test_prisoners():
    """Ten rounds of 3, 1, 5, 0; no chance."""
    names = ("cooperate", "defect", "tit-for-tat")
    players = [lambda world, slots, name=name: Fixed(name) for name in names]
    table = cross_play(payoffs(envsuite.card("IteratedPrisoners"), players, 2, rounds=10))
    np.testing.assert_allclose(table, [[3.0, 0.0, 3.0], [5.0, 1.0, 1.4], [3.0, 0.9, 3.0]])
    careful = exploitation(table, 2, 1)
    assert (careful.gain, careful.loss) == pytest.approx((0.4, 0.1))


def test_trust_split():
    """Of the rounds half bring the upper hand: 25 and 52.5 for who cooperates with a defector and for the latter."""
    players = [lambda world, slots, name=name: Splitter(name) for name in ("cooperate", "defect")]
    games = payoffs(envsuite.card("TrustSplit"), players, 200, rounds=10)
    spread = games.std(axis=0, ddof=1) / np.sqrt(len(games))
    expected = np.array([[50.0, 25.0], [52.5, 27.5]])
    assert (np.abs(cross_play(games) - expected) <= 4 * spread + 1e-9).all()


def test_refusals():
    card = envsuite.card("IteratedPrisoners")
    with pytest.raises(ValueError, match="games is 3, expected an even number"):
        payoffs(card, [], 3)
    with pytest.raises(ValueError, match="MOSurround-v0 has 4 agents and 2 objectives, expected 2 agents"):
        payoffs(envsuite.card("MOSurround"), [lambda world, slots: companion(world, Players).expert()], 2)
