"""The three rewards of Meta-World's tasks."""

import numpy as np
import pytest

from envsuite.core.companions import Players, companion
from envsuite.manipulation.meta.early import EARLY
from envsuite.manipulation.meta.params import REWARDS
from envsuite.manipulation.meta.tasks import NAMES
from envsuite.manipulation.meta.world import MetaWorld
from tests.manipulation.play import begun


def _bells(d):
    return 1000 * (np.exp(-(d**2) / 0.01) + np.exp(-(d**2) / 0.001))


def _apart(a, b):
    return np.linalg.norm(a - b, axis=-1)


def _steps(task, count, reward, steps):
    """Batches after each step of the player."""
    batch = begun(task, count, reward=reward)
    player = companion(batch.world, Players).collector("original")
    for _ in range(steps):
        batch.step(player.act(batch.last.observations, batch.states))
        yield batch


def test_first_reward_of_reach():
    way = None
    for batch in _steps("reach", 3, "v1", 80):
        look = batch.states["look"]
        way = _apart(look["tcp0"], look["goal"]) if way is None else way
        d = _apart(look["tcp"], look["goal"])
        np.testing.assert_allclose(batch.last.rewards, np.maximum(1000 * (way - d) + _bells(d), 0), rtol=1e-9)
    assert (batch.last.rewards > 1000).all()


def test_first_reward_of_push():
    for batch in _steps("push", 3, "v1", 120):
        look = batch.states["look"]
        there, d = _apart(look["obj"], look["tcp"]), _apart(look["obj"][:, :2], look["goal"][:, :2])
        way = _apart(look["obj0"][:, :2], look["goal"][:, :2])
        pushed = np.where(there < 0.05, np.maximum(1000 * (way - d) + _bells(d), 0), 0)
        np.testing.assert_allclose(batch.last.rewards, pushed - there, rtol=1e-9)
    assert (batch.last.rewards > 1500).all()


def test_first_reward_of_pick_place():
    lifted = 0
    for batch in _steps("pick-place", 3, "v1", 120):
        look = batch.states["look"]
        o, there, aside = look["obj"], _apart(look["obj"], look["tcp"]), _apart(look["obj"][:, :2], look["tcp"][:, :2])
        up = -aside - 2 * abs(look["tcp"][:, 2] - look["tcp0"][:, 2])
        reach = np.where(there < 0.05, np.maximum(look["grip"], 0) / 50 - there, np.where(aside < 0.05, -there, up))
        raised = o[:, 2] >= 0.05
        part = np.where((there < 0.1) & (o[:, 2] > 0.025), 100 * np.minimum(0.06, o[:, 2]), 0)
        d, start = _apart(o, look["goal"]), look["obj0"] * (1, 1, 0) + (0, 0, 0.06)
        way = _apart(start, look["goal"]) + 0.06
        place = np.where(raised & (there < 0.1), np.maximum(1000 * (way - d) + _bells(d), 0), 0)
        np.testing.assert_allclose(batch.last.rewards, reach + np.where(raised, 6.0, part) + place, rtol=1e-9)
        lifted += raised.sum()
    assert lifted > 100


def test_first_reward_of_a_handle_looks_at_the_left_finger():
    for batch in _steps("handle-press", 3, "v1", 60):
        look = batch.states["look"]  # "left" is the tip of the left finger here
        np.testing.assert_allclose(look["left"][:, [0, 2]], look["tcp"][:, [0, 2]], atol=0.02)
        assert (look["left"][:, 1] != look["tcp"][:, 1]).all()
        there, d = _apart(look["obj"], look["left"]), abs(look["obj"][:, 2] - look["goal"][:, 2])
        pressed = np.where(there < 0.05, np.maximum(1000 * (0.096 - d) + _bells(d), 0), 0)
        np.testing.assert_allclose(batch.last.rewards, pressed - there, rtol=1e-5)


@pytest.mark.parametrize("task", ["pick-place", "bin-picking", "peg-insert-side", "button-press", "stick-push"])
def test_rewards_change_nothing_else(task):
    """The same episodes and the same success; sparse is success."""
    for first, second, third in zip(*(_steps(task, 3, reward, 120) for reward in REWARDS), strict=True):
        for other in (second, third):
            np.testing.assert_array_equal(other.last.observations, first.last.observations)
            for name in first.last.info.dtype.names:
                np.testing.assert_array_equal(other.last.info[name], first.last.info[name])
        np.testing.assert_array_equal(third.last.rewards, third.last.info["success"].astype(float))
    assert not np.array_equal(first.last.rewards, second.last.rewards)


@pytest.mark.parametrize("task", NAMES)
def test_first_rewards_are_finite(task):
    rewards = [batch.last.rewards.copy() for batch in _steps(task, 2, "v1", 60)]
    assert np.isfinite(rewards).all()
    assert (abs(np.array(rewards)) < 10_000).all()


def test_every_task_has_a_first_reward():
    assert tuple(EARLY) == NAMES


@pytest.mark.parametrize("name", ["v3", "V1", 2, None, True])
def test_wrong_rewards_are_refused(name):
    with pytest.raises(ValueError, match=f"reward is {name!r}, expected one of 'v2', 'v1', 'sparse'"):
        MetaWorld(reward=name)
