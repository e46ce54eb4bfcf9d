"""ToyWorld against the textbook equations."""

import gymnasium
import numpy as np
import pytest

import envsuite  # noqa: F401  (registers the ids)
from envsuite.core import Players, companion
from envsuite.core.language import Refusal


def reference_step(x, v, angle, rate, force):
    """One step of Barto, Sutton and Anderson's equations, written down independently."""
    total, pole, half = 1.1, 0.1, 0.5
    push = (force + pole * half * rate**2 * np.sin(angle)) / total
    angular = (9.8 * np.sin(angle) - np.cos(angle) * push) / (half * (4 / 3 - pole * np.cos(angle) ** 2 / total))
    linear = push - pole * half * angular * np.cos(angle) / total
    return x + 0.02 * v, v + 0.02 * linear, angle + 0.02 * rate, rate + 0.02 * angular


def test_follows_the_equations():
    env = gymnasium.make("envsuite/ToyWorld-v0").unwrapped
    env.reset(seed=3)
    names = ("position", "velocity", "angle", "angular_velocity")
    expected = tuple(float(env.batch.states[0][name]) for name in names)
    for k in range(40):
        action = (k // 3) % 2
        expected = reference_step(*expected, 10.0 if action else -10.0)
        _, reward, terminated, _, _ = env.step(action)
        assert reward == 1.0
        np.testing.assert_allclose([env.batch.states[0][name] for name in names], expected, rtol=1e-12, atol=1e-14)
        if terminated:
            break


def test_falls_when_pushed_one_way_only():
    env = gymnasium.make("envsuite/ToyWorld-v0")
    env.reset(seed=0)
    steps = 1
    while not env.step(1)[2]:
        steps += 1
    assert 5 < steps < 15
    assert abs(env.unwrapped.batch.states[0]["angle"]) > np.deg2rad(12.0)


def test_expert_balances_for_the_whole_episode():
    envs = gymnasium.make_vec("envsuite/ToyWorld-v0", num_envs=32)
    observations, _ = envs.reset(seed=0)
    expert = companion(envs.world, Players).expert()
    for _ in range(500):
        observations, _, terminated, truncated, _ = envs.step(expert.act(observations, envs.batch.states))
        assert not terminated.any()
    assert truncated.all()


@pytest.mark.parametrize(("text", "action"), [("left", 0), ("I push RIGHT.", 1), ("1", 1)])
def test_reads_directions(text, action):
    env = gymnasium.make("envsuite/ToyWorld-v0").unwrapped
    env.reset(seed=0)
    assert env.parse(text) == action


@pytest.mark.parametrize("text", ["", "up", "left or right", "7"])
def test_refuses_other_words(text):
    env = gymnasium.make("envsuite/ToyWorld-v0").unwrapped
    env.reset(seed=0)
    assert isinstance(env.parse(text), Refusal)
