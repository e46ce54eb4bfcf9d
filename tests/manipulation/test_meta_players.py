"""The original's scripted players in our scenes.

Their success in any step of an episode in metaworld 3.1.1 itself: 0.983 in the mean of the fifty tasks and 20 goals
each, 0.85 in the worst task.
"""

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.manipulation.meta.playing import alike
from envsuite.manipulation.meta.tasks import NAMES
from envsuite.manipulation.meta.world import MetaWorld
from tests.manipulation.play import played

QUICK = ("drawer-open", "pick-place", "door-close", "stick-push")


@pytest.mark.parametrize("task", QUICK)
def test_players_succeed(task):
    assert played(task, 10, 250).last.info["success_once"].mean() >= 0.9


@pytest.mark.parametrize("task", ["handle-press", "push-back", "stick-push"])
def test_reference_players_stay_where_the_task_is_done(task):
    """The original's press on, and past it."""
    assert played(task, 5, 300, original=False).last.info["success"].all()
    assert not played(task, 5, 300).last.info["success"].any()


def test_an_unknown_collector_is_refused():
    with pytest.raises(ValueError, match="collector is 'planner', expected 'original' or 'play'"):
        companion(MetaWorld(), Players).collector("planner")


@pytest.mark.slow
def test_players_of_all_tasks_succeed():
    shares = {task: float(played(task, 20).last.info["success_once"].mean()) for task in NAMES}
    assert sum(shares.values()) / len(shares) > 0.97, shares
    assert min(shares.values()) >= 0.8, shares


@pytest.mark.slow
def test_reference_players_of_all_tasks_succeed():
    last = {task: played(task, 20, original=False).last.info for task in NAMES}
    once = {task: float(one["success_once"].mean()) for task, one in last.items()}
    assert sum(once.values()) / len(once) > 0.97, once
    assert min(once.values()) >= 0.8, once
    assert sum(one["success"].mean() for one in last.values()) / len(last) > 0.85


@pytest.mark.parametrize(
    ("task", "others"),
    [
        ("drawer-open", {"drawer-close"}),
        ("push", {"pick-place", "reach"}),
        ("coffee-pull", {"coffee-push", "coffee-button"}),
    ],
)
def test_tasks_that_share_a_scene_are_found(task, others):
    assert set(alike(task)) == {task, *others}


def test_play_opens_and_closes_the_drawer_in_turn():
    """The drawer is opened and closed by more than 10 cm, several times an episode, and not in all alike."""
    batch = Batch(MetaWorld(task="drawer-open"), 6, num_threads=1, horizon=1000)
    batch.seed(np.arange(6))
    batch.reset()
    player = companion(batch.world, Players).collector("play")
    player.reset(np.ones(6, np.bool_), np.arange(6))
    wide = []
    for _ in range(1000):
        batch.step(player.act(batch.last.observations, batch.states))
        wide.append(-batch.states["body"]["qpos"][:, batch.world.compiled.qposadr["furniture"]])
    opened, closed = np.array(wide) > 0.14, np.array(wide) < 0.04
    for k in range(6):
        ends = np.where(opened[:, k], 1, np.where(closed[:, k], -1, 0))
        ways = np.diff(ends[ends != 0])
        assert (ways > 0).any(), "opened"
        assert (ways < 0).any(), "closed"
    assert len({tuple(column) for column in opened.T}) == 6


def test_play_depends_on_the_seed_alone():
    """Alone or beside others, in any slot."""
    world = MetaWorld(task="push")

    def actions(seeds):
        batch = Batch(world, len(seeds), num_threads=1, horizon=1000)
        batch.seed(np.array(seeds))
        batch.reset()
        player = companion(world, Players).collector("play")
        player.reset(np.ones(len(seeds), np.bool_), np.array(seeds))
        found = []
        for _ in range(200):
            found.append(player.act(batch.last.observations, batch.states))
            batch.step(found[-1])
        return np.array(found)

    np.testing.assert_array_equal(actions([3, 4, 5])[:, 2], actions([5])[:, 0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task": "basketball"}, "alone in its scene"),
        ({"task": "push", "compat": "metaworld"}, "without compat"),
        ({"task": "push", "dynamics": "training", "variants": 2}, "fixed dynamics"),
    ],
)
def test_play_is_refused_where_there_is_none(options, message):
    with pytest.raises(ValueError, match=message):
        companion(MetaWorld(**options), Players).collector("play")
