"""What data are collected by: D4RL's wandering controller, and OGBench's walkers."""

from collections import deque

import numpy as np
import pytest
from scipy import stats

from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.mazes.layouts import D4RL
from envsuite.mazes.legacy.world import LegacyMazeWorld
from envsuite.mazes.ogbench.params import LAYOUTS
from envsuite.mazes.ogbench.world import OgbenchMazeWorld


def steps_between(rows: list[str], start: tuple[int, int]) -> dict[tuple[int, int], int]:
    """Breadth-first search, on the text of the layout."""
    found, queue = {start: 0}, deque([start])
    while queue:
        i, j = queue.popleft()
        for cell in ((i, j - 1), (i, j + 1), (i - 1, j), (i + 1, j)):
            if rows[cell[0]][cell[1]] != "#" and cell not in found:
                found[cell] = found[i, j] + 1
                queue.append(cell)
    return found


def begun(world, name, slots, seed=0):
    batch = Batch(world, slots, num_threads=1)
    batch.seed(range(seed, seed + slots))
    output = batch.reset()
    policy = companion(world, Players).collector(name)
    policy.reset(np.ones(slots, np.bool_), np.arange(seed, seed + slots))
    return batch, output, policy


def test_d4rls_goals_follow_one_another():
    rows = D4RL["umaze"].split("/")
    free = [(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell != "#"]
    batch, output, policy = begun(LegacyMazeWorld(layout="umaze"), "wander", 16)
    before, held, goals, given_up = None, np.zeros(16, int), [], 0
    for _ in range(1200):
        places = batch.states["position"].copy()
        actions = policy.act(output.observations, batch.states)
        memory = policy._wanderers["memory"]
        now = memory["goal"].copy()
        if before is not None:
            changed = (now != before).any(axis=1)
            reached = np.linalg.norm(places - before, axis=1) < 0.1
            assert (changed == (reached | (held > 300))).all()
            given_up += int((changed & ~reached).sum())
            goals += list(now[changed])
            held[changed] = 0
        waypoint = memory["waypoints"][np.arange(16), memory["index"]]
        expected = np.clip(10 * (waypoint - places) - batch.states["velocity"], -1, 1)
        np.testing.assert_allclose(actions, expected, atol=1e-5)
        before, held = now, held + 1
        output = batch.step(actions)
    cells = np.rint(goals).astype(int)
    assert stats.kstest((np.array(goals) - cells).ravel(), stats.uniform(-0.1, 0.2).cdf).pvalue > 1e-4
    counts = [int((cells == cell).all(axis=1).sum()) for cell in free]
    assert sum(counts) == len(goals) > 100
    assert stats.chisquare(counts).pvalue > 1e-4
    assert given_up < 0.1 * len(goals)


@pytest.mark.parametrize("name", ["navigate", "stitch"])
def test_walkers_of_ogbench_take_the_shortest_way_to_their_goals(name):
    rows = LAYOUTS["medium"].split("/")
    world = OgbenchMazeWorld(maze="medium", task="free", terminate_at_goal=False)
    batch, output, policy = begun(world, name, 32)
    starts, before, renewed = batch.states["position"].copy(), None, 0

    def cell(place):
        return tuple(int(k) for k in np.rint(place[::-1] / 4 + 1))

    for _ in range(250):
        places = batch.states["position"].copy()
        actions = policy.act(output.observations, batch.states)
        goals = policy._roamers["goal"].copy()
        if before is not None:
            changed = (goals != before).any(axis=1)
            assert (changed == ((np.linalg.norm(places - before, axis=1) <= 1) & (name == "navigate"))).all()
            renewed += int(changed.sum())
        before = goals
        for k in range(0, 32, 8):
            goal = tuple(int(x) for x in policy._roamers["cell"][k])
            far = steps_between(rows, goal)
            assert np.abs(goals[k] - (np.array(goal)[::-1] * 4 - 4)).max() <= 1
            if name == "stitch":
                assert far[cell(starts[k])] == 4
            else:
                i, j = goal
                straight = {
                    (rows[i - 1][j] != "#", rows[i + 1][j] != "#"),
                    (rows[i][j - 1] != "#", rows[i][j + 1] != "#"),
                }
                assert straight != {(True, True), (False, False)}
            here = cell(places[k])
            aim = goals[k]
            if here != goal:
                ahead = [c for c in far if far[c] == far[here] - 1 and abs(c[0] - here[0]) + abs(c[1] - here[1]) == 1]
                aims = [np.array(c)[::-1] * 4.0 - 4 for c in ahead]
                aim = min(
                    aims,
                    key=lambda one: np.linalg.norm(actions[k] - (one - places[k]) / np.linalg.norm(one - places[k])),
                )
            gap = aim - places[k]
            np.testing.assert_allclose(actions[k], gap / max(np.linalg.norm(gap), 0.2), atol=1e-5)
        output = batch.step(actions)
    if name == "navigate":
        assert renewed > 32
    else:
        assert (np.linalg.norm(batch.states["position"] - before, axis=1) < 0.5).all()


def test_explorers_keep_a_direction_for_ten_steps():
    world = OgbenchMazeWorld(maze="medium", task="free", terminate_at_goal=False)
    batch, output, policy = begun(world, "explore", 64)
    actions = np.stack([policy.act(output.observations, batch.states) for _ in range(100)])
    kept = actions.reshape(10, 10, 64, 2)
    assert (kept == kept[:, :1]).all()
    angles = np.arctan2(kept[:, 0, :, 1], kept[:, 0, :, 0]).ravel()
    np.testing.assert_allclose(np.linalg.norm(kept, axis=-1), 1, atol=1e-6)
    assert stats.kstest(angles, stats.uniform(-np.pi, 2 * np.pi).cdf).pvalue > 1e-4


@pytest.mark.parametrize("name", ["wander", "navigate"])
def test_what_a_slot_does_depends_on_its_seed_alone(name):
    world = LegacyMazeWorld(layout="umaze") if name == "wander" else OgbenchMazeWorld(task="free")
    found = []
    for first, slots in ((0, 6), (4, 1)):
        batch, output, policy = begun(world, name, slots, first)
        taken = []
        for _ in range(80):
            taken.append(policy.act(output.observations, batch.states)[4 - first])
            output = batch.step(np.clip(policy.act(output.observations, batch.states), -1, 1))
        found.append(np.array(taken))
    np.testing.assert_array_equal(*found)


def test_unknown_collectors_are_refused():
    for world in (LegacyMazeWorld(), OgbenchMazeWorld()):
        with pytest.raises(ValueError, match="has no collector 'fly'"):
            companion(world, Players).collector("fly")
