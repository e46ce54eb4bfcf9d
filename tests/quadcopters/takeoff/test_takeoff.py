"""The take-off task."""

import gymnasium
import numpy as np
import pytest

from tests.quadcopters.tasks import fly_expert, rotations, started

NAME = "QuadTakeoff"


def test_stands_on_the_floor_facing_anywhere():
    craft = started(NAME, 500).states["craft"]
    np.testing.assert_allclose(craft["position"][:, 2], 0.0125, rtol=1e-6)
    assert np.abs(craft["position"][:, :2]).max() <= 0.05
    assert craft["position"][:, :2].std() > 0.02
    assert np.abs(craft["velocity"]).max() == 0
    yaw = np.arctan2(rotations(craft)[:, 1, 0], rotations(craft)[:, 0, 0])
    assert (np.histogram(yaw, 8, (-np.pi, np.pi))[0] > 30).all()


@pytest.mark.parametrize("reward", ["settle", "gpd2021"])
def test_reward(reward):
    batch = started(NAME, 30, precision="float64", reward=reward)
    generator = np.random.default_rng(0)
    last = np.zeros((30, 4))
    ended = np.zeros(30, bool)
    for _ in range(60):
        actions = generator.uniform(-0.2, 1, (30, 4)).astype(np.float32)
        output = batch.step(actions)
        craft = batch.states["craft"]
        error = np.linalg.norm(craft["position"] - [0, 0, 1], axis=1)
        speed = np.linalg.norm(craft["velocity"], axis=1)
        expected = np.exp(-2 * error) + 0.2 * np.exp(-speed) * (error < 0.1) - 0.05 * (1 - rotations(craft)[:, 2, 2])
        expected -= 0.01 * np.sum((actions - last) ** 2, axis=1)
        if reward == "gpd2021":
            height = craft["position"][:, 2]
            expected = np.where(height < 0.02, -5, -1 / (10 * height))
        expected[output.terminated] = -10
        np.testing.assert_allclose(output.rewards[~ended], expected[~ended], rtol=1e-4, atol=1e-4)
        last, ended = actions, ended | output.terminated
    assert ended.any()


def test_ends_outside_the_box():
    batch = started(NAME, 5)
    position = batch.states["craft"]["position"]
    position[:] = [(1.6, 0, 1), (0, -1.6, 1), (0, 0, 2.6), (1.4, 1.4, 2.3), (np.nan, 0, 1)]
    output = batch.step(np.zeros((5, 4), np.float32))
    np.testing.assert_array_equal(output.terminated, [True, True, True, False, True])
    np.testing.assert_array_equal(output.info["crashed"], output.terminated)
    np.testing.assert_array_equal(output.rewards == -10, output.terminated)


def test_success_is_a_second_at_the_goal():
    batch = started(NAME, 3)
    inside = []

    def watch(batch, output):
        craft = batch.states["craft"]
        error = np.linalg.norm(craft["position"] - [0, 0, 1], axis=1)
        inside.append((error < 0.05) & (np.linalg.norm(craft["velocity"], axis=1) < 0.1))
        if len(inside) < 48:
            assert not output.info["is_success"].any()

    output = fly_expert(batch, 239, watch)
    inside = np.array(inside)
    for i in range(3):
        first = next(t for t in range(48, 240) if inside[t - 48 : t, i].all())
        assert output.info["settled_at"][i] == pytest.approx(first / 48)
    assert output.info["is_success"].all()


def test_the_ground_effect_helps():
    heights = []
    for on in (True, False):
        batch = started(NAME, 1, terms={"ground_effect": on})
        hover = 2 * batch.world.params[0]["flying"]["physics"]["vehicle"]["command_hover"]
        hover = hover / batch.world.params[0]["flying"]["physics"]["vehicle"]["command_high"] - 1
        for _ in range(20):
            batch.step(np.full((1, 4), hover + 0.001, np.float32))
        heights.append(batch.states["craft"]["position"][0, 2])
    assert heights[0] > heights[1] + 0.05


def test_bad_reward_is_named():
    with pytest.raises(ValueError, match="reward is 'gold', expected one of 'settle', 'gpd2021'"):
        gymnasium.make("envsuite/QuadTakeoff-v0", reward="gold")
