"""The tracking task."""

import gymnasium
import numpy as np
import pytest

from envsuite.core.companions import Players, companion
from tests.quadcopters.tasks import fly_expert, rotations, started

NAME = "QuadTrackLissajous"


def reference(states, time):
    """Position of the reference from its formula; derivatives by differences."""
    rate = 2 * np.pi / states["period"].astype(np.float64)
    phase = rate * time**2 / 2 if time < 1 else rate * (time - 0.5)
    waves = states["waves"].astype(np.float64) * phase[:, np.newaxis] + states["shift"]
    return states["extent"] * np.sin(waves) + [0, 0, 1]


def derivatives(states, time, h=1e-4):
    before, now, after = (reference(states, t) for t in (time - h, time, time + h))
    return (after - before) / (2 * h), (after - 2 * now + before) / h**2


def test_curves_are_drawn_from_their_ranges():
    states = started(NAME, 3000).states
    sizes = states["extent"]
    for k, (low, high) in enumerate(((0.3, 1.2), (0.3, 1.2), (0.0, 0.3))):
        assert low <= sizes[:, k].min() < low + 0.05
        assert high - 0.05 < sizes[:, k].max() <= high
    assert 3.5 <= states["period"].min() < 3.7
    assert 11.8 < states["period"].max() <= 12
    shapes, counts = np.unique(states["waves"], axis=0, return_counts=True)
    expected = {(2, 1, 1), (1, 2, 1), (2, 1, 2), (3, 2, 1), (1, 1, 0)}
    assert {tuple(int(x) for x in shape) for shape in shapes} == expected
    assert (counts > 500).all()


@pytest.mark.parametrize(
    ("curve", "at"),
    [
        ("figure8", lambda f: (0.8 * np.sin(f), 0.4 * np.sin(2 * f), 1 + 0 * f)),
        ("circle", lambda f: (0.8 * np.cos(f), 0.8 * np.sin(f), 1 + 0 * f)),
        ("helix", lambda f: (0.8 * np.cos(f), 0.8 * np.sin(f), 1 + 0.4 * np.sin(f / 8))),
        ("vertical8", lambda f: (0.8 * np.sin(f), 0 * f, 1 + 0.4 * np.sin(2 * f))),
    ],
)
def test_named_curves(curve, at):
    batch = started(NAME, 1, curve=curve, size=0.8, period=6.0, start=0.0, precision="float64")
    for time in (0.0, 0.5, 1.0, 4.0, 9.0):
        phase = 2 * np.pi / 6 * (time**2 / 2 if time < 1 else time - 0.5)
        np.testing.assert_allclose(reference(batch.states, time)[0], at(phase), atol=1e-9)
    info = fly_expert(batch, 999).info
    assert info["is_success"].all()
    assert info["rmse"][0] < 0.05


def test_observation():
    batch = started(NAME, 40, precision="float64")
    generator, log = np.random.default_rng(0), [np.zeros((40, 4))] * 16
    step = 24
    for _ in range(step):
        actions = (0.334 + generator.uniform(-0.02, 0.02, (40, 4))).astype(np.float32)
        log.append(actions)
        output = batch.step(actions)
    craft, found = batch.states["craft"], output.observations
    assert not output.terminated.any()
    now = reference(batch.states, step / 100)
    velocity, _ = derivatives(batch.states, step / 100)
    np.testing.assert_allclose(found[:, :3], craft["position"] - now, atol=1e-5)
    np.testing.assert_allclose(found[:, 3:12], rotations(craft).reshape(-1, 9), atol=1e-6)
    np.testing.assert_allclose(found[:, 12:15], craft["velocity"] - velocity, atol=1e-4)
    np.testing.assert_allclose(found[:, 15:18], craft["rates"], atol=1e-4)
    for k in range(10):
        ahead = reference(batch.states, step / 100 + 0.1 * (k + 1)) - craft["position"]
        np.testing.assert_allclose(found[:, 18 + 3 * k : 21 + 3 * k], ahead, atol=1e-5)
    np.testing.assert_array_equal(found[:, 48:], np.concatenate(log[-16:], axis=1).astype(np.float32))


