"""Ants in mazes beside MuJoCo with all walls, beside Gymnasium-Robotics, and beside OGBench."""

import os
from dataclasses import replace

import gymnasium
import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.single import WorldEnv
from envsuite.core.world import make_world
from envsuite.mazes import layouts
from envsuite.mazes.ant import body
from envsuite.mazes.ant.legacy import LAYOUTS as LEGACY
from envsuite.mazes.ant.legacy import LegacyAntMazeWorld
from envsuite.mazes.ant.ogbench import OgbenchAntMazeWorld
from envsuite.mazes.ant.world import AntMazeWorld
from envsuite.mazes.ogbench.params import DOORS_OUT, TASKS
from envsuite.mazes.params import centre
from envsuite.rigid import Box, write_mjcf
from envsuite.rigid.models import ANT, WEAK_ANT
from envsuite.rigid.models.ant import SHAPE, SOFT

ROOM = "envsuite.mazes.ant."


def walls_of(world) -> np.ndarray:
    """Middles of all walls, (n, 2), m."""
    p = world.params[0]
    rows, columns = int(p["grid"]["rows"]), int(p["grid"]["columns"])
    return centre(p["grid"], np.argwhere(p["walls"][:rows, :columns] != 0))


def whole(world):
    """MuJoCo's model of the ant with every wall of the maze."""
    import mujoco

    weak = not isinstance(world, AntMazeWorld)
    half = (body.SCALE / 2, body.SCALE / 2, body.HEIGHT / 2)
    boxes = [
        Box(f"block_{k}", size=half, pos=(x, y, body.HEIGHT / 2), **(SOFT if weak else SHAPE))
        for k, (x, y) in enumerate(walls_of(world))
    ]
    ant = WEAK_ANT if weak else ANT
    made = mujoco.MjModel.from_xml_string(write_mjcf(replace(ant, geoms=[*ant.geoms, *boxes])))
    made.opt.tolerance, made.opt.iterations = 1e-15, 200
    return made


def against_walls(world, rng) -> np.ndarray:
    """Coordinates (15,) and speeds (14,) of an ant that is about to run into a wall or two."""
    walls = walls_of(world)
    while True:
        x, y = walls[rng.integers(len(walls))] + rng.uniform(-3.3, 3.3, 2)
        inside = (np.abs(walls - (x, y)) < body.SCALE / 2 + 0.15).all(1).any()
        if not inside and (walls.min(0) < (x, y)).all() and ((x, y) < walls.max(0)).all():
            break
    turn = rng.normal(size=4) * (1, 0.3, 0.3, 1)
    bend = np.array([1, -1, -1, 1]) * rng.uniform(0.5, 1.2, 4)
    hinges = np.stack([rng.uniform(-0.5, 0.5, 4), bend], axis=1).ravel()
    place = [x, y, rng.uniform(0.3, 0.7), *(turn / np.linalg.norm(turn)), *hinges]
    return np.array([*place, *rng.normal(size=6) * 2, *rng.normal(size=8)])


WORLDS = [
    *((AntMazeWorld, {"layout": name}) for name in ("umaze", "open", "medium", "large")),
    (LegacyAntMazeWorld, {"layout": "umaze"}),
    (LegacyAntMazeWorld, {"layout": "large"}),
    *((OgbenchAntMazeWorld, {"maze": name}) for name in ("medium", "giant", "teleport")),
]


@pytest.mark.parametrize(("kind", "options"), WORLDS)
def test_four_boxes_stand_for_all_walls(kind, options):
    """A hundred steps of physics from states at walls, each from MuJoCo's own state: accelerations to 1e-9."""
    mujoco = pytest.importorskip("mujoco")
    world, env, made, data = side_by_side(kind, options)
    rng = np.random.default_rng(1)
    touched = 0
    for _ in range(40):
        mujoco.mj_resetData(made, data)
        state = against_walls(world, rng)
        data.qpos[:], data.qvel[:] = state[:15], state[15:]
        for _ in range(100):
            action = rng.uniform(-1, 1, 8).astype(np.float32)
            before = data.qvel.copy()
            put(env, data)
            mine = step(env, action)
            data.ctrl[:] = action
            mujoco.mj_step(made, data)
            touched += (data.contact.geom.max(1) > len(ANT.geoms) + 12).any() if data.ncon else 0
            change = np.abs(data.qvel - before).max()
            np.testing.assert_allclose(mine["qvel"][:14], data.qvel, rtol=0, atol=1e-9 * max(change, 0.1))
            np.testing.assert_allclose(mine["qpos"][:15], data.qpos, rtol=0, atol=1e-12)
            assert mine["overflow"] == 0
    assert touched > 400


