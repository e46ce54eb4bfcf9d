"""Scenes as tables, for the documentation."""

from collections.abc import Iterable, Sequence
from typing import Any

from envsuite.rigid.checks import check
from envsuite.rigid.model import Geom, Scene
from envsuite.rigid.poses import IDENTITY
from envsuite.rigid.tree import Tree, plant

Row = dict[str, str]


def scene_tables(scene: Scene) -> str:
    """Options, bodies, joints, shapes, actuators and equalities in Markdown.

    Numbers have six digits; columns in which nothing stands are left out. Masses are those of the compiled bodies, in
    kg, lengths metres, angles radians.

    Args:
        scene: as declared.

    Raises:
        ValueError: as `compile_scene`.
    """
    check(scene)
    tree = plant(scene)
    option = scene.option
    facts = [
        f"Time step {_text(option.timestep)} s",
        option.integrator,
        f"{option.solver} with at most {option.iterations} iterations",
        f"{option.cone} cones",
        f"gravity {_text(option.gravity)} m/s²",
        f"{_text(sum(one.mass for one in tree.solids))} kg in total",
    ]
    facts += [f"medium of {_text(option.density)} kg/m³ and {_text(option.viscosity)} Pa s"] * bool(option.density)
    parts = {
        "Bodies": _bodies(tree),
        "Joints": _joints(tree),
        "Shapes": [_shape(tree, body, geom) for body, geom, _ in tree.geoms],
        "Actuators": [_actuator(one) for one in scene.actuators],
        "Equalities": [
            {"kind": one.type, "bodies": f"{one.body1}, {one.body2}", "anchor": _text(getattr(one, "anchor", ()))}
            for one in scene.equalities
        ],
    }
    tables = [f"**{title}**\n\n{_table(rows)}" for title, rows in parts.items() if rows]
    return "\n".join([", ".join(facts) + ".\n", *tables])


def _table(rows: Sequence[Row]) -> str:
    names = [name for name in rows[0] if any(row[name] for row in rows)]
    lines = [names, ["---"] * len(names), *([row[name].replace("|", "\\|") for name in names] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _text(value: Any) -> str:
    """Numbers with six digits."""
    if isinstance(value, str):
        return value
    if isinstance(value, Iterable):
        return " ".join(map(_text, value))
    return f"{value + 0.0:.6g}"


def _unless(value: Any, usual: Any) -> str:
    return "" if value is None or value == usual else _text(value)


def _range(limits: Any) -> str:
    return "" if limits is None else f"{_text(limits[0])} to {_text(limits[1])}"


def _bodies(tree: Tree) -> list[Row]:
    rows = []
    for number, body in enumerate(tree.bodies[1:], 1):
        pos, quat = tree.poses[number]
        rows.append(
            {
                "body": body.name,
                "in": body.parent,
                "position": _text(pos),
                "quaternion": _unless(quat, IDENTITY),
                "mass": _unless(tree.solids[number].mass, 0.0),
                "centre of mass": _text(tree.solids[number].pos),
                "moments of inertia": _text(tree.solids[number].moments) if tree.solids[number].mass else "",
                "given": "from outside" if body.mocap else "",
            }
        )
    return rows


def _joints(tree: Tree) -> list[Row]:
    rows = []
    for one in tree.joints:
        joint = one.joint

        def told(name: str, usual: Any = 0.0, joint: Any = joint) -> str:
            return _unless(getattr(joint, name, usual), usual)

        rows.append(
            {
                "joint": joint.name,
                "body": tree.bodies[one.body].name,
                "kind": joint.type,
                "anchor": told("pos", (0.0, 0.0, 0.0)),
                "axis": told("axis", None),
                "range": _range(getattr(joint, "range", None)),
                "reference": told("ref"),
                "damping": told("damping"),
                "armature": told("armature"),
                "stiffness": told("stiffness"),
                "rest of the spring": told("springref"),
                "dry friction": told("frictionloss"),
                "limit's solref": told("solreflimit", (0.02, 1.0)),
                "limit's solimp": told("solimplimit", (0.9, 0.95, 0.001, 0.5, 2.0)),
            }
        )
    return rows


def _shape(tree: Tree, body: int, geom: Geom) -> Row:
    ends = geom.fromto
    pose = f"from {_text(ends[:3])} to {_text(ends[3:])}" if ends is not None else f"at {_text(geom.pos)}"
    angles = "" if geom.euler is None else f", euler {_text(geom.euler)}"
    turned = "" if geom.quat is None else f", quat {_text(geom.quat)}"
    return {
        "shape": geom.name,
        "body": tree.bodies[body].name,
        "kind": geom.type,
        "size": "" if geom.type == "plane" else _text(geom.size),
        "place": f"{pose}{angles}{turned}",
        "contype, conaffinity": f"{geom.contype}, {geom.conaffinity}",
        "condim": str(geom.condim),
        "friction": _text(geom.friction),
        "margin": _unless(geom.margin, 0.0),
        "gap": _unless(geom.gap, 0.0),
        "priority": _unless(geom.priority, 0),
        "solref": _unless(geom.solref, (0.02, 1.0)),
        "solimp": _unless(geom.solimp, (0.9, 0.95, 0.001, 0.5, 2.0)),
    }


def _actuator(one: Any) -> Row:
    return {
        "actuator": one.name,
        "joint": one.joint,
        "kind": one.type,
        "gear": _text(one.gear),
        "kp": _unless(getattr(one, "kp", None), None),
        "kv": _unless(getattr(one, "kv", None), 0.0),
        "control": _range(one.ctrlrange),
        "force": _range(one.forcerange),
    }
