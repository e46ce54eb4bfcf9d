"""Where pairs of shapes touch: planes, spheres, capsules, cylinders; boxes are in `envsuite.rigid.boxes`.

As MuJoCo 3.3.7 finds them: the normal points from the first geom to the second, the position lies in the middle
between the two surfaces, and a contact exists up to a distance equal to the margin. A contact's second axis changes
the physics, since pyramids of friction are not round.
"""

from envsuite.core import kernel, real
from envsuite.core.fmath import sqrt
from envsuite.rigid.boxes import capsule_box, plane_box, sphere_box
from envsuite.rigid.clipping import box_box
from envsuite.rigid.cylinders import touch_cylinder_box
from envsuite.rigid.layout import BOX, CAPSULE, CYLINDER, PLANE, SPHERE
from envsuite.rigid.points import add_contact, ball_on_plane, between_spheres, clear_tangent
from envsuite.rigid.spatial import TINY


@kernel
def find_contacts(m, s, w):
    """Write the contacts of all pairs, in the order of the pairs."""
    w.ncon = 0
    for pair in range(m.npair):
        a, b = m.pair_geom1[pair], m.pair_geom2[pair]
        p, q, n = w.geom_xpos[a], w.geom_xpos[b], w.geom_xmat[a]
        dx, dy, dz = q[0] - p[0], q[1] - p[1], q[2] - p[2]
        if m.geom_type[a] == PLANE:
            if dx * n[2] + dy * n[5] + dz * n[8] <= m.pair_reach[pair]:
                _on_plane(m, s, w, pair)
        elif dx * dx + dy * dy + dz * dz <= m.pair_reach[pair]:
            _between(m, s, w, pair)


@kernel
def _on_plane(m, s, w, pair):
    a, b = m.pair_geom1[pair], m.pair_geom2[pair]
    kind, size, centre, r = m.geom_type[b], m.geom_size[b], w.geom_xpos[b], w.geom_xmat[b]
    plane = w.geom_xmat[a]
    w.new_normal[0], w.new_normal[1], w.new_normal[2] = plane[2], plane[5], plane[8]
    clear_tangent(w)
    if kind == SPHERE:
        ball_on_plane(m, s, w, pair, w.geom_xpos[a], centre, size[0])
    elif kind == CAPSULE:
        end = w.segment[0]
        for side in range(2):  # the end of the positive axis first
            half = -size[1] if side else size[1]
            for k in range(3):
                w.new_tangent[k] = r[3 * k + 2]
                end[k] = centre[k] + half * r[3 * k + 2]
            ball_on_plane(m, s, w, pair, w.geom_xpos[a], end, size[0])
    elif kind == CYLINDER:
        _plane_cylinder(m, s, w, pair)
    elif kind == BOX:
        plane_box(m, s, w, pair)


@kernel
def _between(m, s, w, pair):
    a, b = m.pair_geom1[pair], m.pair_geom2[pair]
    first, second = m.geom_type[a], m.geom_type[b]
    clear_tangent(w)
    if first == SPHERE:
        if second == SPHERE:
            between_spheres(m, s, w, pair, w.geom_xpos[a], m.geom_size[a, 0], w.geom_xpos[b], m.geom_size[b, 0])
        elif second == CAPSULE:
            _sphere_capsule(m, s, w, pair)
        elif second == CYLINDER:
            _sphere_cylinder(m, s, w, pair)
        elif second == BOX:
            sphere_box(m, s, w, pair, w.geom_xpos[a])
    elif first == CAPSULE:
        if second == CAPSULE:
            _capsules(m, s, w, pair)
        elif second == BOX:
            capsule_box(m, s, w, pair)
    elif first == CYLINDER:
        if second == BOX:
            touch_cylinder_box(m, s, w, pair)
    elif first == BOX and second == BOX:
        box_box(m, s, w, pair)


