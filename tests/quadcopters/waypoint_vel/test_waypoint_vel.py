"""The waypoint and velocity tasks."""

import gymnasium
import numpy as np
import pytest

from tests.quadcopters.tasks import fly_expert, rotations, started

NAME = "QuadWaypointVel"


def test_waypoints_are_where_they_may_be():
    points = started(NAME, 3000).states["points"].astype(np.float64)
    legs = np.diff(np.concatenate([np.tile([[[0, 0, 1.0]]], (3000, 1, 1)), points], axis=1), axis=1)
    lengths = np.linalg.norm(legs, axis=2)
    assert 1 <= lengths.min() < 1.1
    assert 4.3 < lengths.max() <= 4.5001
    assert np.abs(points[:, :, :2]).max() <= 5
    assert 0.3 <= points[:, :, 2].min() < 0.4
    assert 3.8 < points[:, :, 2].max() <= 4


def test_reward_waypoints_and_observation():
    batch = started(NAME, 20)
    log, points = [batch.states["craft"]["position"].copy()], batch.states["points"].copy()
    reached, ended, flown, straight = np.zeros(20, int), np.zeros(20, bool), np.zeros(20), np.zeros(20)
    marks = log[0].copy()

    def watch(batch, output):
        position = batch.states["craft"]["position"]
        for i in np.flatnonzero(~ended):
            goal = points[i, reached[i]]
            gap, before = np.linalg.norm(position[i] - goal), np.linalg.norm(log[-1][i] - goal)
            hit = gap < 0.2
            assert output.rewards[i] == pytest.approx(3 * (before - gap) - 0.01 + 10 * hit, abs=2e-5)
            flown[i] += np.linalg.norm(position[i] - log[-1][i])
            if hit:
                straight[i] += np.linalg.norm(position[i] - marks[i])
                marks[i] = position[i]
            reached[i] += hit
            assert output.terminated[i] == (reached[i] == 4)
            assert output.info["waypoints"][i] == reached[i]
            following = points[i, min(reached[i], 3)]
            np.testing.assert_allclose(output.observations[i, :3], position[i] - following, atol=1e-5)
            later = points[i, min(reached[i] + 1, 3)]
            np.testing.assert_allclose(output.observations[i, 18:21], later - position[i], atol=1e-5)
            assert output.observations[i, 21] == 1 - reached[i] / 4
            if straight[i]:
                assert output.info["efficiency"][i] == pytest.approx(straight[i] / flown[i], rel=1e-3)
        log.append(position.copy())
        ended[:] |= output.terminated

    fly_expert(batch, 959, watch)
    assert ended.all()


def test_leaving_the_box_is_a_crash():
    batch = started(NAME, 4)
    batch.states["craft"]["position"][:] = [(7.5, 0, 1), (0, -7.5, 1), (0, 0, 6.5), (6.5, 6.5, 5.5)]
    output = batch.step(np.zeros((4, 4), np.float32))
    np.testing.assert_array_equal(output.terminated, [True, True, True, False])
    np.testing.assert_array_equal(output.rewards[:3], -10)


def test_velocity_task():
    batch = started("QuadReachVel", 200)
    craft, wanted = batch.states["craft"], batch.states["wanted"].copy()
    assert 0.9 < np.abs(wanted).max() <= 1
    assert 0.9 < np.abs(craft["velocity"]).max() <= 1
    output = batch.step(np.zeros((200, 4), np.float32))
    error = np.linalg.norm(craft["velocity"] - wanted, axis=1)
    np.testing.assert_allclose(output.rewards, np.exp(-error), rtol=1e-5)
    np.testing.assert_allclose(output.info["velocity_error"], error, rtol=1e-5)
    np.testing.assert_allclose(output.observations[:, 0], craft["position"][:, 2], rtol=1e-5)
    np.testing.assert_allclose(output.observations[:, 1:10], rotations(craft).reshape(-1, 9), atol=1e-5)
    np.testing.assert_allclose(output.observations[:, 10:13], craft["velocity"], atol=1e-6)
    np.testing.assert_array_equal(output.observations[:, 16:19], wanted)
    assert fly_expert(batch, 400).info["is_success"].mean() > 0.95


@pytest.mark.parametrize(
    ("options", "mention"),
    [({"task": "race"}, "task is 'race', expected one of 'waypoints'"), ({"speed_limit": 0}, "speed_limit is 0")],
)
def test_bad_options_are_named(options, mention):
    with pytest.raises(ValueError, match=mention):
        gymnasium.make("envsuite/QuadWaypointVel-v0", **options)
