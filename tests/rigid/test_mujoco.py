"""MuJoCo as an engine for our records."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from envsuite.locomotion import models
from envsuite.rigid import Body, Hinge, Option, Scene, Slide, Sphere, compile_scene, initial

from .oracle import ASSETS
from .scenes import SCENES
from .test_constants import FILES

mujoco = pytest.importorskip("mujoco")


def engine(scene: Scene, **options):
    from envsuite.rigid.mujoco import MujocoEngine

    compiled = compile_scene(scene, general=True, **options)
    return MujocoEngine(compiled), initial(compiled)


def shaken(states: np.ndarray, made, seed: int) -> np.void:
    rng = np.random.default_rng(seed)
    state = states[0]
    state["qpos"][: made.nq] += rng.uniform(-0.05, 0.05, made.nq)
    state["qvel"][: made.nv] = rng.normal(size=made.nv)
    state["ctrl"][: made.nu] = rng.uniform(-0.3, 0.3, made.nu)
    return state


@pytest.mark.parametrize("name", FILES)
def test_steps_are_those_of_gymnasiums_files(name):
    own, states = engine(getattr(models, name))
    made = mujoco.MjModel.from_xml_path(str(ASSETS / f"{FILES[name]}.xml"))
    data = mujoco.MjData(made)
    state = shaken(states, made, 3)
    data.qpos[:], data.qvel[:], data.ctrl[:] = (
        state["qpos"][: made.nq],
        state["qvel"][: made.nv],
        state["ctrl"][: made.nu],
    )
    for _ in range(4):
        own.step(states, steps=5)
        for _ in range(5):
            mujoco.mj_step(made, data)
        np.testing.assert_allclose(state["qpos"][: made.nq], data.qpos, rtol=0, atol=1e-9)
        np.testing.assert_allclose(state["qvel"][: made.nv], data.qvel, rtol=0, atol=1e-7)


def test_a_step_depends_on_the_record_alone():
    own, states = engine(SCENES["hand"])
    first = np.concatenate([states, states])
    for seed, place in ((1, 0), (2, 1)):
        shaken(first[place:], own.model, seed)
    first[1]["mass_scale"], first[1]["gravity"], first[1]["pushed"], first[1]["push"] = 2, (1, 0, 0), 2, (0, 3, 0)
    first["mocap_pos"] += 0.01
    second = first[::-1].copy()
    for _ in range(20):
        own.step(first)
        own.step(second)
    np.testing.assert_array_equal(first[::-1], second)
    assert (first["qpos"][0] != first["qpos"][1]).any()


def heavier(scene: Scene, factor: float) -> Scene:
    """The scene with the density of all shapes times a factor."""
    bodies = [
        replace(body, geoms=[replace(one, density=one.density * factor) for one in body.geoms]) for body in scene.bodies
    ]
    return replace(scene, bodies=bodies)


def slow(scene: Scene, **changed) -> Scene:
    """The scene with its joints changed."""
    return replace(
        scene, bodies=[replace(body, joints=[replace(one, **changed) for one in body.joints]) for body in scene.bodies]
    )


POLE = models.INVERTED_DOUBLE_PENDULUM
FLYING = Scene(
    "flying",
    bodies=[
        Body(
            "puck",
            joints=[Slide("x", axis=(1, 0, 0), armature=0.5, stiffness=50, springref=1), Slide("z")],
            geoms=[Sphere(size=0.1)],
        ),
        Body("arm", pos=(2, 0, 0), joints=[Hinge("turn", axis=(0, 1, 0))], geoms=[Sphere(size=0.1, pos=(0.3, 0, 0))]),
    ],
)
VARIATIONS = {
    "masses": (POLE, heavier(POLE, 1.7), {"mass_scale": 1.7}),
    "masses in water": (models.SWIMMER, heavier(models.SWIMMER, 0.6), {"mass_scale": 0.6}),
    "masses of simple bodies": (FLYING, heavier(FLYING, 3), {"mass_scale": 3}),
    "gravity": (POLE, replace(POLE, option=replace(POLE.option, gravity=(1, 2, 3))), {"gravity": (1, 2, 3)}),
    "damping": (POLE, slow(POLE, damping=0.9), {"damping": 0.9}),
    "gear": (POLE, replace(POLE, actuators=[replace(POLE.actuators[0], gear=70)]), {"gear": 70}),
    "friction": (
        SCENES["box_plane"],
        replace(
            SCENES["box_plane"],
            geoms=[replace(SCENES["box_plane"].geoms[0], friction=0.2)],
            bodies=[replace(one, geoms=[replace(one.geoms[0], friction=0.2)]) for one in SCENES["box_plane"].bodies],
        ),
        {"sliding": 0.2},
    ),
}


@pytest.mark.parametrize("name", VARIATIONS)
def test_what_differs_from_instance_to_instance_is_what_another_scene_has(name):
    scene, other, changed = VARIATIONS[name]
    own, states = engine(scene)
    reference, expected = engine(other)
    usual, plain = engine(scene)
    for place, value in changed.items():
        states[place] = value
    for some in (states, expected, plain):
        shaken(some, own.model, 5)
        for seed in range(200 if name == "friction" else 5):
            some["ctrl"][:, : own.model.nu] = np.sin(seed)
            (own if some is states else reference if some is expected else usual).step(some)
    np.testing.assert_allclose(states["qvel"], expected["qvel"], rtol=1e-9, atol=1e-10)
    assert np.abs(states["qvel"] - plain["qvel"]).max() > 1e-3


def test_pushes_act_on_the_centre_of_mass():
    own, states = engine(SCENES["box_plane"])
    states["pushed"], states["push"] = 1, (3, 0, 0)
    own.forward(states[0])
    np.testing.assert_allclose(own.data.qacc[:3], (3 / own.model.body_mass[1], 0, -9.81), rtol=1e-12)
    np.testing.assert_allclose(own.data.qacc[3:], 0, atol=1e-12)


def test_models_of_later_versions_are_refused():
    with pytest.raises(ValueError, match=r"margin of pairs is not MuJoCo's, expected .* physics='mujoco-3.3'"):
        engine(models.HOPPER, physics="mujoco-4")


def test_models_of_a_larger_class_step_too():
    own, states = engine(models.HOPPER)
    other, larger = engine(models.HOPPER, size="large")
    own.step(states, 5)
    other.step(larger, 5)
    np.testing.assert_array_equal(states["qpos"][0, :6], larger["qpos"][0, :6])


def test_models_of_mujoco_alone_are_refused():
    from envsuite.rigid.mujoco import MujocoEngine, from_mujoco

    with pytest.raises(ValueError, match=r"compiled has no scene, expected one made by compile_scene"):
        MujocoEngine(from_mujoco(mujoco.MjModel.from_xml_path(str(ASSETS / "hopper.xml"))))


def test_options_reach_mujoco():
    option = Option(timestep=0.003, cone="elliptic", impratio=3, iterations=7, tolerance=1e-5, density=2, viscosity=3)
    own, _ = engine(replace(FLYING, option=option))
    assert (own.model.opt.timestep, own.model.opt.cone, own.model.opt.impratio) == (0.003, 1, 3)
    assert (own.model.opt.iterations, own.model.opt.tolerance) == (7, 1e-5)
    assert (own.model.opt.density, own.model.opt.viscosity) == (2, 3)


OUTSIDE = {
    "geoms of another type": '<body><joint/><geom type="ellipsoid" size=".1 .2 .3"/></body>',
    "geoms in a fluid": '<body><joint/><geom size=".1" fluidshape="ellipsoid"/></body>',
    "equalities": '</worldbody><equality><joint joint1="a" joint2="b"/></equality><worldbody>',
    "inactive": '</worldbody><equality><weld body1="arm" active="false"/></equality><worldbody>',
    "actuators of something else": '</worldbody><actuator><motor site="tip"/></actuator><worldbody>',
    "a state of their own": '</worldbody><actuator><intvelocity joint="a" actrange="-1 1"/></actuator><worldbody>',
    "springs on free": '<body><joint type="ball" stiffness="3"/><geom size="1"/></body>',
    "tendons with": '</worldbody><tendon><fixed stiffness="1"><joint joint="a" coef="1"/></fixed></tendon><worldbody>',
    "compensation of gravity": '<body gravcomp="1"><joint/><geom size="1"/></body>',
    "wind": '</worldbody><option wind="1 0 0"/><worldbody>',
    "disabled parts": '</worldbody><option><flag gravity="disable"/></option><worldbody>',
    "an integrator": '</worldbody><option integrator="implicit"/><worldbody>',
}


@pytest.mark.parametrize("words", OUTSIDE)
def test_models_that_our_constants_cannot_hold_are_refused(words):
    from envsuite.rigid.mujoco import from_mujoco

    arm = '<body name="arm"><joint name="a"/><joint name="b" axis="0 1 0"/><geom size="1"/><site name="tip"/></body>'
    made = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{arm}{OUTSIDE[words]}</worldbody></mujoco>")
    with pytest.raises(ValueError, match=rf"the MjModel has .*{words}.*, expected what compile_scene knows"):
        from_mujoco(made)


def test_a_standing_capsule_is_pushed_like_pushers_cylinder():
    """From the side; where the fork meets a rim they differ."""
    cylinder, states = engine(models.PUSHER)
    capsule, _ = engine(models.PUSHER_CAPSULE)
    fork, puck = (cylinder.model.geom(name).id for name in ("fork", "object"))
    rng = np.random.default_rng(0)
    differences = []
    while len(differences) < 50:
        state = states.copy()
        state["qpos"][0, :7] = rng.uniform(*cylinder.model.jnt_range[:7].T)
        state["qvel"][0, :7] = rng.normal(size=7)
        cylinder.forward(state[0])
        x, y, z = cylinder.data.geom_xpos[fork]
        if not -0.3 < z < -0.25:
            continue
        angle = rng.uniform(-np.pi, np.pi)
        state["qpos"][0, 7:9] = y + 0.05 + 0.068 * np.sin(angle), x - 0.45 + 0.068 * np.cos(angle)
        other = state.copy()
        cylinder.step(state)
        capsule.step(other)
        both = [*cylinder.data.contact, *capsule.data.contact]
        contacts = [one for one in both if one.geom2 == puck and one.geom1 >= fork]
        if contacts and all(abs(one.frame[2]) < 1e-3 and one.dist > -0.02 for one in contacts):
            differences.append(np.abs(state["qvel"] - other["qvel"]).max())
    assert np.max(differences) < 1e-6
    assert np.mean(np.array(differences) > 0) > 0.3


def test_without_mujoco_the_extra_is_named(monkeypatch):
    from envsuite.rigid.mujoco import MujocoEngine

    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(ModuleNotFoundError, match=r'mujoco is not installed: pip install "envsuite\[mujoco\]"'):
        MujocoEngine(compile_scene(models.HOPPER))
