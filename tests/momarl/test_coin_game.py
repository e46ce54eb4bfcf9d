"""The coin game: payoffs, the torus, where coins fall, and the dilemma."""

import numpy as np
import pytest

from envsuite.momarl.coin_game.experts import Collector
from envsuite.momarl.coin_game.world import CoinGameWorld

from ..batches import begun, played

UP, DOWN, LEFT, RIGHT = range(4)


def placed(red, blue, coin, owner):
    batch = begun(CoinGameWorld())
    state = batch.states[0]
    state["place"], state["coin"], state["owner"] = [red, blue], coin, owner
    return batch, state


@pytest.mark.parametrize(
    ("moves", "rewards", "taken"),
    [
        ((RIGHT, UP), (1, 0), [[1, 0], [0, 0]]),  # red takes its own
        ((UP, LEFT), (-2, 1), [[0, 0], [0, 1]]),  # blue takes red's
        ((RIGHT, LEFT), (-1, 1), [[1, 0], [0, 1]]),  # both at once
        ((LEFT, RIGHT), (0, 0), [[0, 0], [0, 0]]),
    ],
)
def test_payoffs(moves, rewards, taken):
    batch, state = placed((1, 0), (1, 2), (1, 1), 0)
    output = played(batch, moves)
    np.testing.assert_array_equal(output.rewards[0], rewards)
    np.testing.assert_array_equal(state["taken"], taken)
    if any(rewards):
        assert state["owner"] == 1
        assert not (state["place"] == state["coin"]).all(axis=1).any()
    else:
        np.testing.assert_array_equal(state["coin"], (1, 1))


def test_edges_are_joined():
    batch, state = placed((0, 0), (2, 2), (1, 1), 0)
    played(batch, (UP, DOWN))
    np.testing.assert_array_equal(state["place"], [(2, 0), (0, 2)])
    played(batch, (LEFT, RIGHT))
    np.testing.assert_array_equal(state["place"], [(2, 2), (0, 0)])


def test_coins_fall_on_every_free_cell_alike():
    """Seven free cells, or eight where both stand on one; a chi-square test."""
    batch = begun(CoinGameWorld(), slots=4000)
    batch.states["place"], batch.states["coin"] = [(0, 0), (0, 2)], (0, 1)
    played(batch, (RIGHT, LEFT))
    cells = 3 * batch.states["coin"][:, 0].astype(int) + batch.states["coin"][:, 1]
    counts = np.bincount(cells, minlength=9)
    assert counts[1] == 0
    assert ((counts[np.arange(9) != 1] - 500) ** 2 / 500).sum() < 24.3  # 7 degrees of freedom, 0.1 %


def total(first, second, slots=2000):
    batch = begun(CoinGameWorld(), slots=slots)
    policy, rewards = Collector(first, second), np.zeros((slots, 2))
    output = batch.last
    for _ in range(50):
        output = batch.step(policy.act(output.observations, batch.states))
        rewards += output.rewards
    assert output.terminated.all()
    return rewards.mean(axis=0)


def test_it_is_a_dilemma():
    """Taking all is better against either, and both taking all worse than both keeping to their own."""
    kind, mixed, greedy = total("cooperate", "cooperate"), total("cooperate", "defect"), total("defect", "defect")
    assert mixed[1] > kind[1] + 5
    assert greedy[0] > mixed[0] + 5
    assert kind.min() > 5 + greedy.max()
    assert greedy == pytest.approx([0, 0], abs=0.3)  # by symmetry: each coin brings 1 in all, or costs it


def test_cooperators_take_no_coin_of_the_other():
    batch = begun(CoinGameWorld(size=3), slots=200)
    policy, output = Collector("cooperate"), batch.last
    for _ in range(50):
        output = batch.step(policy.act(output.observations, batch.states))
    assert not batch.states["taken"][:, :, 1].any()
    assert (batch.states["taken"][:, :, 0] > 4).all()


def test_refusals():
    with pytest.raises(ValueError, match="size is 1, expected a whole number from 2 to 15"):
        CoinGameWorld(size=1)
    with pytest.raises(ValueError, match="strategy is 'kind', expected one of 'cooperate', 'defect'"):
        Collector("kind")
