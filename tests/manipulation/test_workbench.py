"""The workbench: geometry and motion in closed form, contacts that hold, rewards, players."""

import math
from typing import Any

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Controls, Pictures, Players, Words, companion
from envsuite.core.jit import records
from envsuite.manipulation.panda.arm import aim, look_at
from envsuite.manipulation.panda.scenes import JOINTS, NEUTRAL, TIP
from envsuite.manipulation.panda.state import Chain
from envsuite.manipulation.workbench.cards import CARDS, HORIZONS
from envsuite.manipulation.workbench.params import TASKS
from envsuite.manipulation.workbench.scenes import (
    BLOCK_HEIGHT,
    DOOR_HANDLE,
    DRAWER_WAY,
    PEG,
    SPONGE,
    SPONGE_FORCE,
    SPONGE_WAY,
    Make,
    scene_of,
)
from envsuite.manipulation.workbench.senses import OWN, handle_at
from envsuite.manipulation.workbench.starts import APART, GAP
from envsuite.manipulation.workbench.world import WorkbenchWorld
from envsuite.rigid import compile_scene, initial

from ..rigid.engine import Engine

HANDLES = ("drawer", "door")
SIZES = {"peg-insertion": 41, "drawer": 30, "door": 30, "wipe": 26 + 3 * 16}


def begun(task: Any, count: int = 1, seed: int = 0, **options: Any) -> Any:
    batch = Batch(WorkbenchWorld(task=task, **options), count, num_threads=1, horizon=HORIZONS[task])
    batch.seed(np.arange(seed, seed + count))
    batch.reset()
    return batch


def stepped(batch: Any, action: Any) -> np.ndarray:
    """Rewards of a step with the same action for all, or with one for each."""
    rows = np.broadcast_to(np.asarray(action, np.float32), (batch.num_envs, batch.world.action.shape[0]))
    return batch.step(np.ascontiguousarray(rows)).rewards.copy()


def still(batch: Any) -> np.ndarray:
    """The action that does nothing."""
    return np.zeros(batch.world.action.shape, np.float32)


def named(scene: Any) -> dict[str, Any]:
    """Shapes of a scene's own bodies by name."""
    return {geom.name: geom for body in scene.bodies for geom in body.geoms}


@pytest.mark.parametrize("turn", [-1.8, -0.6, 0.0, 1.1, 1.8])
def test_joints_turn_the_hand_that_points_down(turn):
    c, target = records(np.zeros(1, Chain.dtype()))[0], np.zeros(7)
    q, tip, none, place = np.array(NEUTRAL), np.zeros(3), np.zeros(3), (0.02, -0.1, 0.1)
    for _ in range(40):  # joints turn by at most 0.3 rad at a time
        aim(c, q, place, (math.cos(turn), math.sin(turn)), target)
        q[:7] = target
    look_at(c, q, np.zeros(9), tip, none)
    cosine, sine = math.cos(turn), math.sin(turn)
    wanted = np.array([[cosine, sine, 0], [sine, -cosine, 0], [0, 0, -1]])
    np.testing.assert_allclose(np.array(c["frame"]).reshape(3, 3), wanted, atol=3e-3)
    assert np.linalg.norm(tip - place) < 2e-4


@pytest.mark.parametrize("task", TASKS)
def test_the_hand_turns_as_it_is_told(task):
    batch = begun(task)
    action = still(batch)
    action[2], action[3] = 0.2, 0.5
    for _ in range(10):
        stepped(batch, action)
    seen = batch.states["sight"][0]
    assert 0.6 < math.atan2(seen["heading"][1], seen["heading"][0]) < 1.01  # ten times half of 0.2 rad, less the lag
    action[3] = -1.0
    for _ in range(35):
        stepped(batch, action)
    assert math.atan2(*seen["heading"][::-1]) == pytest.approx(-1.9, abs=0.03)  # and no further


def test_own_coordinates_come_after_the_arms():
    for task, joint in (("peg-insertion", "peg"), ("drawer", "drawer"), ("door", "door"), ("wipe", "sponge")):
        made = WorkbenchWorld(task=task).compiled
        assert made.qposadr[joint] == made.dofadr[joint] == OWN == JOINTS


