"""Rollouts without Python between steps: the batch does what these actions make it do, and they are the network's."""

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import envsuite
from envsuite.core.batch import Batch, digest
from envsuite.core.fused import FusedRollout, obstacle_of
from envsuite.core.perceptron import Perceptron
from envsuite.core.world import make_world
from tests.baselines.worlds import small

HOVER = "QuadHover"
STEPS = 60


def network(world, heads=(), activation="tanh", seed=0):
    rng = np.random.default_rng(seed)
    inputs, outputs = int(np.prod(world.observation.shape)), sum(heads) or int(np.prod(world.action.shape))
    sizes = [inputs, 21, 16, outputs]
    layers = [(rng.normal(0, k**-0.5, (k, m)), rng.normal(0, 0.3, m)) for k, m in itertools.pairwise(sizes)]
    layers = [tuple(one.astype(np.float32) for one in layer) for layer in layers]
    shift, scale = rng.normal(0, 0.1, inputs).astype(np.float32), rng.uniform(0.5, 3, inputs).astype(np.float32)
    spread = np.zeros(0) if heads else rng.uniform(-1, 0, outputs)
    return Perceptron(layers, activation, shift, scale, 2.0, spread.astype(np.float32), heads)


def begun(env_id, count, **options):
    card = envsuite.card(env_id)
    batch = Batch(make_world(card.world, **card.options), count, horizon=card.horizon or 0, **options)
    batch.seed(np.arange(count))
    batch.reset()
    return batch


def noise_for(policy, count, steps=STEPS, seed=1):
    rng = np.random.default_rng(seed)
    shape = steps, count, sum(policy.heads) or policy.log_std.size
    return (rng.gumbel(size=shape) if policy.heads else rng.normal(size=shape)).astype(np.float32)


def outputs_of(policy, observations):
    x = np.clip((observations - policy.shift) * policy.scale, -policy.limit, policy.limit)
    for k, (weight, bias) in enumerate(policy.layers):
        x = x @ weight + bias
        if k < len(policy.layers) - 1:
            x = np.tanh(x) if policy.activation == "tanh" else np.maximum(x, 0)
    return x


@pytest.mark.parametrize(("env_id", "heads"), [(HOVER, ()), ("CardsBlackjack", (2,))])
def test_the_batch_does_what_these_actions_make_it_do(env_id, heads):
    batch, other = begun(env_id, 70), begun(env_id, 70)
    policy = network(batch.world, heads)
    first = other.last.observations.copy()
    played = FusedRollout(batch).play(policy, noise_for(policy, 70))
    np.testing.assert_array_equal(played.observations[0], first)
    ends = []
    for t in range(STEPS):
        output = other.step(played.actions[t])
        for name in ("rewards", "terminated", "truncated"):
            np.testing.assert_array_equal(getattr(output, name), getattr(played, name)[t])
        for i in np.flatnonzero(other.done):
            np.testing.assert_array_equal(output.observations[i], played.final_observations[len(ends)])
            assert digest(output.info[i : i + 1]) == digest(played.final_infos[len(ends) : len(ends) + 1])
            ends.append((t, i))
        if other.done.any():
            other.restart_ended()
        np.testing.assert_array_equal(other.last.observations, played.observations[t + 1])
        assert digest(other.last.info) == digest(played.infos[t + 1])
    assert ends
    np.testing.assert_array_equal(ends, played.ends)
    assert digest(batch.states) == digest(other.states)
    again = batch.step(played.actions[0])
    np.testing.assert_array_equal(again.observations, other.step(played.actions[0]).observations)


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_numbers_are_drawn_from_the_network_s_normal_distribution(activation):
    batch = begun(HOVER, 3)
    policy = network(batch.world, activation=activation)
    noise = noise_for(policy, 3)
    played = FusedRollout(batch).play(policy, noise)
    raw = outputs_of(policy, played.observations[:-1]) + np.exp(policy.log_std) * noise
    np.testing.assert_allclose(played.raw_actions, raw, atol=1e-5)
    low, high = batch.world.action.low, batch.world.action.high
    np.testing.assert_array_equal(played.actions, np.clip(played.raw_actions, low, high))
    assert (played.actions != played.raw_actions).any()
    density = -0.5 * noise.astype(float) ** 2 - policy.log_std - 0.5 * np.log(2 * np.pi)
    np.testing.assert_allclose(played.log_probs, density.sum(-1), atol=1e-5)


def test_choices_are_drawn_from_the_network_s_probabilities():
    batch = begun("CardsBlackjack", 64)
    heads = (int(batch.world.action.high) + 1,)
    policy = network(batch.world, heads)
    noise = noise_for(policy, 64, 200)
    played = FusedRollout(batch).play(policy, noise)
    logits = outputs_of(policy, played.observations[:-1].astype(np.float32)).astype(float)
    np.testing.assert_array_equal(played.actions, (logits + noise).argmax(-1))
    logs = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    chosen = np.take_along_axis(logs, played.raw_actions, -1)[..., 0]
    np.testing.assert_allclose(played.log_probs, chosen, atol=1e-5)
    counts = np.bincount(played.actions.reshape(-1), minlength=heads[0])
    expected = np.exp(logs).sum((0, 1))
    assert (np.abs(counts - expected) < 5 * np.sqrt(expected + 1)).all()


