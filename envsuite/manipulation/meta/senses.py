"""What is observed, what rewards are told, and the metrics, from the last pass of physics."""

from envsuite.core import kernel
from envsuite.manipulation.meta.shaping import apart, point
from envsuite.manipulation.meta.sheets import SCIPY, UNTURNED, WXYZ, XYZW
from envsuite.manipulation.meta.state import HAND_HIGH, HAND_LOW, SIGHT
from envsuite.manipulation.meta.variation import tell_variation
from envsuite.rigid.spatial import rotate


@kernel
def see(p, w, site, out):
    """Write where a site is."""
    b = p.model.site_bodyid[site]
    x, y, z = rotate(w.xmat[b], p.model.site_pos[site])
    out[0], out[1], out[2] = w.xpos[b, 0] + x, w.xpos[b, 1] + y, w.xpos[b, 2] + z


@kernel
def _turn(p, w, site, order, out):
    """Write the orientation of a site's body as the task observes it."""
    q, sign = w.xquat[p.model.site_bodyid[site]], 1.0
    if order == SCIPY:
        largest = 0.0
        for k in range(4):
            if abs(q[k]) > largest:
                largest, sign = abs(q[k]), 1.0 if q[k] > 0 else -1.0
    for k in range(4):
        if order in (XYZW, SCIPY):
            out[k] = sign * q[(k + 1) % 4]
        else:
            out[k] = q[k] if order == WXYZ else 1.0 if order == UNTURNED and k == 0 else 0.0


@kernel
def _pads_touch(p, w):
    """Whether both pads press what the reward asks about."""
    sheet, right, left = p.sheet, False, False
    for c in range(w.ncon):
        row, pair = w.con_row[c], w.con_pair[c]
        if row >= 0 and w.efc_force[row] > 0.0:
            one, two = p.model.pair_geom1[pair], p.model.pair_geom2[pair]
            if sheet.held in (one, two):
                right = right or sheet.pads[0] in (one, two)
                left = left or sheet.pads[1] in (one, two)
    return right and left


@kernel
def gaze(s, p, w):
    """Take from the last pass what is observed and what the reward is told."""
    k, sheet, sight = s.look, p.sheet, s.sight
    see(p, w, sheet.fingers[0], k.right)  # tips first: pads take their place
    see(p, w, sheet.fingers[2], k.left)
    hand, right, left = sheet.bodies[0], sheet.bodies[1], sheet.bodies[2]
    span = min(max(apart(point(w.xpos[right]), point(w.xpos[left])) / 0.1, 0.0), 1.0)
    for i in range(3):
        k.tcp[i] = 0.5 * (k.right[i] + k.left[i])
        k.hand[i] = min(max(w.xpos[hand, i], HAND_LOW[i]), HAND_HIGH[i])
        sight[i] = k.hand[i]
    k.opening = sight[3] = span
    see(p, w, sheet.fingers[1], k.right)
    see(p, w, sheet.fingers[3], k.left)
    see(p, w, sheet.site, k.obj)
    _turn(p, w, sheet.site, sheet.quat, k.quat)
    if sheet.site2 >= 0:
        see(p, w, sheet.site2, k.obj2)
        _turn(p, w, sheet.site2, sheet.quat2, sight[14:18])
    for i in range(3):
        sight[4 + i], sight[11 + i] = k.obj[i], k.obj2[i]
    for i in range(4):
        sight[7 + i] = k.quat[i]
    if sheet.tracked >= 0:
        see(p, w, sheet.tracked, k.mark)
    if sheet.tracked3 >= 0:
        see(p, w, sheet.tracked3, k.mark3)
    if sheet.joint >= 0:
        k.angle = s.body.qpos[sheet.joint]
    if sheet.held >= 0:
        k.touched = _pads_touch(p, w)


@kernel
def observe(s, p, observation):
    """This moment, the one before, the goal."""
    for i in range(SIGHT):
        observation[i], observation[SIGHT + i] = s.sight[i], s.before[i]
    for i in range(3):
        observation[2 * SIGHT + i] = 0.0 if p.goal_hidden != 0 else s.look.goal[i]


@kernel
def measure(s, info):
    """Write the metrics."""
    info.success, info.success_once = s.success, s.success_once
    info.object_to_goal = apart(point(s.look.obj), point(s.look.goal))
    info.overflow = s.body.overflow


@kernel
def measure_varied(s, p, info):
    """As `measure`, with what was drawn."""
    measure(s, info)
    tell_variation(s, p, info)