@pytest.mark.parametrize(("task", "hinge"), [("drawer", None), ("door", "left"), ("door", "right")])
def test_handles_are_where_the_bodies_are(task, hinge):
    batch = begun(task, 1, 3, hinge=hinge)
    made, state = batch.world.compiled, batch.states[0]
    for way in (0.0, 0.03, 0.11):
        state["body"]["qpos"][OWN] = way
        places, axes = batch.world.frames(state)
        bar = made.geom["bar"]
        body = made.model[0]["geom_bodyid"][bar]
        at = places[body] + axes[body] @ made.model[0]["geom_pos"][bar]
        side = int(batch.world.params[0]["side"])
        found = handle_at(TASKS.index(task), side, np.array(state["fixture"]), way)
        np.testing.assert_allclose(found, at, atol=1e-12)
    np.testing.assert_allclose(
        handle_at(TASKS.index(task), side, np.array(state["fixture"]), 0.0), state["sight"]["place"]
    )


def test_a_door_hinged_at_the_right_mirrors_one_at_the_left():
    left, right = (handle_at(TASKS.index("door"), side, np.array((0.1, 0.0, 0.0)), 0.7) for side in (1, -1))
    np.testing.assert_allclose(np.array(left) * (1, -1, 1), right, atol=1e-15)


def test_the_sponge_is_where_the_bodies_are():
    batch = begun("wipe")
    for _ in range(5):
        stepped(batch, (0.3, -0.5, -0.2, 0.4))
    state, made = batch.states[0], batch.world.compiled
    places, axes = batch.world.frames(state)
    body = made.body["sponge"]
    np.testing.assert_allclose(state["sight"]["place"], places[body] + SPONGE[2] * axes[body][:, 2], atol=1e-12)


def drawn_way(force: float, steps: int, **options: Any) -> tuple[float, float]:
    """How far a drawer comes under a force on its middle, m, beside how far it should."""
    batch = begun("drawer", **options)
    world, body = batch.world, batch.states["body"][0]
    number = world.compiled.body["drawer"]
    turn, friction = (
        float(batch.states["fixture"][0, 2]),
        2.0 if options.get("friction") is None else options["friction"],
    )
    body["pushed"], body["push"] = number, (-force * math.cos(turn), -force * math.sin(turn), 0)
    for _ in range(steps):
        stepped(batch, still(batch))
    mass, drag, time = float(world.compiled.model[0]["body_mass"][number]), 5.0, 0.04 * steps
    lag = mass / drag
    return float(batch.states["sight"]["way"][0]), (force - friction) / drag * (
        time - lag * (1 - math.exp(-time / lag))
    )


@pytest.mark.parametrize(("force", "friction"), [(3.0, None), (1.5, 0.0), (6.0, 5.0)])
def test_a_drawer_moves_as_friction_and_damping_let_it(force, friction):
    """m dv/dt = F - f - c v, from rest."""
    way, wanted = drawn_way(force, 5, friction=friction)
    assert 0.01 < wanted < DRAWER_WAY
    assert way == pytest.approx(wanted, rel=0.05)


def test_a_drawer_stays_shut_below_its_friction():
    assert abs(drawn_way(1.8, 40)[0]) < 1e-3


def test_a_drawer_stops_at_its_end():
    assert drawn_way(15.0, 40)[0] == pytest.approx(DRAWER_WAY, abs=2e-3)


