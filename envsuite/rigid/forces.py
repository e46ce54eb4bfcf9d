"""Forces that do not come from constraints: gravity and inertia, springs, dampers, a fluid, motors, pushes."""

import math

from envsuite.core import kernel
from envsuite.core.fmath import sqrt
from envsuite.rigid.layout import BALL, FREE, SLIDE
from envsuite.rigid.spatial import (
    TINY,
    cross_force,
    cross_motion,
    dot6,
    momentum,
    multiply,
    rotate,
    rotate_back,
    set_matrix,
)


@kernel
def make_smooth_force(m, s, w):
    """Velocities of bodies, and the sum of all forces but pushes and those of constraints on degrees of freedom."""
    _velocities_and_bias(m, s, w)
    _springs_and_dampers(m, s, w)
    if m.density > 0 or m.viscosity > 0:
        for b in range(1, m.nbody):
            if m.body_mass[b] >= TINY:
                _drag(m, w, b)
    _motors(m, s, w)
    for i in range(m.nv):
        w.qfrc_smooth[i] = w.qfrc_passive[i] - w.qfrc_bias[i] + w.qfrc_actuator[i]


@kernel
def _velocities_and_bias(m, s, w):
    """Recursive Newton-Euler: accelerations of bodies without any of joints, then the forces that these take."""
    for k in range(3):
        w.cvel[0, k] = w.cvel[0, 3 + k] = w.cacc[0, k] = 0.0
        w.cacc[0, 3 + k] = -s.gravity[k]
    for b in range(1, m.nbody):
        parent, v, a = m.body_parentid[b], w.cvel[b], w.cacc[b]
        for k in range(6):
            v[k] = w.cvel[parent, k]
            a[k] = w.cacc[parent, k]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            _accelerate(m, s, w, j)
        f, g = momentum(w.cinert[b], a), cross_force(v, momentum(w.cinert[b], v))
        out = w.cfrc[b]
        out[0], out[1], out[2] = f[0] + g[0], f[1] + g[1], f[2] + g[2]
        out[3], out[4], out[5] = f[3] + g[3], f[4] + g[4], f[5] + g[5]
    for b in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[b]
        if parent > 0:
            for k in range(6):
                w.cfrc[parent, k] += w.cfrc[b, k]
    for i in range(m.nv):
        w.qfrc_bias[i] = dot6(w.cdof[i], w.cfrc[m.dof_bodyid[i]])


@kernel(inline=True)
def _accelerate(m, s, w, j):
    """Add a joint's velocity to its body's, and what its axes' own motion adds to the acceleration."""
    b, d, kind = m.jnt_bodyid[j], m.jnt_dofadr[j], m.jnt_type[j]
    v, a = w.cvel[b], w.cacc[b]
    if kind == FREE:
        for k in range(3):  # the axes of its translation stand still
            v[3 + k] += s.qvel[d + k]
        d += 3
    before = v[0], v[1], v[2], v[3], v[4], v[5]  # with it turn all three axes of a ball
    for i in range(d, d + (3 if kind in (FREE, BALL) else 1)):
        axis, speed = w.cdof[i], s.qvel[i]
        rate = cross_motion(before, axis)
        v[0] += axis[0] * speed
        v[1] += axis[1] * speed
        v[2] += axis[2] * speed
        v[3] += axis[3] * speed
        v[4] += axis[4] * speed
        v[5] += axis[5] * speed
        a[0] += rate[0] * speed
        a[1] += rate[1] * speed
        a[2] += rate[2] * speed
        a[3] += rate[3] * speed
        a[4] += rate[4] * speed
        a[5] += rate[5] * speed


@kernel
def _springs_and_dampers(m, s, w):
    for i in range(m.nv):
        w.qfrc_passive[i] = -s.damping[i] * s.qvel[i]
    for j in range(m.njnt):
        if m.jnt_stiffness[j] != 0 and m.jnt_type[j] >= SLIDE:
            a = m.jnt_qposadr[j]
            w.qfrc_passive[m.jnt_dofadr[j]] -= m.jnt_stiffness[j] * (s.qpos[a] - m.qpos_spring[a])


