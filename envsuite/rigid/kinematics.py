"""Where bodies are, and what that makes of inertias and axes (MuJoCo's mj_kinematics, mj_comPos, mj_crb)."""

from envsuite.core import kernel
from envsuite.core.fmath import sincos
from envsuite.rigid.abreast import flat, width
from envsuite.rigid.fours import choose
from envsuite.rigid.layout import BALL, CYLINDER, FREE, SLIDE
from envsuite.rigid.spatial import TINY, dot3, dot6, momentum, multiply, normalise, rotate, set_matrix


@kernel
def place(m, s, w):
    """Frames of bodies, joints and geoms, inertias and motion axes about each tree's centre of mass."""
    for j in range(m.njnt):
        a = m.jnt_qposadr[j]
        w.half_turn[j] = 0.5 * (s.qpos[a] - m.qpos0[a])
    turns, sines, cosines = flat(w.half_turn), flat(w.half_sine), flat(w.half_cosine)
    for i in range((m.njnt + 3) // 4 * 4 * width(w.half_turn)):  # nothing but this, so that four are computed at once
        sines[i], cosines[i] = sincos(turns[i])
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


@kernel(inline=True)
def _place_body(m, s, w, b):
    x, q, r = w.xpos[b], w.xquat[b], w.xmat[b]
    first, count = m.body_jntadr[b], m.body_jntnum[b]
    parent, mocap = m.body_parentid[b], m.body_mocapid[b]
    known = False  # whether the matrix is that of the quaternion
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
        if count > 0:
            set_matrix(r, q[0], q[1], q[2], q[3])
        for j in range(first, first + count):
            _move(m, s, w, j)
        known = count > 0
    if normalise(q) or not known:
        set_matrix(r, q[0], q[1], q[2], q[3])
    dx, dy, dz = rotate(r, m.body_ipos[b])
    w.xipos[b, 0], w.xipos[b, 1], w.xipos[b, 2] = x[0] + dx, x[1] + dy, x[2] + dz


@kernel
def _copy_pose(qpos, start, x, q):
    for k in range(3):
        x[k] = qpos[start + k]
    for k in range(4):
        q[k] = qpos[start + 3 + k]


@kernel(inline=True)
def _move(m, s, w, j):
    """Take a body's frame, matrix included, along a slide, a hinge or a ball; the anchor stays where it is."""
    b = m.jnt_bodyid[j]
    x, q, r, a = w.xpos[b], w.xquat[b], w.xmat[b], m.jnt_qposadr[j]
    anchor, axis, place_in_body = w.xanchor[j], w.xaxis[j], m.jnt_pos[j]
    dx, dy, dz = rotate(r, place_in_body)
    anchor[0], anchor[1], anchor[2] = x[0] + dx, x[1] + dy, x[2] + dz
    axis[0], axis[1], axis[2] = rotate(r, m.jnt_axis[j])
    if m.jnt_type[j] == SLIDE:
        shift = s.qpos[a] - m.qpos0[a]
        for k in range(3):
            x[k] += axis[k] * shift
        return
    if m.jnt_type[j] == BALL:
        turn = w.scratch
        for k in range(4):
            turn[k] = s.qpos[a + k]
        normalise(turn)
        q[0], q[1], q[2], q[3] = multiply(q[0], q[1], q[2], q[3], turn)
    else:
        sine, own = w.half_sine[j], m.jnt_axis[j]
        part = w.half_cosine[j], sine * own[0], sine * own[1], sine * own[2]
        q[0], q[1], q[2], q[3] = multiply(q[0], q[1], q[2], q[3], part)
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
        axis = local[2], local[5], local[8]
        own[2], own[5], own[8] = rotate(r, axis)
        if m.geom_type[g] >= CYLINDER:
            for column in range(2):
                axis = local[column], local[3 + column], local[6 + column]
                own[column], own[3 + column], own[6 + column] = rotate(r, axis)


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
        if m.body_parentid[b] == 0:  # nothing asks for those within a tree
            for k in range(3):
                whole = w.subtree_mass[b]
                w.subtree_com[b, k] = choose(whole > TINY, w.subtree_com[b, k] / whole, w.xipos[b, k])


@kernel(inline=True)
def _inertia(m, s, w, b):
    """Inertia of a body about its tree's centre of mass, in world axes: R T R' + mass (|d|^2 1 - d d')."""
    c, r, t, out, mass = w.subtree_com[m.body_rootid[b]], w.xmat[b], m.body_tensor[b], w.cinert[b], w.mass[b]
    dx, dy, dz = w.xipos[b, 0] - c[0], w.xipos[b, 1] - c[1], w.xipos[b, 2] - c[2]
    scale = s.mass_scale[b]
    x, y, z = (r[0], r[1], r[2]), (r[3], r[4], r[5]), (r[6], r[7], r[8])
    p, q, o = _times_tensor(scale, x, t), _times_tensor(scale, y, t), _times_tensor(scale, z, t)  # R T
    out[0] = dot3(p, x) + mass * (dy * dy + dz * dz)
    out[1] = dot3(q, y) + mass * (dx * dx + dz * dz)
    out[2] = dot3(o, z) + mass * (dx * dx + dy * dy)
    out[3] = dot3(p, y) - mass * dx * dy
    out[4] = dot3(p, z) - mass * dx * dz
    out[5] = dot3(q, z) - mass * dy * dz
    out[6], out[7], out[8], out[9] = mass * dx, mass * dy, mass * dz, mass


@kernel(inline=True)
def _times_tensor(scale, x, t):
    """A row of the rotation times a body's inertia."""
    return (
        scale * (x[0] * t[0] + x[1] * t[3] + x[2] * t[4]),
        scale * (x[0] * t[3] + x[1] * t[1] + x[2] * t[5]),
        scale * (x[0] * t[4] + x[1] * t[5] + x[2] * t[2]),
    )


@kernel(inline=True)
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
    for i in range(m.nv):
        force = momentum(w.crb[m.dof_bodyid[i]], w.cdof[i])
        w.mass_matrix[i, 0] = m.dof_armature[i] + dot6(w.cdof[i], force)
        for k in range(1, m.dof_count[i]):
            w.mass_matrix[i, k] = dot6(w.cdof[m.dof_chain[i, k]], force)
