"""Where bodies are, and what that makes of inertias and axes (MuJoCo's mj_kinematics, mj_comPos, mj_crb)."""

from envsuite.core import kernel
from envsuite.core.fmath import cos, sin
from envsuite.rigid.layout import BALL, CAPSULE, FREE, SLIDE
from envsuite.rigid.spatial import TINY, dot6, momentum, multiply, normalise, rotate, set_matrix


@kernel
def place(m, s, w):
    """Frames of bodies, joints and geoms, inertias and motion axes about each tree's centre of mass."""
    w.xquat[0, 0] = 1.0
    w.xmat[0, 0] = w.xmat[0, 4] = w.xmat[0, 8] = 1.0
    for b in range(1, m.nbody):
        _place_body(m, s, w, b)
    _place_geoms(m, w)
    _centres(m, s, w)
    for b in range(1, m.nbody):
        _inertia(m, s, w, b)
    for j in range(m.njnt):
        _axes(m, w, j)


@kernel
def _place_body(m, s, w, b):
    x, q, r = w.xpos[b], w.xquat[b], w.xmat[b]
    first, count = m.body_jntadr[b], m.body_jntnum[b]
    parent, mocap = m.body_parentid[b], m.body_mocapid[b]
    if count == 1 and m.jnt_type[first] == FREE:
        _copy_pose(s.qpos, m.jnt_qposadr[first], x, q)
        for k in range(3):
            w.xanchor[first, k] = x[k]
    elif mocap >= 0:
        for k in range(3):
            x[k] = s.mocap_pos[mocap, k]
        for k in range(4):
            q[k] = s.mocap_quat[mocap, k]
    else:
        p = w.xquat[parent]
        dx, dy, dz = rotate(w.xmat[parent], m.body_pos[b])
        x[0], x[1], x[2] = w.xpos[parent, 0] + dx, w.xpos[parent, 1] + dy, w.xpos[parent, 2] + dz
        q[0], q[1], q[2], q[3] = multiply(p[0], p[1], p[2], p[3], m.body_quat[b])
        for j in range(first, first + count):
            _move(m, s, w, j)
    normalise(q)
    set_matrix(r, q[0], q[1], q[2], q[3])
    dx, dy, dz = rotate(r, m.body_ipos[b])
    w.xipos[b, 0], w.xipos[b, 1], w.xipos[b, 2] = x[0] + dx, x[1] + dy, x[2] + dz


@kernel
def _copy_pose(qpos, start, x, q):
    for k in range(3):
        x[k] = qpos[start + k]
    for k in range(4):
        q[k] = qpos[start + 3 + k]


@kernel
def _move(m, s, w, j):
    """Take a body's frame along a slide, a hinge or a ball; the anchor stays where it is."""
    b = m.jnt_bodyid[j]
    x, q, r, a = w.xpos[b], w.xquat[b], w.xmat[b], m.jnt_qposadr[j]
    anchor, axis, place_in_body = w.xanchor[j], w.xaxis[j], m.jnt_pos[j]
    set_matrix(r, q[0], q[1], q[2], q[3])
    dx, dy, dz = rotate(r, place_in_body)
    anchor[0], anchor[1], anchor[2] = x[0] + dx, x[1] + dy, x[2] + dz
    axis[0], axis[1], axis[2] = rotate(r, m.jnt_axis[j])
    if m.jnt_type[j] == SLIDE:
        shift = s.qpos[a] - m.qpos0[a]
        for k in range(3):
            x[k] += axis[k] * shift
        return
    turn = w.scratch
    if m.jnt_type[j] == BALL:
        for k in range(4):
            turn[k] = s.qpos[a + k]
        normalise(turn)
    else:
        half = 0.5 * (s.qpos[a] - m.qpos0[a])
        sine = sin(half)
        turn[0] = cos(half)
        for k in range(3):
            turn[1 + k] = sine * m.jnt_axis[j, k]
    q[0], q[1], q[2], q[3] = multiply(q[0], q[1], q[2], q[3], turn)
    set_matrix(r, q[0], q[1], q[2], q[3])
    dx, dy, dz = rotate(r, place_in_body)
    x[0], x[1], x[2] = anchor[0] - dx, anchor[1] - dy, anchor[2] - dz


@kernel
def _place_geoms(m, w):
    for g in range(m.ngeom):
        if m.geom_touches[g] == 0:
            continue
        b = m.geom_bodyid[g]
        r, local, own = w.xmat[b], m.geom_mat[g], w.geom_xmat[g]
        dx, dy, dz = rotate(r, m.geom_pos[g])
        w.geom_xpos[g, 0], w.geom_xpos[g, 1], w.geom_xpos[g, 2] = (
            w.xpos[b, 0] + dx,
            w.xpos[b, 1] + dy,
            w.xpos[b, 2] + dz,
        )
        for column in range(2 if m.geom_type[g] == CAPSULE else 0, 3):
            for row in range(3):
                across = r[3 * row] * local[column] + r[3 * row + 1] * local[3 + column]
                own[3 * row + column] = across + r[3 * row + 2] * local[6 + column]