@pytest.mark.parametrize(("kind", "options"), WORLDS[:3] + WORLDS[-1:])
def test_runs_at_walls_stay_with_mujoco(kind, options):
    """A hundred steps of physics without looking at MuJoCo."""
    mujoco = pytest.importorskip("mujoco")
    world, env, made, data = side_by_side(kind, options)
    rng = np.random.default_rng(2)
    apart = []
    for _ in range(40):
        mujoco.mj_resetData(made, data)
        state = against_walls(world, rng)
        data.qpos[:], data.qvel[:] = state[:15], state[15:]
        put(env, data)
        for _ in range(100):
            action = rng.uniform(-1, 1, 8).astype(np.float32)
            mine = step(env, action)
            data.ctrl[:] = action
            mujoco.mj_step(made, data)
        apart.append(np.abs(mine["qpos"][:15] - data.qpos).max())
    assert np.median(apart) < 1e-9
    assert np.max(apart) < 1e-4  # contacts make nearby motions part


def side_by_side(kind, options):
    """A world of single steps of physics, its environment, and MuJoCo's model and data of the same."""
    import mujoco

    world = kind(**options)
    one_step(world)
    env = WorldEnv(world)
    env.reset(seed=0)
    made = whole(world)
    return world, env, made, mujoco.MjData(made)


def one_step(world) -> None:
    """A step of physics in a step, no ends, no teleporters."""
    world.params["frame_skip"] = 1
    for name in {"terminates", "in_count"} & set(world.params.dtype.names):
        world.params[name] = 0


def put(env, data) -> None:
    """Give MuJoCo's state to ours."""
    snapshot = env.get_state()
    one = snapshot.states["body"]
    one["qpos"][0, :15], one["qvel"][0, :14], one["qacc_warmstart"][0, :14] = data.qpos, data.qvel, data.qacc_warmstart
    snapshot.states["position"][0] = data.qpos[:2]
    env.set_state(snapshot)


def step(env, action) -> np.void:
    env.step(action)
    return env.get_state().states[0]["body"]


def original(family: str, name: str, **options):
    """An environment of Gymnasium-Robotics or OGBench, its physics solved to the end."""
    os.environ.setdefault("MUJOCO_GL", "disable")
    if family == "robotics":
        gymnasium.register_envs(pytest.importorskip("gymnasium_robotics"))
    else:
        pytest.importorskip("ogbench")
        from ogbench.locomaze import maze  # noqa: F401
    made = gymnasium.make(name, **options).unwrapped
    made.model.opt.tolerance, made.model.opt.iterations = 1e-15, 200
    return made


