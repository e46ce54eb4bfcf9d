"""The low-level controllers of ants: what they see does not depend on place and turn, and what they do fits the ant."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.mazes.ant import direction, running
from envsuite.mazes.ant.frames import frame_of
from envsuite.mazes.ant.legacy import LAYOUTS, LegacyAntMazeWorld
from envsuite.mazes.ant.ogbench import OgbenchAntMazeWorld
from envsuite.mazes.ant.walkers import Walker
from envsuite.mazes.ant.world import AntMazeWorld
from envsuite.mazes.tasks import GOAL_CELLS

SIGNS = np.array([1, -1, -1, 1])


def upright(rotation) -> np.ndarray:
    """A quaternion (w, x, y, z)."""
    x, y, z, w = rotation.as_quat()
    return np.array([w, x, y, z])


@pytest.fixture
def states():
    batch = Batch(AntMazeWorld(), 2, num_threads=1)
    batch.seed([0, 1])
    batch.reset()
    return batch.states


def draw(state, rng) -> None:
    """Any pose, any speeds, any contacts."""
    tilt = Rotation.from_euler("ZYX", rng.normal(size=3) * (3, 0.3, 0.3))
    state["body"]["qpos"][:15] = [*rng.normal(size=3), *upright(tilt), *rng.normal(size=8)]
    state["body"]["qvel"][:14] = rng.normal(size=14)
    state["wrenches"] = rng.uniform(-0.6, 0.6, (14, 6))


def renumber(one, other) -> None:
    """The same ant, with the leg after the first called the first, and axes that are turned likewise."""
    q, v, w = one["body"]["qpos"].copy(), one["body"]["qvel"].copy(), one["wrenches"].copy()
    quarter = Rotation.from_euler("z", 90, degrees=True)
    other["body"]["qpos"][:15], other["body"]["qvel"][:14], other["wrenches"] = q[:15], v[:14], w
    other["body"]["qpos"][3:7] = upright(Rotation.from_quat([*q[4:7], q[3]]) * quarter)
    other["body"]["qvel"][3:6] = quarter.inv().apply(v[3:6])
    for leg in range(4):
        old = (leg + 1) % 4
        sign = SIGNS[leg] * SIGNS[old]
        other["body"]["qpos"][7 + 2 * leg : 9 + 2 * leg] = q[7 + 2 * old], sign * q[8 + 2 * old]
        other["body"]["qvel"][6 + 2 * leg : 8 + 2 * leg] = v[6 + 2 * old], sign * v[7 + 2 * old]
        other["wrenches"][2 + 3 * leg : 5 + 3 * leg] = w[2 + 3 * old : 5 + 3 * old]


def spin(one, other, angle: float) -> Rotation:
    """The same ant elsewhere, in a world that is turned."""
    turn = Rotation.from_euler("z", angle)
    q, v = one["body"]["qpos"].copy(), one["body"]["qvel"].copy()
    other["body"]["qpos"][:15], other["body"]["qvel"][:14] = q[:15], v[:14]
    other["body"]["qpos"][:2] += (3, -4)
    other["body"]["qpos"][3:7] = upright(turn * Rotation.from_quat([*q[4:7], q[3]]))
    other["body"]["qvel"][:3] = turn.apply(v[:3])
    for part in (slice(0, 3), slice(3, 6)):
        other["wrenches"][:, part] = turn.apply(one["wrenches"][:, part])
    return turn


def seen(state, wanted) -> tuple[np.ndarray, np.ndarray]:
    """What the networks of the weak and of the strong ant see."""
    weak, strong = np.zeros(direction.FEATURES), np.zeros(running.FEATURES)
    direction.sense(state["body"], *wanted, weak)
    running.sense(state, *wanted, strong)
    return weak, strong


def test_networks_see_the_same_after_turns_of_ant_and_world(states):
    rng, frames = np.random.default_rng(0), set()
    for _ in range(300):
        draw(states[0], rng)
        wanted = rng.normal(size=2)
        turns = frame_of(states[0]["body"], *wanted)
        frames.add(turns)
        first = seen(states[0], wanted)
        renumber(states[0], states[1])
        assert frame_of(states[1]["body"], *wanted) == (turns - 1) % 4
        for mine, other in zip(first, seen(states[1], wanted), strict=True):
            np.testing.assert_allclose(mine, other, atol=1e-12)
        turn = spin(states[0], states[1], rng.uniform(-3, 3))
        moved = turn.apply([*wanted, 0])[:2]
        if frame_of(states[1]["body"], *moved) == turns:
            for mine, other in zip(first, seen(states[1], moved), strict=True):
                np.testing.assert_allclose(mine, other, atol=1e-12)
    assert frames == {0, 1, 2, 3}


def test_an_ant_that_is_to_run_ahead_is_seen_as_it_is(states):
    rng = np.random.default_rng(1)
    draw(states[0], rng)
    body = states[0]["body"]
    body["qpos"][3:7] = upright(Rotation.from_euler("ZYX", (0.3, 0.1, -0.1)))
    told = np.concatenate([body["qpos"][2:15], body["qvel"][:14], states[0]["wrenches"][1:].ravel()])
    np.testing.assert_allclose(seen(states[0], (2.0, 0.0))[1], told, atol=1e-15)


def test_moves_go_to_the_legs_that_are_seen(states):
    """A network that outputs what it sees of the hinges gives every motor what its own hinge has."""
    rng = np.random.default_rng(2)
    motors = [7 + 2 * leg + part for leg in (3, 0, 1, 2) for part in (0, 1)]
    for _ in range(50):
        draw(states[0], rng)
        wanted = rng.normal(size=2)
        turns, (weak, strong) = frame_of(states[0]["body"], *wanted), seen(states[0], wanted)
        hinges = states[0]["body"]["qpos"][motors]
        moves = np.ravel([weak[[13 + 4 * leg, 14 + 4 * leg]] for leg in range(4)])
        found = np.zeros(8)
        direction.move(turns, moves, found)
        np.testing.assert_array_equal(found, hinges)
        moves = np.ravel([strong[[5 + 2 * leg, 6 + 2 * leg]] for leg in (3, 0, 1, 2)])
        running.move(turns, moves, found)
        np.testing.assert_array_equal(found, hinges)


@pytest.mark.parametrize("ant", ["strong", "weak"])
def test_the_reference_player_reaches_the_goal(ant):
    world = AntMazeWorld(continuing_task=False) if ant == "strong" else OgbenchAntMazeWorld(maze="medium", task=3)
    batch = Batch(world, 16, num_threads=1)
    batch.seed(range(16))
    output, player = batch.reset(), companion(world, Players).expert()
    player.reset(np.ones(16, np.bool_), np.arange(16))
    over, rewards = np.zeros(16, np.bool_), np.zeros(16)
    for _ in range(400):
        output = batch.step(player.act(output.observations, batch.states), over)
        rewards += np.where(over, 0, output.rewards)
        over |= output.terminated
    assert rewards.sum() >= 13


def sent(layout, kind, seeds):
    """D4RL's collector after its first step, and the batch it moves."""
    world = LegacyAntMazeWorld(layout=layout, start="random", terminate_at_goal=False)
    batch = Batch(world, len(seeds), num_threads=1)
    batch.seed(seeds)
    output, collector = batch.reset(), companion(world, Players).collector(kind)
    collector.reset(np.ones(len(seeds), np.bool_), np.asarray(seeds))
    collector.act(output.observations, batch.states)
    return batch, collector


