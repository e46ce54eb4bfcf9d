"""MuJoCo beside the kernels: its models as our constants, and steps of our records.

Wants the extra ``mujoco``, version 3.3.7: later ones differ, for instance in the margins of contacts.
"""

import warnings
from collections.abc import Iterable
from dataclasses import fields
from importlib import import_module
from typing import Any

import numpy as np

from envsuite.rigid import layout
from envsuite.rigid.constants import COUNTED, ROWS, SHORT, Compiled, columns, fill, fitting, rims
from envsuite.rigid.inertia import turned
from envsuite.rigid.layout import Model
from envsuite.rigid.mjcf import write_mjcf
from envsuite.rigid.model import Geom, Option, Pair, Scene
from envsuite.rigid.pairs import ORDER, Field, touching

PROMISED = "3.3"
AFFINE = 1  # mjBIAS_AFFINE
BODY = 1  # mjOBJ_BODY
PHYSICS = 0x9FFF  # bits of mjtDisableBit that change motions: all but sensor, midphase, autoreset, nativeccd, island
OPTIONS = [one.name for one in fields(Option) if one.name != "multiccd"]
MULTICCD = 16  # bit of mjtEnableBit
# Attributes of geoms and pairs that the rules of touching look at, as MuJoCo calls them.
GEOM = ["friction", "condim", "contype", "conaffinity", "margin", "gap", "solmix", "priority", "solref", "solimp"]
PAIR = ["friction", "dim", "margin", "gap", "solref", "solimp"]


