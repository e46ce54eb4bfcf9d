"""Suites of Meta-World: tasks and goals of a batch, and their files."""

import json

import gymnasium
import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.companions import Pictures, Players, Words, companion
from envsuite.manipulation.meta.state import GOAL
from envsuite.manipulation.suites.lists import ML10, ML10_TEST, ML25_TEST, ML45, ML45_TEST, MT10, MT25, MT50, SUITES
from envsuite.manipulation.suites.world import SEEN, MetaSuiteWorld
from tests.manipulation.play import begun

FEW = ("push", "reach", "drawer-open")


def _batch(count: int, seed: int = 0, horizon: int = 500, **options) -> Batch:
    batch = Batch(MetaSuiteWorld(**options), count, num_threads=1, horizon=horizon)
    batch.seed(np.arange(seed, seed + count))
    batch.reset()
    return batch


def _played(batch: Batch, steps: int) -> np.ndarray:
    player = companion(batch.world, Players).expert()
    for _ in range(steps):
        batch.step(player.act(batch.last.observations, batch.states), batch.done)
    return batch.last.observations


def test_suites_have_the_sizes_of_their_names():
    assert [len(set(one)) for one in (MT10, MT25, MT50, ML10, ML45)] == [10, 25, 50, 10, 45]
    assert set(ML45) | set(ML45_TEST) == set(MT50)
    assert set(MT10) < set(MT25) < set(MT50)
    assert [len(one) for one in (ML10_TEST, ML25_TEST, ML45_TEST)] == [5, 4, 5]


def test_suites_of_one_task_take_its_name():
    train, test = (MetaSuiteWorld(suite="ML1", tasks=("push",), split=split) for split in ("train", "test"))
    assert train.tasks == test.tasks == ("push",)
    assert not (train.goals["push"][:, None] == test.goals["push"]).all((2, 3)).any()
    with pytest.raises(ValueError, match=r"tasks is \('push', 'reach'\), expected one name in ML1"):
        MetaSuiteWorld(suite="ML1", tasks=("push", "reach"))


@pytest.mark.parametrize("suite", ["ML10", "ML25", "ML45"])
def test_tasks_to_test_on_are_not_trained_on(suite):
    train, test = SUITES[suite]
    assert not set(train) & set(test)


def test_goals_to_test_on_are_not_trained_on():
    train, test = (MetaSuiteWorld(suite="MT10", split=split) for split in ("train", "test"))
    assert train.tasks == test.tasks == MT10
    for task in MT10:
        goals = np.concatenate([train.goals[task], test.goals[task]]).reshape(100, 6)
        assert len(np.unique(goals, axis=0)) == 100


def test_seeds_go_through_every_goal_of_every_task_once():
    batch = _batch(15, tasks=FEW, num_goals=5)
    info = batch.last.info
    np.testing.assert_array_equal(info["task"], np.tile([0, 1, 2], 5))
    np.testing.assert_array_equal(info["goal"], np.repeat(np.arange(5), 3))
    goals = np.stack([batch.world.goals[task] for task in FEW])
    np.testing.assert_array_equal(batch.states["drawn"], goals[info["task"], info["goal"]])


def test_an_instance_goes_on_with_the_next_task():
    batch, fixed = (_batch(3, tasks=FEW, horizon=2, fixed_task=one) for one in (False, True))
    for episode in range(1, 5):
        for one in (batch, fixed):
            _played(one, 3)
        np.testing.assert_array_equal(batch.last.info["task"], (np.arange(3) + episode) % 3)
        np.testing.assert_array_equal(fixed.last.info["task"], np.arange(3))


def test_goals_stay_for_some_episodes():
    batch, seen = _batch(2, tasks=FEW, horizon=1, episodes_per_goal=3), []
    for _ in range(9):
        seen.append((*batch.last.info["task"], *batch.last.info["goal"]))
        _played(batch, 2)
    assert all(len(set(seen[k : k + 3])) == 1 for k in (0, 3, 6))
    assert len(set(seen)) == 3


def test_episodes_are_those_of_the_single_tasks():
    """The same observations, rewards and success, from the same places."""
    batch = _batch(3, tasks=FEW, one_hot=True)
    alone = []
    for level, task in enumerate(FEW):
        one = begun(task)
        sheet = one.world.params[0]["sheet"]
        sheet["low"] = sheet["high"] = batch.states["drawn"][level]
        one.reset()
        alone.append(one)
    player = companion(batch.world, Players).expert()
    for _ in range(60):
        actions = player.act(batch.last.observations, batch.states)
        batch.step(actions)
        for level, one in enumerate(alone):
            one.step(actions[level : level + 1])
            np.testing.assert_array_equal(batch.last.observations[level, :SEEN], one.last.observations[0])
            assert batch.last.rewards[level] == one.last.rewards[0]
            assert batch.last.info["success"][level] == one.last.info["success"][0]


def test_the_task_can_be_observed():
    batch = _batch(6, tasks=FEW, one_hot=True)
    assert batch.world.observation.shape == (SEEN + 3,)
    np.testing.assert_array_equal(batch.last.observations[:, SEEN:], np.tile(np.eye(3), (2, 1)))
    np.testing.assert_array_equal(_played(batch, 5)[:, SEEN:], np.tile(np.eye(3), (2, 1)))


@pytest.mark.parametrize(("suite", "shown"), [("MT10", True), ("ML10", False)])
def test_goals_are_hidden_where_they_are_to_be_learned(suite, shown):
    assert _batch(10, suite=suite).last.observations[:, GOAL].any() == shown
    assert _batch(10, suite=suite, goal_observable=not shown).last.observations[:, GOAL].any() != shown


