"""Random mazes: solvable, distributed as their generators promise, and never the same twice."""

import numpy as np
import pytest
from scipy import ndimage, stats

from envsuite.core.batch import Batch
from envsuite.mazes.levels import GENERATORS
from envsuite.mazes.procedural.world import RandomMazeWorld


def drawn(n=300, **options) -> np.ndarray:
    batch = Batch(RandomMazeWorld(**options), n, num_threads=1)
    batch.seed(range(n))
    batch.reset()
    return batch.states


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("size", [2, 3, 7, 15])
def test_every_maze_is_closed_and_connected(generator, size):
    states = drawn(100, size=size, generators=[generator], loops=0.0)
    for walls in states["walls"]:
        assert walls[[0, -1]].all()
        assert walls[:, [0, -1]].all()
        assert (walls[1::2, 1::2] == 0).all()
        assert ndimage.label(walls == 0)[1] == 1
        if generator != "rooms":  # a tree: one passage fewer than cells
            assert (walls == 0).sum() == 2 * size**2 - 1
    if size > 3:
        assert len(np.unique(states["walls"].reshape(100, -1), axis=0)) > 50


def test_wilson_is_uniform_over_spanning_trees():
    walls = drawn(20_000, size=3, generators=["wilson"], loops=0.0)["walls"].reshape(20_000, -1)
    _, counts = np.unique(walls, axis=0, return_counts=True)
    assert len(counts) == 192  # spanning trees of the 3 x 3 grid (OEIS A007341)
    assert stats.chisquare(counts).pvalue > 1e-4


def test_loops_take_walls_away_with_their_probability():
    walls = drawn(500, size=8, generators=["wilson"], loops=0.3)["walls"]
    before = 2 * 8 * 7 - 63  # walls between cells of a tree
    removed = (walls == 0).sum(axis=(1, 2)) - (2 * 64 - 1)
    assert removed.mean() / before == pytest.approx(0.3, abs=0.02)


def test_start_and_goal_are_free_and_apart():
    states = drawn(3000, size=4)
    sides = []
    for name in ("position", "goal"):
        x, y = states[name].T
        row, column = np.floor(4.5 - y).astype(int), np.floor(x + 4.5).astype(int)
        assert (states["walls"][np.arange(3000), row, column] == 0).all()
        sides.append(np.stack([row, column]))
    assert (sides[0] != sides[1]).any(axis=0).all()


def test_observation_tells_the_walls():
    batch = Batch(RandomMazeWorld(size=3), 5, num_threads=1)
    batch.seed(range(5))
    observations = batch.reset().observations
    np.testing.assert_array_equal(observations[:, 6:].reshape(5, 7, 7), batch.states["walls"])


def test_episodes_differ_and_seeds_repeat():
    batch = Batch(RandomMazeWorld(), 1, num_threads=1)
    batch.seed([3])
    first, second = (batch.reset().observations.copy() for _ in range(2))
    assert not np.array_equal(first, second)
    batch.seed([3])
    np.testing.assert_array_equal(batch.reset().observations, first)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"size": 1}, "1"), ({"generators": ["maze"]}, "maze"), ({"generators": []}, "list"), ({"loops": 2}, "2")],
)
def test_bad_options_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        RandomMazeWorld(**options)