def follow(theirs, ours, goal) -> None:
    put(ours, theirs.data)
    snapshot = ours.get_state()
    snapshot.states["goal"][0] = goal
    ours.set_state(snapshot)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.parametrize(
    ("name", "layout"),
    [("UMaze", "umaze"), ("OpenDense", "open"), ("Medium_Diverse_GR", "medium-diverse-gr"), ("LargeDense", "large")],
)
def test_steps_equal_gymnasium_robotics(name, layout):
    theirs = original("robotics", f"AntMaze_{name}-v5")
    world = AntMazeWorld(layout=layout, reward="dense" if "Dense" in name else "sparse")
    ours, rng = WorldEnv(world), np.random.default_rng(3)
    theirs.reset(seed=0)
    ours.reset(seed=0)
    total, touching = 0.0, 0
    for t in range(600):
        if t % 15 == 0:
            state = against_walls(world, rng)
            theirs.ant_env.set_state(state[:15], state[15:])
            theirs.goal = state[:2] + rng.uniform(-0.6, 0.6, 2)
        follow(theirs, ours, theirs.goal)
        action = rng.uniform(-1, 1, 8).astype(np.float32)
        seen, reward, over, _, info = ours.step(action)
        expected, paid, ended, _, told = theirs.step(action.astype(np.float64))
        np.testing.assert_allclose(seen[:2], expected["achieved_goal"], rtol=0, atol=1e-9)
        np.testing.assert_allclose(seen[2:-2], expected["observation"], rtol=0, atol=1e-9)
        np.testing.assert_array_equal(seen[-2:], expected["desired_goal"])
        assert reward == pytest.approx(paid, rel=1e-9)
        assert over == ended
        assert info["is_success"] == told["success"]
        total += reward
        touching += np.abs(seen[29:-2]).max() > 0
    assert total > 0
    assert touching > 100
    theirs.close()


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.parametrize("layout", ["medium", "large-diverse-g", "umaze"])
def test_episodes_begin_as_in_gymnasium_robotics(layout):
    name = "_".join({"g": "G", "gr": "GR", "umaze": "UMaze"}.get(part, part.title()) for part in layout.split("-"))
    theirs = original("robotics", f"AntMaze_{name}-v5")
    batch = Batch(AntMazeWorld(layout=layout), 1000, num_threads=1)
    batch.seed(range(1000))
    first = batch.reset().observations
    begun = [theirs.reset(seed=seed)[0] for seed in range(200)]
    np.testing.assert_array_equal(first[:, 2:-2], np.repeat(begun[0]["observation"][None], 1000, 0))
    for mine, key in ((first[:, :2], "achieved_goal"), (first[:, -2:], "desired_goal")):
        other = np.array([one[key] for one in begun])
        assert {tuple(cell) for cell in np.round(other / 4 + 0.5)} <= {tuple(cell) for cell in np.round(mine / 4 + 0.5)}
        np.testing.assert_allclose(mine.mean(0), other.mean(0), atol=4 * mine.std(0).max() / np.sqrt(200))
    theirs.close()


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
@pytest.mark.parametrize(("maze", "reward"), [("medium", "sparse"), ("giant", "sparse"), ("teleport", "cost")])
def test_steps_equal_ogbench(maze, reward):
    theirs = original("ogbench", f"antmaze-{maze}-v0", **({"reward_task_id": 2} if reward == "cost" else {}))
    world = OgbenchAntMazeWorld(maze=maze, reward=reward)
    ours, rng = WorldEnv(world), np.random.default_rng(4)
    theirs.reset(seed=0)
    ours.reset(seed=0)
    reached = teleported = 0
    for t in range(600):
        if t % 15 == 0:
            state = against_walls(world, rng)
            if maze == "teleport" and t % 60 == 0:
                state[:2] = world.doors()[0][0] + (1.8, 0.0)
                state[15] = -5.0
            theirs.set_state(state[:15], state[15:])
            theirs.set_goal(goal_xy=state[:2] + rng.uniform(-0.6, 0.6, 2))
        follow(theirs, ours, theirs.cur_goal_xy)
        action = rng.uniform(-1, 1, 8).astype(np.float32)
        seen, got, over, _, info = ours.step(action)
        expected, paid, ended, _, told = theirs.step(action.astype(np.float64))
        assert (got, over, info["is_success"]) == (paid, ended, bool(told["success"]))
        after = np.concatenate([theirs.data.qpos, theirs.data.qvel])
        if info["teleported"]:
            teleported += 1
            exits = centre(world.params[0]["grid"], np.array(DOORS_OUT["teleport"]))
            assert (exits == after[:2]).all(1).any()
            assert (exits == seen[:2]).all(1).any()
            seen[:2] = after[:2]
        else:
            np.testing.assert_allclose(seen[:29], expected, rtol=0, atol=1e-9)
        np.testing.assert_allclose(seen[:29], after, rtol=0, atol=1e-9)
        reached += over
        if over:
            ours.reset()
    assert reached > 3
    assert (teleported > 3) == (maze == "teleport")
    theirs.close()


def test_ogbench_episodes_begin_near_their_cells():
    for task, (start, goal) in enumerate(TASKS["giant"], 1):
        world = OgbenchAntMazeWorld(maze="giant", task=task)
        first = begun(world)
        for columns, cell in ((slice(0, 2), start), (slice(-2, None), goal)):
            away = first[:, columns] - centre(world.params[0]["grid"], np.array(cell))
            assert 0.98 < np.abs(away).max() <= 1.0
        noise = first[:, 2:15] - world.params[0]["start"]["qpos"][2:15]
        assert 0.099 < np.abs(noise).max() <= 0.1
        assert first[:, 15:29].std() == pytest.approx(0.1, rel=0.02)


