"""Automatic resets, masks, seeds and infos of the vector environment, against tables worked out by hand."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from envsuite.core.aec import aec_env
from envsuite.core.parallel import VectorParallelEnv, WorldParallelEnv
from envsuite.core.single import WorldEnv
from envsuite.core.vector import WorldVectorEnv
from tests.core.worlds import CountWorld


def goals(env) -> np.ndarray:
    return env.batch.states["goal"].copy()


def ones(env) -> np.ndarray:
    return np.ones(env.action_space.shape, np.float32)


def test_next_step_mode():
    env = WorldVectorEnv(CountWorld(), 4)
    observations, _ = env.reset(seed=0)
    assert not observations.any()
    goal, step = goals(env), np.zeros(4, int)
    assert set(goal) > {3}, "the seeds should give goals that differ"
    ended = np.zeros(4, bool)
    for _ in range(20):
        observations, rewards, terminated, truncated, _ = env.step(ones(env))
        step = np.where(ended, 0, step + 1)
        goal = np.where(ended, goals(env), goal)
        np.testing.assert_array_equal(observations, np.stack([step, step], axis=1))
        np.testing.assert_array_equal(rewards, np.where(ended, 0.0, 1.0))
        np.testing.assert_array_equal(terminated, step == goal)
        assert not truncated.any()
        ended = step == goal


def test_same_step_mode_gives_the_final_observation_and_info():
    env = WorldVectorEnv(CountWorld(), 4, autoreset_mode=AutoresetMode.SAME_STEP)
    env.reset(seed=0)
    goal, step = goals(env), np.zeros(4, int)
    for _ in range(20):
        observations, rewards, terminated, _, infos = env.step(ones(env))
        step += 1
        over = step == goal
        np.testing.assert_array_equal(terminated, over)
        np.testing.assert_array_equal(rewards, np.ones(4))
        np.testing.assert_array_equal(observations[:, 0], np.where(over, 0, step))
        np.testing.assert_array_equal(infos["sum"], np.where(over, 0, step))
        if not over.any():
            assert "final_obs" not in infos
        else:
            np.testing.assert_array_equal(infos["_final_obs"], over)
            for i in range(4):
                if over[i]:
                    np.testing.assert_array_equal(infos["final_obs"][i], [step[i], step[i]])
                    assert infos["final_info"]["sum"][i] == step[i]
                    np.testing.assert_array_equal(infos["final_info"]["pair"][i], [step[i], goal[i]])
                else:
                    assert infos["final_obs"][i] is None
            np.testing.assert_array_equal(infos["final_obs_dense"][:, 0], step[over])
            np.testing.assert_array_equal(infos["final_info"]["_sum"], over)
        step[over] = 0
        goal = np.where(over, goals(env), goal)


def test_disabled_mode_resets_by_mask_only():
    env = WorldVectorEnv(CountWorld(), 3, autoreset_mode="Disabled")
    env.reset(seed=0)
    goal = goals(env)
    for _ in range(goal.min()):
        env.step(ones(env))
    over = goal == goal.min()
    with pytest.raises(ResetNeeded, match="instance"):
        env.step(ones(env))
    options = {"reset_mask": over}
    observations, infos = env.reset(options=options)
    assert options == {"reset_mask": over}, "the caller's options are left alone"
    np.testing.assert_array_equal(observations[:, 0], np.where(over, 0, goal.min()))
    np.testing.assert_array_equal(infos["_sum"], over)
    env.step(ones(env))


def test_time_limit_truncates_and_termination_wins_no_flag():
    env = WorldVectorEnv(CountWorld(base=4), 6, max_episode_steps=4)
    env.reset(seed=0)
    goal = goals(env)
    for step in range(1, 5):
        _, _, terminated, truncated, _ = env.step(ones(env))
        np.testing.assert_array_equal(terminated, goal <= step)
        np.testing.assert_array_equal(truncated, np.full(6, step >= 4))


def test_seeds():
    env = WorldVectorEnv(CountWorld(base=1), 3)
    singles = [WorldEnv(CountWorld(base=1)) for _ in range(3)]
    for seeds in (5, [9, 2, 7]):
        env.reset(seed=seeds)
        for i, single in enumerate(singles):
            single.reset(seed=5 + i if seeds == 5 else seeds[i])
            assert single.batch.states[0]["goal"] == goals(env)[i]
    env.reset(seed=[1, None, None])
    assert len({tuple(key) for key in env.batch.states["rng"]["key"]}) == 3
    with pytest.raises(ValueError, match="2 seeds given for 3"):
        env.reset(seed=[1, 2])
    with pytest.raises(gymnasium.error.Error, match="-1"):
        env.reset(seed=-1)


def test_reset_without_seed_goes_on_with_the_stream():
    env = WorldVectorEnv(CountWorld(base=0), 50)
    env.reset(seed=0)
    first = goals(env)
    env.reset()
    second = goals(env)
    assert (first != second).any()
    env.reset(seed=0)
    np.testing.assert_array_equal(goals(env), first)
    env.reset()
    np.testing.assert_array_equal(goals(env), second)


@pytest.mark.parametrize(
    ("mask", "mention"),
    [
        ([True, False], "bool array"),
        (np.array([1, 0]), "bool array"),
        (np.array([True]), r"shape \(2,\)"),
        (np.zeros(2, bool), "selects no instance"),
    ],
)
def test_bad_masks_are_refused(mask, mention):
    env = WorldVectorEnv(CountWorld(), 2)
    env.reset(seed=0)
    with pytest.raises(ValueError, match=mention):
        env.reset(options={"reset_mask": mask})


def test_the_first_reset_is_of_all():
    with pytest.raises(ValueError, match="first reset of all"):
        WorldVectorEnv(CountWorld(), 2).reset(seed=0, options={"reset_mask": np.array([True, False])})


@pytest.mark.parametrize(
    ("arguments", "mention"),
    [
        ({"num_envs": 0}, "num_envs is 0"),
        ({"num_threads": 0}, "num_threads is 0"),
        ({"max_episode_steps": 0}, "max_episode_steps is 0"),
        ({"autoreset_mode": "sometimes"}, "'sometimes'.*NextStep"),
        ({"render_mode": "opengl"}, "'opengl'.*rgb_array"),
        ({"obs_type": "ram"}, "'ram'.*pixels"),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments, mention):
    with pytest.raises(ValueError, match=mention):
        WorldVectorEnv(CountWorld(), **{"num_envs": 2, **arguments})


def test_unknown_world_option_is_named():
    with pytest.raises(TypeError, match=r"CountWorld has no option 'colour'; its options are \['base', 'two'\]"):
        WorldEnv("tests.core.worlds:CountWorld", colour="red")


def test_step_before_reset_is_refused():
    with pytest.raises(ResetNeeded, match="call reset"):
        WorldVectorEnv(CountWorld(), 2).step(np.zeros((2, 1)))
    with pytest.raises(ResetNeeded, match="call reset"):
        WorldEnv(CountWorld()).step([0.0])


def test_step_after_the_end_is_refused():
    env = WorldEnv(CountWorld(base=1))
    env.reset(seed=0)
    while not env.step([1.0])[2]:
        pass
    with pytest.raises(ResetNeeded, match="has ended"):
        env.step([1.0])


def test_threads_survive_close_and_pickling():
    import pickle

    env = WorldVectorEnv(CountWorld(), 8, num_threads=3)
    env.reset(seed=0)
    env.step(ones(env))
    copy = pickle.loads(pickle.dumps(env))
    np.testing.assert_array_equal(env.step(ones(env))[0], copy.step(ones(env))[0])
    env.close()


def test_two_agents_end_apart_and_their_flags_stay():
    env = VectorParallelEnv(CountWorld(base=5, two=True), 3)
    env.reset(seed=1)
    goal = goals(env)
    assert env.action_space.shape == (3, 2, 1)
    assert env.observation_space.contains(env.reset(seed=1)[0])
    actions = np.stack([np.full((3, 1), 2.0), np.full((3, 1), 3.0)], axis=1)
    for step in range(1, goal.min() + 1):
        _, rewards, terminated, truncated, _ = env.step(actions)
        np.testing.assert_array_equal(terminated[:, 0], goal <= step)
        np.testing.assert_array_equal(terminated[:, 1], goal - 2 <= step)
        np.testing.assert_array_equal(rewards[:, 0], np.tile([2.0, 1.0], (3, 1)))
        playing = (step <= goal - 2)[:, np.newaxis]
        np.testing.assert_array_equal(rewards[:, 1], np.where(playing, [3.0, 1.0], [0.0, 0.0]))
        assert not truncated.any()


def test_parallel_env_lets_agents_go():
    env = WorldParallelEnv(CountWorld(base=4, two=True), max_cycles=100)
    env.reset(seed=0)
    goal = int(env._vector.batch.states[0]["goal"])
    for step in range(1, goal + 1):
        live = list(env.agents)
        assert live == (["agent_0", "agent_1"] if step <= goal - 2 else ["agent_0"])
        observations, rewards, terminated, _, infos = env.step({agent: [1.0] for agent in live})
        assert set(observations) == set(rewards) == set(terminated) == set(infos) == set(live)
        np.testing.assert_array_equal(rewards["agent_0"], [1.0, 1.0])
        assert infos["agent_0"]["sum"] == step
    assert env.agents == []
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step({})


def test_parallel_env_wants_exactly_the_live_agents():
    env = WorldParallelEnv(CountWorld(two=True))
    env.reset(seed=0)
    with pytest.raises(KeyError, match="agent_1"):
        env.step({"agent_0": [1.0]})
    with pytest.raises(ValueError, match=r"agent_1 has shape \(2,\)"):
        env.step({"agent_0": [1.0], "agent_1": [1.0, 2.0]})


def test_parallel_snapshot_brings_agents_back():
    env = WorldParallelEnv(CountWorld(base=4, two=True))
    env.reset(seed=0)
    snapshot = env.get_state()
    while len(env.agents) == 2:
        env.step({agent: [1.0] for agent in env.agents})
    alone = env.get_state()
    env.set_state(snapshot)
    assert env.agents == ["agent_0", "agent_1"]
    assert list(env.set_state(alone)) == env.agents == ["agent_0"]


def test_aec_view_turns_over_the_agents():
    env = aec_env(CountWorld(base=8, two=True))
    env.reset(seed=0)
    order = []
    for agent in env.agent_iter(max_iter=4):
        order.append(agent)
        env.step(np.array([1.0], np.float32))
    assert order == ["agent_0", "agent_1"] * 2


def test_joint_view_stacks_agents_and_sums_rewards():
    single = WorldEnv(CountWorld(base=4, two=True))
    vector = WorldVectorEnv(CountWorld(base=4, two=True), 2)
    first, _ = single.reset(seed=3)
    observations, _ = vector.reset(seed=3)
    assert first.shape == (2, 2)
    np.testing.assert_array_equal(observations[0], first)
    actions = np.array([[1.0], [2.0]], np.float32)
    _, reward, terminated, truncated, info = single.step(actions)
    np.testing.assert_array_equal(reward, [3.0, 2.0])
    assert (terminated, truncated) == (False, False)
    np.testing.assert_array_equal(info["sum"], [1.0, 2.0])
    np.testing.assert_array_equal(vector.step(np.stack([actions] * 2))[1], [[3.0, 2.0]] * 2)


def test_snapshot_of_another_world_is_refused():
    small, large = WorldVectorEnv(CountWorld(), 2), WorldVectorEnv(CountWorld(), 3)
    small.reset(seed=0)
    with pytest.raises(ValueError, match=r"snapshot holds \(2,\) records"):
        large.set_state(small.get_state())
