"""Episodes by protocol: right counts, right seeds, whatever the batch."""

import numpy as np
import pytest

import envsuite
from envsuite.agents.random import RandomPolicy
from envsuite.core.world import make_world
from envsuite.evaluation import rollout
from envsuite.evaluation.rollout import EVALUATION_SEED, play, random_policy

CARD = envsuite.card("QuadHover")


def test_every_seed_is_played_once_and_results_do_not_depend_on_the_batch(monkeypatch):
    whole = play(CARD, random_policy, 20)
    np.testing.assert_array_equal(whole.seeds, np.arange(20) + EVALUATION_SEED)
    monkeypatch.setattr(rollout, "_SLOTS", 7)
    parts = play(CARD, random_policy, 20, num_threads=2)
    np.testing.assert_array_equal(whole.returns, parts.returns)
    np.testing.assert_array_equal(whole.lengths, parts.lengths)
    np.testing.assert_array_equal(whole.metrics["distance"], parts.metrics["distance"])


def test_an_episode_equals_one_played_by_hand():
    import gymnasium

    whole = play(CARD, random_policy, 3, first_seed=50)
    for k in range(3):
        env = gymnasium.make(CARD.id)
        observation, _ = env.reset(seed=50 + k)
        world = make_world(CARD.world, **CARD.options)
        policy = RandomPolicy(world.action, (1,))
        policy.reset(np.ones(1, bool), np.array([50 + k]))
        total, steps, over = 0.0, 0, False
        while not over:
            action = policy.act(observation[np.newaxis], None)[0]
            observation, reward, terminated, truncated, info = env.step(action)
            total, steps, over = total + reward, steps + 1, terminated or truncated
        assert steps == whole.lengths[k]
        assert total == pytest.approx(whole.returns[k], rel=1e-6)
        assert terminated == whole.terminated[k]
        assert info["distance"] == whole.metrics["distance"][k]


def test_actions_are_checked_as_in_the_environment():
    class Wild:
        def reset(self, mask, seeds):
            pass

        def act(self, observations, states):
            return np.full((len(states), 4), self.value)

    wild, tame = Wild(), Wild()
    wild.value, tame.value = 7.0, 1.0
    results = [play(CARD, lambda world, slots, policy=policy: policy, 3).returns for policy in (wild, tame)]
    np.testing.assert_array_equal(*results)
    wild.value = np.nan
    with pytest.raises(ValueError, match="nan"):
        play(CARD, lambda world, slots: wild, 3)


def test_standard_error_is_of_the_mean():
    episodes = play(CARD, random_policy, 50)
    score = episodes.score("random")
    assert score.standard_error == pytest.approx(np.std(episodes.returns, ddof=1) / np.sqrt(50))
    assert (score.episodes, score.policy) == (50, "random")


def test_no_episodes_are_refused():
    with pytest.raises(ValueError, match="episodes is 0"):
        play(CARD, random_policy, 0)
