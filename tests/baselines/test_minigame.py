"""Games of commitments against tables that are known."""

import dataclasses

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from minigame import mixture_of, solve  # noqa: E402
from players import Player, player  # noqa: E402
from selfplay import SelfPlay, SelfPlayConfig  # noqa: E402

import envsuite  # noqa: E402

from .worlds import Throw, small  # noqa: E402


def test_the_matrix_is_the_games():
    game = solve(envsuite.card(small("Throw")), 1, range(2000))
    np.testing.assert_allclose(game.payoff / 2, Throw.payoff, atol=0.05)  # the lead is twice the reward
    assert game.equilibrium == pytest.approx([2 / 7, 4 / 7, 1 / 7], abs=0.06)
    assert game.exploitability(game.equilibrium) == pytest.approx(0.0, abs=0.1)
    assert game.exploitability(np.array([0.0, 0.0, 1.0])) == pytest.approx(1.6, abs=0.1)


def test_repeated_dilemma():
    """Defection for four rounds gains 5 - 0 a round on cooperation."""
    game = solve(envsuite.card("IteratedPrisoners"), 4)
    assert game.payoff.tolist() == [[0.0, -20.0], [20.0, 0.0]]
    assert game.equilibrium == pytest.approx([0.0, 1.0])


@pytest.mark.slow  # it compiles the fights for choices of one number
def test_fights_are_symmetric_and_a_networks_mixture_is_its_own():
    options = {"actions": "macro24", "characters": ("arden", "arden"), "frame_skip": 8, "reward": "hp"}
    card = envsuite.card("DuelVersus")
    card = dataclasses.replace(card, options={**card.options, **options, "start_gap": 60, "swap_sides": False})
    game = solve(card, 6)
    assert game.payoff.shape == (24, 24)
    np.testing.assert_array_equal(game.payoff, -game.payoff.T)
    assert game.payoff.any()
    assert game.value == pytest.approx(0.0, abs=1e-9)
    assert game.exploitability(game.equilibrium) == pytest.approx(0.0, abs=1e-6)
    idle = np.eye(24)[game.names.index("idle")]
    assert game.exploitability(idle) == pytest.approx(game.payoff[:, game.names.index("idle")].max())
    trainer = SelfPlay(SelfPlayConfig(env_id="DuelVersus", num_envs=2, hidden=(8,), game=options, threads=1))
    even = mixture_of(Player("", [(None, 1.0)], [trainer.policy()]), game)
    assert even == pytest.approx(np.full(24, 1 / 24), abs=0.01)
    with pytest.raises(ValueError, match="'level:3' is no network"):
        mixture_of(player("level:3"), game)


@pytest.mark.slow  # likewise
@pytest.mark.parametrize(
    ("gap", "support"),
    [(40, ["crouch_block", "low_jab"]), (60, ["back", "stand_block", "crouch_block", "dash_back", "poke"])],
)
def test_the_first_exchange_of_the_first_hit(gap, support):
    """One blow decides: within reach a guard falls to a throw, a throw to a jab, and a jab meets the guard."""
    card = envsuite.card("DuelFirstHitVersus")
    options = {"characters": ("arden", "arden"), "rounds": 1, "swap_sides": False, "start_gap": gap}
    options |= {"actions": "macro24", "frame_skip": 8}
    game = solve(dataclasses.replace(card, options={**card.options, **options}), 6)
    assert set(np.unique(game.payoff)) == {-2.0, 0.0, 2.0}, "a lead of two rewards, or nobody was hit"
    np.testing.assert_array_equal(game.payoff, -game.payoff.T)
    at = game.names.index
    assert game.payoff[at("throw"), at("crouch_block")] == (2 if gap == 40 else 0), "out of reach"
    assert game.payoff[at("low_jab"), at("throw")] == (2 if gap == 40 else 0)
    assert game.payoff[at("low_jab"), at("crouch_block")] == 0
    assert game.payoff[at("sweep"), at("stand_block")] == (2 if gap == 40 else 0), "lows go under a standing guard"
    assert [game.names[k] for k in np.flatnonzero(game.equilibrium > 1e-3)] == support
    assert (game.payoff @ game.equilibrium).max() == pytest.approx(0.0, abs=1e-6), "nobody gains"


def test_other_games_are_refused():
    with pytest.raises(ValueError, match="expected 2 with one choice each"):
        solve(envsuite.card("DuelVersus"), 3)
    with pytest.raises(ValueError, match="steps is 0"):
        solve(envsuite.card("IteratedPrisoners"), 0)
