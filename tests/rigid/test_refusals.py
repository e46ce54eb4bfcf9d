"""Models that cannot be: each is refused in one line that names the part and what was expected."""

import re
from dataclasses import fields, replace

import numpy as np
import pytest

from envsuite.rigid import (
    Ball,
    Body,
    Box,
    Capsule,
    Connect,
    Cylinder,
    Exclude,
    Free,
    Hinge,
    Inertial,
    Motor,
    Option,
    Pair,
    Plane,
    Scene,
    Site,
    Slide,
    Sphere,
    Weld,
    compile_scene,
    read_mjcf,
    write_mjcf,
)
from envsuite.rigid.rules import Part

from .scenes import SCENES

BALL = Sphere("ball", size=0.1)
CART = Body("cart", joints=[Slide("rail")], geoms=[BALL])
SCENE = Scene("test", bodies=[CART])


def cart(**changed) -> Scene:
    return replace(SCENE, bodies=[replace(CART, **changed)])


def rail(**changed) -> Scene:
    return cart(joints=[Slide("rail", **changed)])


def ball(**changed) -> Scene:
    return cart(geoms=[replace(BALL, **changed)])


DECLARED = {
    "unknown parent": (cart(parent="ghost"), "body 'cart': parent is 'ghost', expected 'world' or the name of a body"),
    "loop": (
        replace(SCENE, bodies=[Body("a", "b"), Body("b", "a")]),
        "body 'a' hangs on itself (a -> b -> a), expected a tree",
    ),
    "own parent": (cart(parent="cart"), "body 'cart' hangs on itself (cart -> cart), expected a tree"),
    "two bodies": (replace(SCENE, bodies=[CART, CART]), "body 'cart' is there 2 times, expected names that differ"),
    "body called world": (cart(name="world"), "body 'world' is there 2 times, expected names that differ"),
    "no name": (cart(name=""), "a body in 'world' has no name, expected one"),
    "two joints": (
        cart(joints=[Slide("x", axis=(1, 0, 0)), Slide("x")]),
        "joint 'x' is there 2 times, expected names that differ",
    ),
    "two geoms": (cart(geoms=[BALL, BALL]), "geom 'ball' is there 2 times, expected names that differ"),
    "no mass": (cart(geoms=[]), "body 'cart' has joints and no mass, expected a mass above 0"),
    "zero mass": (ball(mass=0), "body 'cart' has joints and no mass, expected a mass above 0"),
    "negative mass": (ball(mass=-1), "geom 'ball': mass is -1.0, expected a finite number not below 0"),
    "negative density": (ball(density=-1), "geom 'ball': density is -1.0, expected a finite number not below 0"),
    "no inertia": (
        cart(joints=[Hinge("turn")], geoms=[], inertial=Inertial(1, diaginertia=(0, 0, 0))),
        "body 'cart' turns and has no inertia, expected moments above 0",
    ),
    "impossible inertia": (
        cart(inertial=Inertial(1, diaginertia=(1, 1, 3))),
        "body 'cart': moments of inertia are (1.0, 1.0, 3.0), expected none above the sum of the two others",
    ),
    "two inertias": (
        cart(inertial=Inertial(1)),
        "body 'cart', inertial: expected diaginertia or fullinertia",
    ),
    "turned tensor": (
        cart(inertial=Inertial(1, fullinertia=(1, 1, 1, 0, 0, 0), quat=(0, 1, 0, 0))),
        "body 'cart', inertial has fullinertia and quat, expected one of them",
    ),
    "reversed limits": (rail(range=(1, -1)), "joint 'rail': range is (1.0, -1.0), expected the lower limit first"),
    "limit of a ball": (
        cart(joints=[Ball("socket", range=(-1, 1))]),
        "joint 'socket': range is (-1.0, 1.0), expected 0 and the largest angle",
    ),
    "tiny axis": (
        rail(axis=(1e-200, 0, 0)),
        "joint 'rail': axis is (1e-200, 0.0, 0.0), expected a vector that is not zero",
    ),
    "huge size": (
        cart(geoms=[Sphere("ball", size=1e150)]),
        "body_mass is not finite in float64, expected smaller sizes, masses and distances",
    ),
    "no axis": (rail(axis=(0, 0, 0)), "joint 'rail': axis is (0.0, 0.0, 0.0), expected a vector that is not zero"),
    "short axis": (rail(axis=(1, 0)), "joint 'rail': axis is (1.0, 0.0), expected 3 finite numbers"),
    "not a number": (rail(damping=float("nan")), "joint 'rail': damping is nan, expected a finite number not below 0"),
    "infinite position": (cart(pos=(0, 0, np.inf)), "body 'cart': pos is (0.0, 0.0, inf), expected 3 finite numbers"),
    "text for a number": (
        rail(stiffness="stiff"),
        "joint 'rail': stiffness is 'stiff', expected a finite number not below 0",
    ),
    "mixed solref": (
        rail(solreflimit=(-1, 1)),
        "joint 'rail': solreflimit is (-1.0, 1.0), expected two positive numbers or two that are not",
    ),
    "free and more": (
        cart(joints=[Free("root"), Slide("rail")]),
        "joint 'root' is free, expected the only joint of a body in the world",
    ),
    "free below": (
        replace(SCENE, bodies=[CART, Body("load", "cart", joints=[Free("loose")], geoms=[Sphere(size=1)])]),
        "joint 'loose' is free, expected the only joint of a body in the world",
    ),
    "twice the same slide": (
        cart(joints=[Slide("a"), Slide("b"), Hinge("c")]),
        "joints of body 'cart' and above move it in the same way, expected independent ones",
    ),
    "mocap with joints": (cart(mocap=True), "body 'cart' is a mocap body, expected one in the world without joints"),
    "no size": (cart(geoms=[Sphere("ball")]), "geom 'ball': size is (), expected 1 positive number (radius)"),
    "long size": (ball(size=(0.1, 0.2)), "geom 'ball': size is (0.1, 0.2), expected 1 positive number (radius)"),
    "zero size": (
        cart(geoms=[Box("crate", size=(1, 0, 1))]),
        "geom 'crate': size is (1.0, 0.0, 1.0), expected 3 positive numbers (half sides)",
    ),
    "size with fromto": (
        cart(geoms=[Capsule("rod", size=(0.1, 1), fromto=(0, 0, 0, 1, 0, 0))]),
        "geom 'rod': size is (0.1, 1.0), expected 1 positive number (radius), the length being that of fromto",
    ),
    "empty fromto": (
        cart(geoms=[Capsule("rod", size=0.1, fromto=(1, 0, 0, 1, 0, 0))]),
        "geom 'rod': fromto is (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), expected two points that differ",
    ),
    "two orientations": (
        ball(quat=(1, 0, 0, 0), euler=(0, 0, 0)),
        "geom 'ball' has more than one of quat, euler and fromto, expected one of them",
    ),
    "zero quaternion": (
        ball(quat=(0, 0, 0, 0)),
        "geom 'ball': quat is (0.0, 0.0, 0.0, 0.0), expected a quaternion that is not zero",
    ),
    "flat plane": (
        replace(SCENE, geoms=[Plane("floor", size=(1, 1, 0))]),
        "geom 'floor': size is (1.0, 1.0, 0.0), expected 3 numbers, the last one positive (half sides, 0 for infinite, "
        "spacing)",
    ),
    "condim": (ball(condim=2), "geom 'ball': condim is 2, expected one of 1, 3, 4, 6"),
    "half a bit": (ball(contype=0.5), "geom 'ball': contype is 0.5, expected a whole number not below 0"),
    "plane that moves": (
        cart(geoms=[BALL, Plane("deck")]),
        "body 'cart' moves and has a plane, expected planes on bodies that do not",
    ),
    "unnamed geom": (
        cart(geoms=[BALL, Box(size=1)]),
        "geom 1 of body 'cart': size is (1.0,), expected 3 positive numbers (half sides)",
    ),
    "joint among geoms": (
        cart(geoms=[Slide("rail")]),
        "geom 'rail' is Slide, expected Plane or Sphere or Capsule or Cylinder or Box",
    ),
    "unknown joint": (
        replace(SCENE, actuators=[Motor("wheel")]),
        "actuator 0 of the scene: joint is 'wheel', expected the name of a joint",
    ),
    "driven ball": (
        replace(cart(joints=[Ball("socket")]), actuators=[Motor("socket", name="drive")]),
        "actuator 'drive': joint 'socket' is ball, expected a slide or a hinge",
    ),
    "reversed controls": (
        replace(SCENE, actuators=[Motor("rail", ctrlrange=(1, 1))]),
        "actuator 0 of the scene: ctrlrange is (1.0, 1.0), expected the lower limit first",
    ),
    "unknown body": (
        replace(SCENE, equalities=[Weld("cart", "ghost", name="glue")]),
        "equality 'glue': body2 is 'ghost', expected the name of a body",
    ),
    "welded to itself": (
        replace(SCENE, equalities=[Connect("cart", "cart")]),
        "equality 0 of the scene: body1 and body2 are both 'cart', expected two",
    ),
    "unknown exclude": (
        replace(SCENE, excludes=[Exclude("ghost", "cart")]),
        "exclude 0 of the scene: body1 is 'ghost', expected the name of a body",
    ),
    "unknown pair": (
        replace(SCENE, pairs=[Pair("ball", "ghost")]),
        "pair 0 of the scene: geom2 is 'ghost', expected the name of a geom",
    ),
    "pair of planes": (
        replace(SCENE, geoms=[Plane("a"), Plane("b")], pairs=[Pair("a", "b")]),
        "geom 'a' and geom 'b' are planes, expected a pair of geoms that can touch",
    ),
    "site without place": (
        replace(SCENE, sites=[Site("tip", (1, 2))]),
        "site 'tip': pos is (1.0, 2.0), expected 3 finite numbers",
    ),
    "integrator": (
        replace(SCENE, option=Option(integrator="euler")),
        "option: integrator is 'euler', expected one of 'Euler', 'RK4', 'implicitfast'",
    ),
    "time stands still": (
        replace(SCENE, option=Option(timestep=0)),
        "option: timestep is 0.0, expected a finite number above 0",
    ),
    "half an iteration": (
        replace(SCENE, option=Option(iterations=0.5)),
        "option: iterations is 0.5, expected a whole number above 0",
    ),
    "massless total": (
        replace(SCENE, bodies=[], settotalmass=3),
        "settotalmass is 3, expected a scene in which something has a mass",
    ),
    "general pair": (
        replace(
            SCENE, geoms=[Cylinder("post", size=(1, 1))], bodies=[replace(CART, geoms=[Capsule("rod", size=(1, 1))])]
        ),
        "geom 'rod' (capsule) and geom 'post' (cylinder) may touch, for which there is no closed form; expected "
        "capsules or boxes in place of cylinders, or contype and conaffinity that keep them apart",
    ),
    "too large": (
        replace(SCENE, bodies=[replace(CART, name=f"cart{k}", joints=[], geoms=[]) for k in range(30)]),
        "scene 'test' has 31 bodies (at most 24), more than size class 'large' holds",
    ),
}


