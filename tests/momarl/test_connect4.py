"""Connect four: numbers of games, a game played by hand, wins in every direction."""

import numpy as np
import pettingzoo
import pytest

import envsuite  # noqa: F401  (registers the ids)
from envsuite.core.companions import Words, companion
from envsuite.core.language import Refusal
from envsuite.momarl.connect4.world import Connect4World

from ..batches import begun, played
from .common import legal_paths


def test_numbers_of_paths():
    assert legal_paths(Connect4World(), 6) == [7, 49, 343, 2401, 16807, 117649]


def test_a_game_played_by_hand():
    batch = begun(Connect4World())
    output = played(batch, *[(column, column) for column in (0, 1, 0, 1, 0, 1, 0)])
    expected = np.array([1, 1 - 7 / 42, 1, -1, 0, 0, 0, 0, 0], np.float32)
    np.testing.assert_array_equal(output.rewards[0], [expected, -expected])
    assert output.terminated.all()


@pytest.mark.parametrize(
    "moves", [(0, 0, 1, 1, 2, 2, 3), (0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3), (6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3)]
)
def test_four_in_a_row(moves):
    batch = begun(Connect4World(column_objectives=False))
    for k, move in enumerate(moves):
        output = played(batch, (move, move))
        assert output.terminated.all() == (k == len(moves) - 1)
    np.testing.assert_allclose(output.rewards[0, :, 0], (1, -1))


def test_a_full_board_is_a_draw():
    """Columns filled in an order without four in a row."""
    batch = begun(Connect4World(width=4, height=4))
    order = [0, 1, 0, 1, 1, 0, 1, 0, 2, 3, 2, 3, 3, 2, 3, 2]
    output = played(batch, *[(move, move) for move in order])
    assert output.terminated.all()
    np.testing.assert_array_equal(output.rewards[0, :, :2], np.zeros((2, 2)))


def test_a_full_column_loses_and_masks_say_so():
    batch = begun(Connect4World())
    output = played(batch, *[(0, 0)] * 6)
    np.testing.assert_array_equal(output.info["action_mask"][0], [[0, 1, 1, 1, 1, 1, 1], [0] * 7])
    assert isinstance(companion(batch.world, Words).parse("c0", batch.states[0], 0), Refusal)
    assert isinstance(companion(batch.world, Words).parse("c1", batch.states[0], 1), Refusal)
    output = played(batch, (0, 0))
    np.testing.assert_array_equal(output.rewards[0, :, 0], (-1, 1))


@pytest.mark.parametrize(("width", "height"), [(4, 6), (9, 5)])
def test_other_boards_are_seen_from_both_sides(width, height):
    batch = begun(Connect4World(width=width, height=height))
    output = played(batch, (1, 0), (0, 2))
    cells = width * height
    own, other = (output.observations[0, 0, k * cells : (k + 1) * cells].reshape(height, width) for k in range(2))
    assert own[height - 1, 1] == other[height - 1, 2] == 1
    assert own.sum() == other.sum() == 1
    np.testing.assert_array_equal(output.observations[0, 1, :cells], other.reshape(-1))


def test_the_aec_view_takes_turns():
    env = pettingzoo.make("aec", "envsuite/MOConnect4-v0")
    env.reset(seed=0)
    order, totals = [], {agent: np.zeros(9) for agent in env.possible_agents}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        order.append(agent)
        env.step(None if terminated or truncated else [0, 1][agent == "player_1"])
    assert order[:7] == ["player_0", "player_1"] * 3 + ["player_0"]
    np.testing.assert_allclose(totals["player_0"], [1, 1 - 7 / 42, 1, -1, 0, 0, 0, 0, 0], rtol=1e-6)
    np.testing.assert_array_equal(totals["player_0"], -totals["player_1"])