@pytest.mark.parametrize("hinge", ["left", "right"])
def test_a_door_slows_down_as_friction_and_damping_let_it(hinge):
    """I dw/dt = -f - c w: from w0 it turns on until it stops."""
    batch = begun("door", hinge=hinge, friction=0.05)
    moment = 0.0
    scene = batch.world.compiled.scene
    for geom in next(body for body in scene.bodies if body.name == "door").geoms:
        if geom.type == "box":
            a, b, c = geom.size
            x, y, _ = geom.pos
            moment += geom.density * 8 * a * b * c * ((a * a + b * b) / 3 + x * x + y * y)
        else:
            x, y, low, _, _, high = geom.fromto
            radius = geom.size[0]
            mass = geom.density * math.pi * radius**2 * (high - low + 4 / 3 * radius)
            moment += mass * (x * x + y * y + radius**2 / 2)
    speed, friction, drag = 2.0, 0.05, 0.1
    batch.states["body"]["qvel"][0, OWN] = speed
    for _ in range(20):
        stepped(batch, still(batch))
    lag = moment / drag
    stops = lag * math.log(1 + speed * drag / friction)
    assert stops < 0.8
    wanted = (speed + friction / drag) * lag * (1 - math.exp(-stops / lag)) - friction / drag * stops
    assert batch.states["sight"]["way"][0] == pytest.approx(wanted, rel=0.05)
    assert abs(batch.states["sight"]["pace"][0]) < 1e-3


def sunk(clearance: float, force: float = 60.0) -> float:
    """Height of the lower end of a peg that is pressed on its hole with a force for half a second, m."""
    scene = scene_of("peg-insertion", Make(clearance=clearance))
    engine = Engine.of(compile_scene(scene, size="walled"))
    engine.qpos[:JOINTS] = NEUTRAL
    engine.qpos[OWN : OWN + 7] = 0.1, 0.1, BLOCK_HEIGHT + PEG[1] + 0.001, 1, 0, 0, 0
    state = engine.physics[0]
    state["mocap_pos"][0], state["mocap_quat"][0] = (0.1, 0.1, 0), (1, 0, 0, 0)
    state["pushed"], state["push"] = engine.compiled.body["peg"], (0, 0, -force)
    engine.step(125)
    assert state["overflow"] == 0
    return float(state["qpos"][OWN + 2]) - PEG[1]


def test_a_peg_goes_into_a_hole_that_is_wider_and_into_no_other():
    assert abs(sunk(0.001)) < 2e-3
    assert abs(sunk(0.0005)) < 2e-3
    assert sunk(-0.001) > 0.9 * BLOCK_HEIGHT
    assert sunk(-0.002) > 0.9 * BLOCK_HEIGHT


@pytest.mark.parametrize("aside", [0.0, 0.003, 0.03])
def test_insertion_is_told_from_standing_beside_and_above(aside):
    batch = begun("peg-insertion", clearance=0.001)
    x, y, turn = batch.states["fixture"][0]
    half = turn / 2
    batch.states["body"]["qpos"][0, OWN : OWN + 7] = x + aside, y, 0.101, math.cos(half), 0, 0, math.sin(half)
    for _ in range(20):
        rewards = stepped(batch, still(batch))
    assert bool(batch.states["success"][0]) == (aside == 0.0)
    assert (rewards[0] == 1.0) == (aside == 0.0)


def pressed(depth: float, **options: Any) -> tuple[float, bool]:
    """Force, N, of a sponge that is taken down to be pressed in by a depth, and whether the mark below is gone."""
    batch = begun("wipe", marks=1, **options)
    mark = batch.states["marks"][0, 0].copy()
    for _ in range(60):
        tip = batch.states["sight"]["hand"][0]
        over = 0.04 if np.linalg.norm(tip[:2] - mark) > 0.002 else 0.0
        way = np.array((*mark, 2 * SPONGE[2] - depth + over)) - tip
        batch.states["clock"]["done"] = 0
        stepped(batch, (*np.clip(way / 0.05, -0.3, 0.3), 0))
    return float(batch.states["sight"]["force"][0]), bool(batch.states["success"][0])


def test_wiping_takes_the_force_that_is_asked_for():
    stiff = SPONGE_FORCE / SPONGE_WAY
    for depth, force, wiped in ((-0.002, 3.0, False), (0.004, 3.0, False), (0.008, 3.0, True), (0.008, 5.0, False)):
        felt, gone = pressed(depth, force=force)
        assert felt == pytest.approx(stiff * depth + 0.05 * 9.81 if depth > 0 else 0.0, rel=0.05)
        assert gone == wiped


