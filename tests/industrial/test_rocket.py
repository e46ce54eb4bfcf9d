"""The rocket beside Box2D's LunarLander under the same draws, mechanics, and published scores."""

import numpy as np
import pytest

from envsuite import card
from envsuite.core import rng
from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.core.jit import records
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from envsuite.industrial.rocket.kernel import RocketRecoveryWorld, wind_at
from envsuite.industrial.rocket.params import FIRST_WIND

from ..batches import begun, played

OFF = (0.0, 0.0)


class Draws:
    """Numbers for LunarLander, in the place of its generator: those that the world draws."""

    def __init__(self, state):
        self.stream = records(np.array([state["rng"]]))
        self.stream["counter"][0, rng.RESET] = 0
        self.resetting = True

    def uniform(self, low, high, size=None):
        if size is not None:
            return np.full(size, 10 / 3)  # flat ground
        purpose = rng.RESET if self.resetting else rng.DYNAMICS
        if self.resetting and high == 1.0:  # strays of a step in which nothing burns
            return 0.0
        return float(rng.uniform(self.stream[0], purpose, float(low), float(high)))

    def integers(self, low, high):
        if low == -FIRST_WIND and not hasattr(self, "clock"):
            self.clock = int(rng.integers(self.stream[0], rng.RESET, high - low)) + low
        return self.clock


def lunar_lander(state, monkeypatch):
    """Gymnasium's environment, in the episode of a record at its beginning."""
    pytest.importorskip("Box2D")
    from gymnasium.envs.box2d import lunar_lander

    monkeypatch.setattr(lunar_lander, "INITIAL_RANDOM", 500.0)
    env = lunar_lander.LunarLander(continuous=True, enable_wind=True, wind_power=10.0, turbulence_power=0.0)
    draws = Draws(state)
    env._np_random = draws
    first, _ = env.reset()
    draws.resetting = False
    return env, np.array(first[:6], float)


def flights(monkeypatch, count, steps, act):
    """Observations of both along the same actions, (count, steps + 1, 6) each; nan from when one has come down."""
    batch = begun(RocketRecoveryWorld(compat="neorl2"), count)
    pairs = [lunar_lander(state, monkeypatch) for state in batch.states]
    here, there = (np.full((count, steps + 1, 6), np.nan) for _ in range(2))
    here[:, 0], there[:, 0] = batch.last.observations[:, :6], [first for _, first in pairs]
    draw = np.random.default_rng(0)
    going = np.ones(count, bool)
    for k in range(1, steps + 1):
        actions = act(draw, count, k).astype(np.float32)
        output = batch.step(actions)
        going &= ~output.terminated & (output.observations[:, 1] > 0.15)
        for n in np.flatnonzero(going):
            there[n, k] = pairs[n][0].step(actions[n])[0][:6]
            here[n, k] = output.observations[n, :6]
    return here, there


def held(draw, count, k):
    """Actions at random, mostly upwards, so that flights last."""
    main = draw.uniform(-0.6, 1.0, count)
    return np.column_stack([main, draw.uniform(-1, 1, count)])


def test_stays_with_box2d_under_the_same_draws(monkeypatch):
    """Open loop: medians beyond a hundred steps within those that were measured of this reduction."""
    here, there = flights(monkeypatch, 60, 120, held)
    np.testing.assert_allclose(here[:, 0], there[:, 0], atol=1.5e-3)
    error = abs(here - there)
    assert np.isfinite(error[:, 100:, 0]).sum() > 500
    early, late = (np.nanmedian(error[:, steps], axis=(0, 1)) for steps in (slice(1, 30), slice(100, None)))
    assert (early < [1e-3, 1e-3, 2e-3, 2e-3, 2e-3, 4e-3]).all(), early
    assert (late < [0.012, 0.003, 0.030, 0.006, 0.018, 0.010]).all(), late


def test_side_engines_turn_alike_in_every_attitude_only_when_repaired():
    """The torque of a side engine: the original's grows with the lean, by 3/30 m of lever."""
    spins = {}
    for compat in (None, "neorl2"):
        for angle in (0.0, 1.0):
            batch = begun(RocketRecoveryWorld(compat=compat, wind=0.0), 2000)
            batch.states["angle"], batch.states["spin"] = angle, 0.0
            played(batch, (0.0, 1.0))
            spins[compat, angle] = batch.states["spin"].mean()
    assert spins[None, 0.0] == pytest.approx(-0.6 * 0.4 * (14 / 30 - 0.08874) / 0.91225, abs=2e-3)
    assert spins[None, 1.0] == pytest.approx(spins[None, 0.0], abs=2e-3)
    assert spins["neorl2", 0.0] == pytest.approx(spins[None, 0.0], abs=2e-3)
    more = 0.6 * 0.4 * 3 / 30 * np.sin(1.0) ** 2 / 0.91225
    assert spins["neorl2", 1.0] == pytest.approx(spins[None, 0.0] - more, abs=2e-3)