@pytest.mark.parametrize("name", DECLARED)
def test_scenes_that_cannot_be_are_refused_by_name(name):
    scene, message = DECLARED[name]
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        compile_scene(scene)


@pytest.mark.parametrize("kind", [Hinge, Motor, Sphere, Body, Option])
def test_unknown_attributes_are_refused_by_python(kind):
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        kind(colour="red")


def test_versions_and_sizes_have_names():
    with pytest.raises(ValueError, match=r"physics is 'bullet', expected one of 'mujoco-3.3', 'mujoco-4'"):
        compile_scene(SCENE, physics="bullet")
    plain = ("small", "medium", "walled", "large", "tabletop", "arm")
    sizes = ", ".join(repr(size) for size in (*plain, *(f"{size}-rims" for size in plain)))
    with pytest.raises(ValueError, match=rf"size is 'huge', expected one of {sizes}$"):
        compile_scene(SCENE, size="huge")
    with pytest.raises(ValueError, match=r"scene 'test' has 9 bodies .at most 8., more than size class 'small' holds"):
        compile_scene(
            replace(SCENE, bodies=[replace(CART, name=f"c{k}", joints=[], geoms=[]) for k in range(8)]), size="small"
        )


def test_constants_are_in_the_range_of_the_precision():
    compile_scene(ball(mass=1e39))
    with pytest.raises(ValueError, match=r"body_mass is not finite in float32, expected smaller"):
        compile_scene(ball(mass=1e39), real=np.float32)


