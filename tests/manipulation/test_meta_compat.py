"""The arm and the scenes of metaworld 3.1.1: at rest, and beside the package, where it is installed."""

from typing import Any

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.manipulation.meta.scenes.original import ORIGINAL
from envsuite.manipulation.meta.scenes.sawyer import SIZE
from envsuite.manipulation.meta.starts import ARM_DOFS
from envsuite.manipulation.meta.tasks import NAMES
from envsuite.manipulation.meta.world import MetaWorld
from envsuite.rigid import compile_scene
from envsuite.rigid.sampler import MODES
from tests.manipulation.play import begun, moved

pytestmark = pytest.mark.filterwarnings("ignore:Constant")  # of the original's players, for speeds above 1

EQUAL = (
    "assembly",
    "basketball",
    "bin-picking",
    "disassemble",
    "hand-insert",
    "drawer-close",
    "faucet-open",
    "faucet-close",
    "handle-press-side",
    "handle-pull-side",
    "handle-pull",
    "pick-out-of-hole",
    "plate-slide-back",
    "plate-slide-back-side",
    "peg-insert-side",
    "soccer",
    "stick-push",
    "stick-pull",
    "push-back",
    "shelf-place",
    "sweep-into",
    "sweep",
)
"""Tasks in whose first hundred steps nothing touches that the engine has no contacts for."""
HAND_EQUAL = ("reach", "reach-wall")
"""Those in which only the puck stands on the table, on a point of its own in each engine."""
FREE = ("assembly", "basketball", "drawer-close", "faucet-open", "plate-slide-back", "stick-pull", "sweep")
"""Some that stay equal without being told the original's state."""
OBJECT = slice(4, 11)


@pytest.fixture(scope="module")
def metaworld():
    return pytest.importorskip("metaworld")


def begun_beside(metaworld: Any, task: str) -> tuple[Any, np.ndarray, Batch]:
    """The original at the beginning of an episode, what it observes, and ours with the same places."""
    suite = metaworld.MT1(f"{task}-v3", seed=42)
    env = suite.train_classes[f"{task}-v3"]()
    env.set_task(suite.train_tasks[0])
    seen, _ = env.reset()
    drawn = np.asarray(env._last_rand_vec).copy()
    if task == "shelf-place":
        drawn[5] -= 0.3  # the goal's height over the shelf
    batch = begun(task, compat="metaworld")
    sheet = batch.world.params[0]["sheet"]
    moving = tuple(k for k in range(2) if np.any(sheet["high"][k] > sheet["low"][k]))
    places = {(0, 1): drawn.reshape(-1, 3), (0,): drawn[None, :3], (1,): drawn[None, -3:]}[moving]
    for k, place in zip(moving, places, strict=True):
        fixed = sheet["high"][k] == sheet["low"][k]
        sheet["low"][k] = sheet["high"][k] = np.where(fixed, sheet["low"][k], place)
    sheet["apart"] = 0.0
    batch.reset()
    return env, seen, batch


def follow(env: Any, batch: Batch) -> None:
    """Give ours the original's state."""
    model, data, body = env.model, env.data, batch.states["body"][0]
    body["qpos"][: model.nq], body["qvel"][: model.nv] = data.qpos, data.qvel
    body["qacc_warmstart"][: model.nv], body["mocap_pos"][0] = data.qacc_warmstart, data.mocap_pos[0]


def compared(metaworld: Any, task: str, steps: int, *, free: bool = False) -> tuple[np.ndarray, ...]:
    """Differences of observations (steps + 1, 39) and rewards (steps,) under the original's player with noise."""
    from metaworld.policies import ENV_POLICY_MAP

    env, seen, batch = begun_beside(metaworld, task)
    player, rng = ENV_POLICY_MAP[f"{task}-v3"](), np.random.default_rng(0)
    apart, paid = [np.abs(batch.last.observations[0] - seen)], []
    for _ in range(steps):
        action = np.clip(player.get_action(seen.copy()), -1, 1) + rng.normal(0, 0.2, 4)
        action = np.clip(action, -1, 1).astype(np.float32)
        if not free:
            follow(env, batch)
        seen, reward, *_ = env.step(action)
        ours = batch.step(action[None])
        apart.append(np.abs(ours.observations[0] - seen))
        paid.append(abs(float(ours.rewards[0]) - reward))
    return np.array(apart), np.array(paid)


