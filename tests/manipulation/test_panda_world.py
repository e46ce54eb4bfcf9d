"""The arm's tasks on the kernels: geometry, servos, contacts, goals, starts."""

import time
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Players, Words, companion
from envsuite.core.jit import records
from envsuite.manipulation.goals import GoalDictVector
from envsuite.manipulation.panda.arm import AHEAD, aim, look_at
from envsuite.manipulation.panda.params import TASKS
from envsuite.manipulation.panda.scenes import CUBE, LIMITS, NEUTRAL
from envsuite.manipulation.panda.state import Chain
from envsuite.manipulation.panda.world import PandaWorld

IDS = {task: f"envsuite/Panda{task.title().replace('-', '')}-v0" for task in TASKS}
SIZES = {
    "reach": (6, 3),
    "push": (18, 3),
    "slide": (18, 3),
    "pick-and-place": (19, 3),
    "stack": (31, 6),
    "flip": (20, 4),
}


def begun(task, count=1, seed=0, **options):
    batch = Batch(PandaWorld(task=task, **options), count, num_threads=1)
    batch.seed(np.arange(seed, seed + count))
    batch.reset()
    return batch


def stepped(batch, action):
    """Observations after a step, which goes on where an episode has ended."""
    batch.states["clock"]["done"] = 0
    batch.done[:] = False
    rows = np.broadcast_to(np.asarray(action, np.float32), (batch.num_envs, batch.world.action.shape[0]))
    return batch.step(np.ascontiguousarray(rows)).observations.copy()


def chain():
    return records(np.zeros(1, Chain.dtype()))[0]


def test_the_hand_is_where_the_bodies_are():
    """The arm's own geometry against the frames of the rigid bodies, and the Jacobian against differences."""
    world, rng, c = PandaWorld(task="reach"), np.random.default_rng(0), chain()
    state = np.zeros(1, world.state_dtype)[0]
    state["body"] = world.params[0]["start"]
    tip, velocity, ahead, behind, none = (np.zeros(3) for _ in range(5))
    for _ in range(20):
        q = np.array([rng.uniform(low, high) for low, high in LIMITS] + [0, 0])
        v = rng.normal(size=9)
        state["body"]["qpos"][:9] = q
        places, axes = world.frames(state)
        hand = world.compiled.body["hand"]
        look_at(c, q, v, tip, velocity)
        np.testing.assert_allclose(tip, places[hand] + 0.105 * axes[hand][:, 2], atol=1e-12)
        look_at(c, q + 1e-6 * v, v, ahead, none)
        look_at(c, q - 1e-6 * v, v, behind, none)
        np.testing.assert_allclose(velocity, (ahead - behind) / 2e-6, atol=1e-7)


def test_the_neutral_pose_is_that_of_panda_gym():
    seen = begun("reach").last.observations[0]
    np.testing.assert_allclose(seen[:3], (0.03844, 0.0, 0.19740), atol=1e-5)  # measured with panda-gym 3.0.7


def test_joints_take_the_hand_to_places_in_reach():
    c, rng, target, tip, none = chain(), np.random.default_rng(1), np.zeros(7), np.zeros(3), np.zeros(3)
    q = np.array(NEUTRAL)
    for _ in range(50):
        place = rng.uniform((-0.15, -0.15, 0.02), (0.12, 0.15, 0.3))
        for _ in range(20):  # joints turn by at most 0.3 rad at a time
            aim(c, q, place, AHEAD, target)
            q[:7] = target
        look_at(c, q, np.zeros(9), tip, none)
        assert np.linalg.norm(tip - place) < 1e-4
        np.testing.assert_allclose(np.array(c["frame"]).reshape(3, 3), np.diag([1, -1, -1]), atol=2e-3)


def test_the_arm_holds_itself_and_goes_where_it_is_told():
    batch = begun("reach")
    start = batch.last.observations[0, :3].copy()
    for _ in range(50):
        seen = stepped(batch, (0, 0, 0))
    assert np.linalg.norm(seen[0, :3] - start) < 2e-3
    for _ in range(20):
        seen = stepped(batch, np.clip((np.array((0.05, 0.1, 0.25)) - seen[0, :3]) / 0.05, -1, 1))
    assert np.linalg.norm(seen[0, :3] - (0.05, 0.1, 0.25)) < 1e-3


