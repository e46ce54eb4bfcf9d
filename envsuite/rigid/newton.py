"""Newton's method for accelerations: the least of a strictly convex cost.

Source: Todorov, "Convex and analytically-invertible dynamics with contacts and constraints", ICRA 2014.

The cost is 1/2 (a - a0)' M (a - a0) plus that of each row. Between changes of the rows' states it is quadratic (round
cones apart), so a full step whose rows keep their states has found the least value.
"""

from envsuite.core import kernel, real
from envsuite.core.fmath import sqrt
from envsuite.rigid.cones import (
    MOST_PRODUCTS,
    add_to_chains,
    add_to_half,
    list_curvature,
    measure_cones,
    push_back,
    state_of,
)
from envsuite.rigid.groups import CONE
from envsuite.rigid.lanes import LANES, add_rows, multiply_rows
from envsuite.rigid.linear import (
    copy_tree,
    factor_full,
    factor_tree,
    product,
    solve_full,
    solve_tree,
    spread_tree,
    times_mass,
)
from envsuite.rigid.search import line_search

# Of the scaled gradient, in double and single precision; MuJoCo's own, 1e-8, leaves round cones 2e-8 from the least.
_TOLERANCES = 1e-12, 1e-5


@kernel
def solve_newton(m, s, w):
    """Write ``qacc`` and ``qfrc_constraint``, beginning at the acceleration of the last pass."""
    for i in range(m.nv):
        w.qacc[i] = s.qacc_warmstart[i]
    beyond_reference(w, w.qacc, w.efc_jar)
    for row in range(w.nrow):
        w.efc_jar[row] -= w.efc_aref[row]
    times_mass(m, w, w.qacc, w.ma)
    measure_cones(m, w)
    push_back(w)
    fresh, exact, before = True, False, real(0.0, w.qacc)
    double = real(1.0, w.qacc) + 1e-12 != 1.0
    tolerance = _TOLERANCES[0] if double else _TOLERANCES[1]
    for _ in range(m.iterations):
        _gradient(m, w)
        left = sqrt(product(w.grad, w.grad, m.nv)) * m.scale
        if left < tolerance or (exact and left > 0.25 * before):
            return
        before = left
        if fresh:
            _factor(m, w)
        for i in range(m.nv):
            w.search[i] = -w.grad[i]
        _solve(m, w, w.search)
        times_mass(m, w, w.search, w.mv)
        beyond_reference(w, w.search, w.efc_step)
        exact = _keeps_states(w)
        step = real(1.0, w.qacc) if exact else line_search(m, w)
        if step == 0:
            return
        for i in range(m.nv):
            w.qacc[i] += step * w.search[i]
            w.ma[i] += step * w.mv[i]
        for row in range(w.nrow):
            w.efc_jar[row] += step * w.efc_step[row]
        fresh = push_back(w)
    _gradient(m, w)


@kernel
def _keeps_states(w):
    """Whether a full step leaves all rows in their quadratic states, so that it ends at the least value."""
    for g in range(w.ngroup):
        if w.grp_kind[g] == CONE:
            return False
        for row in range(w.grp_row[g], w.grp_row[g] + w.grp_rows[g]):
            if state_of(w, w.grp_kind[g], row, w.efc_jar[row] + w.efc_step[row]) != w.efc_state[row]:
                return False
    return True


@kernel
def beyond_reference(w, x, result):
    """Jacobian times vector."""
    g = 0
    while g < w.ngroup:
        row, end, dofs = w.grp_row[g], _end_of_alike(w, g), w.grp_dofs[g]
        last = w.grp_row[end - 1] + w.grp_rows[end - 1]
        if last - row < LANES:
            for one in range(row, last):
                total = real(0.0, x)
                for a in range(dofs):
                    total += w.jac[one, a] * x[w.grp_dof[g, a]]
                result[one] = total
        else:
            for a in range(dofs):
                w.local[a] = x[w.grp_dof[g, a]]
            for one in range(row, last - LANES, LANES):
                multiply_rows(result, w.jac, one, w.local, dofs)
            multiply_rows(result, w.jac, last - LANES, w.local, dofs)
        g = end


@kernel
def _end_of_alike(w, g):
    """The first group after this one that other degrees of freedom move."""
    g += 1
    while g < w.ngroup and w.grp_alike[g] != 0:
        g += 1
    return g


@kernel
def constraint_force(m, w):
    """Write ``qfrc_constraint``, the rows' forces on the degrees of freedom."""
    for i in range(m.nv):
        w.qfrc_constraint[i] = 0.0
    g = 0
    while g < w.ngroup:
        row, end, dofs = w.grp_row[g], _end_of_alike(w, g), w.grp_dofs[g]
        last = w.grp_row[end - 1] + w.grp_rows[end - 1]
        if dofs < LANES:
            for one in range(row, last):
                for a in range(dofs):
                    w.qfrc_constraint[w.grp_dof[g, a]] += w.jac[one, a] * w.efc_force[one]
        else:
            for a in range(dofs):
                w.local[a] = w.qfrc_constraint[w.grp_dof[g, a]]
            for a in range(0, dofs, LANES):
                add_rows(w.local, a, w.jac, w.efc_force, row, last - row)
            for a in range(dofs):
                w.qfrc_constraint[w.grp_dof[g, a]] = w.local[a]
        g = end


@kernel
def _gradient(m, w):
    constraint_force(m, w)
    for i in range(m.nv):
        w.grad[i] = w.ma[i] - w.qfrc_smooth[i] - w.qfrc_constraint[i]


@kernel
def _factor(m, w):
    """Factor of the mass matrix plus the curvature of the rows."""
    if w.coupled:
        spread_tree(m, w.mass_matrix, w.hessian)
    else:
        copy_tree(m, w.mass_matrix, w.hessian)
    g = count = 0
    while g < w.ngroup:
        count = list_curvature(w, g, count)
        g += 1
        if g < w.ngroup and w.grp_alike[g] != 0 and count + MOST_PRODUCTS <= w.product_weight.shape[0]:
            continue
        if w.coupled:
            add_to_half(w, g - 1, count)
        else:
            add_to_chains(w, g - 1, count)
        count = 0
    if w.coupled:
        factor_full(w.hessian, m.nv)
    else:
        factor_tree(m, w.hessian)


@kernel
def _solve(m, w, x):
    if w.coupled:
        solve_full(w.hessian, m.nv, x)
    else:
        solve_tree(m, w.hessian, x)
