"""Random actions for a long time: nothing breaks, and returns are those of Gymnasium's environments."""

import numpy as np
import pytest

from envsuite.core.vector import WorldVectorEnv
from tests.locomotion.test_gymnasium import TASKS

INSTANCES = 1024

# Mean return of uniformly random actions and its standard error, measured with Gymnasium 1.4 on MuJoCo 3.3.7, over 10
# to 60 episodes; HalfCheetah's over 500.
RETURNS = {
    "InvertedPendulum-v5": (5.0, 0.5),
    "InvertedDoublePendulum-v5": (51.7, 2.7),
    "Reacher-v5": (-43.2, 0.5),
    "Swimmer-v5": (4.4, 4.5),
    "Hopper-v5": (16.0, 1.8),
    "HalfCheetah-v5": (-283.3, 3.7),
    "Walker2d-v5": (1.8, 0.8),
    "Ant-v5": (-40.5, 17.0),
    "Humanoid-v5": (113.0, 4.0),
}


def actions(env: WorldVectorEnv, rng: np.random.Generator) -> np.ndarray:
    space = env.single_action_space
    return rng.uniform(space.low, space.high, (env.num_envs, *space.shape)).astype(np.float32)


def play(task: str, steps: int) -> float:
    """Play this many steps in all; returns the greatest speed."""
    env, rng, fastest = WorldVectorEnv(TASKS[task], INSTANCES, max_episode_steps=1000), np.random.default_rng(0), 0.0
    env.reset(seed=0)
    for _ in range(-(-steps // INSTANCES)):
        seen, rewards, *_ = env.step(actions(env, rng))
        body = env.get_state().states["body"]
        assert np.isfinite(seen).all()
        assert np.isfinite(rewards).all()
        assert np.isfinite(body["qpos"]).all()
        assert not body["overflow"].any()
        fastest = max(fastest, float(np.abs(body["qvel"]).max()))
    env.close()
    return fastest


@pytest.mark.parametrize("task", TASKS)
def test_random_actions_break_nothing(task):
    assert play(task, 50_000) < 1e3


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_a_million_random_actions_break_nothing(task):
    assert play(task, 1_000_000) < 1e3


@pytest.mark.parametrize("task", RETURNS)
def test_random_actions_return_what_they_do_in_gymnasium(task):
    mean, error = RETURNS[task]
    length = 50 if task == "Reacher-v5" else 1000
    env, rng = WorldVectorEnv(TASKS[task], 100, max_episode_steps=length), np.random.default_rng(1)
    env.reset(seed=1)
    returns, running = np.zeros(100), np.ones(100, bool)
    while running.any():
        _, rewards, over, cut, _ = env.step(actions(env, rng))
        returns += np.where(running, rewards, 0)
        running &= ~(over | cut)
    env.close()
    own = returns.std(ddof=1) / 10
    assert abs(returns.mean() - mean) < 3 * np.hypot(error, own)
