"""The downwash task."""

import gymnasium
import numpy as np
import pytest

from envsuite.quadcopters.downwash_formation.params import COURSES
from tests.quadcopters.tasks import fly_expert, started

NAME = "QuadDownwashFormation"


def reference(states, time):
    """References from their formula, (n, drones, 3)."""
    rate = 2 * np.pi / states["period"].astype(np.float64)
    phase = rate * time**2 / 2 if time < 1 else rate * (time - 0.5)
    phase = np.where(states["course"] == COURSES.index("script"), rate * time, phase)[:, None, None]
    return states["center"] + states["swing"] * np.cos(phase) + states["sway"] * np.sin(phase)


def test_courses_keep_half_a_metre():
    for course in COURSES[1:]:
        states = started(NAME, 50, course=course, precision="float64").states
        for time in np.linspace(0, 12, 200):
            x = reference(states, time)
            gaps = np.linalg.norm(x[:, :, None] - x[:, None], axis=3) + 9 * np.eye(4)
            assert gaps.min() >= 0.5 - 1e-9
            assert x[..., 2].min() >= 0.5 - 1e-9
    kinds = started(NAME, 100, precision="float64").states["course"]
    assert set(kinds) == {1, 2, 3}


def test_script_is_the_example_of_gym_pybullet_drones():
    states = started(NAME, 1, course="script", precision="float64").states
    for time in (0.0, 0.4, 2.0, 7.7):
        wave = 0.5 * np.cos(2 * np.pi * time / 5)
        expected = [(wave, -0.5, 1), (-wave, -0.5, 0.5), (wave, 0.5, 1), (-wave, 0.5, 0.5)]
        np.testing.assert_allclose(reference(states, time)[0], expected, atol=1e-9)


def test_observation_reward_and_end():
    batch = started(NAME, 30, precision="float64")
    generator, ended, dips, crafts = np.random.default_rng(0), np.zeros((30, 4), bool), [], batch.states["crafts"]
    for step in range(1, 20):
        actions = generator.uniform(-0.4, 0.8, (30, 4, 4)).astype(np.float32)
        output = batch.step(actions)
        now, h = reference(batch.states, step / 48), 1e-5
        speed = (reference(batch.states, step / 48 + h) - reference(batch.states, step / 48 - h)) / (2 * h)
        x = crafts["position"]
        error = np.linalg.norm(x - now, axis=2)
        slip = np.linalg.norm(crafts["velocity"] - speed, axis=2)
        flying = ~ended
        gaps = np.linalg.norm(x[:, :, None] - x[:, None], axis=3) + 9 * np.eye(4) + 9 * ~flying[:, None]
        crashed = (error > 1) | crafts["contact"] | (gaps.min(axis=2) < 0.12)
        expected = np.where(crashed, -10, np.exp(-4 * error) - 0.05 * slip)
        np.testing.assert_array_equal(output.terminated[flying], crashed[flying])
        np.testing.assert_allclose(output.rewards[flying], expected[flying], atol=1e-4)
        dips.append(np.where(flying, (now - x)[..., 2], 0))
        ended |= output.terminated
    assert 0 < ended.sum() < 120
    np.testing.assert_allclose(output.info["dip"], np.maximum(np.max(dips, axis=0), 0), atol=1e-5)
    found = output.observations
    np.testing.assert_allclose(found[..., :3], x - now, atol=1e-5)
    np.testing.assert_array_equal(found[~ended][:, 18:22], actions[~ended])
    for k in range(5):
        ahead = reference(batch.states, step / 48 + 0.1 * (k + 1)) - x
        np.testing.assert_allclose(found[..., 22 + 3 * k : 25 + 3 * k], ahead, atol=1e-4)


def test_air_pushes_by_the_limited_formula_of_gym_pybullet_drones():
    batch = started(NAME, 1, course="column", precision="float64")
    crafts = batch.states["crafts"]
    crafts["position"][0] = [(0, 0, 0.5), (0.05, 0, 1.7), (5, 0, 1), (0, 5, 1)]
    before = crafts["position"][0].copy()
    batch.step(np.zeros((1, 4, 4), np.float32))
    # the last of five physics steps saw nearly the same places
    gap, aside = before[1, 2] - before[0, 2], 0.05
    alpha, beta = 2267.18 * (0.0231348 / (4 * gap)) ** 2, 0.16 * gap - 0.11
    assert crafts["downwash"][0, 0] == pytest.approx(alpha * np.exp(-0.5 * (aside / beta) ** 2), rel=0.05)
    assert not crafts["downwash"][0, 1:].any()
    crafts["position"][0, 1] = (0, 0, crafts["position"][0, 0, 2] + 0.3)
    output = batch.step(np.zeros((1, 4, 4), np.float32))
    assert output.info["downwash"][0, 0] == pytest.approx(0.5, rel=1e-5)


def test_expert_holds_its_height_and_downwash_costs():
    batch = started(NAME, 20)
    info = fly_expert(batch, 575).info
    assert info["is_success"].all()
    assert (info["dip"] < 0.05).all()
    still = fly_expert(started(NAME, 20, downwash=False), 575).info
    assert still["rmse"].mean() < info["rmse"].mean()
    assert not still["downwash"].any()


@pytest.mark.parametrize(
    ("options", "mention"),
    [
        ({"num_drones": 0}, "num_drones is 0, expected a whole number from 2 to 9"),
        ({"course": "party"}, "course is 'party'"),
        ({"contact": "hug"}, "contact is 'hug'"),
    ],
)
def test_bad_options_are_named(options, mention):
    with pytest.raises(ValueError, match=mention):
        gymnasium.make("envsuite/QuadDownwashFormation-v0", **options)
