"""The tuning task."""

import gymnasium
import numpy as np
import pytest

from envsuite.core.language import Refusal
from envsuite.quadcopters import state
from envsuite.quadcopters.controllers import dsl_pid
from envsuite.quadcopters.dynamics import bullet, settings
from tests.quadcopters.tasks import rotations, started

NAME = "QuadPIDTune"


def place(step):
    return np.array([0.0, 4 * np.cos(0.006 * min(step, 239)), 1.0])


@pytest.mark.parametrize("factors", [(1, 1, 1, 1, 1, 1), (1.5, 0.5, 0.9, 1.2, 0.0, 1.1)])
def test_flies_as_the_controller_with_these_gains(factors):
    batch = started(NAME, 1, precision="float64")
    physics, gain = settings.physics("pyb", real=np.float64), dsl_pid.gains("cf2x", np.float64)
    gain.force *= np.array(factors[:3], np.float32)[:, np.newaxis].astype(float)
    gain.torque *= np.array(factors[3:], np.float32)[:, np.newaxis].astype(float)
    memory = np.zeros(1, dsl_pid.Memory.dtype(np.float64)).view(np.recarray)[0]
    body = np.zeros(1, state.BulletBody.dtype(np.float64)).view(np.recarray)[0]
    bullet.place(body, batch.states["craft"]["position"][0], np.array([1.0, 0, 0, 0]))
    for step in range(60):  # the controller's chatter doubles rounding errors in a few steps
        before = place(step - 1) if 1 <= step < 240 else place(step)
        velocity = np.array([0.0, (place(step)[1] - before[1]) * 48, 0.0])
        dsl_pid.control(body, physics.vehicle, gain, memory, place(step), velocity, 0.0, 1 / 48)
        for _ in range(5):
            bullet.step(body, physics.vehicle, physics)
        output = batch.step(np.array([factors], np.float32) - 1)
        assert output.rewards[0] == pytest.approx(-np.sum((body.position - place(step)) ** 2), rel=1e-5, abs=1e-9)
    np.testing.assert_allclose(batch.states["craft"]["position"][0], body.position, atol=1e-9)


def test_reference_stays_at_its_end_and_time_runs_out():
    batch = started(NAME, 1)
    for step in range(242):
        output = batch.step(np.zeros((1, 6), np.float32))
        error = np.linalg.norm(batch.states["craft"]["position"][0] - place(step))
        assert output.info["distance"][0] == pytest.approx(error, abs=1e-5)
        assert output.rewards[0] == pytest.approx(-min(1, error**2), rel=1e-4, abs=1e-8)
        assert not output.terminated[0]
        assert output.truncated[0] == (step == 241)


def test_observation():
    batch = started(NAME, 10)
    actions = np.random.default_rng(0).uniform(-0.3, 0.3, (10, 6)).astype(np.float32)
    for _ in range(3):
        output = batch.step(actions)
    craft, found = batch.states["craft"], output.observations
    np.testing.assert_allclose(found[:, :3], craft["position"] - place(3), atol=1e-5)
    np.testing.assert_allclose(found[:, 3:12], rotations(craft).reshape(-1, 9), atol=1e-5)
    np.testing.assert_allclose(found[:, 13], craft["velocity"][:, 1] - (place(3) - place(2))[1] * 48, atol=1e-4)
    np.testing.assert_allclose(found[:, 18:21], craft["pid"]["position_integral"], atol=1e-6)
    np.testing.assert_array_equal(found[:, 21:], actions)


def test_original_start_and_observation():
    batch = started(NAME, 2, compat="gpd2021", precision="float64")
    np.testing.assert_allclose(batch.states["craft"]["position"], [[0, 0, 0.1125]] * 2)
    assert batch.world.observation.shape == (12,)
    for _ in range(30):
        output = batch.step(np.zeros((2, 6), np.float32))
    craft = batch.states["craft"][0]
    rotation = rotations(batch.states["craft"])[0]
    turning = rotation @ craft["rates"]
    expected = np.concatenate(
        [
            craft["position"] / [15, 15, 5],
            output.observations[0, 3:6],
            np.clip(craft["velocity"], [-3, -3, -1], [3, 3, 1]) / 3,
            turning / np.linalg.norm(turning),
        ]
    )
    np.testing.assert_allclose(output.observations[0], np.clip(expected, -1, 1), atol=1e-6)
    roll = np.arctan2(rotation[2, 1], rotation[2, 2])
    assert output.observations[0, 3] == pytest.approx(roll / np.pi, abs=1e-6)


def test_reward_is_bounded_by_default_only():
    falling = np.full((1, 6), -1, np.float32)
    for compat, low in ((None, -1.0), ("gpd2021", -20.0)):
        batch = started(NAME, 1, compat=compat)
        rewards = [float(batch.step(falling).rewards[0]) for _ in range(242)]
        assert min(rewards) == -1 if compat is None else low < min(rewards) < -1


def test_text():
    env = gymnasium.make("envsuite/QuadPIDTune-v0").unwrapped
    env.reset(seed=0)
    assert "published" in env.describe()
    np.testing.assert_allclose(env.parse("I raise it: [0.5, 0, 0, 0, 0, 0]"), [0.5, 0, 0, 0, 0, 0])
    assert isinstance(env.parse("[1, 2]"), Refusal)


@pytest.mark.parametrize(
    ("options", "mention"),
    [
        ({"vehicle": "racer"}, "vehicle is 'racer', expected one of 'cf2x', 'cf2p'"),
        ({"model": "l2f"}, "model is 'l2f'|no motor time constant"),
        ({"compat": "gpd"}, "compat is 'gpd'"),
        ({"precision": "float16"}, "precision is 'float16'"),
        ({"terms": {"luck": 1}}, "unknown term 'luck'"),
    ],
)
def test_bad_options_are_named(options, mention):
    with pytest.raises(ValueError, match=mention):
        gymnasium.make("envsuite/QuadPIDTune-v0", **options)
