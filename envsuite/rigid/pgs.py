"""Projected Gauss-Seidel on the forces of constraints, for models whose results are known with MuJoCo's PGS.

It does not converge in the sweeps it is given, so the sweeps themselves are repeated, row by row in MuJoCo's order.
"""

from envsuite.core import kernel, real
from envsuite.rigid.cones import push_back
from envsuite.rigid.groups import EQUALITY, FRICTION
from envsuite.rigid.lanes import LANES, add_multiple
from envsuite.rigid.linear import product, solve_tree, solve_tree_fourfold
from envsuite.rigid.newton import beyond_reference, constraint_force

_WORSE = 1e-10  # a force that raises the cost by more is not taken


@kernel
def solve_pgs(m, s, w):
    """Write ``qacc`` and ``qfrc_constraint``; pyramids only. The mass matrix has been factored."""
    beyond_reference(w, s.qacc_warmstart, w.efc_jar)
    beyond_reference(w, w.qacc_smooth, w.efc_b)
    for row in range(w.nrow):
        w.efc_jar[row] -= w.efc_aref[row]
        w.efc_b[row] -= w.efc_aref[row]
    push_back(m, w)
    _weigh_rows(m, w)
    _start(m, w)
    for _ in range(m.iterations):
        if _sweep(m, w) * m.scale < m.tolerance:
            break
    constraint_force(m, w)
    for i in range(m.nv):
        w.qacc[i] = w.qacc_smooth[i] + w.search[i]


@kernel
def _weigh_rows(m, w):
    """Accelerations for a force of 1 along each row."""
    for g in range(w.ngroup):
        for row in range(w.grp_row[g], w.grp_row[g] + w.grp_rows[g]):
            for i in range(m.nv):
                w.efc_minv[row, i] = 0.0
            for a in range(w.grp_dofs[g]):
                w.efc_minv[row, w.grp_dof[g, a]] = w.jac[row, a]
    x, even = w.efc_minv, w.nrow - w.nrow % 4
    for row in range(0, even, 4):
        solve_tree_fourfold(m, w.factor, x[row], x[row + 1], x[row + 2], x[row + 3])
    for row in range(even, w.nrow):
        solve_tree(m, w.factor, x[row])
    for g in range(w.ngroup):
        for row in range(w.grp_row[g], w.grp_row[g] + w.grp_rows[g]):
            total = w.efc_r[row]
            for a in range(w.grp_dofs[g]):
                total += w.jac[row, a] * w.efc_minv[row, w.grp_dof[g, a]]
            w.efc_weight[row] = total


@kernel
def _start(m, w):
    """Keep the forces at the last acceleration where they are better than none; their accelerations into ``search``."""
    constraint_force(m, w)
    for i in range(m.nv):
        w.search[i] = w.qfrc_constraint[i]
    solve_tree(m, w.factor, w.search)
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
