"""Rows of constraints: what they ask of accelerations, and how hard (MuJoCo's mj_makeConstraint, mj_makeImpedance)."""

import math

from envsuite.core import kernel, real
from envsuite.core.fmath import atan2, sqrt
from envsuite.rigid.equalities import add_equality
from envsuite.rigid.groups import (
    CONE,
    FRICTION,
    ONE_SIDED,
    add_motion,
    clear_motion,
    move_with,
    open_group,
    set_row,
    speed_of_row,
)
from envsuite.rigid.impedance import impedance, stiffness
from envsuite.rigid.layout import BALL, ELLIPTIC, SLIDE
from envsuite.rigid.spatial import TINY, normalise


@kernel
def make_rows(m, s, w):
    """Equalities, friction of joints, limits that are reached, contacts, in this order."""
    w.nrow = w.ngroup = w.coupled = 0
    for e in range(m.neq):
        add_equality(m, s, w, e)
    for i in range(m.nv):
        if m.dof_frictionloss[i] > 0:
            _joint_friction(m, s, w, i)
    for j in range(m.njnt):
        if m.jnt_limited[j] != 0:
            if m.jnt_type[j] >= SLIDE:
                _limit(m, s, w, j, 0, 1)
                _limit(m, s, w, j, 1, -1)
            elif m.jnt_type[j] == BALL:
                _ball_limit(m, s, w, j)
    for c in range(w.ncon):
        pair = w.con_pair[c]
        w.con_row[c] = -1
        still = m.body_lastdof[_body1(m, pair)] < 0 and m.body_lastdof[_body2(m, pair)] < 0
        if w.con_dist[c] < m.pair_includemargin[pair] and not still:
            _contact(m, s, w, c)


@kernel
def _body1(m, pair):
    return m.geom_bodyid[m.pair_geom1[pair]]


@kernel
def _body2(m, pair):
    return m.geom_bodyid[m.pair_geom2[pair]]


@kernel
def _single(m, s, w, kind, i):
    """Begin a group of one row that one degree of freedom moves; its row, or -1."""
    g = open_group(s, w, kind, -1, 1)
    if g < 0:
        return -1
    w.grp_dof[g, 0], w.grp_dofs[g] = i, 1
    return w.grp_row[g]


@kernel
def _joint_friction(m, s, w, i):
    row = _single(m, s, w, FRICTION, i)
    if row < 0:
        return
    _, b = stiffness(m, m.dof_solref[i], m.dof_solimp[i])
    d = impedance(m.dof_solimp[i], real(0.0, w.jac))
    w.jac[row, 0], w.efc_bound[row] = 1.0, m.dof_frictionloss[i]
    set_row(w, row, -b * s.qvel[i], (1 - d) * m.dof_invweight0[i] / d)


@kernel(inline=True)
def _limit(m, s, w, j, side, sign):
    """A slide or hinge near the lower (0) or upper (1) end of its range."""
    dist = sign * (s.qpos[m.jnt_qposadr[j]] - m.jnt_range[j, side])
    if dist >= m.jnt_margin[j]:
        return
    i = m.jnt_dofadr[j]
    row = _single(m, s, w, ONE_SIDED, i)
    if row < 0:
        return
    w.jac[row, 0] = sign
    _limit_row(m, w, row, j, dist, sign * s.qvel[i])


@kernel(inline=True)
def _limit_row(m, w, row, j, dist, speed):
    x = dist - m.jnt_margin[j]
    k, b = stiffness(m, m.jnt_solref[j], m.jnt_solimp[j])
    d = impedance(m.jnt_solimp[j], x)
    set_row(w, row, -b * speed - k * d * x, (1 - d) * m.dof_invweight0[m.jnt_dofadr[j]] / d)


@kernel
def _ball_limit(m, s, w, j):
    """A ball turned near the largest angle from its reference."""
    q, a, i = w.scratch, m.jnt_qposadr[j], m.jnt_dofadr[j]
    for k in range(4):
        q[k] = s.qpos[a + k]
    normalise(q)
    sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    angle = 2 * atan2(sine, q[0])
    if angle > math.pi:
        angle -= 2 * math.pi
    dist = max(m.jnt_range[j, 0], m.jnt_range[j, 1]) - abs(angle)
    if dist >= m.jnt_margin[j]:
        return
    g = open_group(s, w, ONE_SIDED, -1, 1)
    if g < 0:
        return
    row, sign, speed = w.grp_row[g], -1.0 if angle < 0 else 1.0, real(0.0, w.jac)
    w.grp_dofs[g] = 3
    for k in range(3):
        w.grp_dof[g, k] = i + 2 - k
        w.jac[row, k] = -sign * q[3 - k] / sine if sine > TINY else 0.0
        speed += w.jac[row, k] * s.qvel[i + 2 - k]
    _limit_row(m, w, row, j, dist, speed)