def test_reward_and_end():
    batch = started(NAME, 60, precision="float64")
    generator, last, ended = np.random.default_rng(1), np.zeros((60, 4)), np.zeros(60, bool)
    for step in range(1, 80):
        actions = generator.uniform(-0.3, 1, (60, 4)).astype(np.float32)
        output = batch.step(actions)
        craft = batch.states["craft"]
        now = reference(batch.states, step / 100)
        velocity, acceleration = derivatives(batch.states, step / 100)
        error = np.linalg.norm(craft["position"] - now, axis=1)
        slip = np.linalg.norm(craft["velocity"] - velocity, axis=1)
        pull = acceleration + np.array([0, 0, 9.81])
        cosine = np.sum(rotations(craft)[:, :, 2] * pull, axis=1) / np.linalg.norm(pull, axis=1)
        expected = np.exp(-((error / 0.2) ** 2)) + 0.3 * np.exp(-slip) - 0.1 * (1 - cosine)
        expected -= 0.02 * np.sum((actions - last) ** 2, axis=1)
        expected = np.where(error > 1, -10, expected)
        np.testing.assert_array_equal(output.terminated[~ended], (error > 1)[~ended])
        np.testing.assert_allclose(output.rewards[~ended], expected[~ended], atol=2e-3 if step in (99, 100) else 2e-4)
        last, ended = actions, ended | output.terminated
    assert ended.sum() > 10


def test_metrics():
    batch = started(NAME, 10)
    errors, changes, last = [], [], np.zeros((10, 4))

    def watch(batch, output):
        nonlocal last
        errors.append(output.info["distance"].copy())
        changes.append(np.linalg.norm(batch.states["craft"]["last_action"] - last, axis=1))
        last = batch.states["craft"]["last_action"].copy()

    info = fly_expert(batch, 400, watch).info
    np.testing.assert_allclose(info["rmse"], np.sqrt(np.mean(np.square(errors), axis=0)), rtol=1e-4)
    np.testing.assert_allclose(info["max_error"], np.max(errors, axis=0), rtol=1e-5)
    np.testing.assert_allclose(info["action_change"], np.mean(changes, axis=0), rtol=1e-3)
    np.testing.assert_allclose(info["completion"], 0.4)


@pytest.mark.parametrize(
    ("preset", "size", "period", "rmse", "largest"),
    [
        ("agile", 1.0, 15.0, 0.0053, 0.012),
        ("agile", 1.0, 8.0, 0.0141, 0.025),
        ("agile", 1.0, 5.5, 0.0284, 0.041),
        ("agile", 1.0, 3.5, 0.0663, 0.098),
        ("agile", 2.0, 5.5, 0.056, 0.081),
        ("robust", 1.0, 15.0, 0.0070, 0.022),
        ("robust", 1.0, 5.5, 0.0572, 0.083),
        ("robust", 1.0, 3.5, 0.154, 0.225),
    ],
)
def test_expert_tracks_as_in_an_independent_simulation(preset, size, period, rmse, largest):
    """Three laps of the figure eight; there, the error is to the point given before the step."""
    batch = started(NAME, 1, curve="figure8", size=size, period=period, start=0.0, preset=preset, precision="float64")
    batch.horizon = 0
    policy, errors, output = companion(batch.world, Players).expert(), [], batch.last
    for step in range(round(300 * period)):
        before = reference(batch.states, step / 100)
        output = batch.step(policy.act(output.observations, batch.states))
        errors.append(np.linalg.norm(batch.states["craft"]["position"] - before))
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(rmse, rel=0.03)
    assert np.max(errors) == pytest.approx(largest, rel=0.06)


def test_identified_vehicles_track_too():
    batch = started(NAME, 20, model="fp", vehicle="cf21B_500")
    info = fly_expert(batch, 999).info
    assert np.median(info["rmse"]) < 0.08


@pytest.mark.parametrize(
    ("options", "mention"),
    [
        ({"curve": "line"}, "curve is 'line', expected one of 'random'"),
        ({"size": 0.0}, "size is 0.0"),
        ({"period": -1.0}, "period is -1.0"),
        ({"start": 2.0}, "start is 2.0"),
    ],
)
def test_bad_options_are_named(options, mention):
    with pytest.raises(ValueError, match=mention):
        gymnasium.make("envsuite/QuadTrackLissajous-v0", **options)