@pytest.mark.slow
@pytest.mark.parametrize("task", EQUAL)
def test_each_step_is_the_originals(metaworld, task):
    """From the original's state, at every one of a hundred steps."""
    apart, paid = compared(metaworld, task, 100)
    assert apart.max() < (1e-5 if task == "bin-picking" else 1e-6)
    assert paid.max() < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("task", HAND_EQUAL)
def test_a_hundred_steps_of_the_hand_are_the_originals(metaworld, task):
    apart, paid = compared(metaworld, task, 100, free=True)
    assert np.delete(apart, np.r_[OBJECT, 18 + np.r_[OBJECT]], axis=1).max() < 1e-9
    assert apart[:, OBJECT].max() < 5e-3
    assert paid.max() < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("task", FREE)
def test_a_hundred_steps_with_objects_are_the_originals(metaworld, task):
    apart, paid = compared(metaworld, task, 100, free=True)
    assert apart.max() < 1e-6
    assert paid.max() < 1e-5


@pytest.mark.parametrize(
    ("task", "place"),
    [
        ("reach", (0.0046, 0.6014, 0.1951)),
        pytest.param("button-press-topdown", (0.0045, 0.4003, 0.1957), marks=pytest.mark.slow),
        pytest.param("door-close", (-0.4989, 0.6043, 0.1956), marks=pytest.mark.slow),
    ],
)
def test_the_hand_begins_where_the_arm_leaves_it(task, place):
    """Places measured in metaworld 3.1.1."""
    batch = begun(task, compat="metaworld")
    np.testing.assert_allclose(batch.last.observations[0, :3], place, atol=1e-4)
    assert batch.states["body"]["overflow"][0] == 0


def test_the_arm_follows_the_place_that_actions_move():
    """Displacements under a constant action measured in metaworld 3.1.1, m."""
    batch = begun("reach", compat="metaworld")
    start, way, done = batch.last.observations[0, 0], [], 0
    for steps in (1, 5, 10, 20):
        way.append(moved(batch, (1, 0, 0, 0), steps - done)[0, 0] - start)
        done = steps
    np.testing.assert_allclose(way, (0.001, 0.021, 0.064, 0.162), atol=3e-3)


def test_seeds_and_batches_do_not_matter_to_the_arm():
    one, many = begun("push", 1, seed=2, compat="metaworld"), begun("push", 3, compat="metaworld")
    np.testing.assert_array_equal(one.last.observations[0], many.last.observations[2])
    np.testing.assert_array_equal(moved(one, 0.3, 5)[0], moved(many, 0.3, 5)[2])


@pytest.mark.parametrize("task", NAMES)
def test_original_scenes_fit_the_kernels(task):
    """The arm and fingers come before what episodes put down, but for the mug; the hand's place is the first."""
    made = compile_scene(ORIGINAL[task](), size=SIZE)
    model = made.model[0]
    assert made.size == SIZE
    assert model["body_mocapid"][made.body["mocap"]] == 0
    late = [k for k in range(model["njnt"]) if model["jnt_bodyid"][k] > made.body["leftpad"]]
    assert task.startswith("coffee") or late[0] == ARM_DOFS
    world = MetaWorld(task=task, compat="metaworld")
    assert world.loops is MetaWorld(compat="metaworld").loops
    assert world.params.dtype == MetaWorld(compat="metaworld").params.dtype


def test_options_that_exclude_each_other_are_refused():
    for mode in set(MODES) - {"fixed"}:
        with pytest.raises(ValueError, match=f"dynamics is '{mode}', expected 'fixed' where compat is 'metaworld'"):
            MetaWorld(compat="metaworld", dynamics=mode)
    with pytest.raises((TypeError, ValueError), match="compat is 'mujoco', expected"):
        MetaWorld(compat="mujoco")