def test_success_is_told_at_once_and_for_the_episode():
    batch = _batch(6, tasks=FEW)
    _played(batch, 120)
    assert batch.last.info["success_once"].mean() > 0.8
    assert (batch.last.info["success"] <= batch.last.info["success_once"]).all()


def test_goals_go_to_a_file_and_back(tmp_path):
    path = tmp_path / "goals.json"
    world = MetaSuiteWorld(tasks=FEW, goal_seed=7)
    world.save_goals(path)
    assert [one.name for one in tmp_path.iterdir()] == ["goals.json"]
    again = MetaSuiteWorld(tasks=FEW, goals=str(path))
    other = MetaSuiteWorld(tasks=FEW, goal_seed=8)
    for task in FEW:
        np.testing.assert_array_equal(world.goals[task], again.goals[task])
        assert not np.array_equal(world.goals[task], other.goals[task])
    np.testing.assert_array_equal(world.params, again.params)


def _spoiled(goals, **changes):
    return {"format": "envsuite Meta-World goals 1", "goals": {**goals, **changes}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda told: "nothing", "expected a file of goals"),
        (lambda told: [], "is no file of goals"),
        (lambda told: {**told, "format": "other"}, "is no file of goals"),
        (lambda told: {**told, "goals": {}}, "is missing or too many"),
        (lambda told: _spoiled(told["goals"], juggle=[]), "'juggle' is missing or too many"),
        (lambda told: _spoiled(told["goals"], push="x"), "push has goals"),
        (lambda told: _spoiled(told["goals"], push=[[["a"] * 3] * 2]), "no numbers"),
        (lambda told: _spoiled(told["goals"], push=[]), "shape"),
        (lambda told: _spoiled(told["goals"], push=told["goals"]["push"][:1]), "as many of each task"),
        (
            lambda told: _spoiled(told["goals"], push=[[[5, 0.6, 0.02], [0, 0.85, 0.02]]]),
            "is 5.0, expected -0.1 to",
        ),
        (
            lambda told: _spoiled(told["goals"], push=[[[0, None, 0.02], [0, 0.85, 0.02]]]),
            "is nan, expected 0.6 to",
        ),
        (
            lambda told: _spoiled(told["goals"], push=[[[0, 0.7, 0.02], [0, 0.8, 0.02]]]),
            "0.1 m apart, expected",
        ),
    ],
)
def test_wrong_files_are_refused(tmp_path, change, message):
    path = tmp_path / "goals.json"
    MetaSuiteWorld(tasks=("push", "reach"), num_goals=2).save_goals(path)
    told = change(json.loads(path.read_text()))
    path.write_text(told if isinstance(told, str) else json.dumps(told))
    with pytest.raises(ValueError, match=message):
        MetaSuiteWorld(tasks=("push", "reach"), goals=str(path))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"goals is '.*nowhere.json', expected a file of goals"):
        MetaSuiteWorld(goals=str(tmp_path / "nowhere.json"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"suite": "MT11"}, "suite is 'MT11', expected one of 'MT1', 'MT10'"),
        ({"split": "validation"}, "split is 'validation', expected one of 'train', 'test'"),
        ({"tasks": ("push", "juggle")}, "tasks has 'juggle', expected names out of assembly"),
        ({"tasks": "push"}, "tasks is 'push', expected names of tasks"),
        ({"tasks": ()}, "tasks is"),
        ({"tasks": ("push", "push")}, "none twice"),
        ({"tasks": 3}, "tasks is 3"),
        ({"num_goals": 0}, "num_goals is 0"),
        ({"goal_seed": -1}, "goal_seed is -1"),
        ({"reward": "v3"}, "reward is 'v3'"),
        ({"episodes_per_goal": 0}, "episodes_per_goal is 0"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        MetaSuiteWorld(**options)


def test_seeds_of_any_size_begin_episodes():
    batch = _batch(2, tasks=FEW)
    batch.seed([2**70 + 4, 10**9])
    info = batch.reset().info
    np.testing.assert_array_equal(info["task"], [4 % 3, 10**9 % 3])


def test_some_instances_get_new_seeds():
    batch = _batch(3, tasks=FEW)
    some = np.array([False, True, False])
    batch.seed([5, 8, 5], some)
    info = batch.reset(some).info
    np.testing.assert_array_equal(info["task"], [0, 8 % 3, 2])
    np.testing.assert_array_equal(info["goal"], [0, 8 // 3, 0])


@pytest.mark.parametrize("front", ["MetaMT10", "MetaML10"])
def test_gymnasium_makes_them(front):
    envs = gymnasium.make_vec(f"envsuite/{front}-v0", num_envs=10)
    observations, infos = envs.reset(seed=0)
    assert envs.observation_space.contains(observations)
    np.testing.assert_array_equal(infos["task"], np.arange(10))
    with pytest.raises(ValueError, match="action nan at index"):
        envs.step(np.full((10, 4), np.nan, np.float32))
    with pytest.raises(ValueError, match="shape"):
        envs.step(np.zeros((9, 4), np.float32))
    assert envs.step(np.zeros((10, 4), np.float32))[4]["success"].shape == (10,)
    envs.close()


def test_words_and_pictures_are_those_of_the_task():
    batch = _batch(3, tasks=FEW)
    words, pictures = companion(batch.world, Words), companion(batch.world, Pictures)
    assert "Push the puck" in words.describe(batch.states[0])
    assert "Open the drawer" in words.describe(batch.states[2])
    first, third = (pictures.draw(batch.states[k], (120, 120)) for k in (0, 2))
    assert not np.array_equal(first, third)
