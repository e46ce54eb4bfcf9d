"""RLlib's own runners on our environments, and mistakes."""

import pytest

pytest.importorskip("ray.rllib", exc_type=ImportError)

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner

from envsuite.adapters.rllib import MultiAgentWorldEnv, register
from envsuite.core.vector import WorldVectorEnv

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # a heavy package, which warns


def test_a_single_agent_is_stepped_in_one_batch():
    config = PPOConfig().environment(register("QuadHover"), env_config={"max_episode_steps": 45})
    config.env_runners(num_envs_per_env_runner=8, gym_env_vectorize_mode="vector_entry_point")
    runner = SingleAgentEnvRunner(config=config)
    assert isinstance(runner.env.unwrapped, WorldVectorEnv)
    episodes = runner.sample(num_episodes=12, random_actions=True)
    assert len(episodes) >= 12
    assert all(0 < len(one) <= 45 for one in episodes)
    assert any(one.is_terminated for one in episodes)
    assert any(one.is_truncated for one in episodes)


def test_agents_that_have_ended_are_asked_no_more():
    config = PPOConfig().environment(register("QuadMultiHover"))
    config.multi_agent(policies={"pilot"}, policy_mapping_fn=lambda agent, episode, **_: "pilot")
    config.env_runners(num_envs_per_env_runner=2)
    runner = MultiAgentEnvRunner(config=config)
    episodes = runner.sample(num_episodes=6, random_actions=True)
    lengths = [[len(one) for one in episode.agent_episodes.values()] for episode in episodes]
    assert all(len(one) == 2 for one in lengths)
    assert any(first != second for first, second in lengths)


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="has 9 objectives, expected a scalar reward"):
        register("MOConnect4")
    with pytest.raises(ValueError, match="has a single agent"):
        MultiAgentWorldEnv("QuadHover")