@kernel
def _drag(m, w, b):
    """Drag of the box with the body's inertia (MuJoCo's inertia-box model), at its centre of mass."""
    c, v, q = w.subtree_com[m.body_rootid[b]], w.cvel[b], w.xquat[b]
    dx, dy, dz = w.xipos[b, 0] - c[0], w.xipos[b, 1] - c[1], w.xipos[b, 2] - c[2]
    r, force = w.scratch, w.scratch[9:15]
    iw, ix, iy, iz = multiply(q[0], q[1], q[2], q[3], m.body_iquat[b])
    set_matrix(r, iw, ix, iy, iz)
    wx, wy, wz = rotate_back(r, v[0], v[1], v[2])
    ux, uy, uz = rotate_back(
        r, v[3] + v[1] * dz - v[2] * dy, v[4] + v[2] * dx - v[0] * dz, v[5] + v[0] * dy - v[1] * dx
    )
    i, mass = m.body_inertia[b], m.body_mass[b]
    sx = sqrt(6 * max(TINY, i[1] + i[2] - i[0]) / mass)
    sy = sqrt(6 * max(TINY, i[2] + i[0] - i[1]) / mass)
    sz = sqrt(6 * max(TINY, i[0] + i[1] - i[2]) / mass)
    diameter = (sx + sy + sz) / 3
    turning = math.pi * diameter * diameter * diameter * m.viscosity
    moving = 3 * math.pi * diameter * m.viscosity
    x4, y4, z4 = sx * sx * sx * sx, sy * sy * sy * sy, sz * sz * sz * sz
    local = w.scratch[15:18]
    local[0] = -(turning + m.density * sx * (y4 + z4) * abs(wx) / 64) * wx
    local[1] = -(turning + m.density * sy * (z4 + x4) * abs(wy) / 64) * wy
    local[2] = -(turning + m.density * sz * (x4 + y4) * abs(wz) / 64) * wz
    force[0], force[1], force[2] = rotate(r, local)
    local[0] = -(moving + 0.5 * m.density * sy * sz * abs(ux)) * ux
    local[1] = -(moving + 0.5 * m.density * sz * sx * abs(uy)) * uy
    local[2] = -(moving + 0.5 * m.density * sx * sy * abs(uz)) * uz
    force[3], force[4], force[5] = rotate(r, local)
    _shift_to_root(force, dx, dy, dz)
    _add_to_chain(m, w, b, force, w.qfrc_passive)


@kernel
def _shift_to_root(force, dx, dy, dz):
    """Take the torque of a force at an offset into account."""
    force[0] += dy * force[5] - dz * force[4]
    force[1] += dz * force[3] - dx * force[5]
    force[2] += dx * force[4] - dy * force[3]


@kernel
def _add_to_chain(m, w, b, force, result):
    i = m.body_lastdof[b]
    while i >= 0:
        result[i] += dot6(w.cdof[i], force)
        i = m.dof_parentid[i]


@kernel
def _motors(m, s, w):
    for i in range(m.nv):
        w.qfrc_actuator[i] = 0.0
    for k in range(m.nu):
        u, gear, d = s.ctrl[k], s.gear[k], m.actuator_dof[k]
        if m.actuator_ctrllimited[k] != 0:
            u = min(max(u, m.actuator_ctrlrange[k, 0]), m.actuator_ctrlrange[k, 1])
        length, speed = gear * s.qpos[m.actuator_qposadr[k]], gear * s.qvel[d]
        bias = m.actuator_bias[k]
        force = m.actuator_gain[k] * u + bias[0] + bias[1] * length + bias[2] * speed
        if m.actuator_forcelimited[k] != 0:
            force = min(max(force, m.actuator_forcerange[k, 0]), m.actuator_forcerange[k, 1])
        w.qfrc_actuator[d] += gear * force
    for j in range(m.njnt):
        if m.jnt_actfrclimited[j] != 0:
            d = m.jnt_dofadr[j]
            w.qfrc_actuator[d] = min(max(w.qfrc_actuator[d], m.jnt_actfrcrange[j, 0]), m.jnt_actfrcrange[j, 1])


@kernel
def push(m, s, w):
    """Add a force on the centre of mass of one body to the smooth forces."""
    b, force = s.pushed, w.scratch
    c = w.subtree_com[m.body_rootid[b]]
    for k in range(3):
        force[k] = 0.0
        force[3 + k] = s.push[k]
    _shift_to_root(force, w.xipos[b, 0] - c[0], w.xipos[b, 1] - c[1], w.xipos[b, 2] - c[2])
    _add_to_chain(m, w, b, force, w.qfrc_smooth)
