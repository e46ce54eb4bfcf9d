"""The pipeline against a reference written from the published rules, and closed forms."""

from collections import deque

import gymnasium
import numpy as np
import pytest

from envsuite import card
from envsuite.core.companions import Players, companion
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from envsuite.industrial.pipeline.world import DELAY, MEMORY, TARGETS, PipelineWorld

from ..batches import begun, played


class Reference:
    """The plant by lists; the demand of each step is told from outside."""

    def __init__(self, flow, target):
        self.gate, self.target = flow, target
        self.fifo = deque([flow] * (DELAY + 1))
        self.past, self.acted = [flow] * MEMORY, [0.0] * MEMORY

    def seen(self):
        return np.array([self.fifo[-1], self.target, *self.past, *self.acted])

    def step(self, action, target):
        self.target, before = target, self.fifo[-1]
        self.gate = min(200.0, max(0.0, self.gate + action))
        self.fifo.appendleft(self.gate)
        self.fifo.pop()
        self.past = [before, *self.past[:-1]]
        self.acted = [action, *self.acted[:-1]]
        return ((200 - abs(self.fifo[-1] - target)) / 100) ** 2 - 3


@pytest.mark.parametrize("drift", [-0.9, 0.0, 0.9])
def test_equals_a_slow_reference(drift):
    """Thousand steps each, with drifts that bring the gate to both ends of its range."""
    batch = begun(PipelineWorld(), 4)
    twins = [Reference(float(s["pipe"][0]), float(s["target"])) for s in batch.states]
    rng = np.random.default_rng(0)
    for _ in range(1000):
        actions = np.clip(rng.uniform(-1, 1, (4, 1)) + drift, -1, 1).astype(np.float32)
        output = batch.step(actions)
        for k, twin in enumerate(twins):
            reward = twin.step(float(actions[k, 0]), float(batch.states[k]["target"]))
            assert output.rewards[k] == pytest.approx(reward, abs=1e-6)
            np.testing.assert_array_equal(output.observations[k], twin.seen().astype(np.float32))
            assert output.info["error"][k] == pytest.approx(abs(twin.fifo[-1] - twin.target), abs=1e-4)
            assert output.info["gate_flow"][k] == pytest.approx(twin.gate, abs=1e-4)
    ends = {-0.9: 0.0, 0.9: 200.0}
    if drift in ends:
        assert all(abs(twin.gate - ends[drift]) < 5 for twin in twins)
    assert not output.terminated.any()


def test_actions_show_after_the_delay():
    batch = begun(PipelineWorld(switch=0.0, delay=7))
    start = float(batch.last.observations[0, 0])
    shown = [float(played(batch, [1.0]).observations[0, 0]) - start for _ in range(12)]
    np.testing.assert_allclose(shown, np.clip(np.arange(1, 13) - 7, 0, None), atol=1e-4)
    assert batch.last.info["delay"][0] == 7


def test_starts_and_demands_are_drawn_as_published():
    states = begun(PipelineWorld(), 4000).states
    flows = states["pipe"][:, 0]
    assert 80 <= flows.min() < 80.1
    assert 119.9 < flows.max() < 120
    assert (states["pipe"] == flows[:, None]).all()
    values, counts = np.unique(states["target"], return_counts=True)
    assert tuple(values) == TARGETS
    assert (abs(counts - 1000) < 5 * np.sqrt(750)).all()


def test_demands_change_with_their_probability():
    """A draw keeps the demand in a quarter of the cases."""
    batch, changes, steps = begun(PipelineWorld(), 2000), 0, 500
    for _ in range(steps):
        before = batch.states["target"].copy()
        output = played(batch, [0.0])
        changed = batch.states["target"] != before
        np.testing.assert_array_equal(output.info["target_changed"], changed)
        changes += int(changed.sum())
    expected = 2000 * steps * 0.003 * 0.75
    assert abs(changes - expected) < 5 * np.sqrt(expected)


def test_the_expert_loses_only_what_delay_and_speed_cost():
    """Without changes of demand nothing can beat it: the gap shrinks by 1 a step from step 20 on."""
    world = PipelineWorld(switch=0.0)
    batch = begun(world, 8)
    expert = companion(world, Players).expert()
    start, target = batch.states["pipe"][:, 0].copy(), batch.states["target"].copy()
    output = batch.last
    for k in range(1, 120):
        output = batch.step(expert.act(output.observations, batch.states))
        left = np.maximum(abs(target - start) - max(0, k - DELAY), 0)
        np.testing.assert_allclose(output.info["error"], left, atol=1e-3)
        np.testing.assert_allclose(output.rewards, ((200 - left) / 100) ** 2 - 3, atol=1e-4)


def test_random_play_scores_what_was_measured_of_the_original():
    """About -140 with a standard deviation of 440."""
    env = card("Pipeline")
    returns = play(env, random_policy, 2000).returns
    assert returns.mean() == pytest.approx(-140, abs=30)
    assert returns.std() == pytest.approx(440, abs=30)
    assert play(env, expert_policy, 200).returns.mean() > 750


def test_options_and_what_they_refuse():
    assert make_world(card("Pipeline").world, targets=(10.0, 20.0)).observation.high[1] == 20.0
    for options, words in (
        ({"delay": -1}, "delay is -1, expected a whole number from 0 to 200"),
        ({"delay": 1.5}, "delay is 1.5, expected a whole number"),
        ({"switch": 1.5}, "switch is 1.5, expected a number from 0 to 1"),
        ({"targets": (50.0, 250.0)}, r"targets is \(50.0, 250.0\), expected 1 to 16 flows from 0 to 200"),
        ({"targets": "abc"}, "targets is 'abc', expected"),
        ({"targets": ()}, r"targets is \(\), expected"),
        ({"targets": (float("nan"),)}, r"targets is \(nan,\), expected"),
    ):
        with pytest.raises(ValueError, match=words):
            PipelineWorld(**options)
    with pytest.raises(TypeError, match="no option 'length'"):
        gymnasium.make("envsuite/Pipeline-v0", length=3)


def test_collectors_earn_what_the_published_data_do_and_a_simple_rule_nearly_all():
    """429 on average; a proportional controller comes within three hundredths of the reference's scale."""
    env = card("Pipeline")

    def returns(name):
        return play(env, lambda world, slots: companion(world, Players).collector(name), 400).returns.mean()

    train = [returns(name) for name in ("slow", "late-1", "late-2")]
    assert np.mean(train) == pytest.approx(429, abs=20)
    assert returns("late-validation") == pytest.approx(437, abs=20)
    best, worst = play(env, expert_policy, 400).returns.mean(), play(env, random_policy, 1000).returns.mean()
    assert 0.95 < (returns("simple") - worst) / (best - worst) < 1
    with pytest.raises(ValueError, match="collector is 'fast', expected one of 'slow'"):
        companion(PipelineWorld(), Players).collector("fast")
