"""Two masses: a reference written from the published equations, equilibria, eigenvalues, published scores."""

import numpy as np
import pytest

from envsuite import card
from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from envsuite.industrial.dmsd.experts import pace
from envsuite.industrial.dmsd.world import DMSDWorld, transition

from ..batches import begun, played

EPISODES = 1000


def collected(name):
    return lambda world, slots: companion(world, Players).collector(name)


OTHERS = {"stiffness": 5.0, "damping": 3.0, "mass": 50.0, "force": 12.0}


@pytest.mark.parametrize("options", [{}, {"mass": 30.0}, OTHERS])
def test_equals_a_slow_reference(options):
    """Every step of a hundred, from the equations."""
    world = DMSDWorld(**options)
    batch = begun(world, 6)
    m, k = options.get("mass", 20.0), options.get("stiffness", 2.0)
    d, most, dt = options.get("damping", 4.0), options.get("force", 30.0), 0.2
    twins = [(s["x"].copy(), s["v"].copy(), s["targets"].copy()) for s in batch.states]
    rng = np.random.default_rng(0)
    for step in range(1, 101):
        actions = rng.uniform(-1, 1, (6, 2)).astype(np.float32)
        output = batch.step(actions)
        for n, (x, v, targets) in enumerate(twins):
            f = most * actions[n].astype(float)
            a0 = (-2 * k * x[0] + k * x[1] - 2 * d * v[0] + d * v[1] + f[0]) / m
            a1 = (-2 * k * x[1] + k * x[0] - 2 * d * v[1] + d * v[0] + f[1]) / m
            x += dt * v
            v += dt * np.array([a0, a1])
            goal = targets[:, 0] if step < 50 else targets[:, 1]
            np.testing.assert_allclose(batch.states[n]["x"], x, rtol=0, atol=1e-12)
            np.testing.assert_allclose(batch.states[n]["v"], v, rtol=0, atol=1e-12)
            assert output.rewards[n] == pytest.approx(-np.log(abs(x - goal) + 0.01).sum(), abs=1e-5)
            np.testing.assert_array_equal(output.observations[n], np.concatenate([x, v, goal]).astype(np.float32))
    assert not output.terminated.any()


def test_masses_come_to_rest_where_forces_balance():
    """K x = F with K = k [[2, -1], [-1, 2]]."""
    batch = begun(DMSDWorld())
    played(batch, *[(0.3, -0.1)] * 1500)
    rest = np.linalg.solve(2.0 * np.array([[2.0, -1.0], [-1.0, 2.0]]), 30.0 * np.array([0.3, -0.1]))
    np.testing.assert_allclose(batch.states[0]["x"], rest, atol=1e-6)
    np.testing.assert_allclose(batch.states[0]["v"], 0.0, atol=1e-7)


def test_modes_decay_by_their_eigenvalues():
    """Together the masses swing as one on one spring, against each other as on three: 1 + dt lambda a step."""
    params = DMSDWorld().params[0]
    found = np.sort_complex(np.linalg.eigvals(transition(params)[0]))
    expected = []
    for springs in (1.0, 3.0):
        roots = np.roots([20.0, springs * 4.0, springs * 2.0])
        expected.extend(1.0 + 0.2 * roots)
    np.testing.assert_allclose(found, np.sort_complex(expected), atol=1e-12)
    batch = begun(DMSDWorld())
    for signs, springs in (((1.0, 1.0), 1.0), ((1.0, -1.0), 3.0)):
        batch.states[0]["x"], batch.states[0]["v"] = signs, 0.0
        played(batch, *[(0.0, 0.0)] * 20)
        root = np.roots([20.0, springs * 4.0, springs * 2.0])[0]
        # x = Re(c (1 + dt root)^n) with x_0 = 1 and x_1 = 1
        z = 1.0 + 0.2 * root
        c = complex(0.5, (z.real - 1.0) / (2 * z.imag))
        amplitude = 2.0 * (c * z**20).real
        np.testing.assert_allclose(batch.states[0]["x"], np.array(signs) * amplitude, atol=1e-10)