@pytest.mark.parametrize(("layout", "kind"), [("medium", "play"), ("large", "play"), ("umaze", "diverse")])
def test_d4rls_collectors_draw_goals_beyond_the_middle_of_their_cells(layout, kind):
    _, collector = sent(layout, kind, range(600))
    rows = LAYOUTS[layout].split("/")
    free = {(i, j) for i, row in enumerate(rows) for j, one in enumerate(row) if one != "#"}
    cells, goals = collector._errands["cell"], collector._errands["goal"]
    assert set(map(tuple, cells.tolist())) == (set(GOAL_CELLS[layout]) if kind == "play" else free)
    further = goals - 4.0 * (cells[:, ::-1] - 1)  # the start cell, (1, 1), lies at the origin
    assert further.min() >= 0
    assert further.max() < 1.5
    np.testing.assert_allclose(further.mean(0), 0.75, atol=0.05)


def test_d4rls_collectors_get_to_a_goal_and_stay_there():
    batch, collector = sent("medium", "diverse", range(16))
    goals, first = collector._errands["goal"].copy(), batch.states["goal"].copy()
    near = np.zeros((16, 600))
    for step in range(600):
        batch.step(collector.act(np.zeros(0), batch.states))
        near[:, step] = np.linalg.norm(batch.states["position"] - goals, axis=1)
    np.testing.assert_array_equal(collector._errands["goal"], goals)
    assert np.linalg.norm(goals - first, axis=1).max() > 4
    assert (near[:, -50:].max(1) < 1).sum() >= 12
    collector.reset(np.arange(16) < 8, np.arange(100, 116))
    collector.act(np.zeros(0), batch.states)
    changed = (collector._errands["goal"] != goals).any(1)
    assert changed[:8].all()
    assert not changed[8:].any()


def test_nobody_chose_goals_in_other_mazes():
    with pytest.raises(ValueError, match=r"layout is 'umaze', expected one of \['large', 'medium'\]"):
        companion(LegacyAntMazeWorld(layout="umaze"), Players).collector("play")


def test_ants_go_no_faster_than_is_good_for_them(states):
    wanted = np.array([[1.0, 0.0], [0.3, 0.4]])
    walker, features = Walker("weak"), np.zeros((2, direction.FEATURES))
    for k in range(2):
        direction.sense(states[k]["body"], *(0.8 * wanted[k]), features[k])
    moves = walker._network.act(features, states)
    expected = np.zeros((2, 8))
    for k in range(2):
        direction.move(frame_of(states[k]["body"], *wanted[k]), moves[k], expected[k])
    np.testing.assert_allclose(walker.act(states, wanted), expected, atol=1e-6)
