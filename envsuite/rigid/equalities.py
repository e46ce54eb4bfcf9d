"""Welds, which hold the pose of one body against another, and connects, which hold a point."""

from envsuite.core import kernel, real
from envsuite.core.fmath import sqrt
from envsuite.rigid.groups import (
    EQUALITY,
    add_motion,
    clear_motion,
    move_with,
    open_group,
    set_row,
    speed_of_row,
)
from envsuite.rigid.impedance import impedance, stiffness
from envsuite.rigid.layout import WELD
from envsuite.rigid.spatial import multiply, rotate


@kernel
def add_equality(m, s, w, e):
    """Three rows of a connect, six of a weld."""
    a, b, data = m.eq_obj1id[e], m.eq_obj2id[e], m.eq_data[e]
    weld = m.eq_type[e] == WELD
    rows = 6 if weld else 3
    g = open_group(s, w, EQUALITY, -1, rows)
    if g < 0:
        return
    row, error, p, q = w.grp_row[g], w.scratch[0:6], w.scratch[6:9], w.scratch[9:12]
    dx, dy, dz = rotate(w.xmat[a], data[3:6] if weld else data[0:3])
    p[0], p[1], p[2] = w.xpos[a, 0] + dx, w.xpos[a, 1] + dy, w.xpos[a, 2] + dz
    dx, dy, dz = rotate(w.xmat[b], data[0:3] if weld else data[3:6])
    q[0], q[1], q[2] = w.xpos[b, 0] + dx, w.xpos[b, 1] + dy, w.xpos[b, 2] + dz
    for k in range(3):
        error[k] = p[k] - q[k]
    move_with(m, w, g, a, b)
    clear_motion(w, g)
    add_motion(m, w, g, a, p, 1)
    add_motion(m, w, g, b, q, -1)
    for i in range(w.grp_dofs[g]):
        for k in range(rows):
            w.jac[row + k, i] = w.chain[i, k]
    if weld:
        _turn_rows(w, g, a, b, data, error)
    square = real(0.0, w.jac)
    for k in range(rows):
        square += error[k] * error[k]
    stiff, b_ = stiffness(m, m.eq_solref[e], m.eq_solimp[e])
    d = impedance(m.eq_solimp[e], sqrt(square))
    for k in range(rows):
        weight = m.body_invweight0[a, k // 3] + m.body_invweight0[b, k // 3]
        aref = -b_ * speed_of_row(s, w, g, row + k) - stiff * d * error[k]
        set_row(w, row + k, aref, (1 - d) * weight / d)


@kernel
def _turn_rows(w, g, a, b, data, error):
    """Error of the relative rotation, and its rates: half the vector part of conj(q_b) (0, rate) q_a relative."""
    row, scale, right = w.grp_row[g] + 3, data[10], w.scratch[12:16]
    q, p, turn = w.xquat[a], w.xquat[b], w.scratch[16:20]
    right[0], right[1], right[2], right[3] = multiply(q[0], q[1], q[2], q[3], data[6:10])
    _, x, y, z = multiply(p[0], -p[1], -p[2], -p[3], right)
    error[3], error[4], error[5] = scale * x, scale * y, scale * z
    for i in range(w.grp_dofs[g]):
        turn[0] = 0.0
        for k in range(3):
            turn[1 + k] = w.jac[row + k, i]
        tw, tx, ty, tz = multiply(p[0], -p[1], -p[2], -p[3], turn)
        _, x, y, z = multiply(tw, tx, ty, tz, right)
        w.jac[row, i], w.jac[row + 1, i], w.jac[row + 2, i] = 0.5 * scale * x, 0.5 * scale * y, 0.5 * scale * z
