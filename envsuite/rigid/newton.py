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
    push_back,
    slope_along,
    state_of,
)
from envsuite.rigid.groups import CONE
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

# Of the scaled gradient, in double and single precision; MuJoCo's own, 1e-8, leaves round cones 2e-8 from the least.
_TOLERANCES = 1e-12, 1e-5
_LINE_STEPS, _FLAT = 50, 1e-13


@kernel
def solve_newton(m, s, w):
    """Write ``qacc`` and ``qfrc_constraint``, beginning at the acceleration of the last pass."""
    for i in range(m.nv):
        w.qacc[i] = s.qacc_warmstart[i]
    beyond_reference(w, w.qacc, w.efc_jar)
    for row in range(w.nrow):
        w.efc_jar[row] -= w.efc_aref[row]
    times_mass(m, w, w.qacc, w.ma)
    push_back(m, w)
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
        step = real(1.0, w.qacc) if exact else _line_search(m, w)
        if step == 0:
            return
        for i in range(m.nv):
            w.qacc[i] += step * w.search[i]
            w.ma[i] += step * w.mv[i]
        for row in range(w.nrow):
            w.efc_jar[row] += step * w.efc_step[row]
        fresh = push_back(m, w)
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
    for g in range(w.ngroup):
        for row in range(w.grp_row[g], w.grp_row[g] + w.grp_rows[g]):
            total = real(0.0, x)
            for a in range(w.grp_dofs[g]):
                total += w.jac[row, a] * x[w.grp_dof[g, a]]
            result[row] = total


@kernel
def constraint_force(m, w):
    """Write ``qfrc_constraint``, the rows' forces on the degrees of freedom."""
    for i in range(m.nv):
        w.qfrc_constraint[i] = 0.0
    for g in range(w.ngroup):
        for row in range(w.grp_row[g], w.grp_row[g] + w.grp_rows[g]):
            force = w.efc_force[row]
            if force != 0:
                for a in range(w.grp_dofs[g]):
                    w.qfrc_constraint[w.grp_dof[g, a]] += w.jac[row, a] * force


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
        count = list_curvature(m, w, g, count)
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


@kernel
def _line_search(m, w):
    """Length of the step to where the slope along the direction of search vanishes; 0 where there is none."""
    slope, curvature = product(w.search, w.grad, m.nv), product(w.search, w.mv, m.nv)
    start = product(w.search, w.ma, m.nv) - product(w.search, w.qfrc_smooth, m.nv)
    low, high, step = real(0.0, slope), real(-1.0, slope), real(1.0, slope)
    if slope >= 0:
        return low
    for _ in range(_LINE_STEPS):
        d1, d2 = slope_along(m, w, step, start, curvature)
        if abs(d1) <= _FLAT * abs(slope):
            return step
        if d1 < 0:
            low = step
        else:
            high = step
        better = step - d1 / d2
        if high > 0 and not low < better < high:
            better = 0.5 * (low + high)
        if better == step or (high > 0 and high - low <= _FLAT * high):
            return step
        step = better
    return step
