"""The vector that LeRobot plays, and the files of its EnvHub, read by LeRobot where it is installed."""

import importlib
import importlib.util

import numpy as np
import pytest
from click.testing import CliRunner

from envsuite.adapters.lerobot import LeRobotEnv, make_env
from envsuite.cli import main

from ..scripts import loaded


def test_files_for_the_hub_make_the_environment(tmp_path):
    arguments = ["envhub", "QuadTakeoff", "--out", str(tmp_path / "hub"), "--obs-type", "pixels_agent_pos"]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    assert sorted(path.name for path in (tmp_path / "hub").iterdir()) == ["README.md", "env.py", "requirements.txt"]
    again = CliRunner().invoke(main, arguments)
    assert again.exit_code == 1
    assert "is there already" in again.output
    module = loaded(tmp_path / "hub" / "env.py")
    env = module.make_env(n_envs=2)["quadcopters"][0]
    observations, _ = env.reset(seed=[3, 4])
    assert observations["pixels"].shape == (2, 84, 84, 3)
    assert observations["pixels"].dtype == np.uint8
    assert env.call("_max_episode_steps") == (240, 240)
    assert env.call("task") == ("envsuite/QuadTakeoff-v0",) * 2
    assert env.envs[0].render().shape == (360, 480, 3)
    while "final_info" not in (told := env.step(np.zeros((2, 4), np.float32))[4]):
        pass
    assert told["final_info"]["is_success"].dtype == bool

    class Asked:
        task = "MazePointUmaze"

    assert list(module.make_env(cfg=Asked())) == ["mazes"]
    if importlib.util.find_spec("lerobot") is None:
        return
    upstream = importlib.import_module("lerobot.envs.utils")
    theirs = upstream._normalize_hub_result(upstream._call_make_env(module, n_envs=2, use_async_envs=False, cfg=None))
    seen = upstream.preprocess_observation(theirs["quadcopters"][0].reset(seed=[3, 4])[0])
    np.testing.assert_array_equal(seen["observation.state"], observations["agent_pos"])
    assert seen["observation.image"].shape == (2, 3, 84, 84)
    upstream.check_env_attributes_and_types(theirs["quadcopters"][0])


def test_agents_are_one_robot():
    env = LeRobotEnv("QuadMultiHover", obs_type="state")
    assert env.observation_space["agent_pos"].shape == (2 * 81,)
    assert env.action_space.shape == (2 * 4,)
    env.reset(seed=0)
    _, reward, *_ = env.step(np.zeros(8, np.float32))
    assert isinstance(reward, float)


def test_success_is_told_where_it_happens():
    env = make_env("MazePointOpen")["mazes"][0]
    env.reset(seed=0)
    inner = env.envs[0]
    told = [env.step(env.action_space.sample())[4]["is_success"][0] for _ in range(20)]
    assert told[-1] == inner.env.unwrapped.batch.last.info["is_success"][0]


@pytest.mark.slow
def test_instances_may_be_processes():
    env = make_env("QuadTakeoff", 2, use_async_envs=True)["quadcopters"][0]
    seen, _ = env.reset(seed=[3, 4])
    beside, _ = make_env("QuadTakeoff", 2)["quadcopters"][0].reset(seed=[3, 4])
    np.testing.assert_array_equal(seen["agent_pos"], beside["agent_pos"])
    env.close()


def test_what_lerobot_cannot_play_is_refused():
    with pytest.raises(ValueError, match=r"takes MultiDiscrete\(\[ 9 10\]\) as actions"):
        make_env("Duel")
    with pytest.raises(ValueError, match="n_envs is 0"):
        make_env("QuadTakeoff", 0)
    with pytest.raises(ValueError, match="obs_type is 'words'"):
        LeRobotEnv("QuadTakeoff", obs_type="words")
