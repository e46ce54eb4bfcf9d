"""The disturbance task."""

import gymnasium
import numpy as np
import pytest
from scipy import stats

from envsuite.core.companions import Players, companion
from envsuite.quadcopters.disturbance_dr.table import by_vehicle
from tests.quadcopters.tasks import fly_expert, rotations, started

NAME = "QuadDisturbanceDR"


def test_starts_and_disturbances_have_their_distributions():
    states = started(NAME, 4000, precision="float64").states
    craft, vehicle = states["craft"], states["vehicle"][:, 0]
    np.testing.assert_allclose(states["arm"], np.linalg.norm(vehicle["rotors"], axis=2).max(axis=1), rtol=1e-12)
    uniform = stats.uniform(-1, 2)
    for k in range(3):
        assert stats.kstest(craft["position"][:, k] / (10 * states["arm"]), uniform.cdf).pvalue > 1e-3
        assert stats.kstest(craft["velocity"][:, k], uniform.cdf).pvalue > 1e-3
    tilt = 2 * np.arccos(np.clip(np.abs(craft["attitude"][:, 0]), 0, 1))
    assert stats.kstest(tilt, stats.uniform(0, 1).cdf).pvalue > 1e-3
    weight = vehicle["mass"] * vehicle["gravity"]
    lift = 4 * vehicle["max_rotor_thrust"] / weight
    for k in range(3):
        torque = craft["push_torque"][:, k] / (weight * states["arm"] / 400)
        assert stats.kstest(torque, stats.norm.cdf).pvalue > 1e-3
        # a normal number times a uniform one: variance 1/3
        force = craft["push_force"][:, k] / (0.1 * (lift - 1) * lift * vehicle["mass"] / 3)
        assert np.var(force) == pytest.approx(1 / 3, rel=0.12)
        gust = craft["buffet"][:, k] / (0.1 * weight)
        assert stats.kstest(gust, stats.norm.cdf).pvalue > 1e-3
    assert stats.kstest(states["loss"], stats.uniform(0, 0.2).cdf).pvalue > 1e-3
    assert stats.kstest(states["load"], stats.uniform(-0.2, 0.4).cdf).pvalue > 1e-3
    for name in ("fails_at", "loads_at"):
        assert states[name].min() >= 100
        assert states[name].max() < 900
    assert (np.bincount(states["failing"], minlength=4) > 800).all()


def test_motor_and_load_change_when_they_should():
    batch = started(NAME, 40, precision="float64")
    before = batch.states["vehicle"][:, 0].copy()
    changed = []

    def watch(batch, output):
        s, step = batch.states, int(batch.states["clock"]["step"].max())
        alive = s["clock"]["step"] == step
        late = (step >= s["loads_at"])[alive]
        np.testing.assert_allclose(
            s["vehicle"]["mass"][alive, 0], (before["mass"] * np.where(step >= s["loads_at"], 1 + s["load"], 1))[alive]
        )
        weak = np.ones((len(s), 4))
        weak[np.arange(len(s)), s["failing"]] -= np.where(step >= s["fails_at"], s["loss"], 0)
        np.testing.assert_allclose(s["craft"]["efficiency"][alive], weak[alive])
        changed.append(late.sum())

    policy, output = companion(batch.world, Players).expert(), batch.last
    for _ in range(500):
        output = batch.step(policy.act(output.observations, batch.states))
        watch(batch, output)
    assert 5 < changed[-1] < 35


@pytest.mark.parametrize("history", [1, 16, 32])
def test_observation_reward_and_end(history):
    batch = started(NAME, 40, precision="float64", history=history)
    generator, log, ended = np.random.default_rng(0), [np.zeros((40, 4))] * history, np.zeros(40, bool)
    assert batch.world.observation.shape == (18 + 4 * history,)
    for _ in range(60):
        actions = generator.uniform(-1, 0.6, (40, 4)).astype(np.float32)
        before, log = log[-1], [*log, actions]
        output = batch.step(actions)
        craft = batch.states["craft"]
        error = np.linalg.norm(craft["position"], axis=1)
        lost = error > 20 * batch.states["arm"]
        tilt = 1 - rotations(craft)[:, 2, 2]
        expected = 1 - 0.5 * error - 0.1 * np.linalg.norm(craft["velocity"], axis=1) - 0.1 * tilt
        expected = np.maximum(expected - 0.05 * np.sum((actions - before) ** 2, axis=1), 0)
        expected = np.where(lost, -10, expected)
        np.testing.assert_array_equal(output.terminated[~ended], lost[~ended])
        np.testing.assert_allclose(output.rewards[~ended], expected[~ended], atol=1e-5)
        ended |= lost
    assert 0 < ended.sum() < 40
    np.testing.assert_array_equal(output.observations[:, 18:], np.concatenate(log[-history:], axis=1))


