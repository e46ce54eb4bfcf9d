"""Four instances at once have the bits that each has alone."""

from typing import Any

import numpy as np
import pytest

from envsuite.core.jit import records
from envsuite.rigid import Body, Capsule, Hinge, Motor, Option, Position, Scene, compile_scene, initial
from envsuite.rigid.fourfold import room_of
from envsuite.rigid.layout import CLASSES, Work
from tests.rigid.engine import Engine, fours_of
from tests.rigid.scenes import SCENES

CALM = ("small", "medium")  # classes that other tests compile as well
TOLD = ("xpos", "xquat", "xmat", "xipos", "cinert", "cvel", "qfrc_actuator", "qfrc_constraint", "qacc")


def pendulum(name: str, **option: Any) -> Scene:
    def link(name: str, joint: Hinge, size: float, **more: Any) -> Body:
        return Body(name, joints=[joint], geoms=[Capsule(fromto=(0, 0, 0, 0.3, 0, 0), size=size)], **more)

    shoulder = Hinge("shoulder", axis=(0, 1, 0), damping=0.3)
    elbow = Hinge("elbow", axis=(0, 1, 0), range=(-1, 1), stiffness=2, damping=0.1)
    bodies = [link("upper", shoulder, 0.03), link("lower", elbow, 0.02, parent="upper", pos=(0.3, 0, 0))]
    motors = [Motor("shoulder", gear=2, ctrlrange=(-1, 1)), Position("elbow", kp=5, kv=1, ctrlrange=(-1, 1))]
    return Scene(name, option=Option(timestep=0.002, **option), bodies=bodies, actuators=motors)


ALL = {name: one for name, one in SCENES.items() if compile_scene(one).size in CALM}
ALL |= {"servos": pendulum("servos", integrator="implicitfast"), "fluid": pendulum("fluid", density=900, viscosity=0.1)}


def spread(compiled: Any, count: int, seed: int = 0) -> np.ndarray:
    """States that differ in everything that instances may differ in."""
    rng, states, m = np.random.default_rng(seed), np.repeat(initial(compiled), count), compiled.model[0]
    for one in states:
        one["qpos"][: m["nq"]] += rng.normal(0, 0.03, m["nq"])
        one["qvel"][: m["nv"]] = rng.normal(0, 0.5, m["nv"])
        one["ctrl"][: m["nu"]] = rng.uniform(-1.5, 1.5, m["nu"])
        one["mass_scale"] *= rng.uniform(0.8, 1.2)
        one["damping"] *= rng.uniform(0.5, 2)
        one["gear"] *= rng.uniform(0.8, 1.2)
        one["sliding"] *= rng.uniform(0.5, 1.5)
        one["gravity"] += rng.normal(0, 0.3, 3)
    return states


def assert_same_bits(one: np.ndarray, other: np.ndarray) -> None:
    for name in one.dtype.names:
        ours, theirs = np.ascontiguousarray(one[name]), np.ascontiguousarray(other[name])
        assert ours.tobytes() == theirs.tobytes(), name


def both(compiled: Any, states: np.ndarray, steps: int) -> tuple[list[Engine], np.ndarray, np.ndarray]:
    """The same steps one by one and four at a time: engines, states and workspaces."""
    alone = []
    for one in states:
        engine = Engine.of(compiled)
        engine.physics[0] = one
        for _ in range(steps):
            engine.seen_step()
        alone.append(engine)
    together, room = records(states.copy()), records(np.zeros(1, room_of(compiled.sizes)))
    fours_of(compiled.size)(compiled.model, together, steps, room)
    return alone, together, room


@pytest.mark.parametrize("name", ALL)
def test_states_and_what_is_told_of_them_have_the_same_bits(name):
    compiled = compile_scene(ALL[name])
    states = spread(compiled, 4)
    states[2]["pushed"], states[2]["push"] = 1, (0.3, -0.2, 0.1)
    for steps in (1, 30):
        alone, together, room = both(compiled, states, steps)
        for k, engine in enumerate(alone):
            assert_same_bits(engine.physics, together[k : k + 1])
            for field in TOLD:
                np.testing.assert_array_equal(engine.work[field][0], room["one"][field][0, k], err_msg=field)
            roots = compiled.model["body_parentid"][0] == 0
            centres = engine.work["subtree_com"][0][roots], room["one"]["subtree_com"][0, k][roots]
            np.testing.assert_array_equal(*centres)
            assert engine.work["ncon"][0] == room["one"]["ncon"][0, k]
    assert len({one.tobytes() for one in together["qpos"]}) == 4


def test_dampers_that_some_of_the_four_lack():
    compiled = compile_scene(ALL["hand"])
    states = spread(compiled, 8)
    states["damping"][1] = states["damping"][6] = 0.0
    alone, together, _ = both(compiled, states, 20)
    assert_same_bits(np.concatenate([engine.physics for engine in alone]), together)


def test_a_still_body_and_a_quaternion_without_length():
    compiled = compile_scene(ALL["box_plane"])
    states = spread(compiled, 4)
    states["qvel"][0] = 0.0
    states["qpos"][1, 3:7] = 0.0
    states["gravity"][0] = 0.0
    alone, together, _ = both(compiled, states, 3)
    assert_same_bits(np.concatenate([engine.physics for engine in alone]), together)


def test_sizes_of_the_workspace_hold_all_classes():
    for size in CLASSES.values():
        room = room_of(size.sizes)
        assert room["one"].base == Work.dtype(np.float64, **size.sizes)
        assert room["one"].shape == (4,)
