"""The Industrial Benchmark: beside a slow reference and the original package under the same draws, published values."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

from envsuite import card
from envsuite.agents.policy import Rule
from envsuite.core import rng
from envsuite.core.companions import Players, companion
from envsuite.core.jit import records
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from envsuite.industrial.benchmark.experts import Steering, best_place
from envsuite.industrial.benchmark.goldstone import penalties, penalty
from envsuite.industrial.benchmark.kernel import IndustrialBenchmarkWorld

from ..batches import begun
from .benchmark_reference import Reference, potential

FIELDS = {
    "setpoint": "p",
    "velocity": "v",
    "gain": "g",
    "shift": "h",
    "worn_velocity": "hv",
    "worn_gain": "hg",
    "fatigue": "f",
    "consumption": "c",
    "cost": "cost",
    "domain": "domain",
    "response": "response",
    "direction": "phi",
}


class Draws:
    """The numbers that a world draws in an episode, from its beginning."""

    def __init__(self, state):
        self.stream = records(np.array([state["rng"]]))
        self.stream["counter"] = 0

    def uniform(self):
        return float(rng.uniform(self.stream[0], rng.DYNAMICS, 0.0, 1.0))

    def exponential(self, mean):
        return -mean * np.log(1.0 - self.uniform())

    def bernoulli(self, probability):
        return float(self.uniform() < probability)

    def normal(self):
        return float(rng.normal(self.stream[0], rng.DYNAMICS, 0.0, 1.0))

    def integer(self, n):
        return int(rng.integers(self.stream[0], rng.DYNAMICS, n))


def wander(draw, size):
    """Changes that lead through the whole range: a drift for each of a few dozen steps."""
    drift = draw.uniform(-1, 1, size=(1, *size))
    for _ in range(1000):
        if draw.uniform() < 0.04:
            drift = draw.uniform(-1, 1, size=(1, *size))
        yield np.clip(drift[0] + draw.normal(0, 0.4, size), -1, 1).astype(np.float32)


@pytest.mark.parametrize("options", [{}, {"setpoint": 100.0}, {"setpoint": 0.0}, {"stationary": False}])
def test_equals_a_slow_reference(options):
    """Thousand steps, all hidden variables, to 1e-12 of their size."""
    batch = begun(IndustrialBenchmarkWorld(**options), 3, seed=5)
    moving = not options.get("stationary", True)
    twins = [Reference(Draws(state), options.get("setpoint", 70.0), moving) for state in batch.states]
    met = set()
    for actions in wander(np.random.default_rng(1), (3, 3)):
        output = batch.step(actions)
        for n, (state, twin) in enumerate(zip(batch.states, twins, strict=True)):
            twin.step(*actions[n].astype(float))
            for name, other in FIELDS.items():
                assert float(state[name]) == pytest.approx(getattr(twin, other), rel=1e-11, abs=1e-11), name
            met |= {("direction", int(twin.phi)), ("worn", max(twin.hv, twin.hg) == 5)}
            assert output.rewards[n] == np.float32(-state["cost"])
    assert len(met) == 15  # all thirteen directions, worn out or not


def test_equals_the_original_package(monkeypatch):
    """industrial_benchmark_python 2.0, where it is installed; its numbers are drawn from ours."""
    ids = pytest.importorskip("industrial_benchmark_python.IDS")
    batch = begun(IndustrialBenchmarkWorld(), 1, seed=3)
    draws = Draws(batch.states[0])
    idle = {"active": False}

    def normal(mean=0.0, scale=1.0):
        return mean + scale * draws.normal()

    fake = SimpleNamespace(
        seed=lambda seed: None,
        exponential=draws.exponential,
        rand=lambda: draws.uniform() if idle["active"] else 0.5,
        randint=lambda low, high: low,
        binomial=lambda n, probability: draws.bernoulli(probability),
        normal=normal,
        randn=normal,
    )

    class Numpy:
        random, float = fake, float

        def __getattr__(self, name):
            return getattr(np, name)

    monkeypatch.setattr(ids, "np", Numpy())
    monkeypatch.setattr(ids.IDS, "defineNewSequence", lambda self: idle.update(active=True))
    original = ids.IDS(70)
    names = {"domain": "gs_domain", "response": "gs_sys_response", "direction": "gs_phi_idx"}
    for actions in wander(np.random.default_rng(2), (1, 3)):
        batch.step(actions)
        original.step(actions[0].astype(float))
        for name, other in (FIELDS | names).items():
            there = float(original.state[other])
            assert float(batch.states[0][name]) == pytest.approx(there, rel=1e-12, abs=1e-11), name


def test_penalties_are_those_published():
    table = records(penalties())
    for value, index, expected in (
        (0.5, 3, -0.627595),
        (-1.0, -6, -1.0),
        (0.1, 0, -0.080799),
        (0.9, 5, -0.961681),
    ):
        assert penalty(table[index + 6], value) == pytest.approx(expected, abs=1e-6)
    for index in range(-6, 7):
        for value in np.linspace(-1.5, 1.5, 61):
            assert penalty(table[index + 6], value) == pytest.approx(potential(index, value), abs=1e-12)


def test_play_scores_what_was_measured_of_the_original():
    """About -2.1e5 without any action, -3.2e5 at random."""
    env = card("IndustrialBenchmark")
    still = play(env, lambda world, slots: Rule(lambda seen: np.zeros((len(seen), 3))), 20).returns
    assert still.mean() == pytest.approx(-2.1e5, rel=0.01)
    assert play(env, random_policy, 200).returns.mean() == pytest.approx(-3.2e5, rel=0.06)


def test_operational_costs_are_paid_late():
    batch = begun(IndustrialBenchmarkWorld(), 1)
    before = float(batch.last.info["paid_operational"][0])
    moved = [1.0, 0.0, 0.0]
    paid, now = [], []
    for k in range(12):
        output = batch.step(np.array([moved if k == 0 else [0.0] * 3], np.float32))
        paid.append(float(output.info["paid_operational"][0]) / before)
        now.append(float(output.info["current_operational"][0]))
    jump = np.exp(0.04) - 1
    np.testing.assert_allclose(now, (1 + jump) * before / 0.99999, rtol=1e-6)
    shares = np.cumsum([0, 0, 0, 0, 0, 0.11111, 0.22222, 0.33333, 0.22222, 0.11111, 0, 0]) / 0.99999
    np.testing.assert_allclose(paid, 1 + jump * shares, rtol=1e-6)


def test_frames_and_discrete_actions():
    """The newest frame first, repeated in the beginning; choice 27 = 9 v + 3 g + h."""
    world = IndustrialBenchmarkWorld(actions="discrete", frames=4)
    batch = begun(world, 27)
    first = batch.last.observations.reshape(27, 4, 6)
    assert (first == first[:, :1]).all()
    assert world.action.names[0] == "velocity_down-gain_down-shift_down"
    output = batch.step(np.arange(27))
    seen = output.observations.reshape(27, 4, 6)
    np.testing.assert_array_equal(seen[:, 1:], first[:, :3])
    signs = np.array([(v, g, h) for v in (-1, 0, 1) for g in (-1, 0, 1) for h in (-1, 0, 1)])
    steps = np.array([1.0, 10.0, 20 * np.sin(np.pi / 12) / 0.9])
    np.testing.assert_allclose(seen[:, 0, 1:4], 50 + signs * steps, rtol=1e-6)


def test_rewards_of_changes_add_up_to_the_cost():
    seed, actions = 7, np.random.default_rng(0).uniform(-1, 1, (50, 1, 3)).astype(np.float32)
    classic, delta = (
        begun(IndustrialBenchmarkWorld(), 1, seed),
        begun(IndustrialBenchmarkWorld(reward="delta"), 1, seed),
    )
    first = float(classic.states[0]["cost"])
    total = 0.0
    for row in actions:
        last = float(classic.step(row).rewards[0])
        total += float(delta.step(row).rewards[0])
    assert total == pytest.approx(last + first, abs=1e-3)


def test_options_and_what_they_refuse():
    for options, words in (
        ({"setpoint": 101}, "setpoint is 101, expected a number from 0 to 100"),
        ({"frames": 0}, "frames is 0, expected a whole number from 1 to 100"),
        ({"actions": "both"}, "actions is 'both', expected one of 'continuous', 'discrete'"),
        ({"reward": "log"}, "reward is 'log', expected one of 'classic', 'delta'"),
        ({"stationary": 1}, "stationary is 1, expected True or False"),
    ):
        with pytest.raises(ValueError, match=words):
            IndustrialBenchmarkWorld(**options)


@pytest.mark.parametrize("options", [{}, {"setpoint": 20.0}, {"setpoint": 100.0}, {"stationary": False}])
def test_the_expert_follows_the_direction_with_a_mean_penalty_of_seven(options):
    world = IndustrialBenchmarkWorld(**options)
    batch, expert = begun(world, 4), companion(world, Players).expert()
    output, penalties_ = batch.last, []
    for k in range(400):
        output = batch.step(expert.act(output.observations, batch.states))
        if k >= 100:
            penalties_.append(output.info["miscalibration"])
            assert output.info["worn_velocity"].max() < 1.2
    assert np.mean(penalties_) < (7.3 if options.get("stationary", True) else 9.0)
    if not options:
        # twelve steps: there and back along the sine of the direction, and the start
        one = penalties_[-12:]
        np.testing.assert_allclose(penalties_[-24:-12], one, atol=1e-4)


def test_the_best_place_is_best_among_its_neighbours():
    """By play, less the shift's part, which is the same everywhere."""
    best = best_place(70.0)
    scores = {}
    for dv, dg in ((0, 0), (6, 0), (-6, 0), (0, 8), (0, -8)):
        place = (best[0] + dv, best[1] + dg, 50.0)
        scores[dv, dg] = play(card("IndustrialBenchmark"), lambda w, n, p=place: Steering(p, 1.0), 40).returns.mean()
    assert max(scores, key=scores.get) == (0, 0)


