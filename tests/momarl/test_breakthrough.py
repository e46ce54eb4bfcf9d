"""Breakthrough: numbers of games, captures to both sides, ends."""

import numpy as np
import pytest

from envsuite.core.companions import Words, companion
from envsuite.core.language import Refusal
from envsuite.momarl.breakthrough.world import BreakthroughWorld

from ..batches import begun, played
from .common import legal_paths


def moves(world, *names):
    """Actions by their names, for both players."""
    return [(world.action.names.index(name),) * 2 for name in names]


def test_numbers_of_paths():
    assert legal_paths(BreakthroughWorld(), 3) == [22, 484, 11132]


@pytest.mark.parametrize(("way", "target"), [("l", "a4"), ("r", "c4")])
def test_captures_to_both_sides(way, target):
    """The first player's pawn on b3 takes one on a4 or c4, which came down from row 7 (6 steps of y)."""
    world = BreakthroughWorld(width=3, height=6)
    batch = begun(world)
    column = target[0]
    played(batch, *moves(world, "b2s", f"{column}5s"))
    before = companion(world, Words).describe(batch.states[0])
    output = played(batch, *moves(world, f"b3{way}"))
    np.testing.assert_allclose(output.rewards[0], [[0, 0, 1 / 6, 0], [0, 0, 0, -1 / 6]], rtol=1e-6)
    assert before != companion(world, Words).describe(batch.states[0])
    np.testing.assert_array_equal(batch.states[0]["pieces"], [6, 5])


def test_own_pawns_cannot_be_taken_nor_pawns_ahead():
    world = BreakthroughWorld(width=3, height=6)
    batch = begun(world)
    played(batch, *moves(world, "b2s", "b5s"))
    state = batch.states[0]
    for name in ("b3s", "b1l", "b1r", "a1s", "a5s"):
        assert isinstance(companion(world, Words).parse(name, state, 0), Refusal), name
    output = played(batch, *moves(world, "b1l"))
    np.testing.assert_array_equal(output.rewards[0, :, 0], (-1, 1))


def test_reaching_the_far_row_wins():
    world = BreakthroughWorld(width=3, height=5)
    batch = begun(world)
    output = played(batch, *moves(world, "a2s", "c4s", "a3r"))  # takes on b4
    assert not output.terminated.any()
    output = played(batch, *moves(world, "c3l", "b4l"))
    assert output.terminated.all()
    longest = 4 * 3 * 2 + 1
    np.testing.assert_allclose(output.rewards[0, :, :2], [[1, 1 - 5 / longest], [-1, -1 + 5 / longest]], rtol=1e-6)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_fewer_objectives_are_the_first_of_four(count):
    batch = begun(BreakthroughWorld(width=3, height=5, num_objectives=count))
    assert played(batch, *moves(batch.world, "a2s", "c4s", "a3r")).rewards.shape == (1, 2, count)
