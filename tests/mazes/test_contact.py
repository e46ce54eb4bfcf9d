"""The point mass against the contact law, written down independently."""

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.mazes.legacy.world import LegacyMazeWorld
from tests.mazes.reference import reference_step


def boxes(world) -> np.ndarray:
    grid = world.params[0]["grid"]
    walls = np.argwhere(world.params[0]["walls"][: grid["rows"], : grid["columns"]])
    return walls - 0.2


def started(world, n, seed=0) -> Batch:
    batch = Batch(world, n, num_threads=1)
    batch.seed(range(seed, seed + n))
    batch.reset()
    return batch


@pytest.mark.parametrize(("physics", "margin", "weight"), [("mj2", 0.002, 2 / 3), ("mj3", 0.002, 1), ("mj4", 0.004, 1)])
@pytest.mark.parametrize("layout", ["umaze", "large"])
def test_every_step_follows_the_contact_law(layout, physics, margin, weight):
    world = LegacyMazeWorld(layout=layout, physics=physics)
    walls = boxes(world)
    batch = started(world, 12)
    generator = np.random.default_rng(1)
    touched = 0
    for t in range(250):
        if t % 15 == 0:
            push = generator.uniform(-1.5, 1.5, (12, 2)).clip(-1, 1).astype(np.float32)
        before = batch.states.copy()
        batch.step(push)
        for i in range(12):
            place, speed = before["position"][i], before["velocity"][i]
            expected = reference_step(place, speed, push[i].astype(np.float64), walls, margin, weight)
            free = reference_step(place, speed, push[i].astype(np.float64), [], margin, weight)
            touched += not np.array_equal(expected[1], free[1])
            np.testing.assert_allclose(batch.states["position"][i], expected[0], rtol=0, atol=1e-12)
            np.testing.assert_allclose(batch.states["velocity"][i], expected[1], rtol=0, atol=1e-10)
    assert touched > 100


@pytest.mark.parametrize("corner", [(-1, -1), (-1, 1), (1, -1), (1, 1)])
def test_pressing_into_a_corner_comes_to_rest_there(corner):
    world = LegacyMazeWorld(layout="#####/#OOO#/#OGO#/#OOO#/#####")
    batch = started(world, 1)
    batch.states["position"] = 1.8  # the middle of the room, whose sides lie 1.5 m away
    batch.states["velocity"] = 0
    for _ in range(400):
        batch.step(np.array([corner], np.float32))
    np.testing.assert_allclose(batch.states["velocity"], 0, atol=1e-9)
    # 1.5 m less the radius, and into the wall by some of the margin at 100 N
    depth = np.abs(batch.states["position"][0] - 1.8) - 1.4
    assert (np.abs(depth) < 0.003).all(), depth
    np.testing.assert_allclose(depth[0], depth[1], atol=1e-12)


def test_hits_lose_most_of_the_speed():
    world = LegacyMazeWorld(layout="#####/#OOO#/#OGO#/#OOO#/#####")
    batch = started(world, 64)
    # from many distances, because a step of 0.05 m may end anywhere about the wall's margin
    batch.states["position"] = np.stack([np.linspace(1.8, 1.9, 64), np.full(64, 1.8)], axis=1)
    batch.states["velocity"] = (5.0, 0.0)
    deepest, returned = 0.0, 0.0
    for _ in range(100):
        batch.step(np.zeros((64, 2), np.float32))
        deepest = max(deepest, float(batch.states["position"][:, 0].max()) - 3.2)
        returned = min(returned, float(batch.states["velocity"][:, 0].min()))
    assert 0.03 < deepest < 0.05
    assert -1.2 < returned < 0.0  # most from the greatest depth


def test_terminal_speed_is_cut():
    world = LegacyMazeWorld(layout="#" * 30 + "/#" + "O" * 14 + "G" + "O" * 13 + "#/" + "#" * 30)
    batch = started(world, 1)
    batch.states["position"], batch.states["velocity"] = (0.8, 1.0), 0
    fastest = 0.0
    for _ in range(400):
        batch.step(np.array([[0, 1]], np.float32))
        fastest = max(fastest, float(batch.states["velocity"][0, 1]))
    mass = 4 / 3 * np.pi
    assert fastest == pytest.approx(5 + 0.01 * (100 - 5) / (mass + 0.01), abs=1e-12)
