"""Tracks of suites: what they play, and where success counts as 0 and 1."""

import numpy as np
import pytest

from envsuite.core.world import make_world
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from envsuite.evaluation.tracks import load_track
from envsuite.manipulation.suites.lists import ML10_TEST, ML45_TEST, MT10, MT50

TRACKS = {"mt10": MT10, "mt50": MT50, "ml10": ML10_TEST, "ml45": ML45_TEST}


def _only_task(name: str):
    (task,) = load_track(f"manipulation-{name}").tasks
    return task


@pytest.mark.parametrize("name", TRACKS)
def test_every_goal_of_every_task_is_played_once(name):
    """Which an episode has follows from its seed: the first task and goal of an instance, see `MetaSuiteWorld`."""
    task, tasks = _only_task(name), TRACKS[name]
    assert load_track(f"manipulation-{name}").metric == "success_once"
    assert make_world(task.card.world, **task.card.options).tasks == tasks
    seeds = np.arange(task.first_seed, task.first_seed + task.episodes)
    places = np.stack([seeds % len(tasks), seeds // len(tasks) % 50])
    assert len(np.unique(places, axis=1).T) == task.episodes == 50 * len(tasks)


@pytest.mark.parametrize("name", ["ml10", "ml45"])
def test_policies_of_the_tasks_to_train_on_are_taken(name):
    track = load_track(f"manipulation-{name}")
    assert track.accepts == (_only_task(name).env_id.replace("HeldOut", ""),)


@pytest.mark.slow
@pytest.mark.parametrize("player", ["low", "high"])
@pytest.mark.parametrize("name", TRACKS)
def test_anchors_are_the_shares_of_success(name, player):
    task = _only_task(name)
    anchor = getattr(task, player)
    played = play(task.card, random_policy if player == "low" else expert_policy, anchor.episodes)
    success = played.metrics["success_once"]
    assert success.mean() == pytest.approx(anchor.mean, abs=5e-5)
    assert success.std(ddof=1) / np.sqrt(len(success)) == pytest.approx(anchor.standard_error, abs=5e-5)
    if anchor.episodes == task.episodes:
        counts = np.unique(played.metrics["task"], return_counts=True)[1]
        assert (counts == 50).all()
