"""Wrappers for rewards of several objectives."""

import gymnasium
import numpy as np
import pytest

import envsuite
from envsuite.core.companions import Players, companion
from envsuite.core.objectives import Centralised, EpisodeStatistics, NormalizeRewards, RewardScale, linear
from envsuite.core.parallel import WorldParallelEnv

from .worlds import CountWorld

ACTIONS = {"agent_0": np.array([2.0], np.float32), "agent_1": np.array([3.0], np.float32)}


def counter(base=4):
    return WorldParallelEnv(CountWorld(base=base, two=True))


def test_weighs_objectives_by_agent():
    env = linear(counter(), {"agent_0": (1.0, 10.0)})
    env.reset(seed=0)
    rewards = env.step(ACTIONS)[1]
    assert rewards["agent_0"] == 12.0
    np.testing.assert_array_equal(rewards["agent_1"], (3.0, 1.0))


@pytest.mark.parametrize("weights", [{"nobody": (1, 1)}, (1.0,), (1.0, np.nan)])
def test_refuses_weights(weights):
    with pytest.raises(ValueError, match="weights"):
        linear(counter(), weights)


def test_weighs_objectives_in_the_aec_api():
    env = linear(envsuite.aec_env("MOConnect4"), (1.0, *[0.0] * 8))
    env.reset(seed=0)
    last = {}
    for agent in env.agent_iter():
        _, last[agent], terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else int(agent == "player_1"))
    assert last == {"player_0": 1.0, "player_1": -1.0}


def test_scales_by_the_spread_of_discounted_returns():
    """Against the definition, with returns that begin anew where episodes end."""
    random = np.random.default_rng(0)
    rewards, ended = random.normal(2, 3, (50, 4, 2, 3)), random.random((50, 4, 2)) < 0.1
    scale, returns, seen = RewardScale((4, 2, 3), gamma=0.9), np.zeros((4, 2, 3)), []
    for step in range(50):
        returns = 0.9 * returns + rewards[step]
        seen.append(returns.copy())
        expected = rewards[step] / np.sqrt(np.concatenate(seen).var(axis=0) + 1e-8)
        np.testing.assert_allclose(scale(rewards[step], ended[step]), expected, rtol=1e-5)
        returns[ended[step]] = 0


def test_scales_in_the_parallel_api():
    env, scale = NormalizeRewards(counter(8)), RewardScale((1, 2, 2))
    env.reset(seed=0)
    for _ in range(4):
        rewards = env.step(ACTIONS)[1]
        expected = scale(np.array([[[2.0, 1.0], [3.0, 1.0]]]), np.zeros((1, 2), bool))[0]
        np.testing.assert_array_equal([rewards["agent_0"], rewards["agent_1"]], expected)


def test_counts_each_agents_episode_and_begins_anew():
    env = EpisodeStatistics(counter(), gamma=0.5)
    for _ in range(2):
        env.reset(seed=0)
        found = {}
        while env.agents:
            infos = env.step({agent: ACTIONS[agent] for agent in env.agents})[4]
            found |= {agent: info["episode"] for agent, info in infos.items() if "episode" in info}
        assert found["agent_0"]["l"] == found["agent_1"]["l"] + 2
        for agent, reward in (("agent_0", (2, 1)), ("agent_1", (3, 1))):
            steps = found[agent]["l"]
            np.testing.assert_allclose(found[agent]["r"], np.multiply(reward, steps))
            np.testing.assert_allclose(found[agent]["dr"], np.multiply(reward, 2 - 0.5 ** (steps - 1)))


@pytest.mark.parametrize("reward", ["sum", "mean"])
def test_one_agent_acts_for_all(reward):
    joint = gymnasium.make("envsuite/MOItemGathering-v0")
    env = Centralised(joint, reward, one_choice=True)
    assert env.action_space == gymnasium.spaces.Discrete(25)
    env.reset(seed=0)
    plan = [
        int(np.ravel_multi_index(pair, (5, 5))) for pair in companion(joint.unwrapped.world, Players).expert()._plan
    ]
    total = sum(env.step(action)[1] for action in plan)
    np.testing.assert_allclose(total, np.array([3, 3, 2]) * (1.0 if reward == "sum" else 0.5))
    assert env.unwrapped.reward_space.shape == (3,)
    assert env.unwrapped.reward_space.high.max() == (2.0 if reward == "sum" else 1.0)


def test_refuses_too_many_joint_actions():
    with pytest.raises(ValueError, match="one index"):
        Centralised(gymnasium.make("envsuite/MOBeach50-v0"), one_choice=True)
