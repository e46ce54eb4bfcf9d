"""The flocking task."""

import gymnasium
import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from tests.quadcopters.tasks import fly_expert, started

NAME = "QuadFlock"


def survey(crafts):
    """What the flock is like, by brute force over pairs: order, nearest distances, mean velocity, linked pairs."""
    x, v = crafts["position"].astype(float), crafts["velocity"].astype(float)
    units = v / np.maximum(np.linalg.norm(v, axis=1, keepdims=True), 1e-6)
    pairs = [(i, j) for i in range(len(x)) for j in range(len(x)) if i != j]
    order = np.mean([units[i] @ units[j] for i, j in pairs])
    gaps = np.linalg.norm(x[:, None] - x[None], axis=2) + 1e9 * np.eye(len(x))
    _, labels = connected_components(gaps < 2.0)
    linked = np.mean([labels[i] == labels[j] for i, j in pairs])
    return order, gaps.min(axis=1), np.linalg.norm(v.mean(axis=0)), linked


def test_reward_and_metrics():
    batch = started(NAME, 20, precision="float64")
    crafts, generator = batch.states["crafts"], np.random.default_rng(0)
    crafts["position"][:, :, :2] *= generator.uniform(0.9, 4, (20, 1, 1))
    crafts["position"][:, :, :2] += generator.uniform(-8, 8, (20, 1, 2))
    orders, links, ended = [], [], np.zeros((20, 8), bool)
    for _ in range(60):
        actions = generator.uniform(-1, 1, (20, 8, 4)).astype(np.float32)
        output = batch.step(actions)
        orders.append([])
        links.append([])
        for i in range(20):
            flying = ~ended[i]
            crashed = output.terminated[i] & flying
            order, gaps, pace, linked = survey(crafts[i][flying])
            orders[-1].append(order)
            links[-1].append(linked)
            spacing, middle = gaps.mean(), crafts["position"][i][flying].mean(axis=0)
            stray = np.linalg.norm(np.maximum(np.abs(middle - [0, 0, 1.5]) - [6, 6, 1], 0))
            reward = order + min(pace, 1) - max(0.5 - spacing, spacing - 1.5, 0) - np.var(gaps) - 0.1 * stray
            np.testing.assert_allclose(output.rewards[i][flying & ~crashed], reward, atol=1e-4)
            touched = output.info["collided"][i] & crashed
            assert (output.rewards[i][touched] == -5).all()
            assert (output.rewards[i][crashed & ~touched] == -10).all()
        ended |= output.terminated
        assert not output.rewards[ended & ~output.terminated].any()
    np.testing.assert_allclose(output.info["mean_order"][:, 0], np.mean(orders, axis=0), atol=1e-4)
    np.testing.assert_allclose(output.info["connectivity"][:, 0], np.mean(links, axis=0), atol=1e-4)
    assert 0 < np.mean(links) < 1


def test_drones_that_touch_are_out():
    batch = started(NAME, 1, precision="float64")
    crafts = batch.states["crafts"]
    crafts["position"][0, 1] = crafts["position"][0, 0] + [0.1, 0, 0]
    output = batch.step(np.zeros((1, 8, 4), np.float32))
    assert output.terminated[0].tolist() == [True, True, *[False] * 6]
    assert output.rewards[0, :2].tolist() == [-5, -5]
    again = batch.step(np.zeros((1, 8, 4), np.float32))
    assert not again.rewards[0, :2].any()
    assert not crafts["active"][0, :2].any()


def test_original_reward():
    batch = started(NAME, 3, precision="float64", reward="gpd2021")
    output = batch.step(np.zeros((3, 8, 4), np.float32))
    x = batch.states["crafts"]["position"]
    np.testing.assert_allclose(output.rewards[:, 0], -np.sum((x[:, 0] - [0, 0, 1]) ** 2, axis=1), rtol=1e-5)
    np.testing.assert_allclose(output.rewards[:, 1:], -(np.diff(x[..., 2], axis=1) ** 2), rtol=1e-4, atol=1e-9)


def test_expert_flocks():
    info = fly_expert(started(NAME, 5), 959).info
    assert info["is_success"].all()
    assert (info["mean_order"] > 0.98).all()
    assert (info["collisions_per_minute"] == 0).all()


@pytest.mark.parametrize(
    ("options", "mention"),
    [
        ({"num_drones": 0}, "num_drones is 0, expected a whole number from 4 to 64"),
        ({"reward": "fun"}, "reward is 'fun'"),
        ({"contact": "hug"}, "contact is 'hug'"),
    ],
)
def test_bad_options_are_named(options, mention):
    with pytest.raises(ValueError, match=mention):
        gymnasium.make("envsuite/QuadFlock-v0", **options)