def test_only_marks_under_the_sponge_are_wiped():
    batch = begun("wipe", marks=4)
    batch.states["marks"][0, :4] = (0.0, 0.0), (0.028, 0.018), (0.034, 0.0), (0.0, 0.024)
    for _ in range(40):
        way = np.array((0.0, 0.0, 2 * SPONGE[2] - 0.01)) - batch.states["sight"]["hand"][0]
        way[2] = way[2] if np.linalg.norm(way[:2]) < 0.001 else 0.0
        stepped(batch, (*np.clip(way / 0.05, -0.5, 0.5), 0))
    np.testing.assert_array_equal(batch.states["wiped"][0, :4], (1, 1, 0, 0))


@pytest.mark.parametrize("task", TASKS)
def test_steps_are_mujocos(task):
    """From states that players come to, contacts among them, a step of physics equals MuJoCo's.

    MuJoCo takes half the depth of two boxes for the whole where faces touch, and the whole where edges do (see
    `envsuite.rigid.clipping`). Of a peg that stands on the table rounding decides between both; such states are few.
    """
    pytest.importorskip("mujoco")
    from envsuite.rigid.mujoco import MujocoEngine

    batch = begun(task, 4)
    compiled, player = batch.world.compiled, companion(batch.world, Players).expert()
    other, own = MujocoEngine(compiled), Engine.of(compiled)
    touched, tied, compared = 0, 0, 0
    for step in range(30):
        batch.step(player.act(batch.last.observations, batch.states))
        for state in batch.states["body"]:
            own.physics[0] = state
            for _ in range(4):  # the drawer is touched between the ends of steps
                theirs = own.physics.copy()
                own.seen_step()
                other.step(theirs)
                count, compared = int(own.work["ncon"][0]), compared + 1
                touched += count > 0
                depths = np.sort(own.work["con_dist"][0, :count])
                if count == other.data.ncon and not np.allclose(depths, np.sort(other.data.contact.dist), atol=1e-9):
                    tied += 1
                    continue
                nq, nv = len(own.qpos), len(own.qvel)
                np.testing.assert_allclose(own.qpos, theirs["qpos"][0, :nq], atol=1e-7, err_msg=f"step {step}")
                np.testing.assert_allclose(own.qvel, theirs["qvel"][0, :nv], atol=2e-5, err_msg=f"step {step}")
    assert touched > 0
    assert tied < 0.05 * compared


@pytest.mark.parametrize("task", TASKS)
def test_rewards_tell_progress_and_success(task):
    dense, sparse = begun(task, 20), begun(task, 20, reward="sparse")
    player, best = companion(dense.world, Players).expert(), np.zeros(20)
    for _ in range(HORIZONS[task]):
        actions = player.act(dense.last.observations, dense.states)
        paid, given = stepped(dense, actions), stepped(sparse, actions)
        success = dense.states["success"]
        assert ((paid >= 0) & (paid <= 1)).all()
        np.testing.assert_array_equal(paid == 1.0, success)
        np.testing.assert_array_equal(given, success.astype(float))
        best = np.maximum(best, np.where(success, 0, paid))
    np.testing.assert_array_equal(dense.states["body"], sparse.states["body"])
    assert (best > 0.5).all()  # before there is success, most of the way is paid


@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("peg-insertion", {}),
        ("peg-insertion", {"clearance": 0.0005}),
        ("drawer", {}),
        ("drawer", {"friction": 20.0}),
        ("door", {}),
        ("door", {"hinge": "right", "friction": 2.0}),
        ("wipe", {}),
        ("wipe", {"marks": 32, "force": 5.0}),
    ],
)
def test_players_succeed(task, options):
    batch = begun(task, 40, seed=11, **options)
    player = companion(batch.world, Players).expert()
    for _ in range(HORIZONS[task]):
        batch.step(player.act(batch.last.observations, batch.states))
    assert batch.states["success"].mean() >= 0.95
    assert batch.states["body"]["overflow"].max() == 0


