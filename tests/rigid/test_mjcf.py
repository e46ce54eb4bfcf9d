"""Reading and writing of MJCF beyond what Gymnasium's files have."""

import warnings

import pytest

from envsuite.rigid import Body, Free, Scene, Sphere, compile_scene, read_mjcf, write_mjcf
from envsuite.rigid.mjcf import IgnoredWarning

from .oracle import disagreements

BODY = '<body name="{0}" pos="{1} 0 1"><joint name="{0}"/><geom size=".1 .2 .3" type="box" {2}/></body>'
TURNED = "<worldbody>" + BODY.format("a", 0, 'euler="10 20 30"') + "</worldbody>"
DOCUMENTS = {
    "classes": """
        <compiler angle="radian"/>
        <default>
          <geom friction=".7 .1" solimp=".8" density="500"/>
          <joint damping="1" armature=".1"/>
          <motor ctrlrange="-2 2" gear="3"/>
          <position kp="7"/>
          <equality solref=".03 1"/>
          <default class="light">
            <geom density="100" friction=".5" condim="4"/>
            <joint damping="2"/>
            <default class="tiny"><geom size=".01" solimp=".7 .9 .01"/></default>
          </default>
          <default class="strong"><motor gear="30"/><velocity kv="5"/></default>
        </default>
        <worldbody>
          <geom type="plane" size="1 1 1" class="light"/>
          <body name="a" childclass="light">
            <joint name="a"/><geom size=".1"/>
            <body name="b"><joint name="b" class="main"/><geom class="tiny" pos="1 0 0"/></body>
            <body name="c" childclass="tiny"><geom/></body>
          </body>
          <body name="d" pos="0 0 3"><freejoint/><geom size=".1"/></body>
        </worldbody>
        <actuator>
          <motor joint="a"/><motor joint="a" class="strong"/><position joint="b"/><velocity joint="b" class="strong"/>
        </actuator>
        <equality><weld body1="a" body2="d"/></equality>""",
    "gains of actuators": """
        <default>
          <velocity kv="5"/>
          <default class="a"><position kp="6" kv="2"/></default>
          <default class="b"><position kp="6" kv="2"/><motor gear="2"/></default>
          <default class="c"><position kp="6" kv="2"/><velocity/></default>
        </default>
        <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
        <actuator>
          <position joint="j"/><position joint="j" class="a"/>
          <position joint="j" class="b"/><position joint="j" class="c"/>
          <velocity joint="j"/><velocity joint="j" class="a"/><velocity joint="j" class="b" kv="7"/><motor joint="j"/>
        </actuator>""",
    "orientations": "<worldbody>"
    + "".join(
        BODY.format(name, 2 * k, text)
        for k, (name, text) in enumerate(
            {
                "quat": 'quat="1 2 3 4"',
                "euler": 'euler="10 20 30"',
                "axisangle": 'axisangle="1 2 3 40"',
                "xyaxes": 'xyaxes="1 2 0 0 1 1"',
                "zaxis": 'zaxis="1 2 3"',
                "down": 'zaxis="0 0 -1"',
            }.items()
        )
    )
    + "</worldbody>",
    "own axes": f'<compiler eulerseq="zyx"/>{TURNED}',
    "fixed axes": f'<compiler eulerseq="XYZ"/>{TURNED}',
    "mixed axes": f'<compiler eulerseq="xYz"/>{TURNED}',
    "degrees": """
        <worldbody><body>
          <joint name="a" range="-30 40" ref="5" springref="6" stiffness="2" margin=".1"/>
          <joint name="b" type="slide" axis="1 0 0" range="-3 4" ref="5" springref="6" stiffness="2"/>
          <geom type="capsule" size=".1 .2" euler="0 90 0"/>
          <body pos="0 0 1"><joint type="ball" range="0 50"/><geom size=".1"/></body>
        </body></worldbody>""",
    "limits said": """
        <compiler autolimits="false"/>
        <worldbody><body>
          <joint name="a" range="-30 40" limited="true" actuatorfrclimited="false" actuatorfrcrange="-1 1"/>
          <joint name="b" axis="1 0 0" range="-3 4" limited="false" actuatorfrclimited="true" actuatorfrcrange="-1 1"/>
          <geom size=".1"/>
        </body></worldbody>
        <actuator>
          <motor joint="a" ctrlrange="0 1" ctrllimited="true" forcelimited="false" forcerange="0 1"/>
        </actuator>""",
    "inertia of geoms": """
        <compiler inertiafromgeom="true"/>
        <worldbody><body>
          <joint/><inertial pos="1 2 3" mass="4" diaginertia="5 6 7"/><geom size=".1"/>
        </body></worldbody>""",
    "inertia given": """
        <compiler inertiafromgeom="false"/>
        <worldbody><body><joint/><inertial pos="1 2 3" mass="4" diaginertia="5 6 7" euler="10 20 30"/><geom size=".1"/>
        <body pos="1 0 0"><geom size="1"/></body></body></worldbody>""",
    "inertia balanced": """
        <compiler balanceinertia="true" boundmass=".5" boundinertia=".25" settotalmass="9"/>
        <worldbody><body><joint/><inertial pos="1 2 3" mass="4" fullinertia="1 2 4 .1 .2 .3"/></body>
        <body><joint/><geom size=".01"/></body></worldbody>""",
    "everything that is ignored": """
        <compiler meshdir="x" strippath="true"/><size memory="1M"/><statistic extent="3"/>
        <visual><map znear=".1"/></visual>
        <option jacobian="dense" ls_iterations="7"><flag energy="enable" midphase="disable" contact="enable"/></option>
        <custom><numeric name="a" data="1"/></custom><asset><material name="m"/></asset>
        <default><material shininess="1"/><camera fovy="3"/><site size=".1"/></default>
        <worldbody><light pos="1 2 3"/><camera name="c"/><site name="s" fromto="0 0 0 0 0 1" size=".1" type="capsule"/>
        <body gravcomp="0" user="1"><freejoint align="auto"/><geom size=".1" material="m" group="2" user="3"/>
        <camera/><light/></body></worldbody>""",
    "nothing that moves": '<worldbody><geom size="1"/><body><geom size="2"/></body></worldbody>',
    "nothing": "",
    "two of each": """
        <worldbody><body name="a"><joint/><geom size=".1"/></body></worldbody>
        <default><geom density="5"/></default><option timestep=".01"/>
        <option gravity="0 0 1"/><default><joint damping="3"/></default>
        <worldbody><geom size="1"/><body><freejoint/><geom size=".2"/></body></worldbody>
        <contact><exclude body1="a" body2="a"/></contact><contact/>""",
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_compile_to_what_mujoco_makes_of_them(name):
    mujoco = pytest.importorskip("mujoco")
    from envsuite.rigid.mujoco import from_mujoco

    text = f"<mujoco>{DOCUMENTS[name]}</mujoco>"
    ours = compile_scene(read_mjcf(text), general=True)
    assert disagreements(ours, from_mujoco(mujoco.MjModel.from_xml_string(text))) == {}


def test_what_is_left_out_is_said():
    text = """<mujoco><worldbody><body name="a"><joint name="j"/><geom size="1"/></body></worldbody>
    <sensor><jointpos joint="j"/></sensor>
    <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
    <keyframe><key qpos="0"/></keyframe></mujoco>"""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        read_mjcf(text)
    assert [str(one.message) for one in found] == [
        "MJCF line 2, <sensor> is left out",
        "MJCF line 4, <keyframe> is left out",
        "MJCF line 3, <fixed name='t'> is left out",
    ]
    assert {one.category for one in found} == {IgnoredWarning}
    assert {one.filename for one in found} == {__file__}


def test_bodies_without_a_name_get_one():
    names = '<body><body name="body2"/><body/></body><body/>'
    scene = read_mjcf(f"<mujoco><worldbody>{names}</worldbody></mujoco>")
    assert [body.name for body in scene.bodies] == ["body1", "body2", "body3", "body4"]
    assert [body.parent for body in scene.bodies] == ["world", "body1", "body1", "world"]


def test_files_are_read_by_path(tmp_path):
    scene = Scene("small", bodies=[Body("a", joints=[Free()], geoms=[Sphere("<b> & 'c'", size=0.1)])])
    (tmp_path / "small.xml").write_text(write_mjcf(scene))
    assert read_mjcf(tmp_path / "small.xml") == scene
    assert read_mjcf(str(tmp_path / "small.xml")) == scene
    (tmp_path / "marked.xml").write_text(f"\ufeff{write_mjcf(scene)}", encoding="utf-8")
    assert read_mjcf(tmp_path / "marked.xml") == scene
    with pytest.raises(FileNotFoundError):
        read_mjcf(tmp_path / "missing.xml")


def test_numbers_are_written_to_the_last_digit():
    scene = Scene(
        "exact", bodies=[Body("a", joints=[Free()], geoms=[Sphere(size=0.1 + 0.2, pos=(1 / 3, 1e-300, 2e10))])]
    )
    assert read_mjcf(write_mjcf(scene)) == scene
