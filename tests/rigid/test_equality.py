"""One step beside MuJoCo 3.3.7, from the same states, its warm start included."""

import numpy as np
import pytest

from envsuite.locomotion import models
from envsuite.rigid import compile_scene, write_mjcf
from envsuite.rigid.mjcf import read_mjcf
from tests.rigid.engine import Engine

mujoco = pytest.importorskip("mujoco")

SCENES = {
    "box on a plane": [("0 0 .3", "20 30 10", 'type="box" size=".1 .15 .2"')],
    "box in a round cone": [("0 0 .3", "20 30 10", 'type="box" size=".1 .15 .2" condim="4"')],
    "capsules": [
        ("0 0 .1", "0 90 0", 'type="capsule" size=".1 .2"'),
        (".03 .02 .35", "0 85 60", 'type="capsule" size=".08 .15"'),
    ],
    "sphere on a capsule": [
        ("0 0 .1", "0 90 0", 'type="capsule" size=".1 .2"'),
        (".03 .02 .35", "0 0 0", 'type="sphere" size=".1"'),
    ],
    "capsule on a box": [
        ("0 0 .1", "0 0 0", 'type="box" size=".15 .2 .1"'),
        (".03 .02 .32", "0 80 60", 'type="capsule" size=".08 .15"'),
    ],
    "sphere on a box": [
        ("0 0 .1", "0 0 0", 'type="box" size=".15 .2 .1"'),
        (".03 .02 .32", "0 0 0", 'type="sphere" size=".08"'),
    ],
    "cylinder that tumbles": [("0 0 .3", "20 30 10", 'type="cylinder" size=".1 .15"')],
    "sphere on a cylinder": [
        ("0 0 .15", "0 0 0", 'type="cylinder" size=".15 .15"'),
        (".03 .02 .42", "0 0 0", 'type="sphere" size=".08"'),
    ],
    "boxes": [
        ("0 0 .1", "0 0 0", 'type="box" size=".1 .1 .1"'),
        (".02 .01 .3", "0 0 20", 'type="box" size=".1 .1 .1"'),
    ],
    "boxes that tumble": [
        ("0 0 .1", "0 0 0", 'type="box" size=".1 .1 .1"'),
        (".05 .03 .42", "35 25 20", 'type="box" size=".08 .12 .1"'),
    ],
    "sphere that rolls": [("0 0 .2", "0 0 0", 'type="sphere" size=".1" condim="6" friction="1 .02 .01"')],
    "slope, priorities, margins": [
        ("0 0 .2", "5 0 0", 'type="box" size=".1 .1 .05" condim="4" priority="1" friction=".5 .02 .01" margin=".01"'),
        ("0 0 .45", "0 70 0", 'type="capsule" size=".05 .1" condim="6" solmix="3" solref="-900 -30" gap=".002"'),
    ],
}
OPTIONS = {
    "box in a round cone": 'cone="elliptic" impratio="10"',
    "slope, priorities, margins": 'gravity="1 .5 -9"',
}
MOCAP = """<mujoco><compiler angle="radian"/><option timestep="0.0025"/><worldbody>
<geom type="plane" size="5 5 .1"/>
<body mocap="true" name="guide" pos="0 0 .4" quat="1 0 .2 0"/>
<body name="hand" pos="0 0 .4"><freejoint/><geom type="box" size=".04 .06 .03" mass=".5" contype="0" conaffinity="0"/>
<body name="a" pos="0 .05 -.05"><joint name="f1" type="slide" axis="0 1 0" range="-.04 .02" damping="100" armature="1"
 frictionloss="1"/><geom type="sphere" size=".01"/></body>
<body name="b" pos="0 -.05 -.05"><joint name="f2" type="slide" axis="0 1 0" range="-.02 .04" damping="100"
 armature="1"/><geom type="sphere" size=".01"/></body></body></worldbody>
<equality><weld body1="guide" body2="hand" solref=".02 1" torquescale=".7"/></equality>
<actuator><position joint="f1" kp="400" ctrlrange="-1 1"/><position joint="f2" kp="400" ctrlrange="-1 1"/></actuator>
</mujoco>"""
SERVOS = """<mujoco><compiler angle="radian"/><option timestep="0.01" integrator="implicitfast"/><worldbody>
<geom type="plane" size="5 5 .1"/><body name="arm" pos="0 0 .5">
<joint name="one" type="hinge" axis="0 1 0" damping=".1"/>
<geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><body name="hand" pos=".3 0 0">
<joint name="two" type="hinge" axis="0 1 0" range="-1 1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/></body>
</body></worldbody><actuator><position joint="one" kp="30" kv="5" gear="2" ctrlrange="-1 1"/>
<velocity joint="two" kv="2" ctrlrange="-3 3"/></actuator></mujoco>"""
CONNECTED = """<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="5 5 .1"/>
<body name="a" pos="0 0 .4"><freejoint/><geom type="capsule" size=".05 .1"/></body>
<body name="b" pos=".2 0 .3"><freejoint/><geom type="sphere" size=".1"/></body>
<body name="c" pos="-.2 0 .4"><freejoint/><geom type="sphere" size=".08"/></body></worldbody>
<equality><connect body1="a" body2="b" anchor=".1 0 0"/><connect body1="c" body2="world" anchor="0 0 .2"/></equality>
</mujoco>"""
BALLS = """<mujoco><option timestep="0.002" integrator="RK4"/><worldbody><geom type="plane" size="5 5 .1"/>
<body name="hub" pos="0 0 .6"><freejoint/><geom type="sphere" size=".1"/>
<body name="arm" pos=".1 0 0"><joint name="one" type="ball" range="0 40" damping=".01"/>
<geom type="capsule" size=".03 .1" pos=".1 0 0" euler="0 90 0"/>
<body name="hand" pos=".2 0 0"><joint name="two" type="ball" range="0 60" damping=".01"/>
<geom type="sphere" size=".05"/></body></body></body></worldbody></mujoco>"""