@kernel
def _sphere_capsule(m, s, w, pair):
    a, b = m.pair_geom1[pair], m.pair_geom2[pair]
    p, q, r, size, nearest = w.geom_xpos[a], w.geom_xpos[b], w.geom_xmat[b], m.geom_size[b], w.segment[0]
    along = r[2] * (p[0] - q[0]) + r[5] * (p[1] - q[1]) + r[8] * (p[2] - q[2])
    along = min(max(along, -size[1]), size[1])
    for k in range(3):
        nearest[k] = q[k] + along * r[3 * k + 2]
    between_spheres(m, s, w, pair, p, m.geom_size[a, 0], nearest, size[0])


@kernel
def nearest_on_segments(ma, mb, mc, u, v):
    """Nearest points of two segments that are not parallel, as parameters from -1 to 1.

    Args:
        ma: half axis a1 squared.
        mb: -a1.a2.
        mc: a2 squared.
        u: -a1.d, where d = c1 - c2.
        v: a2.d.
    """
    whole = ma * mc - mb * mb
    x, y = (mc * u - mb * v) / whole, (ma * v - mb * u) / whole
    if x > 1 or x < -1:
        x = 1.0 if x > 1 else -1.0
        y = (v - x * mb) / mc
    if y > 1 or y < -1:
        y = 1.0 if y > 1 else -1.0
        x = min(max((u - y * mb) / ma, -1.0), 1.0)
    return x, y


@kernel
def _capsules(m, s, w, pair):
    a, b = m.pair_geom1[pair], m.pair_geom2[pair]
    p, q, r, t = w.geom_xpos[a], w.geom_xpos[b], w.geom_xmat[a], w.geom_xmat[b]
    h, g = m.geom_size[a, 1], m.geom_size[b, 1]
    dx, dy, dz = p[0] - q[0], p[1] - q[1], p[2] - q[2]
    ma, mc = h * h * (r[2] * r[2] + r[5] * r[5] + r[8] * r[8]), g * g * (t[2] * t[2] + t[5] * t[5] + t[8] * t[8])
    mb = -h * g * (r[2] * t[2] + r[5] * t[5] + r[8] * t[8])
    u, v = -h * (r[2] * dx + r[5] * dy + r[8] * dz), g * (t[2] * dx + t[5] * dy + t[8] * dz)
    if abs(ma * mc - mb * mb) >= TINY:
        x, y = nearest_on_segments(ma, mb, mc, u, v)
        _touch_at(m, s, w, pair, x, y)
        return
    before = w.ncon
    for trial in range(4):  # parallel: up to two contacts among the four ends
        side = 1.0 if trial % 2 == 0 else -1.0
        if trial < 2:
            _touch_at(m, s, w, pair, side, min(max((v - side * mb) / mc, -1.0), 1.0))
        else:
            _touch_at(m, s, w, pair, min(max((u - side * mb) / ma, -1.0), 1.0), side)
        if w.ncon - before >= 2:
            return


@kernel
def _touch_at(m, s, w, pair, x, y):
    """Let two capsules touch as spheres at these parameters of their axes."""
    a, b = m.pair_geom1[pair], m.pair_geom2[pair]
    h, g = m.geom_size[a, 1], m.geom_size[b, 1]
    for k in range(3):
        w.segment[0, k] = w.geom_xpos[a, k] + w.geom_xmat[a, 3 * k + 2] * h * x
        w.segment[1, k] = w.geom_xpos[b, k] + w.geom_xmat[b, 3 * k + 2] * g * y
    between_spheres(m, s, w, pair, w.segment[0], m.geom_size[a, 0], w.segment[1], m.geom_size[b, 0])


