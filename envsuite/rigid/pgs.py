"""Projected Gauss-Seidel on the forces of constraints, for models whose results are known with MuJoCo's PGS.

It does not converge in the sweeps it is given, so the sweeps themselves are repeated, row by row in MuJoCo's order.
"""

from envsuite.core import kernel, real
from envsuite.rigid.cones import push_back
from envsuite.rigid.groups import EQUALITY, FRICTION
from envsuite.rigid.lanes import LANES, add_multiple
from envsuite.rigid.linear import copy_tree, factor_tree, product, solve_tree_fourfold
from envsuite.rigid.newton import beyond_reference, constraint_force

_WORSE = 1e-10  # a force that raises the cost by more is not taken


@kernel
def solve_pgs(m, s, w):
    """Write ``qacc``, ``qacc_smooth`` and ``qfrc_constraint``; pyramids only."""
    copy_tree(m, w.mass_matrix, w.factor)
    factor_tree(m, w.factor)
    beyond_reference(w, s.qacc_warmstart, w.efc_jar)
    for row in range(w.nrow):
        w.efc_jar[row] -= w.efc_aref[row]
    push_back(w)
    constraint_force(m, w)
    _accelerations(m, w)
    beyond_reference(w, w.qacc_smooth, w.efc_b)
    for row in range(w.nrow):
        w.efc_b[row] -= w.efc_aref[row]
    _start(m, w)
    for _ in range(m.iterations):
        if _sweep(m, w) * m.scale < m.tolerance:
            break
    constraint_force(m, w)
    for i in range(m.nv):
        w.qacc[i] = w.qacc_smooth[i] + w.search[i]


@kernel
def _accelerations(m, w):
    """For a force of 1 along each row, for the rows' forces at the last acceleration, and without constraints."""
    x, count = w.efc_minv, w.nrow + 2
    for row in range(w.nrow):
        for i in range(m.nv):
            x[row, i] = 0.0
    for i in range(m.nv):
        x[count - 2, i], x[count - 1, i] = w.qfrc_constraint[i], w.qfrc_smooth[i]
    for row in range(count, (count + 3) // 4 * 4):
        for i in range(m.nv):
            x[row, i] = 0.0
    for g in range(w.ngroup):
        for row in range(w.grp_row[g], w.grp_row[g] + w.grp_rows[g]):
            for a in range(w.grp_dofs[g]):
                x[row, w.grp_dof[g, a]] = w.jac[row, a]
    for row in range(0, count, 4):
        solve_tree_fourfold(m, w.factor, x[row], x[row + 1], x[row + 2], x[row + 3])
    for i in range(m.nv):
        w.search[i], w.qacc_smooth[i] = x[count - 2, i], x[count - 1, i]
    for g in range(w.ngroup):
        for row in range(w.grp_row[g], w.grp_row[g] + w.grp_rows[g]):
            total = w.efc_r[row]
            for a in range(w.grp_dofs[g]):
                total += w.jac[row, a] * x[row, w.grp_dof[g, a]]
            w.efc_weight[row] = total


@kernel
def _start(m, w):
    """Keep the forces at the last acceleration where they are better than none."""
    cost = 0.5 * product(w.search, w.qfrc_constraint, m.nv)
    for row in range(w.nrow):
        cost += w.efc_force[row] * (0.5 * w.efc_r[row] * w.efc_force[row] + w.efc_b[row])
    if cost > 0:
        for row in range(w.nrow):
            w.efc_force[row] = 0.0
        for i in range(m.nv):
            w.search[i] = 0.0


@kernel(inline=True)
def _sweep(m, w):
    """Improve each force once; returns by how much the cost fell."""
    gained = real(0.0, w.jac)
    for g in range(w.ngroup):
        for row in range(w.grp_row[g], w.grp_row[g] + w.grp_rows[g]):
            old = w.efc_force[row]
            residual = w.efc_b[row] + w.efc_r[row] * old
            for a in range(w.grp_dofs[g]):
                residual += w.jac[row, a] * w.search[w.grp_dof[g, a]]
            new = old - residual / w.efc_weight[row]
            if w.grp_kind[g] == FRICTION:
                new = min(max(new, -w.efc_bound[row]), w.efc_bound[row])
            elif w.grp_kind[g] != EQUALITY:
                new = max(new, 0.0)
            change = new - old
            cost = change * (0.5 * change * w.efc_weight[row] + residual)
            if cost > _WORSE or change == 0:
                continue
            gained -= cost
            w.efc_force[row] = new
            for i in range(0, m.nv, LANES):
                add_multiple(w.search, i, w.efc_minv[row], i, change)
    return gained
