"""The arm's tasks on PyBullet: equal to panda-gym, and results that depend on nothing but the record."""

import importlib
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.world import make_world
from envsuite.manipulation.panda.params import TASKS
from envsuite.manipulation.panda.scenes import FORCES, JOINTS, LIMITS
from envsuite.manipulation.panda.world import SCENES

pytest.importorskip("pybullet")

from envsuite.manipulation.panda.camera import CameraObservation, photograph

WORLD = "envsuite.manipulation.panda.world:PandaWorld"
STEPS = 50
SIGHT = ("hand", "hand_velocity", "place", "turn", "velocity", "spin")


def begun(task, count=1, seed=0, **options):
    batch = Batch(make_world(WORLD, task=task, backend="bullet", **options), count, num_threads=1)
    batch.seed(np.arange(seed, seed + count))
    batch.reset()
    return batch


def stepped(batch, action):
    """After a step, which goes on where an episode has ended."""
    batch.states["clock"]["done"] = 0
    batch.done[:] = False
    rows = np.broadcast_to(np.asarray(action, np.float32), (batch.num_envs, batch.world.action.shape[0]))
    return batch.step(np.ascontiguousarray(rows))


def original(monkeypatch, task, control, state):
    """panda-gym's environment with a record's goal and objects."""
    importlib.import_module("panda_gym")
    simulation = importlib.import_module("panda_gym.pybullet").PyBullet
    create_box = simulation.create_box  # the texture of Flip's cube is not in the wheel
    monkeypatch.setattr(simulation, "create_box", lambda self, *a, texture=None, **k: create_box(self, *a, **k))
    name = task.title().replace("-", "") + ("Joints" if control == "joints" else "")
    env: Any = gymnasium.make(f"Panda{name}-v3").unwrapped
    env.reset(seed=0)
    goal, upright = np.array(state["goal"], np.float64)[: len(env.task.goal)], np.array((0, 0, 0, 1.0))
    marks: Any = {"flip": [("target", (0, 0, 0.06), goal)], "stack": [("target1", goal[:3], upright)]}
    marks = marks.get(task, [("target", goal, upright)])
    marks += [("target2", goal[3:], upright)] if task == "stack" else []
    for mark in marks:
        env.sim.set_base_pose(*mark)  # the engine's order of solving depends on it
    env.task.goal = goal
    names = {"reach": (), "stack": ("object1", "object2")}.get(task, ("object",))
    for n, one in enumerate(names):
        at = JOINTS + 7 * n
        env.sim.set_base_pose(one, np.array(state["body"]["qpos"][at : at + 3]), upright)
    return env


@pytest.mark.parametrize("control", ["ee", "joints"])
@pytest.mark.parametrize("task", TASKS)
def test_equals_panda_gym(monkeypatch, task, control):
    pytest.importorskip("panda_gym")
    for seed in range(2):
        batch = begun(task, seed=seed, compat="panda-gym", control=control)
        env = original(monkeypatch, task, control, batch.states[0])
        rng, seen = np.random.default_rng(seed), env._get_obs()
        for step in range(STEPS + 1):
            wanted = np.concatenate([seen["observation"], seen["desired_goal"]])
            np.testing.assert_allclose(
                batch.last.observations[0], wanted, rtol=1e-6, atol=1e-6, err_msg=f"{seed} {step}"
            )
            action = rng.uniform(-1, 1, env.action_space.shape).astype(np.float32)
            seen, reward, ended, _, _ = env.step(action)
            found = stepped(batch, action)
            assert (found.rewards[0], found.terminated[0]) == (reward, ended)
        env.close()


@pytest.mark.parametrize("task", ["push", "stack"])
def test_snapshots_have_one_future(task):
    """The engine that played, another one, a copy of the world and a batch in another order go on to the same bits."""
    batch, rng = begun(task, 2), np.random.default_rng(0)
    actions = rng.uniform(-1, 1, (16, *batch.world.action.shape)).astype(np.float32)
    actions[:, 2] -= 0.5
    for action in actions[:8]:
        stepped(batch, np.clip(action, -1, 1))
    kept = batch.states.copy()
    copies = [begun(task, 2, seed=9), Batch(pickle.loads(pickle.dumps(batch.world)), 2, num_threads=1), begun(task, 2)]
    copies[1].seed(np.arange(2))
    copies[1].reset()
    for action in actions[8:]:
        stepped(batch, np.clip(action, -1, 1))
    ends = batch.states.copy()
    for k, other in enumerate(copies):
        order = (1, 0) if k == 2 else (0, 1)
        other.states[:] = kept[list(order)]
        for action in actions[8:]:
            stepped(other, np.clip(action, -1, 1))
        np.testing.assert_array_equal(_told(other.states), _told(ends[list(order)]), err_msg=f"copy {k}")
    batch.states[:] = kept
    for action in actions[8:]:
        stepped(batch, np.clip(action, -1, 1))
    np.testing.assert_array_equal(_told(batch.states), _told(ends))


