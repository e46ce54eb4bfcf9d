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


@kernel
def push_back(m, w):
    """Write states and forces of all rows for ``efc_jar``; whether a state has changed."""
    changed = False
    for g in range(w.ngroup):
        if w.grp_kind[g] == CONE:
            changed = _push_cone(m, w, g) or changed
            continue
        for row in range(w.grp_row[g], w.grp_row[g] + w.grp_rows[g]):
            x, state = w.efc_jar[row], state_of(w, w.grp_kind[g], row, w.efc_jar[row])
            if state == QUADRATIC:
                w.efc_force[row] = -w.efc_d[row] * x
            else:
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
def zone(n, t, mu):
    """State of a cone whose scaled normal is `n` and whose scaled tangent has the length `t`."""
    if n >= mu * t or (t <= 0 and n >= 0):
        return FREE
    return QUADRATIC if mu * n + t <= 0 or (t <= 0 and n < 0) else MIDDLE


@kernel
def _push_cone(m, w, g):
    row, c, size = w.grp_row[g], w.grp_con[g], w.grp_rows[g]
    mu = w.con_mu[c]
    n, square = w.efc_jar[row] * mu, real(0.0, mu)
    for k in range(1, size):
        u = w.efc_jar[row + k] * coefficient(m, w, c, k - 1)
        square += u * u
    t = sqrt(square)
    state = zone(n, t, mu)
    middle = w.efc_d[row] / (mu * mu * (1 + mu * mu))
    for k in range(size):
        if state == MIDDLE:
            friction = coefficient(m, w, c, max(k - 1, 0))
            pull = middle * (n - mu * t) * mu
            w.efc_force[row + k] = -pull if k == 0 else pull / t * w.efc_jar[row + k] * friction * friction
        else:
            w.efc_force[row + k] = -w.efc_d[row + k] * w.efc_jar[row + k] if state == QUADRATIC else 0.0
    changed = w.efc_state[row] != state or state == MIDDLE
    for k in range(size):
        w.efc_state[row + k] = state
    return changed


@kernel
def slope_along(m, w, alpha, g1, g2):
    """First and second derivative of the whole cost at a step `alpha` along the direction of search.

    Args:
        m: the model.
        w: the workspace; ``efc_jar`` at the start, ``efc_step`` its change for a step of 1.
        alpha: length of the step.
        g1: slope of the smooth part at the start.
        g2: its curvature.
    """
    d1, d2 = g1 + alpha * g2, g2
    for g in range(w.ngroup):
        if w.grp_kind[g] == CONE:
            e1, e2 = _cone_slope(m, w, g, alpha)
            d1 += e1
            d2 += e2
            continue
        for row in range(w.grp_row[g], w.grp_row[g] + w.grp_rows[g]):
            v = w.efc_step[row]
            x = w.efc_jar[row] + alpha * v
            state = state_of(w, w.grp_kind[g], row, x)
            if state == QUADRATIC:
                d1 += w.efc_d[row] * x * v
                d2 += w.efc_d[row] * v * v
            elif state != FREE:
                d1 += -w.efc_bound[row] * v if state == LOWER else w.efc_bound[row] * v
    return d1, d2


@kernel
def _cone_slope(m, w, g, alpha):
    row, c, size = w.grp_row[g], w.grp_con[g], w.grp_rows[g]
    mu = w.con_mu[c]
    uu = uv = vv = real(0.0, mu)
    for k in range(1, size):
        friction = coefficient(m, w, c, k - 1)
        v = w.efc_step[row + k] * friction
        u = w.efc_jar[row + k] * friction + alpha * v
        uu += u * u
        uv += u * v
        vv += v * v
    n1 = w.efc_step[row] * mu
    n, t = w.efc_jar[row] * mu + alpha * n1, sqrt(uu)
    d1 = d2 = real(0.0, mu)
    state = zone(n, t, mu)
    if state == QUADRATIC:
        for k in range(size):
            v = w.efc_step[row + k]
            d1 += w.efc_d[row + k] * (w.efc_jar[row + k] + alpha * v) * v
            d2 += w.efc_d[row + k] * v * v
    elif state == MIDDLE:
        t1 = uv / t
        t2 = vv / t - uv * t1 / uu
        middle = w.efc_d[row] / (mu * mu * (1 + mu * mu))
        slope = n1 - mu * t1
        d1 = middle * (n - mu * t) * slope
        d2 = middle * (slope * slope - (n - mu * t) * mu * t2)
    return d1, d2


@kernel
def list_curvature(m, w, g, count):
    """List the curvature of a group's rows as weighted products of two rows; returns how many are listed then.

    Args:
        m: the model.
        w: the workspace, whose list this appends to.
        g: the group.
        count: how many products are listed already.
    """
    row = w.grp_row[g]
    if w.efc_state[row] == MIDDLE:
        return _list_cone(m, w, g, count)
    for one in range(row, row + w.grp_rows[g]):
        if w.efc_state[one] == QUADRATIC:
            w.product_weight[count], w.product_first[count], w.product_second[count] = w.efc_d[one], one, one
            count += 1
    return count


@kernel
def _list_cone(m, w, g, count):
    """The products of a cone in its middle zone."""
    row, c, size = w.grp_row[g], w.grp_con[g], w.grp_rows[g]
    mu, u, scale = w.con_mu[c], w.scratch[0:6], w.scratch[6:12]
    u[0], scale[0] = w.efc_jar[row] * mu, mu
    square = real(0.0, mu)
    for k in range(1, size):
        scale[k] = coefficient(m, w, c, k - 1)
        u[k] = w.efc_jar[row + k] * scale[k]
        square += u[k] * u[k]
    t = sqrt(square)
    middle = w.efc_d[row] / (mu * mu * (1 + mu * mu))
    straight, bent, round_ = -mu / t, mu * u[0] / (t * square), mu * mu - mu * u[0] / t
    for a in range(size):
        for b in range(size):
            if a == 0 or b == 0:
                h = real(1.0, mu) if a == b else straight * u[a + b]
            else:
                h = bent * u[a] * u[b] + (round_ if a == b else 0.0)
            w.product_weight[count] = h * middle * scale[a] * scale[b]
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