def test_starts_vary_and_keep_their_bounds():
    for task in TASKS:
        batch = begun(task, 500)
        if task == "wipe":
            marks = batch.states["marks"][:, :16]
            np.testing.assert_allclose(np.linalg.norm(np.diff(marks, axis=1), axis=2), GAP, atol=1e-12)
            drawn = marks.reshape(-1, 2)
        else:
            drawn = batch.states["fixture"]
            np.testing.assert_array_equal(batch.states["body"]["mocap_pos"][:, 0, :2], drawn[:, :2])
        low, high = (np.array(batch.world.params[0][name])[: drawn.shape[1]] for name in ("low", "high"))
        assert (drawn >= low).all()
        assert (drawn <= high).all()
        assert (drawn.max(0) - drawn.min(0) > 0.9 * (high - low)).all()
    peg = begun("peg-insertion", 500).states
    away = np.linalg.norm(peg["body"]["qpos"][:, OWN : OWN + 2] - peg["fixture"][:, :2], axis=1)
    assert away.min() >= APART


@pytest.mark.parametrize("task", TASKS)
def test_what_waits_stays_where_it_is(task):
    batch = begun(task, 4)
    before = batch.states["body"]["qpos"][:, OWN:].copy()
    for _ in range(25):
        stepped(batch, still(batch))
    assert np.abs(batch.states["body"]["qpos"][:, OWN:] - before).max() < 1e-3


@pytest.mark.parametrize("task", TASKS)
def test_episodes_do_not_depend_on_the_batch(task):
    many, rng = begun(task, 6, seed=5), np.random.default_rng(0)
    one, threaded = begun(task, 1, seed=8), Batch(WorkbenchWorld(task=task), 6, num_threads=2, horizon=HORIZONS[task])
    threaded.seed(np.arange(5, 11))
    threaded.reset()
    for _ in range(30):
        actions = rng.uniform(-1, 1, (6, *many.world.action.shape)).astype(np.float32)
        for batch, given in ((many, actions), (threaded, actions), (one, actions[3:4])):
            batch.step(given)
    np.testing.assert_array_equal(many.states, threaded.states)
    np.testing.assert_array_equal(many.last.observations[3], one.last.observations[0])
    np.testing.assert_array_equal(many.states["body"][3], one.states["body"][0])


@pytest.mark.parametrize("task", TASKS)
def test_a_snapshot_goes_on_to_the_same_bits(task):
    import gymnasium

    card = next(card for card in CARDS if card.options["task"] == task)
    env: Any = gymnasium.make(card.id).unwrapped
    env.reset(seed=4)
    rng = np.random.default_rng(1)
    actions = rng.uniform(-1, 1, (40, *env.action_space.shape)).astype(np.float32)
    for action in actions[:20]:
        env.step(action)
    kept = env.get_state()
    first = [env.step(action)[0] for action in actions[20:]]
    env.set_state(kept)
    np.testing.assert_array_equal(first, [env.step(action)[0] for action in actions[20:]])


@pytest.mark.slow
@pytest.mark.parametrize("control", ["ee", "joints"])
@pytest.mark.parametrize("task", TASKS)
def test_nothing_breaks_under_the_wildest_actions(task, control):
    """100,000 steps of actions at their bounds, half of them held for ten steps."""
    count, rng = 100, np.random.default_rng(7)
    batch = begun(task, count, control=control)
    for step in range(1000):
        if step % 10 == 0:
            signs = rng.choice((-1.0, 1.0), (count, *batch.world.action.shape))
        wild = rng.choice((-1.0, 1.0), signs.shape)
        actions = np.where(np.arange(count)[:, None] % 2 == 0, signs, wild).astype(np.float32)
        output = batch.step(actions, batch.done)
        assert np.isfinite(output.observations).all()
        assert ((output.rewards >= 0) & (output.rewards <= 1)).all()
        assert batch.states["body"]["overflow"].max() == 0