def test_metrics():
    batch = started(NAME, 20)
    errors = []
    info = fly_expert(batch, 300, lambda batch, output: errors.append(output.info["distance"].copy())).info
    whole = batch.states["clock"]["step"] == 300
    assert whole.sum() > 10
    expected = np.sqrt(np.mean(np.square(errors[100:]), axis=0))
    np.testing.assert_allclose(info["rmse"][whole], expected[whole], rtol=1e-3)
    vehicle = batch.states["vehicle"][:, 0]
    rolls = np.maximum(vehicle["rotors"][:, :, 1], 0).sum(axis=1) * vehicle["max_rotor_thrust"]
    np.testing.assert_allclose(info["torque_to_inertia"], rolls / vehicle["inertia"][:, 0], rtol=1e-5)
    lift = 4 * vehicle["max_rotor_thrust"] / (vehicle["mass"] * 9.81)
    np.testing.assert_allclose(info["thrust_to_weight"], lift, rtol=1e-5)


def test_expert_keeps_nearly_all_vehicles():
    batch = started(NAME, 200, seed=10**6)
    crashes = []
    fly_expert(batch, 999, lambda batch, output: crashes.append(output.terminated.sum()))
    assert np.sum(crashes) < 20


def test_named_vehicles_fly_as_they_are():
    batch = started(NAME, 3, sampled=False, vehicle="arpl", strength=0.0, terms={"buffet": 0.0})
    vehicle = batch.states["vehicle"][:, 0]
    assert (vehicle["mass"] == np.float32(0.782)).all()
    assert not batch.states["craft"]["push_force"].any()
    assert (fly_expert(batch, 600).info["distance"] < 0.02).all()


def test_strength_changes_in_use():
    batch = started(NAME, 5)
    batch.world.set_strength(0.0)
    assert batch.states["loss"].any()
    batch.reset()
    for name in ("loss", "load"):
        assert not batch.states[name].any()
    assert not batch.states["craft"]["push_force"].any()
    with pytest.raises(ValueError, match="strength is 2"):
        batch.world.set_strength(2)


def test_table_by_vehicle():
    returns = np.arange(40.0)
    metrics = {
        "mass": np.arange(40.0)[::-1],
        "crashed": np.arange(40) < 5,
        "rmse": np.full(40, 0.5),
        "arm": np.ones(40),
    }
    rows = by_vehicle(returns, metrics, "mass", 2)
    assert [(row.low, row.high, row.episodes) for row in rows] == [(0, 19, 20), (20, 39, 20)]
    assert [row.survival for row in rows] == [1.0, 0.75]
    assert [row.worst_decile for row in rows] == [20.5, 0.5]
    assert len(by_vehicle(returns, metrics, "arm")) == 1
    assert np.isnan(by_vehicle(returns[:5], {name: array[:5] for name, array in metrics.items()}, "arm")[0].rmse)
    with pytest.raises(ValueError, match="by is 'colour'"):
        by_vehicle(returns, metrics, "colour")
    with pytest.raises(ValueError, match="rows is 41"):
        by_vehicle(returns, metrics, "mass", 41)


@pytest.mark.parametrize(
    ("options", "mention"),
    [
        ({"history": 3}, "history is 3"),
        ({"strength": -0.5}, "strength is -0.5"),
        ({"ranges": {"mass": (-1.0, 2.0)}}, r"range mass is \(-1.0, 2.0\)"),
        ({"ranges": {"colour": (1.0, 2.0)}}, "unknown range 'colour'"),
        ({"model": "rpy", "vehicle": "cf21B_500", "act": "vel"}, "has no rotors, so its vehicles cannot be drawn"),
    ],
)
def test_bad_options_are_named(options, mention):
    with pytest.raises(ValueError, match=mention):
        gymnasium.make("envsuite/QuadDisturbanceDR-v0", **options)
