"""PointMaze against the definitions of Gymnasium-Robotics."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.mazes import layouts
from envsuite.mazes.goals import GoalDict, GoalDictVector
from envsuite.mazes.point.world import PointMazeWorld
from envsuite.mazes.tasks import LAYOUTS
from tests.mazes.reference import reference_step

DICT_ID = "envsuite.mazes.goals:envsuite/MazePointUmazeDict-v0"


def started(n=3000, **options) -> Batch:
    batch = Batch(PointMazeWorld(**options), n, num_threads=1)
    batch.seed(range(n))
    batch.reset()
    return batch


def places(layout, characters):
    cells = layouts.read(LAYOUTS[layout])
    i, j = layouts.find(cells, characters).T
    rows, columns = cells.shape
    return np.stack([j + 0.5 - columns / 2, rows / 2 - i - 0.5], axis=1)


@pytest.mark.parametrize(
    ("layout", "starts", "goals"),
    [("umaze", "O", "O"), ("large", "O", "O"), ("medium-diverse-g", "R", "G"), ("large-diverse-gr", "C", "C")],
)
def test_starts_and_goals_are_near_their_cells_and_apart(layout, starts, goals):
    states = started(layout=layout).states
    for name, marks in (("position", starts), ("goal", goals)):
        cells = places(layout, marks)
        offset = states[name][:, np.newaxis] - cells
        near = np.abs(offset).max(axis=2).argmin(axis=1)
        assert set(near) == set(range(len(cells)))
        noise = offset[np.arange(len(near)), near]
        assert np.abs(noise).max() <= 0.25
        assert np.abs(noise).max() > 0.24
        if name == "position":
            assert (np.linalg.norm(cells[near] - states["goal"], axis=1) > 0.5).all()
    assert (states["velocity"] == 0).all()


def test_moves_as_the_contact_law_says():
    batch = started(10, layout="medium")
    cells = layouts.read(LAYOUTS["medium"])
    boxes = places("medium", "#")
    assert len(boxes) == (cells == "#").sum()
    generator = np.random.default_rng(0)
    for t in range(150):
        if t % 20 == 0:
            push = np.sign(generator.uniform(-1, 1, (10, 2))).astype(np.float32)
        before = batch.states.copy()
        batch.step(push)
        for i in range(10):
            expected = reference_step(before["position"][i], before["velocity"][i], push[i].astype(float), boxes)
            np.testing.assert_allclose(batch.states["position"][i], expected[0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("reward", ["sparse", "dense"])
def test_rewards_equal_compute_reward(reward):
    batch = started(500, reward=reward, reset_target=True)
    expert = companion(batch.world, Players).expert()
    output, moved = batch.last, 0
    for _ in range(300):
        goal = batch.states["goal"].copy()
        output = batch.step(expert.act(output.observations, batch.states))
        achieved, desired = output.observations[:, :2], output.observations[:, -2:]
        np.testing.assert_array_equal(desired, goal)
        distance = np.linalg.norm(achieved - desired, axis=1)
        expected = np.exp(-distance) if reward == "dense" else (distance <= 0.45).astype(float)
        np.testing.assert_allclose(output.rewards, expected, rtol=1e-14)
        np.testing.assert_allclose(batch.world.compute_reward(achieved, desired, {}), output.rewards, rtol=1e-14)
        changed = (batch.states["goal"] != goal).any(axis=1)
        np.testing.assert_array_equal(changed, distance <= 0.45)
        apart = np.linalg.norm(batch.states["goal"] - batch.states["position"], axis=1)
        assert (apart[changed] > 0.45).all()
        moved += changed.sum()
    assert moved > 500


def test_a_task_that_does_not_continue_terminates_at_the_goal():
    batch = started(100, continuing_task=False)
    expert = companion(batch.world, Players).expert()
    ended = np.zeros(100, bool)
    for _ in range(300):
        output = batch.step(expert.act(batch.last.observations, batch.states), ended)
        np.testing.assert_array_equal(output.terminated, output.info["is_success"] & ~ended)
        ended |= output.terminated
    assert ended.all()


def test_dictionary_form_passes_the_checker_and_agrees_with_the_flat_one():
    env = gymnasium.make(DICT_ID)
    check_env(env.unwrapped)
    assert env.spec.max_episode_steps == 300
    flat = gymnasium.make("envsuite/MazePointUmaze-v0")
    many = GoalDictVector(gymnasium.make_vec("envsuite/MazePointUmaze-v0", num_envs=2))
    (seen, _), (plain, _), (rows, _) = env.reset(seed=4), flat.reset(seed=4), many.reset(seed=4)
    for _ in range(50):
        for observation in (seen, {name: value[0] for name, value in rows.items()}):
            assert list(observation) == ["observation", "achieved_goal", "desired_goal"]
            np.testing.assert_array_equal(observation["observation"], plain[:4])
            np.testing.assert_array_equal(observation["achieved_goal"], plain[:2])
            np.testing.assert_array_equal(observation["desired_goal"], plain[4:])
        assert env.observation_space.contains(seen)
        action = env.action_space.sample()
        seen, reward, *_, info = env.step(action)
        plain = flat.step(action)[0]
        rows, rewards, *_ = many.step(np.stack([action, action]))
        compute = env.get_wrapper_attr("compute_reward")
        assert compute(seen["achieved_goal"], seen["desired_goal"], info) == reward
        np.testing.assert_array_equal(many.compute_reward(rows["achieved_goal"], rows["desired_goal"]), rewards)


@pytest.mark.slow
def test_hindsight_replay_of_stable_baselines_runs():
    sb3 = pytest.importorskip("stable_baselines3")
    env = gymnasium.make(DICT_ID)
    model = sb3.SAC("MultiInputPolicy", env, replay_buffer_class=sb3.HerReplayBuffer, learning_starts=310, seed=0)
    model.learn(330)
    assert model.replay_buffer.size() == 330


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match=r"\(3,\)"):
        PointMazeWorld().compute_reward(np.zeros(3), np.zeros(2))
    with pytest.raises(ValueError, match="LegacyMazeWorld"):
        GoalDict(gymnasium.make("envsuite/MazeLegacyUmaze-v0"))
    with pytest.raises(ValueError, match="apart"):
        PointMazeWorld(layout="###/#O#/###")
    with pytest.raises(ValueError, match="dens"):
        PointMazeWorld(reward="dens")