def test_joints_are_turned():
    batch = begun("door", control="joints")
    assert batch.world.action.shape == (8,)
    for _ in range(5):
        stepped(batch, (1, 0, 0, 0, 0, 0, 0, 1))
    turned = batch.states["body"]["qpos"][0, :7] - NEUTRAL[:7]
    assert 0.15 < turned[0] < 0.26
    assert np.abs(turned[1:]).max() < 0.02
    assert batch.states["sight"]["opening"][0] == pytest.approx(0.08, abs=1e-3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task": "saw"}, "task is 'saw', expected one of"),
        ({"task": "door", "marks": 4}, "marks is 4, expected None: task 'door' has friction and hinge only"),
        ({"task": "wipe", "clearance": 0.01}, "clearance is 0.01, expected None: task 'wipe' has marks and force only"),
        ({"clearance": 0.0}, "clearance is 0.0, expected"),
        ({"task": "drawer", "friction": -1.0}, "friction is -1.0, expected"),
        ({"task": "wipe", "marks": 33}, "marks is 33, expected"),
        ({"task": "wipe", "force": 8.0}, "force is 8.0, expected"),
        ({"task": "door", "hinge": "top"}, "hinge is 'top', expected"),
        ({"reward": "v1"}, "reward is 'v1', expected"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        WorkbenchWorld(**options)


def test_players_move_hands_only():
    with pytest.raises(ValueError, match="control is 'joints'"):
        companion(WorkbenchWorld(control="joints"), Players).expert()


@pytest.mark.parametrize("task", TASKS)
def test_observations_words_keys_and_pictures(task):
    batch = begun(task)
    world, state = batch.world, batch.states[0]
    assert world.observation.shape == (SIZES[task],)
    seen = batch.last.observations[0]
    np.testing.assert_array_equal(seen[:3], state["sight"]["hand"].astype(np.float32))
    np.testing.assert_array_equal(seen[-14:-7], state["body"]["qpos"][:7].astype(np.float32))
    words = companion(world, Words)
    said = words.describe(state)
    assert f"({100 * state['sight']['hand'][0]:.1f}" in said
    assert f"{100 * state['sight']['place'][0]:.1f}" in said
    numbers = [0.5, -1, 0.25, 1, -1][: world.action.shape[0]]
    np.testing.assert_allclose(np.asarray(words.parse(f"I move. {numbers}", state)), numbers)
    keys = companion(world, Controls).keys()
    np.testing.assert_allclose(keys[("a",)][:4], (0, 0, 0, 0.5))
    assert companion(WorkbenchWorld(task=task, control="joints"), Controls).keys() == {}
    pictures = companion(world, Pictures)
    drawn = []
    for view in pictures.views:
        pictures.view = view
        drawn.append(pictures.draw(state, (96, 96)))
    assert all(one.shape == (96, 96, 3) for one in drawn)
    assert len({one.tobytes() for one in drawn}) == len(drawn)


def test_a_wiped_mark_is_no_longer_drawn():
    batch = begun("wipe", marks=1)
    pictures, before = companion(batch.world, Pictures), batch.states.copy()
    batch.states["wiped"][0, 0] = 1
    pictures.view = "above"
    brown = [
        (np.abs(pictures.draw(one[0], (480, 480)).astype(int) - (96, 64, 34)).max(2) < 24).sum()
        for one in (before, batch.states)
    ]
    assert brown[0] > brown[1]


def test_the_initial_pose_is_the_neutral_one():
    for task in TASKS:
        batch = begun(task)
        np.testing.assert_allclose(batch.last.observations[0, :3], (0.03844, 0.0, 0.19740), atol=1e-5)


def test_scenes_differ_only_where_they_should():
    near, far = (named(scene_of("peg-insertion", Make(clearance=one)))["wall_far"] for one in (0.001, 0.002))
    assert far.pos[0] - near.pos[0] == pytest.approx(0.001)
    assert named(scene_of("door", Make(side=1)))["bar"].fromto[1] == -DOOR_HANDLE[1]
    assert named(scene_of("door", Make(side=-1)))["bar"].fromto[1] == DOOR_HANDLE[1]
    assert named(scene_of("wipe", Make()))["sponge"].size == SPONGE
    assert initial(compile_scene(scene_of("wipe", Make())))[0]["qpos"][OWN] == 0
    assert TIP == 0.105


def test_all_ids_are_registered():
    assert {card.id for card in CARDS} <= set(envsuite.cards())
    assert len(CARDS) == len(TASKS)
