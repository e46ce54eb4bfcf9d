"""The tasks on MuJoCo: equal to the kernels step by step and in free play; snapshots, batches, processes."""

import copy
import dataclasses
import pickle
import sys
from importlib import import_module

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import envsuite
from envsuite.core.single import WorldEnv
from envsuite.core.vector import WorldVectorEnv
from envsuite.core.world import backends_of, make_world, world_class
from envsuite.testing import CHECKS
from tests.locomotion.test_gymnasium import TASKS

mujoco = pytest.importorskip("mujoco")

HOPPER, HUMANOID = TASKS["Hopper-v5"], TASKS["Humanoid-v5"]
STEPS = {"Ant-v5": 50, "HalfCheetah-v5": 40}  # their falls are chaotic: differences grow tenfold in some 5 steps


def on_mujoco(place: str, **options) -> WorldEnv:
    """Newton's method goes to the end, as in the kernels; by default MuJoCo stops earlier, at some 1e-11."""
    env = WorldEnv(place, backend="mujoco", **options)
    option = env.unwrapped.world.engine.model.opt
    if option.solver == mujoco.mjtSolver.mjSOL_NEWTON:
        option.tolerance, option.iterations = 1e-15, 200
    return env


def both(place: str, **options) -> tuple[WorldEnv, WorldEnv]:
    return WorldEnv(place, **options), on_mujoco(place, **options)


def close(ours, theirs, bound: float) -> None:
    """One outcome of `step` like another."""
    np.testing.assert_allclose(ours[0], theirs[0], rtol=bound, atol=bound)
    assert ours[1] == pytest.approx(theirs[1], rel=bound, abs=bound)
    assert ours[2:4] == theirs[2:4]
    assert set(ours[4]) == set(theirs[4])
    for name in ours[4]:
        np.testing.assert_allclose(ours[4][name], theirs[4][name], rtol=bound, atol=bound, err_msg=name)


@pytest.mark.parametrize("mode", ["fixed", "held_out"])
@pytest.mark.parametrize("task", TASKS)
def test_steps_from_the_same_record_are_equal(task, mode):
    ours, theirs = both(TASKS[task], dynamics=mode)
    noise = np.random.default_rng(0)
    first, second = ours.reset(seed=4), theirs.reset(seed=4)
    np.testing.assert_allclose(first[0], second[0], rtol=0, atol=1e-12)
    for _ in range(60):
        theirs.unwrapped.set_state(ours.unwrapped.get_state())
        action = noise.uniform(ours.action_space.low, ours.action_space.high).astype(np.float32)
        outcome = ours.step(action)
        close(outcome, theirs.step(action), 1e-9)
        mine, other = ours.unwrapped.batch.states, theirs.unwrapped.batch.states
        for name in ("qpos", "qvel"):
            np.testing.assert_allclose(mine["body"][name], other["body"][name], rtol=1e-9, atol=1e-9)
        for name in ("gravity", "mass_scale", "damping", "gear", "sliding", "pushed", "push", "ctrl"):
            np.testing.assert_array_equal(mine["body"][name], other["body"][name])
        assert mine["rng"].tobytes() == other["rng"].tobytes()
        assert mine["clock"].tobytes() == other["clock"].tobytes()
        if outcome[2]:
            ours.reset()
            theirs.reset()


@pytest.mark.parametrize("mode", ["fixed", "training"])
@pytest.mark.parametrize("task", TASKS)
def test_free_play_agrees(task, mode):
    ours, theirs = both(TASKS[task], dynamics=mode)
    noise = np.random.default_rng(1)
    ours.reset(seed=5)
    theirs.reset(seed=5)
    for _ in range(STEPS.get(task, 100)):
        action = noise.uniform(ours.action_space.low, ours.action_space.high).astype(np.float32)
        outcome = ours.step(action)
        close(outcome, theirs.step(action), 1e-7)
        if outcome[2]:
            ours.reset()
            theirs.reset()


@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("Hopper-v5", {"frame_skip": 1, "compat": "v4"}),
        ("Walker2d-v5", {"frame_skip": 7, "compat": "v4"}),
        ("Reacher-v5", {"compat": "v4", "reward_dist_weight": 3.0}),
        ("InvertedDoublePendulum-v5", {"compat": "v4"}),
        ("Ant-v5", {"include_cfrc_ext_in_observation": False, "frame_skip": 2}),
        ("Humanoid-v5", {"solver": "Newton", "exclude_current_positions_from_observation": False}),
    ],
)
def test_options_hold(task, options):
    ours, theirs = both(TASKS[task], **options)
    ours.reset(seed=0)
    theirs.reset(seed=0)
    noise = np.random.default_rng(2)
    for _ in range(15):
        action = noise.uniform(ours.action_space.low, ours.action_space.high).astype(np.float32)
        outcome = ours.step(action)
        close(outcome, theirs.step(action), 1e-8)
        if outcome[2]:
            break


