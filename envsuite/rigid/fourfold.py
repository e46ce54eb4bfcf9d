"""Steps of four instances of one model at once.

Frames, inertias, smooth forces and integration are the same operations for every instance, so they are done on fours.
Contacts, and what limits and contacts do, differ in kind from instance to instance; that part is done one by one.
"""

import numpy as np

from envsuite.core import kernel
from envsuite.rigid.abreast import abreast, abreast_dtype, gather, scatter
from envsuite.rigid.forces import make_smooth_force
from envsuite.rigid.integrate import (
    add_stage,
    begin_runge_kutta,
    constrain,
    end_runge_kutta,
    euler,
    go_to_stage,
)
from envsuite.rigid.kinematics import make_mass_matrix, place
from envsuite.rigid.lanes import LANES
from envsuite.rigid.layout import CYLINDER, RK4, Physics, Work

_STATE = (
    "qpos",
    "qvel",
    "ctrl",
    "qacc_warmstart",
    "mocap_pos",
    "mocap_quat",
    "gravity",
    "mass_scale",
    "damping",
    "gear",
)
_WORK = (
    *("xpos", "xquat", "xmat", "xipos", "xanchor", "xaxis", "half_turn", "half_sine", "half_cosine"),
    *("geom_xpos", "geom_xmat", "mass", "subtree_mass", "subtree_com", "cinert", "crb", "cdof", "cvel", "cacc", "cfrc"),
    *("mass_matrix", "factor", "qfrc_bias", "qfrc_passive", "qfrc_actuator", "qfrc_smooth", "qfrc_constraint", "qacc"),
    *("search", "scratch", "qpos_0", "qvel_0", "qvel_stage", "qvel_sum", "qacc_sum"),
)


def room_of(sizes: dict[str, int]) -> np.dtype:
    """Type of the workspace for four: ``one``, the workspace of each, and what stands abreast.

    Args:
        sizes: of the models' size class.
    """
    state, work = Physics.dtype(np.float64, **sizes), Work.dtype(np.float64, **sizes)
    fours = [("state", abreast_dtype(state, _STATE)), ("work", abreast_dtype(work, _WORK))]
    return np.dtype([*fours, ("one", work, LANES), ("spare", state, LANES)])


@kernel(apart=True)
def advance_four(m, count, states, room):
    """Advance four states by some time steps. Their workspaces are left as `envsuite.rigid.integrate.step` leaves one.

    Args:
        m: `Model`.
        count: number of time steps.
        states: tuple of `Physics`.
        room: workspace, see `room_of`.
    """
    s, w, ones = abreast(room.state), abreast(room.work), (room.one[0], room.one[1], room.one[2], room.one[3])
    _take(m, s, states)
    for _ in range(count):
        _forward(m, s, w, states, ones)
        if m.integrator == RK4:
            begin_runge_kutta(m, s, w)
            for stage in range(1, 4):
                go_to_stage(m, s, w, stage)
                _forward(m, s, w, states, ones)
                add_stage(m, w, stage)
            end_runge_kutta(m, s, w)
        else:
            euler(m, s, w)
        for i in range(m.nv):
            s.qacc_warmstart[i] = w.qacc[i]
    _give_back(m, s, states)
    _tell(m, w, ones)


@kernel
def _take(m, s, states):
    """What physics asks of the states."""
    gather(s, "qpos", states, 0, m.nq)
    gather(s, "qvel", states, 0, m.nv)
    gather(s, "ctrl", states, 0, m.nu)
    gather(s, "qacc_warmstart", states, 0, m.nv)
    gather(s, "mocap_pos", states, 0, 3 * m.nmocap)
    gather(s, "mocap_quat", states, 0, 4 * m.nmocap)
    gather(s, "gravity", states, 0, 3)
    gather(s, "mass_scale", states, 0, m.nbody)
    gather(s, "damping", states, 0, m.nv)
    gather(s, "gear", states, 0, m.nu)


@kernel
def _give_back(m, s, states):
    """What of the states changes."""
    scatter(s, "qpos", states, 0, m.nq)
    scatter(s, "qvel", states, 0, m.nv)
    scatter(s, "qacc_warmstart", states, 0, m.nv)


@kernel(apart=True)
def _forward(m, s, w, states, ones):
    """`envsuite.rigid.integrate.forward` for four."""
    place(m, s, w)
    make_mass_matrix(m, w)
    make_smooth_force(m, s, w)
    _give_back(m, s, states)
    _hand_over(m, w, ones)
    for k in range(LANES):
        constrain(m, states[k], ones[k])
    gather(w, "qfrc_smooth", ones, 0, m.nv)  # with the push
    gather(w, "qacc", ones, 0, m.nv)
    gather(w, "qfrc_constraint", ones, 0, m.nv)


@kernel
def _hand_over(m, w, ones):
    """What the push, contacts, limits and equalities ask for."""
    for g in range(m.ngeom):
        if m.geom_touches[g] != 0:
            scatter(w, "geom_xpos", ones, 3 * g, 3)
            if m.geom_type[g] >= CYLINDER:
                scatter(w, "geom_xmat", ones, 9 * g, 9)
            else:
                for k in range(2, 9, 3):
                    scatter(w, "geom_xmat", ones, 9 * g + k, 1)
    for b in range(m.nbody):
        if m.body_parentid[b] == 0:
            scatter(w, "subtree_com", ones, 3 * b, 3)
    scatter(w, "xipos", ones, 0, 3 * m.nbody)
    if m.neq > 0:
        _frames(m, w, ones)
    scatter(w, "cdof", ones, 0, 6 * m.nv)
    for i in range(m.nv):
        scatter(w, "mass_matrix", ones, i * w.mass_matrix.shape[1], m.dof_count[i])
    scatter(w, "qfrc_smooth", ones, 0, m.nv)


@kernel
def _frames(m, w, ones):
    scatter(w, "xpos", ones, 0, 3 * m.nbody)
    scatter(w, "xquat", ones, 0, 4 * m.nbody)
    scatter(w, "xmat", ones, 0, 9 * m.nbody)


@kernel
def _tell(m, w, ones):
    """What rewards and observations ask for."""
    _frames(m, w, ones)
    scatter(w, "cinert", ones, 0, 10 * m.nbody)
    scatter(w, "cvel", ones, 0, 6 * m.nbody)
    scatter(w, "qfrc_actuator", ones, 0, m.nv)