def test_joints_are_turned():
    batch = begun("reach", control="joints")
    for _ in range(5):
        stepped(batch, (1, 0, 0, 0, 0, 0, 0))
    turned = batch.states["body"]["qpos"][0, :7] - NEUTRAL[:7]
    assert 0.15 < turned[0] < 0.26
    assert np.abs(turned[1:]).max() < 0.02


@pytest.mark.parametrize("task", ["push", "slide", "stack"])
def test_things_rest_on_the_table(task):
    batch = begun(task, 4)
    places = batch.states["sight"]["place"].copy()
    for _ in range(25):
        stepped(batch, np.zeros(batch.world.action.shape))
    assert np.abs(batch.states["sight"]["place"] - places).max() < 5e-4


def test_a_puck_slides_as_friction_lets_it():
    """From 0.6 m/s it comes to rest after v^2 / (2 mu g) with mu = 0.04 x 0.5."""
    batch = begun("slide")
    batch.states["body"]["qpos"][0, 9:12] = -0.5, 0.3, 0.015
    batch.states["body"]["qvel"][0, 9] = 0.6
    for _ in range(100):
        stepped(batch, (0, 0, 0))
    way = batch.states["sight"]["place"][0, 0, 0] + 0.5
    assert way == pytest.approx(0.36 / (2 * 0.02 * 9.81), rel=0.05)


def test_a_cube_is_held_under_random_motion():
    """For 100 steps at half of full actions, with the fingers told to shut; in PyBullet two of three are held."""
    batch, rng = begun("pick-and-place", 16), np.random.default_rng(2)
    player = companion(batch.world, Players).expert()
    seen = batch.last.observations.copy()
    batch.states["goal"][:, :3] = 0.0, 0.0, 0.22
    for _ in range(30):
        seen = stepped(batch, player.act(seen, batch.states))
    for _ in range(100):
        actions = rng.uniform(-0.5, 0.5, (16, 4))
        actions[:, 3] = -1
        actions[:, 2] = np.where(seen[:, 2] < 0.1, np.abs(actions[:, 2]), actions[:, 2])
        seen = stepped(batch, actions)
    off = batch.states["sight"]["place"][:, 0] - batch.states["sight"]["hand"]
    assert np.linalg.norm(off, axis=1).max() < 0.02
    assert (np.abs(batch.states["sight"]["opening"] - 2 * CUBE) < 1.5e-3).all()
    assert batch.states["body"]["overflow"].max() == 0


@pytest.mark.parametrize("task", TASKS)
def test_spaces_are_those_of_panda_gym(task):
    env = gymnasium.make(f"envsuite.manipulation.goals:{IDS[task].replace('-v0', 'Dict-v0')}")
    seen, info = env.reset(seed=0)
    observed, goal = SIZES[task]
    assert seen["observation"].shape == (observed,)
    assert seen["achieved_goal"].shape == seen["desired_goal"].shape == (goal,)
    assert env.action_space.shape == ((4,) if task in ("pick-and-place", "stack", "flip") else (3,))
    assert env.spec is not None
    assert env.spec.max_episode_steps == (100 if task == "stack" else 50)
    assert not info["is_success"]


@pytest.mark.filterwarnings("ignore:.*Box observation space")  # objects are anywhere
def test_the_dictionary_form_passes_the_checker():
    check_env(gymnasium.make("envsuite.manipulation.goals:envsuite/PandaStackDict-v0").unwrapped)


@pytest.mark.parametrize("reward", ["sparse", "dense"])
@pytest.mark.parametrize("task", TASKS)
def test_rewards_are_those_of_the_goals(task, reward):
    envs = GoalDictVector(gymnasium.make_vec(IDS[task], num_envs=8, reward=reward))
    envs.reset(seed=0)
    base: Any = envs.unwrapped
    batch, ended = base.batch, np.zeros(8, bool)
    player = companion(batch.world, Players).expert() if task != "flip" else None
    for step in range(30):
        actions = envs.action_space.sample() if player is None else player.act(batch.last.observations, batch.states)
        again = ended
        seen, rewards, ended, _, infos = envs.step(actions)
        computed = envs.compute_reward(seen["achieved_goal"], seen["desired_goal"], infos)
        np.testing.assert_array_equal(computed[~again], rewards[~again], err_msg=f"step {step}")
        np.testing.assert_array_equal(ended, infos["is_success"])
    shuffled = envs.compute_reward(seen["achieved_goal"][::-1], seen["desired_goal"], None)
    assert shuffled.shape == (8,)


