"""The throw-recovery task."""

import numpy as np
import pytest
from scipy import stats
from scipy.spatial.transform import Rotation

import envsuite
from envsuite.evaluation.rollout import expert_policy, play
from tests.quadcopters.tasks import fly_expert, rotations, started

NAME = "QuadThrowRecovery"


def test_throws_are_uniform():
    craft = started(NAME, 5000, precision="float64").states["craft"]
    np.testing.assert_array_equal(craft["position"], np.tile([0, 0, 3.0], (5000, 1)))
    for name, limit in (("velocity", 3), ("rates", 10)):
        for k in range(3):
            assert stats.kstest(craft[name][:, k], stats.uniform(-limit, 2 * limit).cdf).pvalue > 1e-3
    turns = rotations(craft)
    angle = Rotation.from_matrix(turns).magnitude()
    assert stats.kstest(angle, lambda x: (x - np.sin(x)) / np.pi).pvalue > 1e-3  # uniform rotations
    for k in range(3):
        assert stats.kstest(turns[:, k, 2], stats.uniform(-1, 2).cdf).pvalue > 1e-3


def test_throws_can_be_gentle():
    batch = started(NAME, 500, strength=0.0)
    craft = batch.states["craft"]
    np.testing.assert_allclose(craft["attitude"], np.tile([1, 0, 0, 0], (500, 1)), atol=1e-6)
    assert not craft["velocity"].any()
    assert not craft["rates"].any()
    tilts = []
    for strength in (0.3, 0.6, 1.0):
        batch.world.set_strength(strength)
        batch.seed(range(500))
        batch.reset()
        assert np.abs(craft["velocity"]).max() == pytest.approx(3 * strength, rel=0.01)
        assert np.abs(craft["rates"]).max() == pytest.approx(10 * strength, rel=0.01)
        tilts.append(np.degrees(np.arccos(rotations(craft)[:, 2, 2])).mean())
    assert 5 < tilts[0] < 30 < tilts[1] < 75
    assert tilts[2] == pytest.approx(90, abs=5)
    with pytest.raises(ValueError, match=r"strength is 1\.5"):
        batch.world.set_strength(1.5)
    with pytest.raises(ValueError, match="strength is nan"):
        started(NAME, 1, strength=float("nan"))


def test_reward_and_end():
    batch = started(NAME, 60, precision="float64")
    generator, ended = np.random.default_rng(1), np.zeros(60, bool)
    for _ in range(150):
        actions = generator.uniform(-1, 1, (60, 4)).astype(np.float32)
        output = batch.step(actions)
        craft = batch.states["craft"]
        p, v, q = craft["position"] - [0, 0, 3], craft["velocity"], craft["attitude"]
        cost = 40 * np.sum(p**2, axis=1) + 5 * (1 - q[:, 0] ** 2) + np.sum(v**2, axis=1)
        cost += np.sum((actions - 0.33405) ** 2, axis=1)
        low = craft["position"][:, 2] < 0.0
        expected = np.where(low, -10, 2 / (1 + cost / 4))
        np.testing.assert_array_equal(output.terminated[~ended], low[~ended])
        np.testing.assert_allclose(output.rewards[~ended], expected[~ended], rtol=1e-4)
        ended |= output.terminated
    assert ended.sum() > 30


def test_metrics():
    batch = started(NAME, 30)
    heights, rest = [], []

    def watch(batch, output):
        craft = batch.states["craft"]
        heights.append(craft["position"][:, 2].copy())
        error = np.linalg.norm(craft["position"] - [0, 0, 3], axis=1)
        rest.append((error < 0.5) & (np.linalg.norm(craft["velocity"], axis=1) < 0.3))
        np.testing.assert_array_equal(output.info["is_success"], rest[-1])

    info = fly_expert(batch, 299, watch).info
    whole = ~np.any(np.array(heights) < 0, axis=0)
    assert whole.sum() > 15
    np.testing.assert_allclose(info["lowest"][whole], np.minimum(3, np.min(heights, axis=0))[whole], rtol=1e-6)
    np.testing.assert_array_equal(info["settled_early"][whole], rest[149][whole])


@pytest.mark.slow
def test_expert_recovers_at_least_as_often_as_in_an_independent_simulation():
    """There, the controller tuned for hovering settled 35 % in 1.5 s and 75 % in 3 s."""
    episodes = play(envsuite.card(NAME + "-v0"), expert_policy, 1000, first_seed=0)
    # 0.04 is three standard errors of a share over 1,000 episodes
    assert episodes.metrics["settled_early"].mean() > 0.35 - 0.04
    assert episodes.metrics["is_success"].mean() > 0.85