def _told(states):
    """All numbers that a future depends on, and those that are observed."""
    parts = [states["body"][name] for name in ("qpos", "qvel")] + [states["sight"][name] for name in SIGHT]
    parts += [states["flown"]["mark"].astype(np.float64), states["flown"]["steps"].astype(np.float64)]
    return np.concatenate([part.reshape(len(states), -1) for part in parts], axis=1)


def test_a_record_may_be_changed():
    batch = begun("push")
    for _ in range(3):
        stepped(batch, (0, 0, 0))
    batch.states["body"]["qpos"][0, JOINTS : JOINTS + 2] = 0.1, -0.1
    stepped(batch, (0, 0, 0))
    assert batch.states["flown"]["steps"][0] == 1
    np.testing.assert_allclose(batch.states["sight"]["place"][0, 0, :2], (0.1, -0.1), atol=1e-3)


def test_episodes_begin_like_those_of_the_kernels():
    for task in TASKS:
        with_engine = begun(task, 3)
        without = Batch(make_world(WORLD, task=task), 3, num_threads=1)
        without.seed(np.arange(3))
        without.reset()
        np.testing.assert_allclose(with_engine.last.observations, without.last.observations, atol=1e-6)


def test_the_arm_has_the_masses_that_pybullet_says():
    pybullet = importlib.import_module("pybullet")
    client = pybullet.connect(pybullet.DIRECT)
    pybullet.setAdditionalSearchPath(importlib.import_module("pybullet_data").getDataPath(), physicsClientId=client)
    arm = pybullet.loadURDF("franka_panda/panda.urdf", useFixedBase=True, physicsClientId=client)
    links = dict(zip((0, 1, 2, 3, 4, 5, 6, 8, 9, 10), SCENES[0].bodies, strict=True))
    for link, body in links.items():
        mass, _, moments, centre = pybullet.getDynamicsInfo(arm, link, physicsClientId=client)[:4]
        assert body.inertial is not None
        assert mass == pytest.approx(body.inertial.mass)
        np.testing.assert_allclose(moments, np.asarray(body.inertial.diaginertia), rtol=1e-3)
        np.testing.assert_allclose(centre, body.inertial.pos, atol=1e-9)
    for joint in range(7):
        told = pybullet.getJointInfo(arm, joint, physicsClientId=client)
        np.testing.assert_allclose(told[8:10], LIMITS[joint])
        assert FORCES[joint] >= told[10]
    pybullet.disconnect(client)


def test_cameras_see_colours_depth_and_bodies():
    env = CameraObservation(
        gymnasium.make("envsuite/PandaPush-v0", backend="bullet"), ("rgb", "depth", "segmentation"), (96, 64)
    )
    seen, _ = env.reset(seed=0)
    assert env.observation_space.contains(seen)
    base: Any = env.unwrapped
    picture = photograph(base.world, base.batch.states[0], size=(96, 64), distance=0.8)
    named = {picture.names[k] for k in np.unique(picture.segmentation) if k >= 0}
    assert {"arm", "table", "object 1"} <= named
    cube = picture.segmentation == picture.names.index("object 1")
    assert (picture.rgb[cube].astype(int)[:, 1] > picture.rgb[cube].astype(int)[:, 0] + 20).mean() > 0.8  # green
    assert 0.5 < np.median(picture.depth[cube]) < 1.1
    with pytest.raises(ValueError, match="size is"):
        photograph(base.world, base.batch.states[0], size=(0, 3))
    with pytest.raises(ValueError, match="cameras need"):
        CameraObservation(gymnasium.make("envsuite/PandaPush-v0"))
