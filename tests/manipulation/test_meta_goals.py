"""Goals of Meta-World's tasks as dictionaries, as Gymnasium-Robotics has them."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from envsuite.core.companions import Players, companion
from envsuite.manipulation.goals import GoalDict, GoalDictVector
from envsuite.manipulation.meta.places import RADII
from envsuite.manipulation.meta.tasks import NAMES
from envsuite.manipulation.meta.world import MetaWorld


def test_dictionaries_are_registered_for_goals_that_are_places():
    assert set(RADII) < set(NAMES)
    for task in NAMES:
        registered = f"envsuite/Meta{task.title().replace('-', '')}Dict-v0" in gymnasium.registry
        assert registered == (task in RADII)


@pytest.mark.filterwarnings("ignore:.*Box observation space")  # objects are anywhere
@pytest.mark.parametrize("name", ["Push", "Reach"])
def test_the_dictionary_form_passes_the_checker(name):
    env = gymnasium.make(f"envsuite.manipulation.goals:envsuite/Meta{name}Dict-v0")
    assert env.spec is not None
    assert env.spec.max_episode_steps == 500
    check_env(env.unwrapped)
    seen, _ = env.reset(seed=3)
    flat = gymnasium.make(f"envsuite/Meta{name}-v0").reset(seed=3)[0]
    assert {key: value.shape for key, value in seen.items()} == {
        "observation": (36,),
        "achieved_goal": (3,),
        "desired_goal": (3,),
    }
    np.testing.assert_array_equal(np.concatenate([seen["observation"], seen["desired_goal"]]), flat)


@pytest.mark.parametrize("task", RADII)
def test_rewards_are_those_of_the_goals(task):
    """Rewards and success are what `compute_reward` says, on the way to the goal and back at random."""
    name = task.title().replace("-", "")
    envs = GoalDictVector(gymnasium.make_vec(f"envsuite/Meta{name}-v0", num_envs=4, reward="sparse"))
    seen, _ = envs.reset(seed=0)
    batch, rng, reached = envs.unwrapped.batch, np.random.default_rng(0), 0
    player = companion(batch.world, Players).expert()
    for step in range(170):
        actions = player.act(batch.last.observations, batch.states)
        seen, rewards, _, _, infos = envs.step(rng.uniform(-1, 1, (4, 4)).astype(np.float32) if step > 150 else actions)
        computed = envs.compute_reward(seen["achieved_goal"], seen["desired_goal"], infos)
        np.testing.assert_array_equal(computed, rewards)
        np.testing.assert_array_equal(computed, infos["success"])
        reached += rewards.sum()
    assert reached > 0


def test_rewards_of_any_places():
    world = MetaWorld(task="push", reward="sparse")
    places = np.zeros((5, 2, 3))
    places[1, 0, 1], places[2, :, 2] = 0.049, 0.051
    wanted = np.ones((5, 2))
    wanted[2] = 0
    np.testing.assert_array_equal(world.compute_reward(places, np.zeros((5, 2, 3))), wanted)
    assert world.compute_reward(np.zeros(3), np.zeros(3)).shape == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task": "push"}, "reward is 'v2', expected 'sparse'"),
        ({"task": "hammer", "reward": "sparse"}, "task is 'hammer', whose goal is no place"),
        ({"task": "push", "reward": "sparse", "goal_observable": False}, "goal_observable is False"),
    ],
)
def test_other_forms_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        GoalDict(gymnasium.make("envsuite/MetaReach-v0", **options))
    with pytest.raises(ValueError, match=message):
        MetaWorld(**options).compute_reward(np.zeros(3), np.zeros(3))


def test_goals_of_wrong_shape_are_refused():
    with pytest.raises(ValueError, match=r"desired goals have shape \(2,\), expected \(..., 3\)"):
        MetaWorld(reward="sparse").compute_reward(np.zeros(3), np.zeros(2))


def test_resets_within_a_step_are_refused():
    envs = gymnasium.make_vec("envsuite/MetaReach-v0", num_envs=2, reward="sparse", autoreset_mode="SameStep")
    with pytest.raises(ValueError, match="autoreset_mode is 'SameStep'"):
        GoalDictVector(envs)