@pytest.mark.parametrize("layout", LEGACY)
def test_legacy_episodes_begin_at_the_origin_and_have_goals_beyond_their_cell(layout):
    world = LegacyAntMazeWorld(layout=layout)
    batch = Batch(world, 3000, num_threads=1)
    batch.seed(range(3000))
    first = batch.reset().observations
    assert 0.098 < np.abs(first[:, :2]).max() <= 0.1
    row, column = layouts.find(layouts.read(LEGACY[layout]), "G")[0]
    away = batch.states["goal"] - 4.0 * np.array([column - 1, row - 1])
    assert 0 <= away.min() < 0.05 < 1.4 < away.max() <= 1.5
    assert away.mean() == pytest.approx(0.75, abs=0.02)


def test_legacy_goals_are_in_any_free_cell_where_none_is_marked():
    layout = LEGACY["umaze"].replace("G", "O")
    batch = Batch(LegacyAntMazeWorld(layout=layout), 500, num_threads=1)
    batch.seed(range(500))
    batch.reset()
    cells = {tuple(cell) for cell in np.floor(batch.states["goal"][:, ::-1] / 4 + 1.5).astype(int)}
    assert cells >= {tuple(cell) for cell in layouts.find(layouts.read(layout), "OR")}


def test_legacy_random_starts_are_in_free_cells():
    batch = Batch(LegacyAntMazeWorld(layout="medium", start="random"), 2000, num_threads=1)
    batch.seed(range(2000))
    place = batch.reset().observations[:, :2]
    cells = layouts.read(LEGACY["medium"])
    at = np.round((place - 0.5) / 4).astype(int) + 1
    assert set(map(tuple, at[:, ::-1])) == set(map(tuple, layouts.find(cells, "OR")))
    assert 0.95 < (place - 4 * (at - 1)).max() <= 1.0


@pytest.mark.parametrize(
    ("reward", "at", "expected"), [("sparse", 0.49, 1.0), ("sparse", 0.6, 0.0), ("dense", 0.7, -0.7)]
)
def test_legacy_rewards(reward, at, expected):
    env = WorldEnv(ROOM + "legacy:LegacyAntMazeWorld", reward=reward)
    env.reset(seed=0)
    snapshot = env.get_state()
    snapshot.states["body"]["qvel"][0] = 0
    snapshot.states["goal"][0] = snapshot.states["body"]["qpos"][0, :2] + (at, 0)
    env.set_state(snapshot)
    _, got, over, _, info = env.step(np.zeros(8, np.float32))
    assert got == pytest.approx(expected, abs=0.02)
    assert over == (at < 0.5) == info["is_success"]


@pytest.mark.parametrize(
    ("world", "options", "words"),
    [
        ("world:AntMazeWorld", {"layout": "tiny"}, "layout is 'tiny', expected one of"),
        ("world:AntMazeWorld", {"layout": "###/#O#/###"}, "no start cell apart from a goal cell"),
        ("legacy:LegacyAntMazeWorld", {"layout": "tiny"}, "layout is 'tiny', expected one of"),
        ("legacy:LegacyAntMazeWorld", {"layout": "####/#OG#/####"}, "has 0 cells R, expected 1"),
        ("ogbench:OgbenchAntMazeWorld", {"maze": "tiny"}, "maze is 'tiny', expected"),
    ],
)
def test_bad_options_are_named(world, options, words):
    with pytest.raises(ValueError, match=words):
        make_world(ROOM + world, **options)


def begun(world) -> np.ndarray:
    """First observations of a thousand episodes."""
    batch = Batch(world, 1000, num_threads=1)
    batch.seed(range(1000))
    return batch.reset().observations.copy()


def test_dictionaries_hold_the_parts_of_the_flat_observation():
    env = gymnasium.make("envsuite.mazes.goals:envsuite/MazeAntUmazeDict-v0")
    seen, _ = env.reset(seed=5)
    flat = begun_with(5)
    assert {name: part.shape for name, part in seen.items()} == {
        "observation": (105,),
        "achieved_goal": (2,),
        "desired_goal": (2,),
    }
    for name, part in (("achieved_goal", slice(2)), ("observation", slice(2, -2)), ("desired_goal", slice(-2, None))):
        np.testing.assert_array_equal(seen[name], flat[part])


def begun_with(seed: int) -> np.ndarray:
    """The first observation of an episode in the U-maze."""
    return WorldEnv(AntMazeWorld()).reset(seed=seed)[0]