def scene_text(name: str) -> str:
    bodies = "".join(
        f'<body name="body{k}" pos="{pos}" euler="{turn}"><freejoint/><geom {geom}/></body>'
        for k, (pos, turn, geom) in enumerate(SCENES[name])
    )
    plane = '<geom type="plane" size="5 5 .1" friction="1 .005 .0001"/>'
    option = f'<option timestep="0.002" {OPTIONS.get(name, "")}/>'
    return f"<mujoco>{option}<worldbody>{plane}{bodies}</worldbody></mujoco>"


LOCOMOTION = ("INVERTED_PENDULUM", "INVERTED_DOUBLE_PENDULUM", "REACHER", "SWIMMER", "HOPPER", "HALF_CHEETAH")
LOCOMOTION = (*LOCOMOTION, "WALKER2D", "ANT", "HUMANOID", "HUMANOID_STANDUP")


def declared(name: str):
    """Scene and skipped steps between states."""
    if name in LOCOMOTION:
        return getattr(models, name), 4
    return read_mjcf(
        {"mocap": MOCAP, "balls": BALLS, "servos": SERVOS, "connected": CONNECTED}.get(name) or scene_text(name)
    ), 2


def trajectory(model, count: int, skip: int, seed: int = 0):
    """States of MuJoCo on a random walk."""
    rng, data = np.random.default_rng(seed), mujoco.MjData(model)
    data.qpos[:] = model.qpos0
    if model.nu:
        data.qpos[:] += rng.uniform(-0.02, 0.02, model.nq)
    data.qvel[:] = rng.normal(size=model.nv) * (0.1 if model.nu else 0.3)
    for _ in range(count):
        data.ctrl[:] = rng.uniform(*model.actuator_ctrlrange.T) if model.nu else ()
        data.mocap_pos[:] += rng.normal(size=data.mocap_pos.shape) * 0.01
        data.mocap_quat[:] += rng.normal(size=data.mocap_quat.shape) * 0.02
        data.mocap_quat[:] /= np.linalg.norm(data.mocap_quat, axis=-1, keepdims=True)
        mujoco.mj_step(model, data, skip - 1)
        yield data
        mujoco.mj_step(model, data)


def state_of(data) -> dict:
    names = {"warm": "qacc_warmstart"}
    return {
        name: getattr(data, names.get(name, name)).copy()
        for name in ("qpos", "qvel", "ctrl", "warm", "mocap_pos", "mocap_quat")
    }


def exact(model):
    """Let Newton's method go on to the end; PGS stops where it always does."""
    if model.opt.solver == mujoco.mjtSolver.mjSOL_NEWTON:
        model.opt.tolerance, model.opt.iterations, model.opt.ls_iterations = 1e-15, 200, 100
    return model


