"""Several attempts at one task and goal in an episode."""

import gymnasium
import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.manipulation.suites.state import SEEN
from envsuite.manipulation.suites.world import MetaSuiteWorld

LENGTH = 7


def begun(world: MetaSuiteWorld, count: int, horizon: int = 0) -> tuple[Batch, np.ndarray]:
    """Instances at the beginning of an episode, and what they observe."""
    batch = Batch(world, count, num_threads=1, horizon=horizon)
    batch.seed(np.arange(count))
    return batch, batch.reset().observations.copy()


def test_an_attempt_goes_as_the_one_before_under_the_same_actions():
    """In all fifty tasks, to the bit: nothing is left of what was done, and nothing is drawn anew."""
    batch, first = begun(MetaSuiteWorld(suite="MT50", attempt_steps=LENGTH, history=True), 50)
    actions = np.random.default_rng(0).uniform(-1, 1, (LENGTH, 50, 4)).astype(np.float32)
    seen, paid = [], []
    for _ in range(3):
        for one in actions:
            output = batch.step(one)
            seen.append(output.observations.copy())
            paid.append(output.rewards.copy())
    np.testing.assert_array_equal(seen[LENGTH - 1][:, :SEEN], first[:, :SEEN])
    for k in range(LENGTH, 3 * LENGTH):
        np.testing.assert_array_equal(seen[k], seen[k - LENGTH])
        np.testing.assert_array_equal(paid[k], paid[k - LENGTH])


def test_the_first_attempt_is_an_episode_of_the_suite():
    trial, shown = begun(MetaSuiteWorld(suite="ML10", attempt_steps=LENGTH, history=True), 20)
    plain, seen = begun(MetaSuiteWorld(suite="ML10"), 20)
    np.testing.assert_array_equal(shown[:, :SEEN], seen)
    np.testing.assert_array_equal(shown[:, SEEN:], np.tile([0, 0, 0, 0, 0, 1], (20, 1)))
    for k, one in enumerate(np.random.default_rng(1).uniform(-1, 1, (LENGTH, 20, 4)).astype(np.float32)):
        shown, seen = trial.step(one), plain.step(one)
        np.testing.assert_array_equal(shown.rewards, seen.rewards)
        last = shown.observations[:, SEEN:]
        np.testing.assert_array_equal(last[:, :4], one)
        np.testing.assert_allclose(10 * last[:, 4], seen.rewards, rtol=1e-15)
        np.testing.assert_array_equal(last[:, 5], float(k == LENGTH - 1))
        if k < LENGTH - 1:
            np.testing.assert_array_equal(shown.observations[:, :SEEN], seen.observations)


def test_successes_are_those_of_the_attempt():
    batch, seen = begun(MetaSuiteWorld(suite="ML10", attempt_steps=500, history=True), 10)
    player = companion(batch.world, Players).expert()
    told = []
    for _ in range(1001):
        output = batch.step(player.act(seen, batch.states))
        seen = output.observations
        told.append(output.info.copy())
    attempt, once = (np.array([one[name] for one in told]) for name in ("attempt", "success_once"))
    np.testing.assert_array_equal(attempt[[0, 499, 500, 999, 1000]], np.array([1, 1, 2, 2, 3])[:, None].repeat(10, 1))
    assert once[499].mean() >= 0.9
    np.testing.assert_array_equal(once[999], once[499])
    assert not once[500].any()


def test_one_hot_stands_before_the_history():
    _, seen = begun(MetaSuiteWorld(suite="MT10", one_hot=True, history=True), 10)
    assert seen.shape == (10, SEEN + 16)
    np.testing.assert_array_equal(seen[:, SEEN : SEEN + 10], np.eye(10))


def test_a_longer_episode_has_more_attempts():
    env = gymnasium.make("envsuite/MetaML10Trials-v0", max_episode_steps=30, attempt_steps=10)
    env.reset(seed=0)
    attempts = [env.step(env.action_space.sample()) for _ in range(30)]
    assert [one[4]["attempt"] for one in attempts] == [1] * 10 + [2] * 10 + [3] * 10
    assert [one[3] for one in attempts] == [False] * 29 + [True]


@pytest.mark.parametrize(
    ("options", "message"), [({"attempt_steps": -1}, "attempt_steps"), ({"history": 2}, "history")]
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        envsuite.make("MetaML10Trials", **options)
