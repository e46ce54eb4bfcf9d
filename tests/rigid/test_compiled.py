"""Constants without MuJoCo: their bits, the sheet's figures, names, and the state at the beginning."""

import hashlib
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from envsuite.locomotion import models
from envsuite.rigid import Body, Free, Scene, Slide, Sphere, compile_scene, initial
from envsuite.rigid.layout import Physics

from .scenes import SCENES

# Total mass, mean inertia, and of the last body the inverse weights: what MuJoCo 3.3.7 prints, to nine digits.
PRINTED = {
    "INVERTED_PENDULUM": (15.4905672, 8.06549571, (0.049266895, 0.67463764)),
    "INVERTED_DOUBLE_PENDULUM": (18.8694527, 7.83037196, (0.066862984, 1.3234)),
    "REACHER": (0.0784518517, 0.501859914, (327.47931, 0)),
    "SWIMMER": (106.81415, 81.3512202, (0.010978251, 0.052330406)),
    "HOPPER": (15.8200134, 8.91678944, (0.066902711, 0.43900013)),
    "HALF_CHEETAH": (14, 3.72270243, (0.2661441, 4.1971599)),
    "WALKER2D": (23.6771366, 8.20745684, (0.13474577, 5.4759554)),
    "ANT": (0.910880083, 0.812599202, (3.9844133, 6.9969784)),
    "HUMANOID": (42.1160305, 8.18573621, (0.54524337, 10.574027)),
}
FIELDS = ("scale", "body_ipos", "body_mass", "body_tensor", "body_invweight0", "dof_invweight0", "geom_mat", "jnt_axis")


def digest(scene: Scene) -> str:
    """Of the bits of what is computed."""
    (model,) = compile_scene(scene, general=True).model
    return hashlib.sha256(b"".join(model[name].tobytes() for name in FIELDS)).hexdigest()[:16]


@pytest.mark.parametrize("name", PRINTED)
def test_constants_are_those_that_mujoco_prints(name):
    (model,) = compile_scene(getattr(models, name)).model
    mass, inertia, weights = PRINTED[name]
    np.testing.assert_allclose(model["body_mass"].sum(), mass, rtol=5e-9)
    np.testing.assert_allclose(1 / (model["scale"] * model["nv"]), inertia, rtol=5e-9)
    np.testing.assert_allclose(model["body_invweight0"][model["nbody"] - 1], weights, rtol=5e-8)


def test_constants_are_the_same_bits_everywhere():
    expected = json.loads((Path(__file__).parent / "bits.json").read_text())
    scenes = {name: getattr(models, name) for name in models.__all__} | SCENES
    assert {name: digest(scene) for name, scene in scenes.items()} == expected


def test_constants_are_the_same_bits_without_a_compiler():
    line = "from tests.rigid.test_compiled import digest, models; print(digest(models.HUMANOID))"
    made = subprocess.run(
        [sys.executable, "-c", line],
        env={"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout.strip() == digest(models.HUMANOID)


def test_bodies_may_be_declared_in_any_order():
    order = np.random.default_rng(0).permutation(len(models.HUMANOID.bodies))
    mixed = replace(models.HUMANOID, bodies=[models.HUMANOID.bodies[k] for k in order])
    compiled, other = compile_scene(models.HUMANOID), compile_scene(mixed)
    assert sorted(compiled.body) == sorted(other.body)
    for name, number in compiled.body.items():
        there = other.body[name]
        assert compiled.model[0]["body_mass"][number] == other.model[0]["body_mass"][there]
        assert other.model[0]["body_parentid"][there] < max(there, 1)
    joints = [one.name for body in models.HUMANOID.bodies for one in body.joints]
    weights = [one.model[0]["dof_invweight0"][[one.dofadr[name] for name in joints]] for one in (compiled, other)]
    np.testing.assert_allclose(*weights, rtol=1e-12)


def test_parts_are_found_by_name():
    compiled = compile_scene(models.ANT)
    assert compiled.body["world"] == 0
    assert compiled.body["torso"] == 1
    assert compiled.qposadr["root"] == 0
    assert compiled.qposadr["hip_1"] == 7
    assert compiled.dofadr["hip_1"] == 6
    assert compiled.actuator["hip_4"] == 0
    assert list(compiled.geom)[:2] == ["floor", "torso_geom"]
    assert compile_scene(models.INVERTED_DOUBLE_PENDULUM).site == {"tip": 0}


def test_instances_begin_at_rest_in_the_reference_pose():
    compiled = compile_scene(SCENES["hand"], general=True)
    (state,) = initial(compiled)
    (model,) = compiled.model
    assert state.dtype == Physics.dtype(np.float64, **compiled.sizes)
    np.testing.assert_array_equal(state["qpos"][:9], [0, 0, 0.4, 1, 0, 0, 0, 0, 0])
    assert not state["qvel"].any()
    assert not state["ctrl"].any()
    np.testing.assert_array_equal(state["mocap_pos"][0], [0, 0, 0.4])
    np.testing.assert_array_equal(state["mocap_quat"][0], model["body_quat"][compiled.body["guide"]])
    np.testing.assert_array_equal(state["gravity"], [0, 0, -9.81])
    np.testing.assert_array_equal(state["damping"], model["dof_damping"])
    np.testing.assert_array_equal(state["gear"][:2], 1)
    np.testing.assert_array_equal(state["mass_scale"], 1)
    np.testing.assert_array_equal(state["sliding"], model["geom_friction"][:, 0])
    assert initial(compile_scene(SCENES["hand"], real=np.float32, general=True)).dtype == Physics.dtype(
        np.float32, **compiled.sizes
    )


def test_references_of_joints_are_the_reference_pose():
    (hopper,) = initial(compile_scene(models.HOPPER))
    assert hopper["qpos"].tolist()[:6] == [0, 1.25, 0, 0, 0, 0]
    (ant,) = initial(compile_scene(models.ANT))
    assert ant["qpos"].tolist()[:7] == [0, 0, 0.75, 1, 0, 0, 0]


def test_attributes_are_plain_numbers():
    ball = Sphere(size=np.float32(0.5), pos=np.ones(3), friction=[1, 2], condim=4.0, contype=np.int64(3))
    assert ball == Sphere(size=(0.5,), pos=(1.0, 1.0, 1.0), friction=(1.0, 2.0, 0.0001), condim=4, contype=3)
    assert type(ball.condim) is int
    assert hash(Body("a", joints=[Free()], geoms=[ball])) == hash(Body("a", joints=(Free(),), geoms=(ball,)))


def test_a_tree_that_stands_far_away_has_the_same_constants():
    def far(distance: float) -> np.void:
        arm = Body("arm", pos=(distance, 0, 0), joints=[Slide("x", axis=(1, 2, 0))], geoms=[Sphere(size=0.1)])
        load = Body("load", "arm", pos=(0, 0, 1), joints=[Slide("z")], geoms=[Sphere(size=0.2)])
        return compile_scene(Scene(bodies=[arm, load])).model[0]

    for name in ("body_invweight0", "dof_invweight0", "scale"):
        np.testing.assert_allclose(far(0)[name], far(1e5)[name], rtol=1e-9)
