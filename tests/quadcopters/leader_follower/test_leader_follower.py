"""The formation task."""

import gymnasium
import numpy as np
import pytest

from envsuite.core.companions import Players, companion
from envsuite.quadcopters.leader_follower.params import offsets
from tests.quadcopters.tasks import fly_expert, rotations, started

NAME = "QuadLeaderFollower"


def path(states, time):
    """The leader's path from its formula, (n, 3)."""
    pace = states["pace"].astype(np.float64)
    phase = pace * time**2 / 2 if time < 1 else pace * (time - 0.5)
    sines = np.sin(states["waves"] * phase[:, None, None] + states["shift"])
    return np.array([0, 0, 1.2]) + np.sum(states["extent"] * sines, axis=2)


def test_v_shape():
    np.testing.assert_allclose(
        offsets(5), [[0, 0, 0], [-0.5, 0.5, 0], [-0.5, -0.5, 0], [-1, 1, 0], [-1, -1, 0]], atol=1e-12
    )


def test_paths_stay_slow_and_in_the_air():
    states = started(NAME, 500, precision="float64").states
    points = np.array([path(states, t) for t in np.arange(0, 15, 0.02)])
    speed = np.linalg.norm(np.diff(points, axis=0), axis=2) / 0.02
    assert speed.max() <= 0.8 + 1e-6
    assert speed.max() > 0.6
    assert points[..., 2].min() >= 1.2 - 0.25 - 1e-9
    assert np.abs(points[..., :2]).max() <= 0.9 + 1e-9
    assert (speed[0] < 0.05).all()


def test_leader_follows_its_path_whatever_its_action_and_slots_follow_it():
    batch = started(NAME, 20, precision="float64")
    generator, crafts = np.random.default_rng(0), batch.states["crafts"]
    heading = crafts["heading"][:, 0].copy()
    policy, output, shape = companion(batch.world, Players).expert(), batch.last, np.array([offsets(3)] * 20)
    turn = np.moveaxis(np.array([[np.cos(heading), -np.sin(heading)], [np.sin(heading), np.cos(heading)]]), 2, 0)
    for step in range(1, 300):
        actions = policy.act(output.observations, batch.states)
        actions[:, 0] = generator.uniform(-1, 1, (20, 4))
        kept = actions.copy()
        output = batch.step(actions)
        np.testing.assert_array_equal(actions, kept)
        errors = np.linalg.norm(crafts["position"][:, 0] - path(batch.states, step / 48), axis=1)
        assert errors.max() < 0.45
        slots = crafts["position"][:, :1].copy() + shape * [0, 0, 1]
        slots[..., :2] += np.einsum("nij,naj->nai", turn, shape[..., :2])
        np.testing.assert_allclose(batch.states["slots"][:, 1:], slots[:, 1:], atol=1e-9)
        assert (output.rewards[:, 0] == 0).all()
    assert (output.info["slot_rmse"][:, 1:] < 0.1).all()
    assert (output.info["collisions_per_minute"] == 0).all()


@pytest.mark.parametrize("reward", ["slot", "gpd2021"])
def test_reward_end_and_observation(reward):
    batch = started(NAME, 40, precision="float64", reward=reward, leader="learned")
    generator, last = np.random.default_rng(1), np.zeros((40, 3, 4))
    ended = np.zeros((40, 3), bool)
    for _ in range(150):
        actions = generator.uniform(-1, 1, (40, 3, 4)).astype(np.float32)
        output = batch.step(actions)
        s, crafts = batch.states, batch.states["crafts"]
        x = crafts["position"]
        error = np.linalg.norm(x - s["slots"], axis=2)
        flying = ~ended
        gaps = np.linalg.norm(x[:, :, None] - x[:, None], axis=3) + 9 * np.eye(3) + 9 * ~flying[:, None]
        crashed = (gaps.min(axis=2) < 0.12) | crafts["contact"]
        if reward == "slot":
            expected = np.exp(-3 * error) - 0.02 * np.sum((actions - last) ** 2, axis=2)
            expected -= 0.5 * (gaps.min(axis=2) < 0.2)
        else:
            expected = -((x[..., 2] - x[:, :1, 2]) ** 2) / 3
            expected[:, 0] = -np.sum((x[:, 0] - [0, 0, 0.5]) ** 2, axis=1)
        expected = np.where(crashed, -10, expected)
        np.testing.assert_array_equal(output.terminated[flying], crashed[flying])
        np.testing.assert_allclose(output.rewards[flying], expected[flying], atol=1e-5)
        assert not output.rewards[ended].any()
        ended |= output.terminated
        last = actions
    assert 5 < ended.sum() < 120
    found, lead = output.observations, crafts["position"][:, :1]
    np.testing.assert_allclose(found[..., :3], x - s["slots"], atol=1e-5)
    np.testing.assert_allclose(found[..., 3:12].reshape(-1, 9), rotations(crafts.reshape(-1)).reshape(-1, 9), atol=1e-5)
    np.testing.assert_allclose(found[..., 18:21], lead - x, atol=1e-5)
    np.testing.assert_allclose(found[..., 21:24], crafts["velocity"][:, :1] - crafts["velocity"], atol=1e-5)


def test_metrics():
    batch, errors = started(NAME, 5), []
    info = fly_expert(batch, 200, lambda batch, output: errors.append(output.info["distance"].copy())).info
    np.testing.assert_allclose(info["slot_rmse"], np.sqrt(np.mean(np.square(errors), axis=0)), rtol=1e-3)
    assert info["is_success"].all()


@pytest.mark.parametrize(
    ("options", "mention"),
    [
        ({"num_drones": 0}, "num_drones is 0, expected a whole number from 2 to 8"),
        ({"leader": "boss"}, "leader is 'boss'"),
        ({"reward": "fun"}, "reward is 'fun'"),
        ({"contact": "hug"}, "contact is 'hug'"),
    ],
)
def test_bad_options_are_named(options, mention):
    with pytest.raises(ValueError, match=mention):
        gymnasium.make("envsuite/QuadLeaderFollower-v0", **options)