def from_mujoco(made: Any, real: type = np.float64, *, scene: Scene | None = None) -> Compiled:
    """The constants that MuJoCo's own compiler found.

    Args:
        made: an ``MjModel`` of the subset that `compile_scene` knows.
        real: precision of the records.
        scene: what it was made from.

    Raises:
        ValueError: it has something outside of the subset, or more parts than a size class holds.
    """
    _check(made)
    last = [-1] * made.nbody
    for body in range(1, made.nbody):
        own = made.body_dofadr[body] + made.body_dofnum[body] - 1
        last[body] = own if made.body_dofnum[body] else last[made.body_parentid[body]]
    joints = made.actuator_trnid[:, 0]
    values: dict[str, Any] = {name: getattr(made, name) for name in Model.fields if hasattr(made, name)}
    values |= {name: getattr(made.opt, name) for name in OPTIONS}
    values |= {
        "multiccd": made.opt.enableflags & MULTICCD,
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
    counts["rims"] = rims(values)
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


def _check(made: Any) -> None:
    """Refuse what is outside of the subset."""
    turning = np.isin(made.jnt_type, (layout.FREE, layout.BALL))
    outside = {
        "geoms of another type than those of envsuite.rigid": ~np.isin(made.geom_type, [*ORDER.values()]),
        "geoms in a fluid of their own": made.geom_fluid[:, 0] > 0,
        "equalities that are no welds and connects of bodies": (made.eq_type > layout.WELD) | (made.eq_objtype != BODY),
        "inactive equalities": made.eq_active0 == 0,
        "actuators of something else than a joint": made.actuator_trntype != 0,
        "actuators with a state of their own": made.actuator_dyntype != 0,
        "actuators with other gains than a fixed one": made.actuator_gaintype != 0,
        "actuators with other biases than an affine one": made.actuator_biastype > AFFINE,
        "springs on free and ball joints": turning & (made.jnt_stiffness != 0),
        "tendons with forces": (made.tendon_stiffness != 0) | (made.tendon_damping != 0) | (made.tendon_limited != 0),
        "dry friction of tendons": made.tendon_frictionloss != 0,
        "compensation of gravity": made.body_gravcomp != 0,
        "wind": made.opt.wind != 0,
        "disabled parts of the physics": np.array([made.opt.disableflags & PHYSICS]) != 0,
        "an integrator or a solver": np.array([made.opt.integrator not in (0, 1, 3), made.opt.solver not in (0, 2)]),
        "flexible bodies": np.array([made.nflex > 0]),
    }
    for words, found in outside.items():
        if np.any(found):
            raise ValueError(f"the MjModel has {words}, expected what compile_scene knows")


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


def _attributes(made: Any, kind: str, number: int, names: Iterable[str]) -> dict[str, Any]:
    found = {name: getattr(made, f"{kind}_{name}")[number].tolist() for name in names}
    return {"condim" if name == "dim" else name: value for name, value in found.items()}


class MujocoEngine:
    """Steps the records of a scene with MuJoCo itself.

    A step is a function of the record alone: coordinates, controls, where the solver starts, poses of mocap bodies, and
    what differs from instance to instance. As in the kernels, constants that follow from the mass matrix (inverse
    weights, mean inertia) stay those of the scene when masses differ.

    Attributes:
        model: the ``MjModel``, with what the last record changed.
        data: the ``MjData`` of the last record.

    Args:
        compiled: made by `compile_scene` with ``physics="mujoco-3.3"``.

    Raises:
        ValueError: it is not what MuJoCo makes of the scene.
    """

    def __init__(self, compiled: Compiled):
        if compiled.scene is None:
            raise ValueError("compiled has no scene, expected one made by compile_scene")
        try:
            library: Any = import_module("mujoco")
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                'mujoco is not installed: pip install "envsuite[mujoco]"', name="mujoco"
            ) from error
        if not library.__version__.startswith(f"{PROMISED}."):
            warnings.warn(
                f"MuJoCo {library.__version__} is installed; agreement with the kernels is promised for {PROMISED}",
                stacklevel=2,
            )
        self._step, self._forward, self._sum = library.mj_step, library.mj_forward, library.mj_rnePostConstraint
        self.model = library.MjModel.from_xml_string(write_mjcf(compiled.scene))
        self.data = library.MjData(self.model)
        ours, theirs = compiled.model[0], from_mujoco(self.model, compiled.real).model[0]
        count = theirs["npair"]
        for name, found, expected in (
            ("number of pairs", ours["npair"], count),
            ("margin of pairs", ours["pair_margin"][:count].tolist(), theirs["pair_margin"][:count].tolist()),
        ):
            if found != expected:
                raise ValueError(f"{name} is not MuJoCo's, expected a scene compiled with physics='mujoco-3.3'")
        self._masses = self.model.body_mass.copy()
        self._inertias = self.model.body_inertia.copy()
        self._diagonal = self.model.dof_M0.copy()

    def step(self, states: Iterable[np.void], steps: int = 1) -> None:
        """Step instances, one after the other, in place.

        Args:
            states: records of `Physics`' type.
            steps: of the scene's time step each, with the same controls.
        """
        for state in states:
            self._load(state)
            for _ in range(steps):
                self._step(self.model, self.data)
            self._store(state)

    def forward(self, state: np.void) -> None:
        """Compute accelerations and forces of an instance; they are in `data`, the instance stays as it is.

        Args:
            state: a record of `Physics`' type.
        """
        self._load(state)
        self._forward(self.model, self.data)

    def sum_contacts(self) -> None:
        """Compute the wrenches of contacts on bodies, ``data.cfrc_ext``, of the last pass."""
        self._sum(self.model, self.data)

    def _load(self, state: np.void) -> None:
        model, data = self.model, self.data
        bodies = slice(model.nbody)
        scale = np.asarray(state["mass_scale"][bodies], np.float64)
        model.body_mass[:] = scale * self._masses
        model.body_inertia[:] = scale[:, None] * self._inertias
        self._sum_masses()
        own = model.dof_simplenum > 0  # whose part of the mass matrix MuJoCo takes from the compiler
        armature = model.dof_armature
        model.dof_M0[own] = (armature + scale[model.dof_bodyid] * (self._diagonal - armature))[own]
        model.opt.gravity[:] = state["gravity"]
        model.dof_damping[:] = state["damping"][: model.nv]
        model.actuator_gear[:, 0] = state["gear"][: model.nu]
        model.geom_friction[:, 0] = state["sliding"][: model.ngeom]
        data.qpos[:], data.qvel[:] = state["qpos"][: model.nq], state["qvel"][: model.nv]
        data.ctrl[:] = state["ctrl"][: model.nu]
        data.qacc_warmstart[:] = state["qacc_warmstart"][: model.nv]
        data.mocap_pos[:], data.mocap_quat[:] = state["mocap_pos"][: model.nmocap], state["mocap_quat"][: model.nmocap]
        data.xfrc_applied[:] = 0
        if state["pushed"] > 0:
            data.xfrc_applied[state["pushed"], :3] = state["push"]

    def _sum_masses(self) -> None:
        """Masses of bodies and all below them."""
        total = self.model.body_mass.copy()
        for body in range(self.model.nbody - 1, 0, -1):
            total[self.model.body_parentid[body]] += total[body]
        self.model.body_subtreemass[:] = total

    def _store(self, state: np.void) -> None:
        model, data = self.model, self.data
        state["qpos"][: model.nq], state["qvel"][: model.nv] = data.qpos, data.qvel
        state["qacc_warmstart"][: model.nv] = data.qacc_warmstart
