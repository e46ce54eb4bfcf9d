"""Forces and cost of constraints at an acceleration (MuJoCo's mj_constraintUpdate).

States of rows: 0 satisfied, 1 quadratic, 2 in the middle of a round cone, 3 and 4 friction of a joint at its bounds.
"""

from envsuite.core import kernel, real
from envsuite.core.fmath import sqrt
from envsuite.rigid.groups import CONE, EQUALITY, FRICTION
from envsuite.rigid.lanes import LANES, add_multiple, add_products
from envsuite.rigid.rows import coefficient

FREE, QUADRATIC, MIDDLE, LOWER, UPPER = 0, 1, 2, 3, 4
MOST_PRODUCTS = 36  # of a group: a cone of six rows
_SURELY = 1.00001  # by more than what rounding does to a square, in single precision too


@kernel
def push_back(w):
    """Write states and forces of all rows for ``efc_jar``; whether a state has changed."""
    changed = False
    for row in range(w.nrow):  # nothing but this, so that several are computed at once; others are corrected
        w.efc_force[row] = -w.efc_d[row] * w.efc_jar[row]
    for g in range(w.ngroup):
        if w.grp_kind[g] == CONE:
            changed = _push_cone(w, g) or changed
            continue
        for row in range(w.grp_row[g], w.grp_row[g] + w.grp_rows[g]):
            state = state_of(w, w.grp_kind[g], row, w.efc_jar[row])
            if state != QUADRATIC:
                w.efc_force[row] = 0.0 if state == FREE else w.efc_bound[row] if state == LOWER else -w.efc_bound[row]
            changed = changed or w.efc_state[row] != state
            w.efc_state[row] = state
    return changed


@kernel(inline=True)
def state_of(w, kind, row, x):
    """State of a row outside round cones."""
    if kind == FRICTION:
        limit = w.efc_r[row] * w.efc_bound[row]
        return LOWER if x <= -limit else UPPER if x >= limit else QUADRATIC
    return FREE if kind != EQUALITY and x >= 0 else QUADRATIC


@kernel
def measure_cones(m, w):
    """Write the scales of the rows of cones, and the factors of their costs in the middle zone."""
    for g in range(w.ngroup):
        if w.grp_kind[g] == CONE:
            row, c = w.grp_row[g], w.grp_con[g]
            mu = w.con_mu[c]
            w.grp_middle[g] = w.efc_d[row] / (mu * mu * (1 + mu * mu))
            w.efc_scale[row] = mu
            for k in range(1, w.grp_rows[g]):
                w.efc_scale[row + k] = coefficient(m, w, c, k - 1)


@kernel(inline=True)
def zone(n, square, mu):
    """State of a cone whose scaled normal is `n` and whose scaled tangent has the square `square`."""
    if n < 0 and mu * mu * (n * n) > _SURELY * square:
        return QUADRATIC
    if n > 0 and n * n > _SURELY * (mu * mu * square):
        return FREE
    t = sqrt(square)
    if n >= mu * t or (t <= 0 and n >= 0):
        return FREE
    return QUADRATIC if mu * n + t <= 0 or (t <= 0 and n < 0) else MIDDLE


@kernel
def _push_cone(w, g):
    row, size = w.grp_row[g], w.grp_rows[g]
    mu, square = w.efc_scale[row], real(0.0, w.efc_jar)
    n = w.efc_jar[row] * mu
    for k in range(row + 1, row + size):
        u = w.efc_jar[k] * w.efc_scale[k]
        square += u * u
    state = zone(n, square, mu)
    changed = w.efc_state[row] != state or state == MIDDLE
    if state == MIDDLE:
        t = sqrt(square)
        pull = w.grp_middle[g] * (n - mu * t) * mu
        w.efc_force[row] = -pull
        for k in range(row + 1, row + size):
            w.efc_force[k] = pull / t * w.efc_jar[k] * w.efc_scale[k] * w.efc_scale[k]
    elif state == FREE:
        for k in range(row, row + size):
            w.efc_force[k] = 0.0
    w.efc_state[row] = state
    return changed


@kernel
def list_curvature(w, g, count):
    """List the curvature of a group's rows as weighted products of two rows; returns how many are listed then.

    Args:
        w: the workspace, whose list this appends to.
        g: the group.
        count: how many products are listed already.
    """
    row, cone = w.grp_row[g], w.grp_kind[g] == CONE
    if cone and w.efc_state[row] == MIDDLE:
        return _list_cone(w, g, count)
    for one in range(row, row + w.grp_rows[g]):
        if w.efc_state[row if cone else one] == QUADRATIC:
            w.product_weight[count], w.product_first[count], w.product_second[count] = w.efc_d[one], one, one
            count += 1
    return count


@kernel
def _list_cone(w, g, count):
    """The products of a cone in its middle zone."""
    row, size = w.grp_row[g], w.grp_rows[g]
    mu, u, middle = w.efc_scale[row], w.scratch[0:6], w.grp_middle[g]
    u[0] = w.efc_jar[row] * mu
    square = real(0.0, mu)
    for k in range(1, size):
        u[k] = w.efc_jar[row + k] * w.efc_scale[row + k]
        square += u[k] * u[k]
    t = sqrt(square)
    straight, bent, round_ = -mu / t, mu * u[0] / (t * square), mu * mu - mu * u[0] / t
    for a in range(size):
        for b in range(size):
            if a == 0 or b == 0:
                h = real(1.0, mu) if a == b else straight * u[a + b]
            else:
                h = bent * u[a] * u[b] + (round_ if a == b else 0.0)
            w.product_weight[count] = h * middle * w.efc_scale[row + a] * w.efc_scale[row + b]
            w.product_first[count], w.product_second[count] = row + a, row + b
            count += 1
    return count


@kernel
def add_to_chains(w, g, count):
    """Add the products that are listed to a matrix of chains; the degrees of freedom of a group move all rows."""
    dofs = w.grp_dofs[g]
    for t in range(count):
        weight, first, second = w.product_weight[t], w.product_first[t], w.product_second[t]
        for i in range(dofs):
            x, dof = weight * w.jac[first, i], w.grp_dof[g, i]
            if dofs < LANES:  # a limit: the beginning of a chain
                for j in range(dofs - i):
                    w.hessian[dof, j] += x * w.jac[second, i + j]
            else:  # a whole chain; what lies behind its end is anything
                for j in range(0, dofs - i, LANES):
                    add_multiple(w.hessian[dof], j, w.jac[second], i + j, x)


@kernel
def add_to_half(w, g, count):
    """Add the products that are listed to the upper half of a plain matrix, sixteen entries at once."""
    dofs = w.grp_dofs[g]
    for i in range(dofs):  # greatest first
        for j in range(i, dofs):
            w.tile[i, j] = w.hessian[w.grp_dof[g, j], w.grp_dof[g, i]]
    for i in range(0, dofs, LANES):
        for j in range(i, dofs, LANES):
            add_products(w.tile, i, j, w.jac, w.product_weight, w.product_first, w.product_second, count)
    for i in range(dofs):
        for j in range(i, dofs):
            w.hessian[w.grp_dof[g, j], w.grp_dof[g, i]] = w.tile[i, j]