def test_nothing_is_written_of_a_scene_that_cannot_be():
    with pytest.raises(ValueError, match="body 'cart': parent is 'ghost'"):
        write_mjcf(cart(parent="ghost"))


ODD = [
    None,
    "x",
    [],
    {},
    object(),
    (1,),
    ("a", "b"),
    np.zeros(3),
    np.zeros((2, 2)),
    np.nan,
    -1,
    10**400,
    1j,
    BALL,
    (BALL,),
]


def altered(part: Part):
    """The part with each of its attributes, and those of its parts, in turn something odd."""
    for one in fields(part):
        value = getattr(part, one.name)
        yield from (lambda name=one.name, odd=odd: replace(part, **{name: odd}) for odd in ODD)
        if isinstance(value, Part):
            yield from (lambda name=one.name, make=make: replace(part, **{name: make()}) for make in altered(value))
        for k, inner in enumerate(value if isinstance(value, tuple) and value and isinstance(value[0], Part) else ()):
            for make in altered(inner):
                yield lambda name=one.name, v=value, k=k, make=make: replace(
                    part, **{name: (*v[:k], make(), *v[k + 1 :])}
                )


@pytest.mark.parametrize("name", ["driven", "hand", "declared_pair", "connected"])
def test_whatever_stands_in_an_attribute_is_compiled_or_refused_in_one_line(name):
    refused = []
    for make in altered(SCENES[name]):
        try:
            compile_scene(make())
        except ValueError as error:
            refused.append(str(error))
    assert len(refused) > 1000
    assert not [one for one in refused if "\n" in one]


