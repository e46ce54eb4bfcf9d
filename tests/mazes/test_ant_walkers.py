"""The low-level controllers of ants: what they see does not depend on place and turn, and what they do fits the ant."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.mazes.ant import direction, running
from envsuite.mazes.ant.frames import frame_of
from envsuite.mazes.ant.walkers import FOLDER
from envsuite.mazes.ant.world import AntMazeWorld

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
    if not (FOLDER / f"{ant}.onnx").is_file():
        pytest.skip("its network is not trained yet")
    from envsuite.mazes.ant.ogbench import OgbenchAntMazeWorld

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
