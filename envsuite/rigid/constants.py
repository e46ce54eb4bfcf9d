"""From a declared scene to the records that kernels run on."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from envsuite.core.jit import records
from envsuite.rigid import layout
from envsuite.rigid.checks import check
from envsuite.rigid.layout import CLASSES, RIMS, Model, Physics
from envsuite.rigid.model import Connect, Scene
from envsuite.rigid.pairs import ORDER, Touch, field_of, touching
from envsuite.rigid.poses import inverse, matrix, multiply, unit
from envsuite.rigid.reference import Reference, refer
from envsuite.rigid.tree import Tree, plant

Version = Literal["mujoco-3.3", "mujoco-4"]
VERSIONS = ("mujoco-3.3", "mujoco-4")

INTEGRATORS = {"Euler": layout.EULER, "RK4": layout.RK4, "implicitfast": layout.IMPLICIT_FAST}
SOLVERS = {"PGS": layout.PGS, "Newton": layout.NEWTON}
CONES = {"pyramidal": layout.PYRAMIDAL, "elliptic": layout.ELLIPTIC}
JOINTS = {"free": layout.FREE, "ball": layout.BALL, "slide": layout.SLIDE, "hinge": layout.HINGE}
ROWS = {"weld": 6, "connect": 3}


@dataclass(frozen=True)
class Compiled:
    """Constants of a scene, and where its parts lie in them.

    Attributes:
        scene: what was compiled; None for what MuJoCo compiled.
        model: the constants, array of shape (1,) of `Model`'s type.
        size: name of the size class.
        real: precision.
        body: numbers of bodies by name; the world is 0.
        joint: numbers of joints by name.
        geom: numbers of geoms by name.
        actuator: numbers of actuators by name, or by that of their joint where they have none.
        site: numbers of sites by name.
        qposadr: first coordinate of a joint by name.
        dofadr: first degree of freedom of a joint by name.
    """

    scene: Scene | None
    model: np.ndarray
    size: str
    real: type
    body: dict[str, int]
    joint: dict[str, int]
    geom: dict[str, int]
    actuator: dict[str, int]
    site: dict[str, int]
    qposadr: dict[str, int]
    dofadr: dict[str, int]

    @property
    def sizes(self) -> dict[str, int]:
        """Sizes of the class by name, as `Record.dtype` takes them."""
        return CLASSES[self.size].sizes

    @property
    def physics_dtype(self) -> np.dtype:
        """Type of the state of one instance."""
        return Physics.dtype(self.real, **self.sizes)


def compile_scene(
    scene: Scene,
    physics: Version = "mujoco-3.3",
    real: type = np.float64,
    *,
    size: str | None = None,
    general: bool = False,
) -> Compiled:
    """Compute the constants of a scene.

    All arithmetic is in double precision and in written order, so that the constants are the same bits on every
    machine. Formulas are those of MuJoCo 3.3.7 (its technical notes, "Computation", and ``engine_setconst.c``).

    Args:
        scene: as declared.
        physics: whose margins: of two geoms the larger one counts ("mujoco-3.3") or the sum ("mujoco-4"). Nothing
            else differs.
        real: precision of the records.
        size: name of a size class; None for the smallest that fits.
        general: allow pairs of geoms that need a general convex solver, cylinders with capsules and with cylinders.
            The kernels have none: such models are for MuJoCo itself.

    Returns:
        The constants with numbers of parts by name.

    Raises:
        ValueError: one line that names a part of the scene and what was expected of it.
    """
    if physics not in VERSIONS:
        raise ValueError(f"physics is {physics!r}, expected one of {', '.join(map(repr, VERSIONS))}")
    check(scene)
    tree = plant(scene)
    reference = refer(tree)
    touches = touching(field_of(scene, tree), summed_margins=physics == "mujoco-4", general=general)
    sites = [(number, site) for number, body in enumerate(tree.bodies) for site in body.sites]
    values: dict[str, Any] = {**_option(scene, reference, len(tree.dof_bodies)), **_bodies(tree, reference)}
    values |= {**_joints(tree), **_dofs(tree, reference), **_geoms(tree), **columns(touches)}
    values |= {**_actuators(scene, tree), **_equalities(scene, tree, reference)}
    values |= {"site_bodyid": [number for number, _ in sites], "site_pos": [site.pos for _, site in sites]}
    counts = {name: len(values[first]) for name, first in COUNTED.items()}
    counts["rows"] = sum(ROWS[one.type] for one in scene.equalities) + sum(map(_static_rows, tree.joints))
    counts["mocaps"] = sum(body.mocap for body in tree.bodies)
    counts["rims"] = rims(values)
    chosen = fitting(scene.name, counts, size)
    values |= {short: counts[name] for name, short in SHORT.items()}
    return Compiled(
        scene,
        fill(values, chosen, real),
        chosen,
        real,
        tree.numbers,
        _numbers(one.joint.name for one in tree.joints),
        _numbers(geom.name for _, geom, _ in tree.geoms),
        _numbers(one.name or one.joint for one in scene.actuators),
        _numbers(site.name for _, site in sites),
        {one.joint.name: one.qposadr for one in tree.joints if one.joint.name},
        {one.joint.name: one.dofadr for one in tree.joints if one.joint.name},
    )


# A field of each kind, by the size of its array, and the field that holds their number.
COUNTED = {
    "bodies": "body_parentid",
    "joints": "jnt_type",
    "positions": "qpos0",
    "dofs": "dof_bodyid",
    "geoms": "geom_type",
    "pairs": "pair_geom1",
    "actuators": "actuator_dof",
    "equalities": "eq_type",
    "sites": "site_bodyid",
}
REACHED = "geom1", "geom2", "margin"
SHORT = {
    "bodies": "nbody",
    "joints": "njnt",
    "positions": "nq",
    "dofs": "nv",
    "geoms": "ngeom",
    "pairs": "npair",
    "actuators": "nu",
    "equalities": "neq",
    "sites": "nsite",
    "mocaps": "nmocap",
}


def fitting(name: str, counts: dict[str, int], size: str | None) -> str:
    """The smallest size class that holds a model.

    Args:
        name: of the scene.
        counts: of its parts, by the names of `SizeClass`.
        size: the class that it has to be, with or without room for cylinders on boxes; None for any.

    Raises:
        ValueError: there is none; with what is too many.
    """
    if size is not None and size not in CLASSES:
        raise ValueError(f"size is {size!r}, expected one of {', '.join(map(repr, CLASSES))}")
    tried = [one for one in CLASSES if size in (None, one, one.removesuffix(RIMS))]
    for one in tried:
        if all(count <= CLASSES[one].sizes[kind] for kind, count in counts.items()):
            return one
    largest = max(reversed(tried), key=lambda one: CLASSES[one].bodies)
    room = CLASSES[largest].sizes
    excess = ", ".join(f"{count} {kind} (at most {room[kind]})" for kind, count in counts.items() if count > room[kind])
    raise ValueError(f"scene {name!r} has {excess}, more than size class {largest.removesuffix(RIMS)!r} holds")


def fill(values: dict[str, Any], size: str, real: type) -> np.ndarray:
    """The record of a model, with zeros where there are fewer parts than room.

    Args:
        values: by field of `Model`, but for what follows from the others; arrays may be shorter than their fields.
        size: name of the size class.
        real: precision.

    Returns:
        Array of shape (1,).

    Raises:
        ValueError: a number is beyond the range of the precision.
    """
    touched = {*values["pair_geom1"], *values["pair_geom2"]}
    chains: list[list[int]] = []
    for dof, parent in enumerate(values["dof_parentid"]):
        chains.append([dof, *(chains[parent] if parent >= 0 else ())])
    values = values | {
        "geom_mat": [[x for row in matrix(quat) for x in row] for quat in values["geom_quat"]],
        "multiccd": bool(values["multiccd"] and rims(values)),
        "geom_touches": [number in touched for number in range(len(values["geom_type"]))],
        "pair_reach": [_reach(values, *pair) for pair in zip(*(values[f"pair_{one}"] for one in REACHED), strict=True)],
        "dof_count": [len(one) for one in chains],
        "dof_chain": [(*one, *[0] * (CLASSES[size].dofs - len(one))) for one in chains],
    }
    made = np.zeros(1, Model.dtype(real, **CLASSES[size].sizes))
    for name, value in values.items():
        with np.errstate(over="ignore"):
            if np.ndim(made[name]) == 1:
                made[name] = value
            elif len(value):
                made[name][0, : len(value)] = value
        if not np.isfinite(made[name]).all():
            raise ValueError(f"{name} is not finite in {np.dtype(real)}, expected smaller sizes, masses and distances")
    return records(made)


def rims(values: dict[str, Any]) -> int:
    """Whether a cylinder and a box may touch, 1 or 0.

    Args:
        values: the fields of `Model` that tell types of geoms, and pairs.
    """
    kinds = values["geom_type"]
    pairs = zip(values["pair_geom1"], values["pair_geom2"], strict=True)
    return int(any((kinds[one], kinds[two]) == (layout.CYLINDER, layout.BOX) for one, two in pairs))


def _reach(values: dict[str, Any], first: int, second: int, margin: float) -> float:
    """How far apart two geoms may be before they are looked at, see `Model`."""
    bounds = values["geom_rbound"]
    if values["geom_type"][first] == layout.PLANE:
        return margin + bounds[second]
    reach = bounds[first] + bounds[second] + margin
    return reach * reach


def initial(compiled: Compiled) -> np.ndarray:
    """The state of an instance at rest in the reference pose, with the model's own dynamics.

    Args:
        compiled: the scene.

    Returns:
        Array of shape (1,) of `Physics`' type.
    """
    model = compiled.model[0]
    made = np.zeros(1, compiled.physics_dtype)
    state = made[0]
    state["qpos"], state["gravity"], state["damping"] = model["qpos0"], model["gravity"], model["dof_damping"]
    state["mass_scale"], state["gear"] = 1.0, model["actuator_gear"]
    state["sliding"] = model["geom_friction"][:, 0]
    state["mocap_quat"][:, 0] = 1.0
    for body in range(model["nbody"]):
        if (mocap := model["body_mocapid"][body]) >= 0:
            state["mocap_pos"][mocap], state["mocap_quat"][mocap] = model["body_pos"][body], model["body_quat"][body]
    return records(made)


def _numbers(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names) if name}


def _static_rows(one: Any) -> int:
    """Rows that dry friction and limits of a joint may take."""
    friction = len(_dof_values(one)) if one.joint.frictionloss > 0 else 0
    return friction + (getattr(one.joint, "range", None) is not None)


def _option(scene: Scene, reference: Reference, dofs: int) -> dict[str, Any]:
    option = asdict(scene.option)
    return {
        **option,
        "integrator": INTEGRATORS[scene.option.integrator],
        "solver": SOLVERS[scene.option.solver],
        "cone": CONES[scene.option.cone],
        "scale": 1 / (reference.meaninertia * max(1, dofs)),
    }


def _bodies(tree: Tree, reference: Reference) -> dict[str, Any]:
    first = [next((k for k, one in enumerate(tree.joints) if one.body == b), -1) for b in range(len(tree.bodies))]
    mocaps = [number for number, body in enumerate(tree.bodies) if body.mocap]
    return {
        "body_parentid": tree.parents,
        "body_rootid": tree.roots,
        "body_lastdof": tree.lastdofs,
        "body_jntadr": first,
        "body_jntnum": [len(body.joints) for body in tree.bodies],
        "body_mocapid": [mocaps.index(b) if b in mocaps else -1 for b in range(len(tree.bodies))],
        "body_pos": [pos for pos, _ in tree.poses],
        "body_quat": [quat for _, quat in tree.poses],
        "body_ipos": [one.pos for one in tree.solids],
        "body_iquat": [one.quat for one in tree.solids],
        "body_mass": [one.mass for one in tree.solids],
        "body_inertia": [one.moments for one in tree.solids],
        "body_tensor": [one.tensor for one in tree.solids],
        "body_invweight0": reference.body_invweight0,
    }


def _joints(tree: Tree) -> dict[str, Any]:
    joints = [one.joint for one in tree.joints]

    def each(name: str, otherwise: Any) -> list[Any]:
        return [getattr(joint, name, otherwise) for joint in joints]

    ranges, forces = each("range", None), each("actfrcrange", None)
    positions = [
        (*tree.poses[one.body][0], *tree.poses[one.body][1]) if one.joint.type == "free" else _rest(one.joint, "ref")
        for one in tree.joints
    ]
    springs = [
        pose if one.joint.type == "free" else _rest(one.joint, "springref")
        for one, pose in zip(tree.joints, positions, strict=True)
    ]
    return {
        "jnt_type": [JOINTS[joint.type] for joint in joints],
        "jnt_qposadr": [one.qposadr for one in tree.joints],
        "jnt_dofadr": [one.dofadr for one in tree.joints],
        "jnt_bodyid": [one.body for one in tree.joints],
        "jnt_limited": [one is not None for one in ranges],
        "jnt_actfrclimited": [one is not None for one in forces],
        "jnt_pos": each("pos", (0.0, 0.0, 0.0)),
        "jnt_axis": [unit(axis) for axis in each("axis", (0.0, 0.0, 1.0))],
        "jnt_range": [one or (0.0, 0.0) for one in ranges],
        "jnt_actfrcrange": [one or (0.0, 0.0) for one in forces],
        "jnt_margin": each("margin", 0.0),
        "jnt_solref": each("solreflimit", (0.02, 1.0)),
        "jnt_solimp": each("solimplimit", (0.9, 0.95, 0.001, 0.5, 2.0)),
        "jnt_stiffness": each("stiffness", 0.0),
        "qpos0": [x for pose in positions for x in pose],
        "qpos_spring": [x for pose in springs for x in pose],
    }


def _rest(joint: Any, name: str) -> tuple[float, ...]:
    return (1.0, 0.0, 0.0, 0.0) if joint.type == "ball" else (getattr(joint, name),)


def _dof_values(one: Any) -> range:
    return range({"free": 6, "ball": 3}.get(one.joint.type, 1))


def _dofs(tree: Tree, reference: Reference) -> dict[str, Any]:
    joints = [tree.joints[number].joint for number in tree.dof_joints]
    return {
        "dof_bodyid": tree.dof_bodies,
        "dof_jntid": tree.dof_joints,
        "dof_parentid": tree.dof_parents,
        "dof_armature": [joint.armature for joint in joints],
        "dof_damping": [joint.damping for joint in joints],
        "dof_frictionloss": [joint.frictionloss for joint in joints],
        "dof_solref": [joint.solreffriction for joint in joints],
        "dof_solimp": [joint.solimpfriction for joint in joints],
        "dof_invweight0": reference.dof_invweight0,
    }


def _geoms(tree: Tree) -> dict[str, Any]:
    return {
        "geom_type": [ORDER[geom.type] for _, geom, _ in tree.geoms],
        "geom_bodyid": [body for body, _, _ in tree.geoms],
        "geom_pos": [one.pos for _, _, one in tree.geoms],
        "geom_quat": [one.quat for _, _, one in tree.geoms],
        "geom_size": [one.size for _, _, one in tree.geoms],
        "geom_rbound": [one.rbound for _, _, one in tree.geoms],
        "geom_friction": [geom.friction for _, geom, _ in tree.geoms],
    }


def columns(touches: list[Touch]) -> dict[str, Any]:
    """The list of pairs as fields of `Model`."""
    return {f"pair_{name}": [getattr(one, name) for one in touches] for name in Touch.__dataclass_fields__}


def _actuators(scene: Scene, tree: Tree) -> dict[str, Any]:
    places = {one.joint.name: one for one in tree.joints}
    driven = [places[one.joint] for one in scene.actuators]
    gains, biases = [], []
    for one in scene.actuators:
        kp, kv = getattr(one, "kp", 0.0), getattr(one, "kv", 0.0)
        gains.append({"motor": 1.0, "position": kp, "velocity": kv}[one.type])
        biases.append((0.0, 0.0 - kp, 0.0 - kv))
    return {
        "actuator_dof": [one.dofadr for one in driven],
        "actuator_qposadr": [one.qposadr for one in driven],
        "actuator_ctrllimited": [one.ctrlrange is not None for one in scene.actuators],
        "actuator_forcelimited": [one.forcerange is not None for one in scene.actuators],
        "actuator_gear": [one.gear for one in scene.actuators],
        "actuator_gain": gains,
        "actuator_bias": biases,
        "actuator_ctrlrange": [one.ctrlrange or (0.0, 0.0) for one in scene.actuators],
        "actuator_forcerange": [one.forcerange or (0.0, 0.0) for one in scene.actuators],
    }


def _equalities(scene: Scene, tree: Tree, reference: Reference) -> dict[str, Any]:
    parts = scene.equalities
    return {
        "eq_type": [layout.WELD if one.type == "weld" else layout.CONNECT for one in parts],
        "eq_obj1id": [tree.numbers[one.body1] for one in parts],
        "eq_obj2id": [tree.numbers[one.body2] for one in parts],
        "eq_data": [_equality(one, tree.numbers, reference) for one in parts],
        "eq_solref": [one.solref for one in parts],
        "eq_solimp": [one.solimp for one in parts],
    }


def _equality(one: Any, numbers: dict[str, int], reference: Reference) -> tuple[float, ...]:
    """Anchors and relative pose: as declared, or as they are in the reference pose."""
    first, second = numbers[one.body1], numbers[one.body2]
    if isinstance(one, Connect):
        there = reference.within(second, reference.place(first, one.anchor))
        return (*one.anchor, *there, 0.0, 0.0, 0.0, 0.0, 1.0)
    if one.relpose is not None:
        pos, quat = one.relpose[:3], unit(one.relpose[3:])
    else:
        pos = reference.within(first, reference.place(second, one.anchor))
        quat = multiply(inverse(reference.orientations[first]), reference.orientations[second])
    return (*one.anchor, *pos, *quat, one.torquescale)
