"""Rules of Meta-World's tasks as one world."""

import numpy as np
import pytest

from envsuite.core.companions import Controls, Words, companion
from envsuite.manipulation.meta.state import GOAL, SIGHT
from envsuite.manipulation.meta.tasks import NAMES
from envsuite.manipulation.meta.world import MetaWorld
from tests.manipulation.play import HORIZON, begun, moved, played


def test_an_observation_holds_the_step_before_it():
    batch = begun("push", 3)
    first = batch.last.observations.copy()
    assert first.shape == (3, 39)
    np.testing.assert_array_equal(first[:, :SIGHT], first[:, SIGHT : 2 * SIGHT])
    second = moved(batch, (1, 0, 0, 0), 1).copy()
    np.testing.assert_array_equal(second[:, SIGHT : 2 * SIGHT], first[:, :SIGHT])
    third = moved(batch, (1, 0, 0, 0), 1)
    np.testing.assert_array_equal(third[:, SIGHT : 2 * SIGHT], second[:, :SIGHT])
    np.testing.assert_array_equal(third[:, GOAL], batch.states["look"]["goal"])


def test_a_goal_can_be_hidden_without_changing_anything_else():
    shown, hidden = begun("push", 4), begun("push", 4, goal_observable=False)
    np.testing.assert_array_equal(hidden.last.observations[:, GOAL], 0.0)
    np.testing.assert_array_equal(hidden.last.observations[:, : 2 * SIGHT], shown.last.observations[:, : 2 * SIGHT])
    np.testing.assert_array_equal(hidden.states["look"]["goal"], shown.states["look"]["goal"])


def test_success_is_told_at_once_and_for_the_episode():
    batch = played("reach", 5, 100)
    assert batch.last.info["success"].all()
    moved(batch, (-1, -1, 1, 0), 60)
    assert not batch.last.info["success"].any()
    assert batch.last.info["success_once"].all()


def test_only_the_horizon_ends_an_episode():
    batch = played("reach", 2, HORIZON - 1)
    assert not (batch.last.terminated | batch.last.truncated).any()
    moved(batch, 0.0, 1)
    assert batch.last.truncated.all()
    assert not batch.last.terminated.any()


@pytest.mark.parametrize("task", NAMES)
def test_rewards_are_finite_and_contacts_find_room(task):
    """Rewards are those of the original's scale, finite, and contacts find room."""
    batch = played(task, 2, 60)
    assert np.isfinite(batch.last.observations).all()
    assert ((batch.last.rewards >= 0) & (batch.last.rewards <= 10)).all()
    assert (batch.last.info["overflow"] == 0).all()


def test_tasks_share_machine_code():
    assert len({id(MetaWorld(task=task).loops) for task in NAMES}) == 1
    assert len({MetaWorld(task=task).state_dtype for task in NAMES}) == 1
    assert len({MetaWorld(task=task).params.dtype for task in NAMES}) == 1


@pytest.mark.parametrize("task", ["hammer", "coffee-pull", "reach"])
def test_words_name_what_is_there(task):
    batch = begun(task)
    text = companion(batch.world, Words).describe(batch.states[0])
    noun = {"hammer": "nail", "coffee-pull": "mug", "reach": "puck"}[task]
    assert f"{noun} is at" in text or f"the {noun} at" in text
    assert "Answer with 4 numbers" in text
    hidden = begun(task, goal_observable=False)
    assert "You are not told where the goal is." in companion(hidden.world, Words).describe(hidden.states[0])


def test_keys_move_the_hand_and_close_its_fingers():
    keys = companion(MetaWorld(), Controls).keys()
    np.testing.assert_array_equal(keys["right",], (1, 0, 0, -1))
    np.testing.assert_array_equal(keys["right", "w", "c"], (1, 0, 1, 1))
    assert all(np.all(abs(action) <= 1) for action in keys.values())
