"""MuJoCo beside the kernels: models that it compiled as our constants. Wants the extra ``mujoco`` (version 3.3.7)."""

from typing import Any

import numpy as np

from envsuite.rigid import layout
from envsuite.rigid.constants import COUNTED, ROWS, SHORT, Compiled, columns, fill, fitting
from envsuite.rigid.inertia import turned
from envsuite.rigid.model import Geom, Pair, Scene
from envsuite.rigid.pairs import ORDER, Field, touching

AFFINE = 1  # mjBIAS_AFFINE
GEOM = {
    name: name
    for name in [
        "friction",
        "condim",
        "contype",
        "conaffinity",
        "margin",
        "gap",
        "solmix",
        "priority",
        "solref",
        "solimp",
    ]
}
PAIR = {"condim": "dim", **{name: name for name in ["friction", "margin", "gap", "solref", "solimp"]}}
SAME_NAME = [
    "body_parentid",
    "body_rootid",
    "body_jntadr",
    "body_jntnum",
    "body_mocapid",
    "body_pos",
    "body_quat",
    "body_ipos",
    "body_iquat",
    "body_mass",
    "body_inertia",
    "body_invweight0",
    "jnt_type",
    "jnt_qposadr",
    "jnt_dofadr",
    "jnt_bodyid",
    "jnt_limited",
    "jnt_actfrclimited",
    "jnt_pos",
    "jnt_axis",
    "jnt_range",
    "jnt_actfrcrange",
    "jnt_margin",
    "jnt_solref",
    "jnt_solimp",
    "jnt_stiffness",
    "qpos0",
    "qpos_spring",
    "dof_bodyid",
    "dof_jntid",
    "dof_parentid",
    "dof_armature",
    "dof_damping",
    "dof_frictionloss",
    "dof_solref",
    "dof_solimp",
    "dof_invweight0",
    "geom_type",
    "geom_bodyid",
    "geom_pos",
    "geom_quat",
    "geom_size",
    "geom_rbound",
    "geom_friction",
    "actuator_ctrllimited",
    "actuator_forcelimited",
    "actuator_ctrlrange",
    "actuator_forcerange",
    "eq_type",
    "eq_obj1id",
    "eq_obj2id",
    "eq_data",
    "eq_solref",
    "eq_solimp",
    "site_bodyid",
    "site_pos",
]
OPTIONS = [
    "integrator",
    "solver",
    "cone",
    "iterations",
    "timestep",
    "tolerance",
    "impratio",
    "density",
    "viscosity",
    "gravity",
]


def from_mujoco(made: Any, real: type = np.float64, *, scene: Scene | None = None) -> Compiled:
    """The constants that MuJoCo's own compiler found.

    Args:
        made: an ``MjModel`` of the subset that `compile_scene` knows.
        real: precision of the records.
        scene: what it was made from.

    Raises:
        ValueError: it has more parts than a size class holds.
    """
    last = [-1] * made.nbody
    for body in range(1, made.nbody):
        own = made.body_dofadr[body] + made.body_dofnum[body] - 1
        last[body] = own if made.body_dofnum[body] else last[made.body_parentid[body]]
    joints = made.actuator_trnid[:, 0]
    values: dict[str, Any] = {name: getattr(made, name) for name in SAME_NAME}
    values |= {name: getattr(made.opt, name) for name in OPTIONS}
    values |= {
        "scale": 1 / (made.stat.meaninertia * max(1, made.nv)),
        "body_lastdof": last,
        "body_tensor": [turned(*one) for one in zip(made.body_inertia, made.body_iquat, strict=True)],
        "actuator_dof": made.jnt_dofadr[joints],
        "actuator_qposadr": made.jnt_qposadr[joints],
        "actuator_gear": made.actuator_gear[:, 0],
        "actuator_gain": made.actuator_gainprm[:, 0],
        "actuator_bias": made.actuator_biasprm[:, :3] * (made.actuator_biastype == AFFINE)[:, None],
        **columns(touching(_field(made), general=True)),
    }
    counts = {name: len(values[first]) for name, first in COUNTED.items()}
    limits = int((made.dof_frictionloss > 0).sum() + made.jnt_limited.sum())
    counts["rows"] = sum(ROWS["weld" if one == layout.WELD else "connect"] for one in made.eq_type) + limits
    counts["mocaps"] = made.nmocap
    size = fitting("of MuJoCo", counts, None)
    values |= {short: counts[name] for name, short in SHORT.items()}
    names = [
        _names(made, kind, count)
        for kind, count in (
            ("body", made.nbody),
            ("joint", made.njnt),
            ("geom", made.ngeom),
            ("actuator", made.nu),
            ("site", made.nsite),
        )
    ]
    places = [
        {name: int(where[number]) for name, number in names[1].items()} for where in (made.jnt_qposadr, made.jnt_dofadr)
    ]
    return Compiled(scene, fill(values, size, real), size, real, *names, *places)


def _names(made: Any, kind: str, count: int) -> dict[str, int]:
    names = [getattr(made, kind)(number).name for number in range(count)]
    return {name: number for number, name in enumerate(names) if name}


def _field(made: Any) -> Field:
    """What the rules of touching look at."""
    kinds = {number: name for name, number in ORDER.items()}
    kinds = {number: next(one for one in Geom.__subclasses__() if one.type == name) for number, name in kinds.items()}
    geoms = [
        (int(made.geom_bodyid[k]), kinds[made.geom_type[k]](made.geom(k).name, **_attributes(made, "geom", k, GEOM)))
        for k in range(made.ngeom)
    ]
    pairs = [
        (int(made.pair_geom1[k]), int(made.pair_geom2[k]), Pair("", "", **_attributes(made, "pair", k, PAIR)))
        for k in range(made.npair)
    ]
    excludes = {(int(one) >> 16, int(one) & 0xFFFF) for one in made.exclude_signature}
    return Field(made.body_parentid.tolist(), made.body_weldid.tolist(), geoms, excludes, pairs)


def _attributes(made: Any, kind: str, number: int, names: dict[str, str]) -> dict[str, Any]:
    return {name: getattr(made, f"{kind}_{stored}")[number].tolist() for name, stored in names.items()}
