"""How far to go along a direction of search: to where the slope of the cost vanishes.

What does not depend on the length of the step is computed once for each direction.
"""

from envsuite.core import kernel, real
from envsuite.core.fmath import sqrt
from envsuite.rigid.cones import FREE, LOWER, MIDDLE, QUADRATIC, state_of, zone
from envsuite.rigid.groups import CONE
from envsuite.rigid.linear import product

_LINE_STEPS, _FLAT = 50, 1e-13


@kernel
def line_search(m, w):
    """Length of the step to where the slope along the direction of search vanishes; 0 where there is none."""
    slope, curvature = product(w.search, w.grad, m.nv), product(w.search, w.mv, m.nv)
    start = product(w.search, w.ma, m.nv) - product(w.search, w.qfrc_smooth, m.nv)
    low, high, step = real(0.0, slope), real(-1.0, slope), real(1.0, slope)
    if slope >= 0:
        return low
    _begin(w)
    for _ in range(_LINE_STEPS):
        d1, d2 = _slope_along(w, step, start, curvature)
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


@kernel
def _begin(w):
    """Write of each cone what stays the same along the line."""
    for g in range(w.ngroup):
        if w.grp_kind[g] != CONE:
            continue
        row = w.grp_row[g]
        mu, v = w.efc_scale[row], w.efc_step[row]
        w.grp_n[g], w.grp_n_step[g] = w.efc_jar[row] * mu, v * mu
        square, curve = real(0.0, mu), w.efc_d[row] * v * v
        for k in range(row + 1, row + w.grp_rows[g]):
            scale, v = w.efc_scale[k], w.efc_step[k]
            curve += w.efc_d[k] * v * v
            w.efc_u[k], w.efc_v[k] = w.efc_jar[k] * scale, v * scale
            square += w.efc_v[k] * w.efc_v[k]
        w.grp_square[g], w.grp_curve[g] = square, curve


@kernel
def _slope_along(w, alpha, g1, g2):
    """First and second derivative of the whole cost at a step `alpha` along the direction of search.

    Args:
        w: the workspace; ``efc_jar`` at the start, ``efc_step`` its change for a step of 1.
        alpha: length of the step.
        g1: slope of the smooth part at the start.
        g2: its curvature.
    """
    d1, d2 = g1 + alpha * g2, g2
    for g in range(w.ngroup):
        if w.grp_kind[g] == CONE:
            e1, e2 = _cone_slope(w, g, alpha)
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


@kernel(inline=True)
def _cone_slope(w, g, alpha):
    row = w.grp_row[g]
    end, mu = row + w.grp_rows[g], w.efc_scale[row]
    n, uu = w.grp_n[g] + alpha * w.grp_n_step[g], real(0.0, w.efc_u)
    for k in range(row + 1, end):
        u = w.efc_u[k] + alpha * w.efc_v[k]
        uu += u * u
    state = zone(n, uu, mu)
    d1 = d2 = real(0.0, w.efc_u)
    if state == QUADRATIC:
        for k in range(row, end):
            v = w.efc_step[k]
            d1 += w.efc_d[k] * (w.efc_jar[k] + alpha * v) * v
        d2 = w.grp_curve[g]
    elif state == MIDDLE:
        t, uv = sqrt(uu), real(0.0, w.efc_u)
        for k in range(row + 1, end):
            uv += (w.efc_u[k] + alpha * w.efc_v[k]) * w.efc_v[k]
        t1 = uv / t
        t2 = w.grp_square[g] / t - uv * t1 / uu
        slope = w.grp_n_step[g] - mu * t1
        d1 = w.grp_middle[g] * (n - mu * t) * slope
        d2 = w.grp_middle[g] * (slope * slope - (n - mu * t) * mu * t2)
    return d1, d2