def test_players_of_choices_do_what_players_of_numbers_do_rounded():
    env = dataclasses.replace(card("IndustrialBenchmark"), options={"actions": "discrete"})
    assert play(env, expert_policy, 5).returns.mean() > -1.9e5
    with pytest.raises(ValueError, match="collector is 'mid', expected one of 'low', 'medium', 'high'"):
        companion(IndustrialBenchmarkWorld(), Players).collector("mid")


def test_observations_stay_within_their_bounds_at_the_ends_of_the_range():
    """The original declares 0 to 1000 for fatigue and consumption, and leaves it."""
    met = []
    for setpoint, places in ((100.0, (100.0, 100.0, 0.0)), (100.0, (0.0, 0.0, 100.0)), (0.0, (0.0, 0.0, 10.0))):
        world = IndustrialBenchmarkWorld(setpoint=setpoint, frames=1)
        batch = begun(world, 500)
        for name, place in zip(("velocity", "gain", "shift"), places, strict=True):
            batch.states[name] = place
        if setpoint == 0.0:  # nothing to pay and, in the first step, the best shift
            batch.states["costs"] = 1.0
            batch.states["domain"], batch.states["response"], batch.states["direction"] = -1, 1, -5
        for _ in range(30):
            output = batch.step(np.zeros((500, 3), np.float32))
            assert (output.observations >= world.observation.low).all()
            assert (output.observations <= world.observation.high).all()
            met.append(output.observations[:, 5])
    assert np.max(met) > 4000
    assert np.min(met) < 0
