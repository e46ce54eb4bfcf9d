"""The landing task."""

import gymnasium
import numpy as np
import pytest

from tests.quadcopters.tasks import fly_expert, started

MOVING = "QuadLandingMoving"


def pad(states, step):
    """Position, velocity and acceleration of the pad, by the formula and by differences."""

    def place(t):
        rhythm, phase = states["rhythm"].astype(np.float64), states["phase"].astype(np.float64)
        away = 0.5 / rhythm[:, 0] * np.sin(rhythm[:, 0] * t + phase[:, 0])
        height = 0.0125 + 0.05 * (1 + np.sin(rhythm[:, 1] * t + phase[:, 1]))
        return np.column_stack([away[:, np.newaxis] * states["course"], height])

    t, h = step / 48, 1e-4
    return place(t), (place(t + h) - place(t - h)) / (2 * h)


def test_starts_and_pads_are_drawn_from_their_ranges():
    states = started(MOVING, 3000).states
    position, velocity = states["craft"]["position"], states["craft"]["velocity"]
    for k, (low, high) in enumerate(((-1, 1), (-1, 1), (1, 2))):
        assert low <= position[:, k].min() < low + 0.05
        assert high - 0.05 < position[:, k].max() <= high
    assert 0.48 < np.abs(velocity).max() <= 0.5
    np.testing.assert_allclose(np.linalg.norm(states["course"], axis=1), 1, rtol=1e-6)
    periods = 2 * np.pi / states["rhythm"]
    for k, (low, high) in enumerate(((4, 8), (2, 4))):
        assert low - 1e-3 <= periods[:, k].min() < 1.02 * low
        assert 0.98 * high < periods[:, k].max() <= high + 1e-3


def test_the_fixed_pad_stays():
    batch = started("QuadLanding-v0", 5)
    for _ in range(5):
        np.testing.assert_allclose(batch.last.observations[:, 18:21], 0)
        found = batch.states["craft"]["position"] - batch.last.observations[:, :3]
        np.testing.assert_allclose(found, np.tile([0, 0, 0.0125], (5, 1)), atol=1e-6)
        batch.step(np.zeros((5, 4), np.float32))


def test_reward_observation_and_landing():
    batch = started(MOVING, 40)
    ended, landed = np.zeros(40, bool), np.zeros(40, bool)
    steps = 0

    def watch(batch, output):
        nonlocal steps
        steps += 1
        craft, going = batch.states["craft"], ~ended
        place, motion = pad(batch.states, steps)
        offset, slip = craft["position"] - place, craft["velocity"] - motion
        np.testing.assert_allclose(output.observations[going, :3], offset[going], atol=2e-4)
        np.testing.assert_allclose(output.observations[going, 18:21], motion[going], atol=2e-4)
        aside = np.linalg.norm(offset[:, :2], axis=1)
        shaped = np.exp(-2 * aside) * np.exp(-np.abs(slip[:, 2] + 0.5 * np.clip(offset[:, 2], 0, 1)))
        touched = batch.states["landed"]
        flying = going & ~touched
        np.testing.assert_allclose(output.rewards[flying], shaped[flying], atol=1e-3)
        fresh = going & touched & ~landed
        speed = np.linalg.norm(slip, axis=1)
        soft = (aside < 0.1) & (speed < 0.3)
        np.testing.assert_allclose(output.rewards[fresh], np.where(soft, 10, -10)[fresh])
        np.testing.assert_allclose(output.rewards[going & landed], 1)
        np.testing.assert_allclose(output.info["touchdown_speed"][fresh], speed[fresh], atol=2e-4)
        np.testing.assert_array_equal(output.info["is_success"][fresh], soft[fresh])
        landed[:] |= touched
        ended[:] |= output.terminated

    info = fly_expert(batch, 400, watch).info
    assert info["is_success"].mean() > 0.95
    np.testing.assert_allclose(batch.states["craft"]["rotor_speed"][info["is_success"]], 0)


def test_bad_landings_are_crashes():
    batch = started("QuadLanding-v0", 5)
    craft = batch.states["craft"]
    craft["position"][:] = [(0, 0, 0.013), (0.15, 0, 0.013), (0, 0, 0.02), (0, 0, 0.013), (3.5, 0, 1)]
    craft["velocity"][:] = [(0, 0, -0.2), (0, 0, -0.2), (0, 0, -1.0), (0, 0, -0.2), (0, 0, 0)]
    craft["attitude"][3] = (np.cos(0.2), np.sin(0.2), 0, 0)  # 23 degrees
    craft["previous_attitude"][3] = craft["attitude"][3]
    record = batch.world.params[0]["flying"]["physics"]["vehicle"]
    hover = 0.9 * 2 * record["command_hover"] / record["command_high"] - 1  # as the ground effect helps
    output = batch.step(np.full((5, 4), hover, np.float32))
    np.testing.assert_array_equal(output.info["is_success"], [True, False, False, False, False])
    np.testing.assert_array_equal(output.rewards, [10, -10, -10, -10, -10])
    np.testing.assert_array_equal(output.terminated, [False, True, True, True, True])


def test_bad_pad_is_named():
    with pytest.raises(ValueError, match="pad is 'boat', expected one of 'fixed', 'moving'"):
        gymnasium.make("envsuite/QuadLanding-v0", pad="boat")