def test_rewards_of_any_goals():
    world = PandaWorld(task="push")
    places = np.zeros((5, 2, 3))
    places[1, 0, 1], places[2, :, 2] = 0.049, 0.051
    wanted = np.zeros((5, 2))
    wanted[2] = -1
    np.testing.assert_array_equal(world.compute_reward(places, np.zeros((5, 2, 3))), wanted)
    turn = np.array((0, 0, np.sin(0.3), np.cos(0.3)))
    flip = PandaWorld(task="flip", reward="dense")
    assert flip.compute_reward(turn, (0, 0, 0, 1)) == pytest.approx(-(np.sin(0.3) ** 2))
    with pytest.raises(ValueError, match=r"achieved goals have shape \(3,\), expected \(..., 6\)"):
        PandaWorld(task="stack").compute_reward(np.zeros(3), np.zeros(6))


def test_starts_are_drawn_as_in_panda_gym():
    states = begun("pick-and-place", 4000, compat="panda-gym").states
    goals, things = states["goal"][:, :3], states["sight"]["place"][:, 0]
    assert np.abs(goals[:, :2]).max() <= 0.15
    assert (goals[:, 2] == np.float32(CUBE)).mean() == pytest.approx(0.3, abs=0.03)
    assert goals[:, 2].max() == pytest.approx(0.22, abs=2e-3)
    assert np.abs(things[:, :2].mean(0)).max() < 0.01
    assert states["is_success"].any()
    assert not begun("pick-and-place", 4000).states["is_success"].any()


def test_two_cubes_begin_apart():
    first, second = (begun("stack", 2000, compat=compat).states["sight"]["place"] for compat in (None, "panda-gym"))
    apart = [np.linalg.norm(one[:, 0, :2] - one[:, 1, :2], axis=1) for one in (first, second)]
    assert apart[0].min() >= 0.1
    assert apart[1].min() < 0.04
    np.testing.assert_allclose(first[:, 1, 2], CUBE)
    np.testing.assert_allclose(second[:, 1, 2], 3 * CUBE)


def test_flip_goals_are_uniform():
    goals = begun("flip", 4000, compat="panda-gym").states["goal"][:, :4]
    np.testing.assert_allclose(np.linalg.norm(goals, axis=1), 1, atol=1e-6)
    assert np.abs(goals.T @ goals / 4000 - np.eye(4) / 4).max() < 0.02


def test_a_reset_takes_less_than_a_millisecond():
    for task in TASKS:
        batch = begun(task, 256)
        start = time.process_time()
        batch.reset()
        assert (time.process_time() - start) / 256 < 1e-3


@pytest.mark.parametrize(
    ("task", "control", "least"),
    [
        *[("reach", "ee", 1.0), ("push", "ee", 0.95), ("slide", "ee", 0.85), ("stack", "ee", 0.95)],
        *[("reach", "joints", 1.0), ("push", "joints", 0.85), ("pick-and-place", "joints", 0.95)],
        *[("slide", "joints", 0.4), ("stack", "joints", 0.9), ("pick-and-place", "ee", 0.95)],
    ],
)
def test_players_reach_their_goals(task, control, least):
    batch = begun(task, 40, seed=7, control=control)
    player, reached = companion(batch.world, Players).expert(), np.zeros(40, bool)
    seen = batch.last.observations.copy()
    for _ in range(100 if task == "stack" else 50):
        seen = stepped(batch, player.act(seen, batch.states))
        reached |= batch.states["is_success"]
    assert reached.mean() >= least
    assert batch.states["body"]["overflow"].max() == 0


def test_flip_has_no_player():
    with pytest.raises(ValueError, match="task is 'flip'"):
        companion(PandaWorld(task="flip"), Players).expert()


@pytest.mark.parametrize("task", TASKS)
def test_words_tell_everything_and_are_read(task):
    world = PandaWorld(task=task)
    batch = Batch(world, 1, num_threads=1)
    batch.seed([0])
    batch.reset()
    words, state = companion(world, Words), batch.states[0]
    said = words.describe(state)
    assert f"({100 * state['sight']['hand'][0]:.1f}" in said
    numbers = [0.5, -1, 0.25, 1][: world.action.shape[0]]
    np.testing.assert_allclose(np.asarray(words.parse(f"I move. {numbers}", state)), numbers)


def test_all_ids_are_registered():
    assert set(IDS.values()) <= set(envsuite.cards())
