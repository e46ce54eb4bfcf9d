"""Forces that act on bodies from outside (MuJoCo's mj_rnePostConstraint, cfrc_ext)."""

from envsuite.core import kernel, real
from envsuite.rigid.layout import ELLIPTIC
from envsuite.rigid.rows import coefficient


@kernel
def contact_wrenches(m, s, w):
    """Write ``cfrc_ext``: torque and force of contacts and of the push, about each tree's centre of mass.

    Forces and frames are those of the last pass. Equalities do not count.

    Args:
        m: `Model`.
        s: `Physics`.
        w: `Work` after a pass.
    """
    for b in range(m.nbody):
        for k in range(6):
            w.cfrc_ext[b, k] = 0.0
    for c in range(w.ncon):
        if w.con_row[c] >= 0:
            _contact_force(m, w, c)
            pair = w.con_pair[c]
            _add(m, w, m.geom_bodyid[m.pair_geom1[pair]], w.con_pos[c], -1)
            _add(m, w, m.geom_bodyid[m.pair_geom2[pair]], w.con_pos[c], 1)
    if s.pushed > 0:
        for k in range(3):
            w.scratch[k] = 0.0
            w.scratch[3 + k] = s.push[k]
        _add(m, w, s.pushed, w.xipos[s.pushed], 1)


@kernel
def _contact_force(m, w, c):
    """Torque and force of a contact on its second body, in world axes, into ``scratch``."""
    pair, row, frame = w.con_pair[c], w.con_row[c], w.con_frame[c]
    size, zero = m.pair_condim[pair], real(0.0, w.jac)
    local = w.scratch[6:12]
    for k in range(6):
        local[k] = zero
    if size == 1 or m.cone == ELLIPTIC:
        for k in range(size):
            local[k] = w.efc_force[row + k]
    else:
        for k in range(1, size):
            up, down = w.efc_force[row + 2 * k - 2], w.efc_force[row + 2 * k - 1]
            friction = coefficient(m, w, c, k - 1)
            local[0] += up + down
            local[k] = friction * (up - down)
    for k in range(3):
        w.scratch[3 + k] = frame[k] * local[0] + frame[3 + k] * local[1] + frame[6 + k] * local[2]
        w.scratch[k] = frame[k] * local[3] + frame[3 + k] * local[4] + frame[6 + k] * local[5]


@kernel
def _add(m, w, b, place, sign):
    """Add the wrench in ``scratch`` at a place to a body's; the world's stays 0."""
    if b == 0:
        return
    f, c, out = w.scratch, w.subtree_com[m.body_rootid[b]], w.cfrc_ext[b]
    x, y, z = place[0] - c[0], place[1] - c[1], place[2] - c[2]
    out[0] += sign * (f[0] + y * f[5] - z * f[4])
    out[1] += sign * (f[1] + z * f[3] - x * f[5])
    out[2] += sign * (f[2] + x * f[4] - y * f[3])
    for k in range(3):
        out[3 + k] += sign * f[3 + k]
