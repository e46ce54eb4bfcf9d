"""Bodies in words, and keys for them."""

import math
import re

import numpy as np
import pytest

from envsuite.core.companions import Controls, Words, companion
from envsuite.core.language import Refusal
from envsuite.core.single import WorldEnv
from envsuite.core.world import make_world
from tests.locomotion.test_gymnasium import TASKS


def told(task: str, **coordinates: float) -> str:
    """The description of a task's first state, some coordinates changed by the names of their joints."""
    env = WorldEnv(TASKS[task])
    env.reset(seed=0)
    snapshot = env.unwrapped.get_state()
    for name, value in coordinates.items():
        snapshot.states["body"]["qpos"][0, env.unwrapped.world.compiled.qposadr[name]] = value
    env.unwrapped.set_state(snapshot)
    return env.unwrapped.describe()


@pytest.mark.parametrize("task", TASKS)
def test_answers_as_told_are_actions(task):
    world = make_world(TASKS[task])
    words, size = companion(world, Words), world.action.shape[0]
    state = np.zeros(1, world.state_dtype)[0]
    assert all(block.name in words.instructions(state) for block in world.action.blocks)
    action = words.parse(f"I answer [{', '.join(['0.1'] * size)}].", state)
    np.testing.assert_allclose(action, 0.1, rtol=1e-6)
    assert isinstance(words.parse("[5.0]" if size == 1 else "[0.1]", state), Refusal)
    assert isinstance(words.parse(f"[{', '.join(['7'] * size)}]", state), Refusal)


def test_angles_are_degrees_and_hidden_places_are_not_told():
    text = told("Hopper-v5", leg_joint=-np.pi / 4, rootz=1.5, rootx=33.0)
    assert "leg is at -45.0 degrees" in text
    assert "z is at 1.500 m" in text
    assert "33.0" not in text
    assert "Touching the floor: nothing." in text


def test_what_touches_the_floor():
    assert "Touching the floor: foot." in told("Hopper-v5", rootz=1.2)
    assert "Touching the floor: leg, foot." in told("Hopper-v5", rootz=1.18)
    assert "Touching the floor" not in told("Reacher-v5")  # a floor that nothing can touch


def test_lean():
    env = WorldEnv(TASKS["Ant-v5"])
    env.reset(seed=0)
    snapshot = env.unwrapped.get_state()
    half = np.radians(30) / 2
    for axis in (1, 2):
        quaternion = np.zeros(4)
        quaternion[0], quaternion[axis] = np.cos(half), np.sin(half)
        snapshot.states["body"]["qpos"][0, 3:7] = quaternion
        env.unwrapped.set_state(snapshot)
        assert "leans 30.0 degrees from upright" in env.unwrapped.describe()
    lying = re.search(r"leans ([\d.]+) degrees", told("HumanoidStandup-v5"))
    assert lying is not None
    assert 85 < float(lying[1]) < 95


@pytest.mark.parametrize(
    "task", ["InvertedPendulum-v5", "InvertedDoublePendulum-v5", "Reacher-v5", "Swimmer-v5", "Hopper-v5"]
)
def test_each_motor_has_two_keys(task):
    world = make_world(TASKS[task])
    keys, size = companion(world, Controls).keys(), world.action.shape[0]
    assert len(keys) == 3**size
    assert (keys[()] == 0).all()
    alone = [keys[name] for name in [("right",), ("left",), ("up",), ("down",), ("w",), ("s",)][: 2 * size]]
    for motor in range(size):
        np.testing.assert_array_equal(alone[2 * motor], -alone[2 * motor + 1])
        assert np.flatnonzero(alone[2 * motor]).tolist() == [motor]
    if size > 1:
        np.testing.assert_array_equal(keys["right", "down"], keys["right",] + keys["down",])
    assert all((abs(action) <= world.action.high).all() for action in keys.values())


@pytest.mark.parametrize("task", ["Walker2d-v5", "HalfCheetah-v5", "Ant-v5"])
def test_keys_of_many_motors(task):
    world = make_world(TASKS[task])
    keys, size = companion(world, Controls).keys(), world.action.shape[0]
    assert len(keys) == sum(math.comb(size, held) * 2**held for held in range(4))
    for k in range(size):
        pull = np.eye(size, dtype=np.float32)[k] * world.action.high
        np.testing.assert_array_equal(keys["qwertyui"[k],], pull)
        np.testing.assert_array_equal(keys["asdfghjk"[k],], -pull)
    np.testing.assert_array_equal(keys["q", "s", "e"], keys["q",] + keys["s",] + keys["e",])


def test_no_keys_for_more_motors_than_fingers():
    assert companion(make_world(TASKS["Humanoid-v5"]), Controls).keys() == {}
