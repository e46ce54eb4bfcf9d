"""Gymnasium's own wrappers and trainers' habits work on top."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_match import check_environments_match
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as wrappers

import envsuite  # noqa: F401


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_episode_statistics_count_returns_and_lengths(mode):
    env = gymnasium.make_vec("envsuite/QuadHover-v0", num_envs=3, autoreset_mode=mode, max_episode_steps=7)
    env = wrappers.RecordEpisodeStatistics(env)
    env.reset(seed=0)
    totals = np.zeros(3)
    for _ in range(7):
        _, rewards, _, truncated, infos = env.step(np.full((3, 4), 0.334, np.float32))
        totals += rewards
    assert truncated.all()
    np.testing.assert_allclose(infos["episode"]["r"], totals, rtol=1e-6)
    np.testing.assert_array_equal(infos["episode"]["l"], [7, 7, 7])


def test_normalisation_wrappers():
    env = gymnasium.make_vec("envsuite/QuadHover-v0", num_envs=4)
    env = wrappers.NormalizeReward(wrappers.NormalizeObservation(env))
    observations, _ = env.reset(seed=0)
    for _ in range(20):
        observations, rewards, *_ = env.step(env.action_space.sample())
    assert np.isfinite(observations).all()
    assert np.isfinite(rewards).all()


def test_native_and_synchronous_vectors_match():
    native = gymnasium.make_vec("envsuite/QuadHoverGPD-v0", num_envs=3)
    loop = gymnasium.make_vec("envsuite/QuadHoverGPD-v0", num_envs=3, vectorization_mode="sync")
    assert native.observation_space == loop.observation_space
    assert native.action_space == loop.action_space
    np.testing.assert_array_equal(native.reset(seed=4)[0], loop.reset(seed=4)[0])
    native.action_space.seed(0)
    for _ in range(60):
        action = native.action_space.sample()
        for mine, theirs in zip(native.step(action)[:4], loop.step(action)[:4], strict=True):
            np.testing.assert_array_equal(mine, theirs)


def test_two_instances_match_by_gymnasiums_own_comparison():
    envs = [gymnasium.make("envsuite/QuadHover-v0") for _ in range(2)]
    check_environments_match(*envs, num_steps=300, seed=1)


def test_recording_wrapper(tmp_path):
    env = gymnasium.make("envsuite/QuadHover-v0", render_mode="rgb_array")
    env = gymnasium.wrappers.RenderCollection(env)
    env.reset(seed=0)
    for _ in range(3):
        env.step(env.action_space.sample())
    assert len(env.render()) == 4
