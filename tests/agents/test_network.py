"""Trained policies as files."""

import numpy as np
import pytest

from envsuite.agents.network import NetworkPolicy
from envsuite.core.layout import Block, Choice, Vector

OBSERVATION = Vector((Block("x", 3, -1, 1),))


def make(outputs=2, *, discrete=False):
    generator = np.random.default_rng(0)
    shapes = [(5, 3), (outputs, 5)]
    weights = [generator.normal(size=shape).astype(np.float32) for shape in shapes]
    biases = [generator.normal(size=shape[0]).astype(np.float32) for shape in shapes]
    mean, scale = np.array([1, 2, 3], np.float32), np.array([1, 0.5, 2], np.float32)
    return NetworkPolicy("envsuite/X-v0", mean, scale, 10.0, weights, biases, discrete)


def test_computes_the_network():
    policy = make()
    x = np.array([[0.5, 1.0, 100.0]], np.float32)
    scaled = np.clip((x - [1, 2, 3]) * [1, 0.5, 2], -10, 10)
    expected = policy.weights[1] @ np.tanh(policy.weights[0] @ scaled[0] + policy.biases[0]) + policy.biases[1]
    np.testing.assert_allclose(policy.act(x, None)[0], expected, rtol=1e-5)


def test_agents_keep_their_axis_and_choices_are_integers():
    x = np.zeros((4, 2, 3), np.float32)
    assert make().act(x, None).shape == (4, 2, 2)
    chosen = make(3, discrete=True).act(x, None)
    assert chosen.shape == (4, 2)
    assert np.issubdtype(chosen.dtype, np.integer)


def test_survives_the_disk(tmp_path):
    policy = make()
    policy.save(tmp_path / "policy.npz")
    x = np.random.default_rng(1).normal(size=(7, 3)).astype(np.float32)
    for place in (tmp_path, tmp_path / "policy.npz"):
        np.testing.assert_array_equal(NetworkPolicy.load(place).act(x, None), policy.act(x, None))


def test_unfit_environments_are_refused_with_sizes():
    make().check(OBSERVATION, Vector((Block("u", 2, -1, 1),)))
    make(3, discrete=True).check(OBSERVATION, Choice(("a", "b", "c")))
    with pytest.raises(ValueError, match="maps 3 numbers to 2, the environment needs 3 to 4"):
        make().check(OBSERVATION, Vector((Block("u", 4, -1, 1),)))


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "policy.npz"
    path.write_bytes(b"garbage")
    with pytest.raises(ValueError, match="is not a policy"):
        NetworkPolicy.load(path)
    np.savez(path, header=np.array([print], dtype=object))
    with pytest.raises(ValueError, match="is not a policy"):
        NetworkPolicy.load(path)
    broken = make()
    broken.weights[1] = broken.weights[1][:, :4]
    broken.save(path)
    with pytest.raises(ValueError, match="do not fit together"):
        NetworkPolicy.load(path)
