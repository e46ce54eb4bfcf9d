"""Groups of rows of constraints: how one begins, which degrees of freedom move it, how a row is finished."""

from envsuite.core import kernel, real
from envsuite.rigid.spatial import TINY

EQUALITY, FRICTION, ONE_SIDED, CONE = 0, 1, 2, 3


@kernel
def open_group(s, w, kind, contact, rows):
    """Begin a group after the last one.

    Returns:
        Its index, or -1 where there is no room, which is counted as an overflow.
    """
    g = w.ngroup
    if g >= w.grp_row.shape[0] or w.nrow + rows > w.jac.shape[0]:
        s.overflow += 1
        return -1
    w.ngroup = g + 1
    w.grp_row[g], w.grp_rows[g], w.grp_kind[g], w.grp_con[g], w.grp_dofs[g] = w.nrow, rows, kind, contact, 0
    w.grp_alike[g] = False
    w.nrow += rows
    return g


@kernel
def move_with(m, w, g, first, second):
    """Let the degrees of freedom of two bodies move a group, greatest first; those of both count once.

    A group of two branches of a tree, or of two trees, fills the matrix of the solver.
    """
    i, j, count = m.body_lastdof[first], m.body_lastdof[second], 0
    apart_i = apart_j = False
    while i >= 0 or j >= 0:
        apart_i, apart_j = apart_i or i > j, apart_j or j > i
        largest = max(i, j)
        w.grp_dof[g, count] = largest
        count += 1
        if i == largest:
            i = m.dof_parentid[i]
        if j == largest:
            j = m.dof_parentid[j]
    w.grp_dofs[g] = count
    if apart_i and apart_j:
        w.coupled = 1
    if g > 0 and w.grp_dofs[g - 1] == count:
        alike = True
        for a in range(count):
            alike = alike and w.grp_dof[g - 1, a] == w.grp_dof[g, a]
        w.grp_alike[g] = alike


@kernel
def clear_motion(w, g):
    """Begin the motion of a group, ``chain``, with none."""
    for a in range(w.grp_dofs[g]):
        for k in range(6):
            w.chain[a, k] = 0.0


@kernel
def add_motion(m, w, g, b, p, sign):
    """Add the motion of a point that is fixed to a body, and the body's turning, for each degree of freedom."""
    centre = w.subtree_com[m.body_rootid[b]]
    x, y, z = p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]
    i, a = m.body_lastdof[b], 0
    while i >= 0:
        while w.grp_dof[g, a] != i:
            a += 1
        axis, out = w.cdof[i], w.chain[a]
        out[0] += sign * (axis[3] + axis[1] * z - axis[2] * y)
        out[1] += sign * (axis[4] + axis[2] * x - axis[0] * z)
        out[2] += sign * (axis[5] + axis[0] * y - axis[1] * x)
        for k in range(3):
            out[3 + k] += sign * axis[k]
        i = m.dof_parentid[i]


@kernel
def speed_of_row(s, w, g, row):
    """Jacobian times velocity."""
    total = real(0.0, w.jac)
    for a in range(w.grp_dofs[g]):
        total += w.jac[row, a] * s.qvel[w.grp_dof[g, a]]
    return total


@kernel
def set_row(w, row, aref, r):
    """Store what a row asks for, and its regularisation."""
    r = max(r, TINY)
    w.efc_aref[row], w.efc_r[row], w.efc_d[row] = aref, r, 1 / r