def test_free_fall_and_wind():
    """Without wind and engines: parabolas, no change of spin; with wind, its force over the mass."""
    batch = begun(RocketRecoveryWorld(wind=0.0), 50)
    before = batch.states.copy()
    steps = 20
    played(batch, *[OFF] * steps)
    now = batch.states
    np.testing.assert_allclose(now["velocity"][:, 0], before["velocity"][:, 0], atol=1e-12)
    np.testing.assert_allclose(now["velocity"][:, 1], before["velocity"][:, 1] - 10 * 0.02 * steps, atol=1e-12)
    fall = before["velocity"][:, 1] * 0.4 - 10 * 0.02**2 * steps * (steps + 1) / 2
    np.testing.assert_allclose(now["position"][:, 1], before["position"][:, 1] + fall, atol=1e-11)
    np.testing.assert_allclose(now["spin"], before["spin"], atol=1e-12)
    np.testing.assert_allclose(now["angle"], before["angle"] + 0.4 * before["spin"], atol=1e-12)

    batch = begun(RocketRecoveryWorld(), 50)
    before = batch.states.copy()
    clocks = before["wind_clock"][:, None] + np.arange(steps)
    winds = 10 * np.tanh(np.sin(0.02 * clocks) + np.sin(0.01 * np.pi * clocks))
    output = played(batch, *[OFF] * steps)
    gain = winds.sum(axis=1) * 0.02 / 4.95889
    np.testing.assert_allclose(batch.states["velocity"][:, 0] - before["velocity"][:, 0], gain, atol=1e-10)
    np.testing.assert_allclose(output.observations[:, 6], winds[:, -1], atol=1e-5)
    turn = -winds.sum(axis=1) * 0.02 * (0.101307 - 0.08874) / 0.91225
    np.testing.assert_allclose(batch.states["spin"] - before["spin"], turn, atol=1e-10)


def test_starts_are_those_of_the_original():
    """Deviations of the observed velocities as in Box2D (0.235 and 0.154); the wind's clock is uniform."""
    batch = begun(RocketRecoveryWorld(), 4000)
    seen_ = batch.last.observations
    assert seen_[:, 2].std() == pytest.approx(0.235, abs=0.01)
    assert seen_[:, 3].std() == pytest.approx(0.154, abs=0.007)
    assert seen_[:, 5].std() == pytest.approx(0.0531, abs=0.002)
    assert seen_[:, 1].mean() == pytest.approx(1.4103, abs=0.001)
    clocks = batch.states["wind_clock"] - 1
    assert -9999 <= clocks.min() < -9950
    assert 9950 < clocks.max() <= 9998
    assert abs(clocks.mean()) < 5 * 9999 / np.sqrt(3 * 4000)


def test_rewards_are_rises_of_the_potential():
    batch = begun(RocketRecoveryWorld(), 40)
    draw = np.random.default_rng(1)

    def phi(o):
        o = o.astype(float)
        return -100 * (np.hypot(o[:, 0], o[:, 1]) + np.hypot(o[:, 2], o[:, 3]) + abs(o[:, 4]))

    before, ended, kinds = phi(batch.last.observations), np.zeros(40, bool), set()
    for _ in range(400):
        actions = held(draw, 40, 0).astype(np.float32)
        output = batch.step(actions, ended)
        main = np.where(actions[:, 0] > 0, (actions[:, 0] + 1) / 2, 0)
        side = np.where(abs(actions[:, 1]) > 0.5, abs(actions[:, 1]), 0)
        o, going = output.observations, ~ended & ~output.terminated
        rise = phi(o) - before - 0.3 * main - 0.03 * side
        np.testing.assert_allclose(output.rewards[going], rise[going], atol=2e-3)
        landed = (abs(o[:, 4]) < 0.3) & (abs(o[:, 2]) < 0.5) & (abs(o[:, 3]) < 2)
        over = ~ended & output.terminated
        np.testing.assert_array_equal(output.rewards[over], np.where(landed, 100.0, -100.0)[over])
        np.testing.assert_array_equal(output.info["cost"][over], ~landed[over])
        np.testing.assert_array_equal(output.info["is_success"][over], landed[over])
        assert (o[over, 1] <= 0.05).all()
        assert (o[going, 1] > 0.05).all()
        kinds |= set(landed[over].tolist())
        before, ended = phi(o), ended | output.terminated
        if ended.all():
            break
    assert kinds == {True, False}


def test_scores():
    """Published: -176 at random, 208 at best, data of 95 to 113 with 68 % of landings safe."""
    env = card("RocketRecovery")
    assert play(env, random_policy, 2000).returns.mean() == pytest.approx(-176, abs=16)
    best = play(env, expert_policy, 500)
    assert best.returns.mean() > 208
    assert best.metrics["is_success"].mean() > 0.97
    for name, low, high in (
        ("sluggish-1", 105, 120),
        ("sluggish-2", 105, 123),
        ("sluggish-3", 100, 120),
        ("sluggish-validation", 84, 102),
    ):
        found = play(env, lambda world, slots, name=name: companion(world, Players).collector(name), 1000)
        assert low < found.returns.mean() < high, name
        assert 0.6 < found.metrics["is_success"].mean() < 0.78


def test_the_wind_never_repeats_soon():
    world = RocketRecoveryWorld()
    p = records(world.params)[0]
    winds = np.array([wind_at(p, k) for k in range(-2000, 2000)])
    assert 9 < abs(winds).max() < 10
    assert abs(np.corrcoef(winds[:2000], winds[2000:])[0, 1]) < 0.999


def test_options_and_what_they_refuse():
    assert Batch(RocketRecoveryWorld(wind=0.0), 1).world.params[0]["wind"] == 0
    for options, words in (
        ({"wind": -1}, "wind is -1, expected a number from 0 to 100"),
        ({"kick": "x"}, "kick is 'x', expected a number"),
        ({"compat": "neorl"}, "compat is 'neorl', expected one of 'neorl2'"),
    ):
        with pytest.raises(ValueError, match=words):
            RocketRecoveryWorld(**options)
    with pytest.raises(ValueError, match="collector is 'pid', expected one of 'sluggish-1'"):
        companion(RocketRecoveryWorld(), Players).collector("pid")
