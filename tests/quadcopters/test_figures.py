"""Logs of flights and their figures."""

import numpy as np
import pytest

import envsuite
from envsuite.cli.common import with_options
from envsuite.core.batch import Batch
from envsuite.core.companions import Logs, companion
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import expert_policy
from envsuite.evaluation.trajectories import fly
from envsuite.quadcopters.figures import crossings, errors, tracking
from envsuite.quadcopters.telemetry import positions

pytest.importorskip("matplotlib")


def flown(name, *options, seed=0):
    return fly(with_options(envsuite.card(name), options), expert_policy, seed)


def test_a_log_holds_the_episode():
    """Row k holds state k, and the action and the reward that follow."""
    card = envsuite.card("QuadTakeoff")
    log = fly(card, expert_policy, 5)
    world = make_world(card.world, **card.options)
    batch = Batch(world, 1, horizon=card.horizon or 0)
    batch.seed([5])
    batch.reset()
    columns = log.columns
    assert len(columns["time"]) == card.horizon + 1
    for k in range(len(columns["time"]) - 1):
        craft = batch.states["craft"][0]
        np.testing.assert_array_equal(positions(columns)[k], craft["position"].astype(np.float64))
        np.testing.assert_array_equal([columns[f"rotor_{i}"][k] for i in range(4)], craft["rotor_speed"])
        action = np.array([[columns[f"action_{i}"][k] for i in range(4)]], np.float32)
        assert batch.step(action).rewards[0] == columns["reward"][k]
    assert np.isnan(columns["reward"][-1])
    assert np.diff(columns["time"]) == pytest.approx(1 / 48)
    np.testing.assert_allclose(positions(columns, "reference_"), [[0, 0, 1]] * len(columns["time"]))
    # velocities are those of the positions
    moved = np.diff(positions(columns), axis=0) * 48
    assert np.abs(moved[50:, 2] - columns["vz"][51:]).max() < 0.02


def test_angles_and_quaternions_say_the_same():
    from scipy.spatial.transform import Rotation

    columns = flown("QuadThrowRecovery").columns
    q = Rotation.from_quat(np.stack([columns[name] for name in ("qx", "qy", "qz", "qw")], axis=-1))
    euler = np.stack([columns[name] for name in ("yaw", "pitch", "roll")], axis=-1)
    assert (q.inv() * Rotation.from_euler("ZYX", euler)).magnitude().max() < 1e-4


def test_tracking_error_is_that_of_the_metrics():
    log = flown("QuadTrackLissajous", "curve=figure8")
    np.testing.assert_allclose(errors(log.columns), log.columns["distance"], atol=1e-5)  # single precision
    rmse = np.sqrt(np.mean(errors(log.columns)[1:] ** 2))
    assert rmse == pytest.approx(float(log.columns["rmse"][-1]), rel=1e-4)
    figure = companion(log.world, Logs).figure(log.columns, log.state)
    title = figure.axes[1].get_title()
    assert f"RMSE {100 * np.sqrt(np.mean(errors(log.columns) ** 2)):.1f} cm" in title
    drawn = figure.axes[0].lines[1].get_xydata()
    np.testing.assert_array_equal(drawn, positions(log.columns)[:, :2])


def test_race_figure_names_the_lap_and_every_gate():
    log = flown("QuadGateRaceL0")
    times = crossings(log.columns)
    assert len(times) == 4
    assert times[-1] == pytest.approx(float(log.columns["lap_time"][-1]), abs=1e-3)
    figure = companion(log.world, Logs).figure(log.columns, log.state)
    assert f"lap {times[-1]:.2f} s" in figure.axes[1].get_title()
    assert len(figure.axes[1].texts) == 4


def test_several_drones_have_rows_each():
    log = flown("QuadMultiHover")
    columns = log.columns
    assert np.array_equal(np.unique(columns["agent"]), [0, 1])
    assert len(log.of_agent(1)["x"]) * 2 == len(columns["x"])
    assert len(tracking(columns).axes[2].lines) == 4


@pytest.mark.parametrize("name", sorted(c.id for c in envsuite.cards().values() if c.family == "quadcopters"))
def test_every_drone_task_keeps_a_log(name):
    card = envsuite.card(name)
    world = make_world(card.world, **card.options)
    batch = Batch(world, 1)
    batch.seed([0])
    batch.reset()
    found = companion(world, Logs).telemetry(batch.states[0])
    assert {"x", "qw", "vx", "wx", "reference_z"} <= set(found)
    agents = max(1, len(world.agents))
    assert all(column.shape == (agents,) and np.isfinite(column).all() for column in found.values())