def test_starts_and_targets_are_drawn_as_published():
    states = begun(DMSDWorld(), 4000).states
    for name, most in (("x", 0.25), ("v", 0.1)):
        assert 0.99 * most < abs(states[name]).max() <= most
        assert states[name].std() == pytest.approx(most / np.sqrt(3), rel=0.03)
    targets = states["targets"]
    assert 1.49 < abs(targets).max() <= 1.5
    same = targets[:, :, 0] == targets[:, :, 1]
    assert abs(same.mean(axis=0) - 0.5).max() < 0.04
    assert abs((same[:, 0] & same[:, 1]).mean() - 0.25) < 0.035  # independently of each other


def test_scores_are_those_published():
    """NeoRL-2's data: 494.45 with a deviation of 64.8, 481.22 in validation; its bounds are 30.60 and 849.51."""
    env = card("DMSD")
    returns = play(env, collected("pid"), EPISODES).returns
    assert returns.mean() == pytest.approx(494.45, abs=5 * 65 * np.hypot(EPISODES**-0.5, 1000**-0.5))
    assert returns.std() == pytest.approx(64.8, rel=0.12)
    returns = play(env, collected("pid-validation"), EPISODES).returns
    assert returns.mean() == pytest.approx(481.22, abs=5 * 60 * np.hypot(EPISODES**-0.5, 200**-0.5))
    assert play(env, random_policy, EPISODES).returns.mean() == pytest.approx(30.6, abs=15)
    assert play(env, expert_policy, EPISODES).returns.mean() == pytest.approx(847, abs=4)


def test_the_expert_comes_to_the_target_and_stays():
    world = DMSDWorld()
    batch, expert = begun(world, 200), companion(world, Players).expert()
    output = batch.last
    for step in range(1, 101):
        output = batch.step(expert.act(output.observations, batch.states))
        if step in (49, 99):
            assert output.info["error"].max() < 1e-4


@pytest.mark.parametrize("gap", [0.013, 0.2, -1.0, 2.9])
def test_the_pace_is_the_fastest_from_which_one_can_stop(gap):
    """Slowing down by the decline each step covers the gap, and one step less does not."""
    decline, dt = 0.25, 0.2
    speed = float(pace(gap, decline, dt))
    assert np.sign(speed) == np.sign(gap)
    size = abs(speed)
    way = dt * np.maximum(size - decline * np.arange(40), 0.0).sum()
    assert way == pytest.approx(abs(gap), abs=1e-12)


def test_bounds_hold_for_the_worst_forces():
    """Forces with the signs of the impulse response reach them but for the start's share."""
    world = DMSDWorld()
    a, b = transition(world.params[0])
    steps, row = 400, 0
    signs = [np.sign((np.linalg.matrix_power(a, steps - 1 - t) @ b)[row]) for t in range(steps)]
    batch = begun(world)
    played(batch, *signs)
    most = world.observation.high[row]
    assert 0.97 * most < abs(batch.states[0]["x"][row]) <= most


def test_options_and_what_they_refuse():
    assert Batch(DMSDWorld(mass=30), 1).world.params[0]["mass"] == 30
    for options, words in (
        ({"mass": 0}, "mass is 0, expected a number from 0.1 to 1000"),
        ({"force": "strong"}, "force is 'strong', expected a number"),
        ({"damping": 0.0}, "damping 0 N s/m swing on with 1.00.* of their size a step of 0.2 s, expected at"),
        ({"mass": 0.5}, "mass 0.5 kg, .* swing on with"),
    ):
        with pytest.raises(ValueError, match=words):
            DMSDWorld(**options)
    with pytest.raises(ValueError, match="collector is 'pd', expected one of 'pid', 'pid-validation'"):
        companion(DMSDWorld(), Players).collector("pd")