@kernel
def _plane_cylinder(m, s, w, pair):
    """Up to four points: the deepest of each rim, and two beside the deepest that hold a standing cylinder."""
    a, b, margin = m.pair_geom1[pair], m.pair_geom2[pair], m.pair_margin[pair]
    n, r, size = w.new_normal, w.geom_xmat[b], m.geom_size[b]
    c, p, axis, out, side = w.geom_xpos[b], w.geom_xpos[a], w.scratch[0:3], w.scratch[3:6], w.scratch[6:9]
    lean = r[2] * n[0] + r[5] * n[1] + r[8] * n[2]
    towards = -1.0 if lean > 0 else 1.0
    lean = -abs(lean)
    height = n[0] * (c[0] - p[0]) + n[1] * (c[1] - p[1]) + n[2] * (c[2] - p[2])
    square = real(0.0, lean)
    for k in range(3):
        axis[k] = r[3 * k + 2] * towards
        out[k] = axis[k] * lean - n[k]
        square += out[k] * out[k]
    length = sqrt(square)
    for k in range(3):
        out[k] = r[3 * k] * size[0] if length < TINY else out[k] * size[0] / length
        axis[k] *= size[1]
    lean *= size[1]
    sunk = out[0] * n[0] + out[1] * n[1] + out[2] * n[2]
    if height + lean + sunk > margin:
        return
    for end in range(2):
        sign = -1.0 if end else 1.0
        dist = height + sign * lean + sunk
        if dist <= margin:
            for k in range(3):
                w.new_pos[k] = c[k] + out[k] + sign * axis[k] - 0.5 * dist * n[k]
            add_contact(m, s, w, pair, dist)
    dist = height + lean - 0.5 * sunk
    if dist > margin:
        return
    side[0] = out[1] * axis[2] - out[2] * axis[1]
    side[1] = out[2] * axis[0] - out[0] * axis[2]
    side[2] = out[0] * axis[1] - out[1] * axis[0]
    width = size[0] * sqrt(3 / 4) / sqrt(side[0] * side[0] + side[1] * side[1] + side[2] * side[2])
    for end in range(2):
        sign = -width if end else width
        for k in range(3):
            w.new_pos[k] = c[k] + sign * side[k] + axis[k] - 0.5 * out[k] - 0.5 * dist * n[k]
        add_contact(m, s, w, pair, dist)


@kernel
def _sphere_cylinder(m, s, w, pair):
    a, b = m.pair_geom1[pair], m.pair_geom2[pair]
    c, radius, p, r, size = w.geom_xpos[a], m.geom_size[a, 0], w.geom_xpos[b], w.geom_xmat[b], m.geom_size[b]
    out, point = w.scratch[0:3], w.segment[0]
    along = r[2] * (c[0] - p[0]) + r[5] * (c[1] - p[1]) + r[8] * (c[2] - p[2])
    square = real(0.0, along)
    for k in range(3):
        out[k] = c[k] - p[k] - r[3 * k + 2] * along
        square += out[k] * out[k]
    side, cap = abs(along) < size[1], square < size[0] * size[0]
    if side and cap:  # the centre is inside: out by the shorter way
        side = size[1] - abs(along) >= size[0] - sqrt(square)
        cap = not side
    up = 1.0 if along > 0 else -1.0
    if side:
        for k in range(3):
            point[k] = p[k] + r[3 * k + 2] * along
        between_spheres(m, s, w, pair, c, radius, point, size[0])
    elif cap:
        for k in range(3):
            point[k] = p[k] + r[3 * k + 2] * size[1] * up
            w.new_normal[k] = r[3 * k + 2] * up
        dist = (c[0] - point[0]) * w.new_normal[0] + (c[1] - point[1]) * w.new_normal[1]
        dist += (c[2] - point[2]) * w.new_normal[2] - radius
        if dist <= m.pair_margin[pair]:
            for k in range(3):
                w.new_pos[k] = c[k] - w.new_normal[k] * (radius + 0.5 * dist)
                w.new_normal[k] = -w.new_normal[k]
            add_contact(m, s, w, pair, dist)
    else:
        for k in range(3):
            point[k] = p[k] + out[k] * size[0] / sqrt(square) + r[3 * k + 2] * up * size[1]
        between_spheres(m, s, w, pair, c, radius, point, real(0.0, radius))