@kernel
def _contact(m, s, w, c):
    """Rows of a contact: one without friction, a pyramid of pairs, or a round cone."""
    pair = w.con_pair[c]
    size = m.pair_condim[pair]
    round_cone = m.cone == ELLIPTIC and size > 1
    rows = size if round_cone or size == 1 else 2 * (size - 1)
    g = open_group(s, w, CONE if round_cone else ONE_SIDED, c, rows)
    if g < 0:
        return
    row, x = w.grp_row[g], w.con_dist[c] - m.pair_includemargin[pair]
    w.con_row[c], w.con_sliding[c] = row, _sliding(m, s, pair)
    k, b = stiffness(m, m.pair_solref[pair], m.pair_solimp[pair])
    d = impedance(m.pair_solimp[pair], x)
    body1, body2 = _body1(m, pair), _body2(m, pair)
    shift = m.body_invweight0[body1, 0] + m.body_invweight0[body2, 0]
    move_with(m, w, g, body1, body2)
    _columns(m, w, g, c)
    if size == 1:
        _project(w, g, c, 0, row)
        set_row(w, row, -b * speed_of_row(s, w, g, row) - k * d * x, (1 - d) * shift / d)
    elif round_cone:
        _round_rows(m, s, w, g, b, k * d * x, (1 - d) / d * shift)
    else:
        mu = w.con_sliding[c]
        first = max((1 - d) * (shift + mu * mu * shift) / d, TINY)
        # both rows of a direction get twice mu^2 times the first row's, mu scaled by the ratio of impedances
        _pyramid_rows(m, s, w, g, b, k * d * x, 2 * mu * mu * first / max(m.impratio, TINY))


@kernel
def _sliding(m, s, pair):
    """Coefficient of sliding friction."""
    rule, first, second = m.pair_mixed[pair], s.sliding[m.pair_geom1[pair]], s.sliding[m.pair_geom2[pair]]
    if rule == 0:
        return m.pair_friction[pair, 0]
    return max(first if rule == 2 else second if rule == 3 else max(first, second), 1e-5)  # mjMINMU


@kernel
def coefficient(m, w, c, k):
    """Friction against the motion `k` of a contact: 0, 1 sliding, 2 spinning, 3, 4 rolling."""
    pair = w.con_pair[c]
    mixed = k == 0 or (k == 1 and m.pair_mixed[pair] != 0)  # declared pairs may slide differently along both tangents
    return w.con_sliding[c] if mixed else m.pair_friction[pair, k]


@kernel
def _columns(m, w, g, c):
    """Motion of the second body against the first at the contact, for each degree of freedom: shift, turn."""
    pair = w.con_pair[c]
    clear_motion(w, g)
    add_motion(m, w, g, _body1(m, pair), w.con_pos[c], -1)
    add_motion(m, w, g, _body2(m, pair), w.con_pos[c], 1)


@kernel
def _project(w, g, c, k, row):
    """Write the Jacobian of one of a contact's six motions: normal, two tangents, and turns about the same."""
    frame, start, offset = w.con_frame[c], 3 * (k % 3), 3 * (k // 3)
    for a in range(w.grp_dofs[g]):
        v = w.chain[a]
        across = frame[start] * v[offset] + frame[start + 1] * v[offset + 1]
        w.jac[row, a] = across + frame[start + 2] * v[offset + 2]


@kernel
def _pyramid_rows(m, s, w, g, b, pull, r):
    """Pairs of edges: normal plus and minus friction times tangent."""
    c, row, n = w.grp_con[g], w.grp_row[g], w.grp_dofs[g]
    last = row + w.grp_rows[g] - 1
    _project(w, g, c, 0, last)  # the normal, until the last pair takes its place
    normal_speed = speed_of_row(s, w, g, last)
    for k in range(w.grp_rows[g] // 2):
        mu, up, down = coefficient(m, w, c, k), row + 2 * k, row + 2 * k + 1
        _project(w, g, c, k + 1, up)
        speed = mu * speed_of_row(s, w, g, up)
        for a in range(n):
            normal, tangent = w.jac[last, a], mu * w.jac[up, a]
            w.jac[up, a], w.jac[down, a] = normal + tangent, normal - tangent
        set_row(w, up, -b * (normal_speed + speed) - pull, r)
        set_row(w, down, -b * (normal_speed - speed) - pull, r)


@kernel
def _round_rows(m, s, w, g, b, pull, shift):
    """The normal and the tangents by themselves; the solver holds them in the cone."""
    c, row = w.grp_con[g], w.grp_row[g]
    mu, normal = w.con_sliding[c], max(shift, TINY)
    side = normal / max(m.impratio, TINY)
    w.con_mu[c] = mu * sqrt(side / normal)
    for k in range(w.grp_rows[g]):
        _project(w, g, c, k, row + k)
        friction = coefficient(m, w, c, max(k - 1, 0))
        r = normal if k == 0 else side * mu * mu / (friction * friction)
        set_row(w, row + k, -b * speed_of_row(s, w, g, row + k) - (pull if k == 0 else 0.0), r)