@pytest.mark.parametrize("name", [*LOCOMOTION, "mocap", "balls", "servos", "connected", *SCENES])
def test_one_step_equals_mujoco_s(name):
    scene, skip = declared(name)
    model = exact(mujoco.MjModel.from_xml_string(write_mjcf(scene)))
    engine, other = Engine.of(compile_scene(scene)), mujoco.MjData(model)
    contacts = rows = 0
    for data in trajectory(model, 200, skip):
        state = state_of(data)
        engine.put(**state)
        engine.forward()
        for field, value in state.items():
            getattr(other, {"warm": "qacc_warmstart"}.get(field, field))[:] = value
        mujoco.mj_forward(model, other)
        np.testing.assert_allclose(engine.qacc, other.qacc, rtol=0, atol=1e-9 * max(1, abs(other.qacc).max()))
        assert engine.work["ncon"][0] == other.ncon
        contacts, rows = max(contacts, other.ncon), max(rows, other.nefc)
        engine.put(**state)
        engine.step()
        other.qacc_warmstart[:] = state["warm"]
        mujoco.mj_step(model, other)
        np.testing.assert_allclose(engine.qpos, other.qpos, rtol=0, atol=1e-12)
        np.testing.assert_allclose(engine.qvel, other.qvel, rtol=0, atol=1e-11)
    assert engine.physics["overflow"][0] == 0
    assert rows > 0 or name in ("INVERTED_PENDULUM", "SWIMMER")
    assert contacts > 0 or name in (
        "servos",
        "INVERTED_PENDULUM",
        "INVERTED_DOUBLE_PENDULUM",
        "REACHER",
        "SWIMMER",
        "mocap",
    )


@pytest.mark.parametrize("name", ["SWIMMER", "HOPPER", "HALF_CHEETAH", "WALKER2D", "ANT"])
def test_free_running_stays_beside_mujoco(name):
    """Contacts are chaotic: rounding grows some hundred times in a hundred steps."""
    scene, _ = declared(name)
    model = exact(mujoco.MjModel.from_xml_string(write_mjcf(scene)))
    engine, data = Engine.of(compile_scene(scene)), mujoco.MjData(model)
    rng = np.random.default_rng(1)
    data.qvel[:] = rng.normal(size=model.nv) * 0.1
    engine.put(**state_of(data))
    for _ in range(100):
        data.ctrl[:] = rng.uniform(*model.actuator_ctrlrange.T)
        engine.physics["ctrl"][0, : model.nu] = data.ctrl
        mujoco.mj_step(model, data)
        engine.step()
    np.testing.assert_allclose(engine.qpos, data.qpos, rtol=0, atol=1e-10)
    np.testing.assert_allclose(engine.qvel, data.qvel, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["ANT", "HUMANOID"])
def test_what_a_pass_leaves_for_observations(name):
    scene, skip = declared(name)
    model = mujoco.MjModel.from_xml_string(write_mjcf(scene))
    engine = Engine.of(compile_scene(scene))
    for data in trajectory(model, 50, skip):
        engine.put(**state_of(data))
        mujoco.mj_forward(model, data)
        engine.forward()
        work = engine.work[0]
        for ours, theirs in (("cinert", data.cinert), ("cvel", data.cvel), ("xpos", data.xpos), ("xipos", data.xipos)):
            np.testing.assert_allclose(work[ours][: model.nbody], theirs, rtol=0, atol=1e-10)
        np.testing.assert_allclose(work["qfrc_actuator"][: model.nv], data.qfrc_actuator, rtol=0, atol=1e-12)
        np.testing.assert_allclose(work["qfrc_constraint"][: model.nv], data.qfrc_constraint, rtol=1e-9, atol=1e-7)


def test_what_differs_from_instance_to_instance():
    """Masses, gravity, damping, motors, friction and a push, as MuJoCo takes them at run time."""
    scene, skip = declared("HOPPER")
    model = exact(mujoco.MjModel.from_xml_string(write_mjcf(scene)))
    engine, rng = Engine.of(compile_scene(scene)), np.random.default_rng(3)
    one = engine.physics[0]
    scale = rng.uniform(0.5, 2, model.nbody)
    one["mass_scale"][: model.nbody] = scale
    model.body_mass[:] *= scale
    model.body_inertia[:] *= scale[:, None]
    one["gravity"] = model.opt.gravity[:] = (1, 0, -8)
    one["damping"][: model.nv] = model.dof_damping[:] = rng.uniform(0, 2, model.nv)
    one["gear"][: model.nu] = model.actuator_gear[:, 0] = rng.uniform(50, 300, model.nu)
    one["sliding"][: model.ngeom] = model.geom_friction[:, 0] = rng.uniform(0.2, 2.5, model.ngeom)
    one["pushed"], one["push"] = 1, (30, 0, 10)
    for data in trajectory(model, 100, skip):
        data.xfrc_applied[1, :3] = (30, 0, 10)
        engine.put(**state_of(data))
        mujoco.mj_forward(model, data)
        engine.forward()
        np.testing.assert_allclose(engine.qacc, data.qacc, rtol=0, atol=1e-9 * max(1, abs(data.qacc).max()))
