"""Mistakes in calls of constructors and methods: an error that names the value, and nothing changed."""

import numpy as np
import pytest
from gymnasium.error import Error

import envsuite

WHOLE = [0, -1, 2.5, float("nan"), "many", None, True, [3]]
HUGE = [10**10, 10**30]
OPTIONS = {
    "QuadHover": {
        "noise": ["perhaps", 2, None],
        "vehicle": ["no such vehicle", 3],
        "precision": ["half"],
        "obs_type": ["x", 3],
        "colour": ["red"],
    },
    "Bulwark-L1": {"colour": ["red"]},
    "MazePointUmazeDense": {"colour": ["red"]},
    "Duel": {"colour": ["red"], "opponent": ["nobody"]},
    "MOGemMining": {"colour": ["red"]},
}


def refused(call, *words: str) -> None:
    with pytest.raises((ValueError, TypeError, KeyError, Error)) as caught:
        call()
    text = str(caught.value)
    assert all(word in text for word in words), text
    assert len(text) < 1000
    assert not isinstance(caught.value, MemoryError)


@pytest.mark.parametrize("value", [*(one for one in WHOLE if one is not True), *HUGE], ids=str)
def test_numbers_of_instances(value):
    from envsuite.core.vector import WorldVectorEnv

    world = envsuite.card("QuadHoverGPD").world
    refused(lambda: WorldVectorEnv(world, value), "num_envs", repr(value))
    refused(lambda: envsuite.parallel_vec("QuadMultiHover", value), "num_envs", repr(value))


@pytest.mark.parametrize("name", ["num_threads", "max_episode_steps"])
@pytest.mark.parametrize("value", [one for one in WHOLE if one is not None], ids=str)
def test_other_numbers(name, value):
    refused(lambda: envsuite.make_vec("QuadHoverGPD", 2, **{name: value}), name, repr(value))


@pytest.mark.parametrize(
    ("env_id", "name", "value"),
    [(env_id, name, value) for env_id, names in OPTIONS.items() for name, values in names.items() for value in values],
)
def test_options(env_id, name, value):
    refused(lambda: envsuite.make(env_id, **{name: value}), name)
    refused(lambda: envsuite.make_vec(env_id, 2, **{name: value}), name)


@pytest.mark.parametrize("value", [-1, 2.5, "many", float("nan"), [1], [1, "x"], [1, -1]], ids=str)
def test_seeds_leave_a_batch_as_it_was(value):
    envs = envsuite.make_vec("QuadHoverGPD", 2)
    envs.reset(seed=3)
    before = envs.get_state().states.tobytes()
    refused(lambda: envs.reset(seed=value))
    assert envs.get_state().states.tobytes() == before


@pytest.mark.parametrize(
    "value", ["x", None, [0, 0], [float("nan")] * 4, [float("inf")] * 4, np.zeros((4, 4)), [1j] * 4, ["a"] * 4], ids=str
)
def test_actions_leave_an_environment_as_it_was(value):
    env = envsuite.make("QuadHoverGPD")
    env.reset(seed=0)
    before = env.unwrapped.get_state().states.tobytes()
    refused(lambda: env.step(value), "action")
    assert env.unwrapped.get_state().states.tobytes() == before


def test_ids_and_snapshots():
    refused(lambda: envsuite.make("QuadHoovr"), "did you mean 'envsuite/QuadHover-v0'")
    refused(lambda: envsuite.make(3), "env_id is 3")
    for call in (envsuite.parallel_env, envsuite.aec_env, lambda env_id: envsuite.parallel_vec(env_id, 2)):
        refused(lambda call=call: call("QuadHover"), "has one agent", "envsuite.make")
    refused(lambda: envsuite.make("QuadHoverGPD").unwrapped.set_state(3), "snapshot is a int")


def test_rivals_have_the_first_agents_reward_in_the_joint_view():
    total = 0.0
    for env_id in ("MOConnect4", "DuelVersus", "IteratedPrisoners"):
        env, envs = envsuite.make(env_id), envsuite.make_vec(env_id, 3)
        swarm = envsuite.parallel_vec(env_id, 3)
        env.reset(seed=5)
        envs.reset(seed=5)
        observations, _ = swarm.reset(seed=5)
        generator = np.random.default_rng(0)
        for _ in range(60):
            actions = np.stack([swarm.single_action_space.sample() for _ in range(observations.shape[1] * 3)])
            actions = actions.reshape(3, observations.shape[1], *actions.shape[1:])
            generator.shuffle(actions)
            _, own, *_ = swarm.step(actions)
            _, rewards, *_ = envs.step(actions)
            assert np.array_equal(rewards, own[:, 0])
            _, reward, terminated, truncated, _ = env.step(actions[0])
            assert np.array_equal(reward, own[0, 0])
            total += np.abs(reward).sum()
            if terminated or truncated:
                break
    assert total > 0