def rolled(env, steps: int) -> list[bytes]:
    noise, found = np.random.default_rng(0), []
    for _ in range(steps):
        env.step(noise.uniform(-1, 1, env.action_space.shape).astype(np.float32))
        found.append(env.unwrapped.batch.states.tobytes())
    return found


def test_snapshots_are_exact_and_move_between_engines():
    env = WorldEnv(HOPPER, backend="mujoco", dynamics="training", terminate_when_unhealthy=False)
    env.reset(seed=1)
    rolled(env, 20)
    snapshot = env.unwrapped.get_state()
    once = rolled(env, 20)
    env.reset(seed=2)
    rolled(env, 5)
    env.unwrapped.set_state(snapshot)
    assert rolled(env, 20) == once
    kernels = WorldEnv(HOPPER, dynamics="training", terminate_when_unhealthy=False)
    kernels.reset(seed=7)
    kernels.unwrapped.set_state(snapshot)
    rolled(kernels, 20)
    mine, other = kernels.unwrapped.batch.states["body"], env.unwrapped.batch.states["body"]
    np.testing.assert_allclose(mine["qpos"], other["qpos"], rtol=0, atol=1e-7)


def test_a_batch_equals_single_environments():
    many = WorldVectorEnv(HOPPER, 3, backend="mujoco", dynamics="training", num_threads=2)
    one = WorldEnv(HOPPER, backend="mujoco", dynamics="training")
    many.reset(seed=10)
    one.reset(seed=12)
    noise, over = np.random.default_rng(0), False
    for _ in range(60):
        actions = noise.uniform(-1, 1, (3, 3)).astype(np.float32)
        many.step(actions)
        if over:
            one.reset()
        over = not over and any(one.step(actions[2])[2:4])
        assert many.unwrapped.batch.states[2].tobytes() == one.unwrapped.batch.states[0].tobytes()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_alike(copied):
    env = WorldEnv(HOPPER, backend="mujoco")
    env.reset(seed=0)
    other = copied(env)
    assert rolled(env, 10) == rolled(other, 10)
    assert env.unwrapped.world.engine is not other.unwrapped.world.engine


def test_pictures_are_the_same():
    ours, theirs = (WorldEnv(HOPPER, backend=name, render_mode="rgb_array") for name in (None, "mujoco"))
    ours.reset(seed=0)
    theirs.reset(seed=0)
    assert np.array_equal(ours.render(), theirs.render())


@pytest.mark.parametrize("check", ["observations_in_space", "seeding", "replay", "snapshot", "text"])
def test_conformance(check):
    card = envsuite.card("Hopper")
    card = dataclasses.replace(card, options={**card.options, "backend": "mujoco"})
    matching = [name for name in CHECKS if check in name]
    assert matching, sorted(CHECKS)
    for name in matching:
        CHECKS[name](card)


@pytest.mark.filterwarnings("ignore:.*A Box observation space m(in|ax)imum value is -?infinity")
def test_gymnasium_s_own_checks():
    env = gymnasium.make("envsuite/Hopper-v0", backend="mujoco", dynamics="training")
    check_env(env.unwrapped)
    env.close()


def test_all_tasks_have_it():
    for card in envsuite.cards().values():
        if card.family == "locomotion":
            place = backends_of(world_class(card.world))["mujoco"]
            assert issubclass(world_class(place), world_class(card.world))
    env = gymnasium.make("envsuite/InvertedPendulum-v0", backend="mujoco")
    env.reset(seed=0)
    assert env.step(env.action_space.sample())[1] == 1
    env.close()


def test_other_versions_are_told():
    module = import_module("mujoco")
    version = module.__version__
    try:
        module.__version__ = "3.5.0"
        with pytest.warns(UserWarning, match=r"MuJoCo 3\.5\.0 is installed; agreement .* is promised for 3\.3"):
            make_world(HOPPER, backend="mujoco")
    finally:
        module.__version__ = version


def test_without_mujoco_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "envsuite\[mujoco\]"'):
        make_world(HUMANOID, backend="mujoco")