def document(body: str = "", top: str = "") -> str:
    joint = '<joint name="rail" type="slide"/>'
    start = f'<worldbody>\n<body name="cart">{joint}<geom name="ball" size=".1"/>'
    return f"<mujoco>\n{top}\n{start}\n{body}\n</body></worldbody></mujoco>"


FILES = {
    "no XML": ("<mujoco><worldbody></mujoco>", "MJCF line 1: mismatched tag, expected XML"),
    "text before": ("model\n<mujoco/>", "MJCF line 1: syntax error, expected XML"),
    "nothing": ("\n", "MJCF line 2: no element found, expected XML"),
    "other root": ("<robot/>", "MJCF line 1, <robot>: expected the root <mujoco>"),
    "entity": (
        '<!DOCTYPE mujoco [<!ENTITY a "b">]><mujoco model="&a;"/>',
        "MJCF line 1: document types and entities are not supported",
    ),
    "external entity": (
        '<!DOCTYPE mujoco SYSTEM "file:///etc/passwd"><mujoco/>',
        "MJCF line 1: document types and entities are not supported",
    ),
    "too deep": ("<mujoco>" + "<body>" * 300, "MJCF line 1: more than 200 elements in one another"),
    "include": (
        document(top='<include file="arm.xml"/>'),
        "MJCF line 2, <include>: includes are not supported, expected the content of the file in its place",
    ),
    "plugin": (
        document(top="<extension/>"),
        "MJCF line 2, <extension>: not supported, expected one of compiler, option, default, worldbody, contact, "
        "equality, tendon, actuator",
    ),
    "composite": (document("<composite/>"), "MJCF line 5, <composite>: not supported in <body>"),
    "unknown attribute": (
        document('<geom name="a" size="1" weight="3"/>'),
        "MJCF line 5, <geom name='a'>: attribute weight is not supported",
    ),
    "mesh": (
        document('<geom name="a" type="mesh"/>'),
        "MJCF line 5, <geom name='a'>: type is 'mesh', expected one of 'plane', 'sphere', 'capsule', 'cylinder', 'box'",
    ),
    "fluid shape": (
        document('<geom size="1" fluidshape="ellipsoid"/>'),
        "MJCF line 5, <geom>: fluidshape is 'ellipsoid', expected 'none': nothing else is supported",
    ),
    "gravity compensation": (
        document('<body name="hand" gravcomp="1"/>'),
        "MJCF line 5, <body name='hand'>: gravcomp is '1', expected '0': nothing else is supported",
    ),
    "spring and damper": (
        document('<joint name="j" springdamper="1 2"/>'),
        "MJCF line 5, <joint name='j'>: springdamper is '1 2', expected '0 0': nothing else is supported",
    ),
    "spring of a ball": (
        document('<joint name="j" type="ball" stiffness="2"/>'),
        "MJCF line 5, <joint name='j'>: stiffness is not supported on free and ball joints",
    ),
    "limits missing": (
        document('<joint name="j" limited="true"/>'),
        "MJCF line 5, <joint name='j'>: limited is 'true' and range is missing",
    ),
    "limits without a word": (
        document('<joint name="j" range="0 1"/>', '<compiler autolimits="false"/>'),
        "MJCF line 5, <joint name='j'>: range is given without limited, which autolimits='false' wants",
    ),
    "no number": (
        document('<geom name="a" size="big"/>'),
        "MJCF line 5, <geom name='a'>: size is 'big', expected 1 to 3 finite numbers",
    ),
    "infinite": (
        document('<geom name="a" size="inf"/>'),
        "MJCF line 5, <geom name='a'>: size is 'inf', expected 1 to 3 finite numbers",
    ),
    "too few numbers": (
        document('<geom name="a" size="1" pos="1 2"/>'),
        "MJCF line 5, <geom name='a'>: pos is '1 2', expected 3 finite numbers",
    ),
    "two orientations": (
        document('<geom name="a" size="1" quat="1 0 0 0" euler="0 0 0"/>'),
        "MJCF line 5, <geom name='a'>: quat and euler are given, expected one of them",
    ),
    "no direction": (
        document('<geom name="a" size="1" zaxis="0 0 0"/>'),
        "MJCF line 5, <geom name='a'>: zaxis is '0 0 0', expected no vector of length 0",
    ),
    "one direction": (
        document('<geom name="a" size="1" xyaxes="1 0 0 2 0 0"/>'),
        "MJCF line 5, <geom name='a'>: xyaxes is '1 0 0 2 0 0', expected two directions that differ",
    ),
    "global coordinates": (
        document(top='<compiler coordinate="global"/>'),
        "MJCF line 2, <compiler>: coordinate is 'global', expected 'local': nothing else is supported",
    ),
    "eulerseq": (
        document(top='<compiler eulerseq="xyw"/>'),
        "MJCF line 2, <compiler>: eulerseq is 'xyw', expected three of x, y, z, X, Y, Z",
    ),
    "wind": (
        document(top='<option wind="1 0 0"/>'),
        "MJCF line 2, <option>: wind is '1 0 0', expected '0 0 0': nothing else is supported",
    ),
    "solver": (
        document(top='<option solver="CG"/>'),
        "MJCF line 2, <option>: solver is 'CG', expected one of 'Newton', 'PGS'",
    ),
    "flag": (
        document(top='<option><flag contact="disable"/></option>'),
        "MJCF line 2, <flag>: contact is 'disable', expected the default: nothing else is supported",
    ),
    "class": (
        document('<geom name="a" size="1" class="ghost"/>'),
        "MJCF line 5, <geom name='a'>: class is 'ghost', expected the name of a default class",
    ),
    "defaults": (
        document(top='<default><muscle ctrlrange="0 1"/></default>'),
        "MJCF line 2, <muscle>: no defaults of this kind, expected one of joint, geom, site, pair, equality, tendon, "
        "motor, position, velocity",
    ),
    "general actuator": (
        document(top='<actuator><general name="drive" joint="rail"/></actuator>'),
        "MJCF line 2, <general name='drive'>: not supported, expected one of motor, position, velocity",
    ),
    "tendon drive": (
        document(top='<actuator><motor tendon="rope"/></actuator>'),
        "MJCF line 2, <motor>: attribute tendon is not supported",
    ),
    "damping ratio": (
        document(top='<actuator><position joint="rail" dampratio="1"/></actuator>'),
        "MJCF line 2, <position>: attribute dampratio is not supported",
    ),
    "sites held together": (
        document(top='<equality><weld site1="a" site2="b"/></equality>'),
        "MJCF line 2, <weld>: attribute site1 is not supported",
    ),
    "joints held together": (
        document(top='<equality><joint joint1="rail"/></equality>'),
        "MJCF line 2, <joint>: not supported, expected one of weld, connect",
    ),
    "inactive": (
        document(top='<equality><weld name="glue" body1="cart" active="false"/></equality>'),
        "MJCF line 2, <weld name='glue'>: active is 'false', expected 'true': nothing else is supported",
    ),
    "tendon with a spring": (
        document(top='<tendon><fixed name="rope" stiffness="5"><joint joint="rail" coef="1"/></fixed></tendon>'),
        "MJCF line 2, <fixed name='rope'>: stiffness is '5', expected '0': nothing else is supported",
    ),
    "half an exclude": (
        document(top='<contact><exclude body1="cart"/></contact>'),
        "MJCF line 2, <exclude>: attribute body2 is missing",
    ),
    "mean inertia": (
        document(top='<statistic meaninertia="3"/>'),
        "MJCF line 2, <statistic>: attribute meaninertia is not supported",
    ),
    "inertia without a place": (
        document('<inertial mass="1" diaginertia="1 1 1"/>'),
        "MJCF line 5, <inertial>: attribute pos is missing",
    ),
    "two inertias": (
        document('<inertial mass="1" pos="0 0 0"/><inertial mass="1" pos="0 0 0"/>'),
        "MJCF line 5, <inertial>: the body has one already",
    ),
    "limits reversed": (
        document('<joint name="j" type="slide" range="1 0"/>'),
        "joint 'j': range is (1.0, 0.0), expected the lower limit first",
    ),
    "unknown joint": (
        document(top='<actuator><motor joint="wheel"/></actuator>'),
        "actuator 0 of the scene: joint is 'wheel', expected the name of a joint",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_cannot_be_are_refused_by_element_and_line(name):
    text, message = FILES[name]
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        read_mjcf(text)


def test_endless_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"MJCF has 3000017 characters, expected at most 2000000"):
        read_mjcf(f"<mujoco>{' ' * 3_000_000}</mujoco>")
    (tmp_path / "long.xml").write_bytes(b" " * 3_000_000)
    with pytest.raises(ValueError, match=r"long\.xml has 3000000 bytes, expected at most 2000000"):
        read_mjcf(tmp_path / "long.xml")