@kernel
def _centres(m, s, w):
    """Mass and centre of mass of each body with all below it."""
    for b in range(m.nbody):
        w.mass[b] = m.body_mass[b] * s.mass_scale[b]
        w.subtree_mass[b] = w.mass[b]
        for k in range(3):
            w.subtree_com[b, k] = w.mass[b] * w.xipos[b, k]
    for b in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[b]
        w.subtree_mass[parent] += w.subtree_mass[b]
        for k in range(3):
            w.subtree_com[parent, k] += w.subtree_com[b, k]
    for b in range(m.nbody):
        for k in range(3):
            whole = w.subtree_mass[b]
            w.subtree_com[b, k] = w.subtree_com[b, k] / whole if whole > TINY else w.xipos[b, k]


@kernel
def _inertia(m, s, w, b):
    """Inertia of a body about its tree's centre of mass, in world axes: R T R' + mass (|d|^2 1 - d d')."""
    c, r, t, out, mass = w.subtree_com[m.body_rootid[b]], w.xmat[b], m.body_tensor[b], w.cinert[b], w.mass[b]
    dx, dy, dz = w.xipos[b, 0] - c[0], w.xipos[b, 1] - c[1], w.xipos[b, 2] - c[2]
    scale = s.mass_scale[b]
    half = w.scratch  # R T, row by row
    for i in range(3):
        u, v, z = r[3 * i], r[3 * i + 1], r[3 * i + 2]
        half[3 * i] = scale * (u * t[0] + v * t[3] + z * t[4])
        half[3 * i + 1] = scale * (u * t[3] + v * t[1] + z * t[5])
        half[3 * i + 2] = scale * (u * t[4] + v * t[5] + z * t[2])
    out[0] = half[0] * r[0] + half[1] * r[1] + half[2] * r[2] + mass * (dy * dy + dz * dz)
    out[1] = half[3] * r[3] + half[4] * r[4] + half[5] * r[5] + mass * (dx * dx + dz * dz)
    out[2] = half[6] * r[6] + half[7] * r[7] + half[8] * r[8] + mass * (dx * dx + dy * dy)
    out[3] = half[0] * r[3] + half[1] * r[4] + half[2] * r[5] - mass * dx * dy
    out[4] = half[0] * r[6] + half[1] * r[7] + half[2] * r[8] - mass * dx * dz
    out[5] = half[3] * r[6] + half[4] * r[7] + half[5] * r[8] - mass * dy * dz
    out[6], out[7], out[8], out[9] = mass * dx, mass * dy, mass * dz, mass


@kernel
def _axes(m, w, j):
    """Motion axes of a joint about its tree's centre of mass."""
    b, d, kind = m.jnt_bodyid[j], m.jnt_dofadr[j], m.jnt_type[j]
    c, anchor = w.subtree_com[m.body_rootid[b]], w.xanchor[j]
    ox, oy, oz = c[0] - anchor[0], c[1] - anchor[1], c[2] - anchor[2]
    if kind == SLIDE:
        for k in range(3):
            w.cdof[d, k] = 0.0
            w.cdof[d, 3 + k] = w.xaxis[j, k]
        return
    if kind == FREE:
        for i in range(3):
            for k in range(6):
                w.cdof[d + i, k] = 1.0 if k == 3 + i else 0.0
        d += 3
    if kind in (FREE, BALL):
        for i in range(3):
            _turn_axis(w.cdof[d + i], w.xmat[b, i], w.xmat[b, 3 + i], w.xmat[b, 6 + i], ox, oy, oz)
    else:
        _turn_axis(w.cdof[d], w.xaxis[j, 0], w.xaxis[j, 1], w.xaxis[j, 2], ox, oy, oz)


@kernel
def _turn_axis(out, x, y, z, ox, oy, oz):
    out[0], out[1], out[2] = x, y, z
    out[3], out[4], out[5] = y * oz - z * oy, z * ox - x * oz, x * oy - y * ox


@kernel
def make_mass_matrix(m, w):
    """Inertia between degrees of freedom, for each and its ancestors (composite rigid bodies)."""
    for b in range(1, m.nbody):
        for k in range(10):
            w.crb[b, k] = w.cinert[b, k]
    for b in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[b]
        if parent > 0:
            for k in range(10):
                w.crb[parent, k] += w.crb[b, k]
    force = w.scratch
    for i in range(m.nv):
        momentum(w.crb[m.dof_bodyid[i]], w.cdof[i], force)
        w.mass_matrix[i, i] = m.dof_armature[i] + dot6(w.cdof[i], force)
        j = m.dof_parentid[i]
        while j >= 0:
            w.mass_matrix[i, j] = dot6(w.cdof[j], force)
            j = m.dof_parentid[j]