def test_threads_blocks_and_reused_memory_do_not_matter():
    found = []
    for threads, reuse in ((1, False), (3, True)):
        batch = begun(HOVER, 150, num_threads=threads)
        policy, rollout = network(batch.world), FusedRollout(batch, reuse)
        for k in range(2):
            played = rollout.play(policy, noise_for(policy, 150, seed=k))
        assert rollout.play(policy, noise_for(policy, 150, 7)).rewards.shape == (7, 150)
        found.append((played, digest(batch.states)))
    one, other = found
    assert one[1] == other[1]
    alone = begun(HOVER, 1)
    policy = network(alone.world)
    rollout = FusedRollout(alone)
    for k in range(2):
        single = rollout.play(policy, noise_for(policy, 150, seed=k)[:, :1])
    np.testing.assert_array_equal(single.observations[:, 0], one[0].observations[:, 0])
    np.testing.assert_array_equal(single.raw_actions[:, 0], one[0].raw_actions[:, 0])


SCRIPT = """
import numpy as np
from tests.core.test_fused import begun, network, noise_for
from envsuite.core.fused import FusedRollout
batch = begun("InvertedPendulum", 3)
policy = network(batch.world)
played = FusedRollout(batch).play(policy, noise_for(policy, 3, 12))
print(played.raw_actions.tobytes().hex(), played.observations.tobytes().hex(), len(played.ends))
"""


def test_plain_python_and_cached_kernels_play_the_same():
    """The second process finds the loop compiled, and binds the steps that it calls anew."""
    told = []
    for plain in ("0", "0", "1"):
        command = [sys.executable, "-c", SCRIPT]
        environment = {**os.environ, "NUMBA_DISABLE_JIT": plain}
        told.append(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)
    assert told[0]
    assert told[0] == told[1] == told[2]


def test_what_does_not_fit_is_named():
    batch = begun(HOVER, 4)
    policy = network(batch.world)
    rollout = FusedRollout(batch)
    with pytest.raises(ValueError, match=r"noise is float32 \(5, 3, 4\), expected float32 \(T, 4, 4\)"):
        rollout.play(policy, noise_for(policy, 3, 5))
    with pytest.raises(ValueError, match=r"noise is float64"):
        rollout.play(policy, noise_for(policy, 4, 5).astype(float))
    pole = make_world(envsuite.card("InvertedPendulum").world)
    with pytest.raises(ValueError, match="the policy takes 4 numbers, an observation has 146"):
        rollout.play(network(pole), noise_for(policy, 4))
    with pytest.raises(ValueError, match=r"gives actions \(2, 2\), the environment takes \(4,\)"):
        rollout.play(network(batch.world, (2, 2)), noise_for(policy, 4))
    broken = network(batch.world)
    broken.layers[2][1][0] = np.nan
    with pytest.raises(ValueError, match="the network's outputs are not all finite"):
        rollout.play(broken, noise_for(policy, 4))
    with pytest.raises(ResetNeeded, match="interrupted"):
        rollout.play(policy, noise_for(policy, 4))
    batch.reset()
    while not batch.done.any():
        batch.step(np.ones((4, 4), np.float32))
    with pytest.raises(ResetNeeded, match="call reset"):
        rollout.play(policy, noise_for(policy, 4))
    with pytest.raises(ValueError, match="activation is 'gelu', expected one of tanh, relu"):
        network(batch.world, activation="gelu")
    with pytest.raises(ValueError, match=r"a layer has weights \(4, 2\) .* expected \(3, m\)"):
        Perceptron([(np.zeros((4, 2)), np.zeros(2))], "tanh", np.zeros(3), np.zeros(3))
    with pytest.raises(ValueError, match="the last layer has 2 outputs, expected 3"):
        Perceptron([(np.zeros((4, 2)), np.zeros(2))], "tanh", np.zeros(4), np.zeros(4), heads=(3,))


@pytest.mark.parametrize(
    ("env_id", "why"),
    [
        ("QuadMultiHover", "has 2 agents"),
        ("Bulwark-L1", "has actions that are not always allowed"),
        (small("Pole"), "does not run in kernels"),
        ("InvertedPendulum", ""),
    ],
)
def test_worlds_that_need_python_between_steps_say_why(env_id, why):
    batch = begun(env_id, 1)
    assert obstacle_of(batch.world) == why
    if why:
        with pytest.raises(ValueError, match=f"{why}: such a world is played with Python"):
            FusedRollout(batch)
