"""The `VecEnv` beside Stable-Baselines3's own over single environments."""

import gymnasium
import numpy as np
import pytest

sb3 = pytest.importorskip("stable_baselines3")

from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor  # noqa: E402

from envsuite.adapters.sb3 import SB3VecEnv  # noqa: E402
from tests.baselines.worlds import small  # noqa: E402


@pytest.mark.parametrize("name", ["Pole", "Pendulum", "Locks"])
def test_equals_a_vector_of_single_environments(name):
    env_id = small(name, 12)
    ours, theirs = SB3VecEnv(env_id, 3), DummyVecEnv([lambda: gymnasium.make(env_id)] * 3)
    for env in (ours, theirs):
        env.seed(5)
    np.testing.assert_array_equal(ours.reset(), theirs.reset())
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    ours.action_space.seed(0)
    ends = {True: 0, False: 0}
    for _ in range(60):
        actions = np.array([ours.action_space.sample() for _ in range(3)])
        (*found, infos), (*expected, told) = ours.step(actions), theirs.step(actions)
        for left, right in zip(found, expected, strict=True):
            np.testing.assert_array_equal(left, right)
            assert left.dtype == right.dtype
        for i in range(3):
            assert ("terminal_observation" in infos[i]) == bool(found[2][i])
            if found[2][i]:
                ends[infos[i]["TimeLimit.truncated"]] += 1
                assert infos[i]["TimeLimit.truncated"] == told[i]["TimeLimit.truncated"]
                np.testing.assert_array_equal(infos[i]["terminal_observation"], told[i]["terminal_observation"])
    assert ends[True] > 0
    assert (ends[False] > 0) == (name == "Pole")


def test_infos_masks_attributes_and_pictures():
    env = SB3VecEnv(small("Locks"), 4, infos=True)
    env.reset()
    masks = np.stack(env.env_method("action_masks"))
    assert masks.shape == (4, 5)
    np.testing.assert_array_equal(masks, env.env.batch.last.info["action_mask"])
    assert env.has_attr("action_masks")
    forbidden = np.stack([(~masks[:, :3]).argmax(1), np.zeros(4, int)], 1)
    infos = env.step(forbidden)[3]
    assert [info["illegal"] for info in infos] == [1.0] * 4
    for _ in range(7):
        infos = env.step(np.zeros((4, 2), int))[3]
    assert all(info["illegal"] >= 1.0 and "terminal_observation" in info for info in infos)
    assert env.get_attr("num_envs", [0, 1]) == [4, 4]
    assert env.env_is_wrapped(VecMonitor) == [False] * 4
    assert len(env.env_method("describe", indices=[0, 2])) == 2
    with pytest.raises(AttributeError, match="reset is not a method that speaks of one instance"):
        env.env_method("reset")
    with pytest.raises(ValueError, match="shared by all 4 instances"):
        env.set_attr("render_mode", None, [0])
    assert [frame.shape for frame in env.get_images()] == [(360, 480, 3)] * 4
    env.close()


def test_ppo_of_stable_baselines3_runs_on_it():
    env = VecMonitor(SB3VecEnv(small("Pole"), 8))
    model = sb3.PPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=2, seed=0, device="cpu")
    model.learn(512)
    assert len(model.ep_info_buffer) > 0
    assert all(0 < one["l"] == one["r"] for one in model.ep_info_buffer)


def test_seeds_are_used_once():
    env = SB3VecEnv(small("Pole"), 2)
    env.seed(3)
    first, second = env.reset(), env.reset()
    env.seed(3)
    np.testing.assert_array_equal(env.reset(), first)
    assert not np.array_equal(first, second)
