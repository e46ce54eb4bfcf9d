"""OGBench's point mazes against their published definitions."""

import numpy as np
import pytest
from scipy import stats

from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.mazes.ogbench.experts import costs
from envsuite.mazes.ogbench.params import LAYOUTS, TASKS
from envsuite.mazes.ogbench.protocol import success_rates
from envsuite.mazes.ogbench.world import OgbenchMazeWorld

SHAPES = {"medium": (8, 8), "large": (9, 12), "giant": (12, 16), "teleport": (9, 12)}


def started(n=2000, **options) -> Batch:
    batch = Batch(OgbenchMazeWorld(**options), n, num_threads=1)
    batch.seed(range(n))
    batch.reset()
    return batch


def at(cells):
    """Places of cells: x = 4 j - 4, y = 4 i - 4."""
    return np.array(cells)[..., ::-1] * 4.0 - 4.0


@pytest.mark.parametrize("maze", LAYOUTS)
def test_tasks_start_and_end_in_their_cells(maze):
    batch = started(maze=maze)
    assert tuple(batch.world.params[0]["grid"].item()[:2]) == SHAPES[maze]
    states = batch.states
    assert stats.chisquare(np.bincount(states["task"], minlength=6)[1:]).pvalue > 1e-4
    pairs = at(np.array(TASKS[maze])[states["task"] - 1])
    for k, name in enumerate(("position", "goal")):
        noise = (states[name] - pairs[:, k]).ravel()
        assert stats.kstest(noise, stats.uniform(-1, 2).cdf).pvalue > 1e-4
    one = started(100, maze=maze, task=3).states
    assert (one["task"] == 3).all()
    assert np.abs(one["goal"] - at(TASKS[maze][2][1])).max() <= 1


def test_free_motion_and_one_wall():
    batch = started(1, maze="medium", task=1)
    batch.states["position"] = (0.0, 0.0)  # the middle of cell (1, 1); walls lie to the left and above
    batch.step(np.array([[1.0, -0.5]], np.float32))
    np.testing.assert_allclose(batch.states["position"], [[0.2, -0.1]], atol=1e-8)
    batch.states["position"] = (-1.25, 0.5)  # 0.05 m from touching
    batch.step(np.array([[-1.0, 0.5]], np.float32))
    np.testing.assert_allclose(batch.states["position"], [[-1.3 - 0.1773 * 0.15, 0.6]], atol=1e-8)
    for _ in range(50):  # pressing comes to rest at d = 0.1773 (d + 0.2)
        batch.step(np.array([[-1.0, 0.0]], np.float32))
    np.testing.assert_allclose(batch.states["position"][0, 0], -1.3 - 0.0431, atol=1e-4)


def test_seams_between_walls_are_not_felt():
    batch = started(1, maze="medium", task=1)
    batch.states["position"] = (0.0, -1.32)
    heights = []
    for _ in range(20):  # along the upper wall, over the border of two cells
        batch.step(np.array([[1.0, -0.3]], np.float32))
        heights.append(batch.states["position"][0, 1])
    assert np.ptp(heights[5:]) < 1e-3
    assert batch.states["position"][0, 0] == pytest.approx(4.0, abs=1e-6)


def test_success_ends_the_episode_within_one_metre():
    batch = started(200, maze="medium")
    expert, ended = companion(batch.world, Players).expert(), np.zeros(200, bool)
    for _ in range(400):
        output = batch.step(expert.act(batch.last.observations, batch.states), ended)
        near = np.linalg.norm(output.observations[:, :2] - output.observations[:, 2:], axis=1) <= 1
        live = ~ended
        np.testing.assert_array_equal(output.terminated[live], near[live])
        np.testing.assert_array_equal(output.rewards[live], near[live])
        ended |= output.terminated
    assert ended.all()


def test_cost_rewards_are_one_less():
    world = OgbenchMazeWorld(reward="cost")
    np.testing.assert_array_equal(world.compute_reward([[0, 0], [3, 0]], [[0, 0.5], [0, 0]]), [0, -1])


def test_teleporters_lead_to_all_exits_alike():
    batch = started(3000, maze="teleport")
    batch.states["position"] = at((4, 6)) + np.array([0, 1.6])
    output = batch.step(np.tile(np.float32([0, -1]), (3000, 1)))
    assert output.info["teleported"].all()
    places, counts = np.unique(output.observations[:, :2], axis=0, return_counts=True)
    np.testing.assert_array_equal(places, sorted(at([(1, 7), (6, 1), (6, 10)]).tolist()))
    assert stats.chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize("maze", ["large", "giant"])
def test_costs_are_shortest_paths(maze):
    from scipy.sparse.csgraph import shortest_path

    world = OgbenchMazeWorld(maze=maze)
    rows, columns = SHAPES[maze]
    free = world.params[0]["walls"][:rows, :columns] == 0
    graph = np.zeros((free.size, free.size))
    for i, j in np.argwhere(free):
        for a, b in ((i + 1, j), (i, j + 1)):
            if free[a, b]:
                graph[i * columns + j, a * columns + b] = 1
    wanted = shortest_path(graph, directed=False)
    inside = np.flatnonzero(free.ravel())
    found = costs(world.params[0]).reshape(free.size, free.size)
    np.testing.assert_array_equal(found[np.ix_(inside, inside)], wanted[np.ix_(inside, inside)])


@pytest.mark.parametrize("maze", LAYOUTS)
def test_protocol_gives_success_of_each_task(maze):
    np.testing.assert_array_equal(
        success_rates(maze, lambda world: companion(world, Players).expert(), episodes=5), np.ones(5)
    )


@pytest.mark.parametrize("options", [{"maze": "tiny"}, {"task": 6}, {"task": "all"}, {"reward": "dense"}])
def test_bad_options_are_refused_by_name(options):
    with pytest.raises(ValueError, match=str(next(iter(options.values())))):
        OgbenchMazeWorld(**options)
