"""The beach against its formulas, its exact front against all assignments, and the published instances."""

import itertools

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.momarl.beach.experts import known_front
from envsuite.momarl.beach.kernel import BeachWorld
from envsuite.momarl.beach.params import PRESETS

from ..batches import begun

PAPER = {**PRESETS["mannion-50"], "type_counts": "exact"}


def reference(sections, kinds, capacity, count):
    """Capacity and mixture of every section, from the definitions."""
    values = []
    for k in range(count):
        here = kinds[sections == k]
        x = len(here)
        values.append((x * np.exp(-x / capacity), min((here == t).sum() for t in (0, 1)) / x if x else 0.0))
    return np.array(values)


@pytest.mark.parametrize("mode", ["individual", "team"])
def test_pays_what_the_definitions_say(mode):
    world = BeachWorld(**PAPER | {"reward_mode": mode})
    batch = begun(world, 3)
    actions = np.random.default_rng(1).integers(0, 3, (3, 50))
    before = batch.states["section"].astype(int)
    output = batch.step(actions)
    for i in range(3):
        sections = np.clip(before[i] + actions[i] - 1, 0, 4)
        np.testing.assert_array_equal(batch.states["section"][i], sections)
        local = reference(sections, batch.states["type"][i], 3, 5)
        team = np.array([local[:, 0].sum(), local[:, 1].mean()])
        expected = local[sections] if mode == "individual" else np.tile(team, (50, 1))
        np.testing.assert_allclose(output.rewards[i], expected, rtol=1e-6)
        np.testing.assert_allclose(
            [output.info[i, 0][name] for name in ("team_capacity", "team_mixture")], team, rtol=1e-6
        )
    assert output.terminated.all()
    assert not output.truncated.any()


def test_pays_with_the_last_step_only():
    batch = begun(BeachWorld(**PRESETS["mannion-50"] | {"num_timesteps": 3}))
    stay = np.ones((1, 50), np.int64)
    for step in range(3):
        output = batch.step(stay)
        assert output.terminated.all() == output.rewards.any() == (step == 2)


def test_front_of_the_published_instances():
    expected = [
        (4.4147, 0.3246), (4.3655, 0.3541), (4.3378, 0.3564), (4.3163, 0.3833), (4.2886, 0.3860), (4.2671, 0.4124),
        (4.2394, 0.4153), (4.2180, 0.4412), (4.1902, 0.4444), (4.1626, 0.4474), (4.1350, 0.4500), (4.1074, 0.4524),
    ]  # fmt: skip
    world = BeachWorld(**PAPER)
    np.testing.assert_allclose(world.known_front(), expected, atol=5e-5)
    team = BeachWorld(**PAPER | {"reward_mode": "team"})
    np.testing.assert_allclose(team.normalisers(), [4.414673, 0.452381], atol=5e-7)
    assert (team.known_front() / team.normalisers()).mean(axis=1).max() == pytest.approx(0.96591, abs=5e-6)
    larger = known_front((70, 30), 5, 5.0)
    assert len(larger) == 19
    np.testing.assert_allclose(larger[[0, -1]], [(7.3576, 0.3750), (5.3626, 0.4565)], atol=5e-5)


def test_front_holds_all_that_no_assignment_beats():
    kinds = np.array([0, 0, 0, 0, 1, 1, 1])
    local = [reference(np.array(one), kinds, 2.0, 3) for one in itertools.product(range(3), repeat=7)]
    points = np.array([(one[:, 0].sum(), one[:, 1].mean()) for one in local])
    front = known_front((4, 3), 3, 2.0)
    for point in points:
        assert (front >= point - 1e-12).all(axis=1).any()
    for point in front:
        assert np.isclose(points, point, atol=1e-12).all(axis=1).any()


def test_numbers_of_types_and_starts():
    batch = begun(BeachWorld(**PAPER), 40)
    assert (batch.states["type"].sum(axis=1) == 15).all()
    assert set(np.unique(batch.states["section"])) == {1, 3}
    drawn = begun(BeachWorld(**PRESETS["mannion-50"]), 400)
    counts = drawn.states["type"].sum(axis=1)
    assert counts.std() == pytest.approx(np.sqrt(50 * 0.3 * 0.7), rel=0.2)
    assert counts.mean() == pytest.approx(15, abs=0.7)


def test_planner_comes_near_the_best_of_the_front():
    world = BeachWorld(**PAPER | {"reward_mode": "team"})
    batch = Batch(world, 20)
    batch.seed(range(20))
    output = batch.reset()
    output = batch.step(companion(world, Players).expert().act(output.observations, batch.states))
    reached = (output.rewards[:, 0] / world.normalisers()).mean(axis=1)
    assert reached.max() <= 0.96591 + 1e-5
    assert reached.min() > 0.94


@pytest.mark.parametrize(
    "options",
    [{"sections": 1}, {"type_distribution": (0.5, 0.6)}, {"num_agents": 1}, {"reward_mode": "both"}, {"capacity": 0}],
)
def test_refuses_options(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        BeachWorld(**options)
