"""The gate task."""

import dataclasses

import gymnasium
import numpy as np
import pytest

from envsuite.quadcopters.params import VEHICLES
from tests.quadcopters.tasks import fly_expert, rotations, started

NAME = "QuadFlyThruGate"


def test_start():
    craft = started(NAME, 500).states["craft"]
    assert np.abs(craft["position"][:, :2]).max() <= 0.05
    assert 0.1 <= craft["position"][:, 2].min() < craft["position"][:, 2].max() <= 0.2


def test_reward_and_observation_all_the_way():
    batch = started(NAME, 10)
    passed, middle, goal = np.zeros(10, bool), np.array([0, -1, 0.75]), np.array([0, -2, 0.75])
    log = [batch.states["craft"]["position"].astype(np.float64)]

    def watch(batch, output):
        now, before = batch.states["craft"]["position"].astype(np.float64), log[-1]
        fresh = ~passed & (now[:, 1] <= -1)
        old = np.linalg.norm(before - np.where(passed[:, None], goal, middle), axis=1)
        new = np.linalg.norm(now - np.where(passed[:, None], goal, middle), axis=1)
        passed[:] |= fresh
        expected = 5 * (old - new) + 10 * fresh + passed * np.exp(-2 * np.linalg.norm(now - goal, axis=1))
        np.testing.assert_allclose(output.rewards, expected, atol=1e-4)
        np.testing.assert_array_equal(output.info["passed"], passed)
        log.append(now)

    output = fly_expert(batch, 230, watch)
    assert passed.all()
    assert output.info["is_success"].all()
    turns, craft = rotations(batch.states["craft"]), batch.states["craft"]
    # looking along -y, left is +x
    points = middle + np.array([[0.275, 0, 0.25], [-0.275, 0, 0.25], [-0.275, 0, -0.25], [0.275, 0, -0.25]])
    seen = np.einsum("nij,nki->nkj", turns, points - craft["position"][:, np.newaxis])
    np.testing.assert_allclose(output.observations[:, 22:], seen.reshape(10, 12), atol=1e-5)


@pytest.mark.parametrize(
    ("gate", "x", "z", "crash"),
    [
        ("raised", 0.0, 0.75, False),
        ("raised", 0.2, 0.6, False),
        ("raised", 0.23, 0.75, True),  # the hull touches the column
        ("raised", 0.0, 1.0, True),
        ("raised", 0.0, 0.4, True),
        ("raised", 1.0, 0.75, True),  # past the gate
        ("original", 0.0, 0.26, False),
        ("original", 0.0, 0.75, True),  # over the lintel, as the original rewards
    ],
)
def test_crossing_the_plane(gate, x, z, crash):
    batch = started(NAME, 1, gate=gate)
    craft = batch.states["craft"]
    craft["position"], craft["velocity"] = (x, -0.98, z), (0, -2.0, 0)
    output = batch.step(np.full((1, 4), 0.33, np.float32))
    assert output.terminated[0] == output.info["crashed"][0] == crash
    assert output.info["passed"][0] != crash
    assert (output.rewards[0] == -10) == crash


def test_bad_gates_are_named():
    with pytest.raises(ValueError, match="gate is 'iron', expected one of 'raised', 'original'"):
        gymnasium.make("envsuite/QuadFlyThruGate-v0", gate="iron")
    wide = dataclasses.replace(VEHICLES["cf2x"], hull=(0.3, 0.1, 0.0))
    with pytest.raises(ValueError, match=r"a vehicle of 0\.6 m does not fit"):
        gymnasium.make("envsuite/QuadFlyThruGate-v0", vehicle=wide)
