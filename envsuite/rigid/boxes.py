"""Where boxes touch planes, spheres and capsules, as MuJoCo 3.3.7 finds it."""

from envsuite.core import kernel, real
from envsuite.core.fmath import sqrt
from envsuite.rigid.points import add_contact
from envsuite.rigid.spatial import TINY, rotate, rotate_back


@kernel
def plane_box(m, s, w, pair):
    """Corners on the plane's side of the box's centre, at most four."""
    a, b, margin = m.pair_geom1[pair], m.pair_geom2[pair], m.pair_margin[pair]
    n, r, size, c, p = w.new_normal, w.geom_xmat[b], m.geom_size[b], w.geom_xpos[b], w.geom_xpos[a]
    corner = w.segment[0]
    height = n[0] * (c[0] - p[0]) + n[1] * (c[1] - p[1]) + n[2] * (c[2] - p[2])
    found = 0
    for i in range(8):
        for k in range(3):
            corner[k] = size[k] if i >> k & 1 else -size[k]
        x, y, z = rotate(r, corner)
        below = n[0] * x + n[1] * y + n[2] * z
        dist = height + below
        if below <= 0 and dist <= margin and found < 4:
            found += 1
            w.new_pos[0] = c[0] + x - 0.5 * dist * n[0]
            w.new_pos[1] = c[1] + y - 0.5 * dist * n[1]
            w.new_pos[2] = c[2] + z - 0.5 * dist * n[2]
            add_contact(m, s, w, pair, dist)


@kernel
def sphere_box(m, s, w, pair, centre):
    """The first geom's sphere, or one of its radius at a point of a capsule, against the second geom's box."""
    a, b = m.pair_geom1[pair], m.pair_geom2[pair]
    radius, c, r, size = m.geom_size[a, 0], w.geom_xpos[b], w.geom_xmat[b], m.geom_size[b]
    local, nearest, n = w.scratch[0:3], w.scratch[3:6], w.scratch[6:9]
    local[0], local[1], local[2] = rotate_back(r, centre[0] - c[0], centre[1] - c[1], centre[2] - c[2])
    square = real(0.0, radius)
    for k in range(3):
        nearest[k] = min(max(local[k], -size[k]), size[k])
        n[k] = nearest[k] - local[k]
        square += n[k] * n[k]
    dist = sqrt(square)
    if dist - radius > m.pair_margin[pair]:
        return
    if dist <= TINY:  # the centre is inside: out through the nearest face
        depth, axis, sign = size[0] + local[0], 0, 1.0
        for k in range(3):
            for side in range(2):
                left = size[k] - local[k] if side else size[k] + local[k]
                if left < depth:
                    depth, axis, sign = left, k, -1.0 if side else 1.0
        for k in range(3):
            n[k] = sign if k == axis else 0.0
            nearest[k] = local[k] + n[k] * 0.5 * (radius - depth)
        dist = -depth
    else:
        for k in range(3):
            n[k] /= dist
            nearest[k] = 0.5 * (nearest[k] + local[k] + n[k] * radius)
    w.new_normal[0], w.new_normal[1], w.new_normal[2] = rotate(r, n)
    x, y, z = rotate(r, nearest)
    w.new_pos[0], w.new_pos[1], w.new_pos[2] = c[0] + x, c[1] + y, c[2] + z
    add_contact(m, s, w, pair, dist - radius)


@kernel
def capsule_box(m, s, w, pair):
    """The point of the capsule's axis nearest to the box, and perhaps a second one further along."""
    a, b = m.pair_geom1[pair], m.pair_geom2[pair]
    p, c, r, t = w.geom_xpos[a], w.geom_xpos[b], w.geom_xmat[b], w.geom_xmat[a]
    x, h, half = w.scratch[9:12], w.scratch[12:15], m.geom_size[a, 1]  # the axis's middle and half length, in the box
    x[0], x[1], x[2] = rotate_back(r, p[0] - c[0], p[1] - c[1], p[2] - c[2])
    h[0], h[1], h[2] = rotate_back(r, t[2] * half, t[5] * half, t[8] * half)
    reach = m.geom_size[a, 0] + m.pair_margin[pair] + ROUNDING
    for k in range(3):
        if abs(x[k]) - abs(h[k]) - m.geom_size[b, k] > reach:
            return
    at, kind, feature, corner, edge_at = _nearest_feature(m.geom_size[b], x, h, half)
    if kind < 0:
        return
    step = _second_point(m.geom_size[b], x, h, half, at, kind, feature, corner, edge_at)
    _sphere_on_axis(m, s, w, pair, at)
    if step > _NOWHERE:
        _sphere_on_axis(m, s, w, pair, at + step)


ROUNDING = 1e-6  # m, of single precision too, by which what is clearly apart is farther apart
_END, _EDGE, _CORNER = 0, 1, 2
_NOWHERE = -3.0  # no step along an axis is that long; one of 0 makes the same contact twice, as in MuJoCo


@kernel
def _sphere_on_axis(m, s, w, pair, at):
    b = m.pair_geom2[pair]
    c, x, h, point, local = w.geom_xpos[b], w.scratch[9:12], w.scratch[12:15], w.segment[0], w.segment[1]
    for k in range(3):
        local[k] = x[k] + h[k] * at
    dx, dy, dz = rotate(w.geom_xmat[b], local)
    point[0], point[1], point[2] = c[0] + dx, c[1] + dy, c[2] + dz
    sphere_box(m, s, w, pair, point)


@kernel
def _nearest_feature(size, x, h, half):
    """The feature of the box that is nearest to the axis.

    Returns:
        The parameter on the axis (-1 to 1); 0 an end of the axis over a face, 1 inside an edge, 2 a corner, -1 none;
        the face's or the edge's axis (-1: the end is inside); the corner's or the edge's signs as bits; the parameter
        on the edge.
    """
    best, at, edge_at = real(1e300, half), real(0.0, half), real(0.0, half)
    kind, feature, corner = -1, -1, 0
    for end in range(2):
        side = 1.0 if end else -1.0
        outside, face, square = 0, -1, real(0.0, half)
        for k in range(3):
            y = x[k] + side * h[k]
            nearest = min(max(y, -size[k]), size[k])
            if nearest != y:
                outside += 1
                face = k
            square += (nearest - y) * (nearest - y)
        if outside <= 1 and square < best:
            best, at, kind, feature = square, real(side, half), _END, face
    for axis in range(3):
        for bits in range(8):
            if bits >> axis & 1:
                continue
            square, along, on_edge, clamped = _to_edge(size, x, h, half, axis, bits)
            if square < best - TINY:
                best, at, edge_at, feature = square, along, on_edge, axis
                kind = _CORNER if clamped != 0 else _EDGE
                corner = bits + (1 << axis if clamped > 0 else 0)
    return at, kind, feature, corner, edge_at


@kernel
def _to_edge(size, x, h, half, axis, bits):
    """Squared distance of the axis from an edge, parameters of the nearest points, which end the latter is."""
    none = real(1e300, half)
    nothing = real(0.0, half)
    d = nothing  # along the edge
    v = nothing
    for k in range(3):
        to = -x[k] if k == axis else (size[k] if bits >> k & 1 else -size[k]) - x[k]
        if k == axis:
            d = to
        v += h[k] * to
    ma, mb, mc, u = size[axis] * size[axis], -size[axis] * h[axis], half * half, -size[axis] * d
    whole = ma * mc - mb * mb
    if abs(whole) < TINY:
        return none, nothing, nothing, 0
    e, y = (mc * u - mb * v) / whole, (ma * v - mb * u) / whole
    clamped = 0
    if e > 1 or e < -1:
        clamped = 1 if e > 1 else -1
        e = real(clamped, half)
        y = (v - e * mb) / mc
    if y > 1 or y < -1:
        y = real(1.0, half) if y > 1 else real(-1.0, half)
        e = (u - y * mb) / ma  # an end that was reached before counts, wherever the point comes to lie
        if e > 1 or e < -1:
            clamped = 1 if e > 1 else -1
            e = real(clamped, half)
    square = nothing
    for k in range(3):
        to = size[k] * e - x[k] if k == axis else (size[k] if bits >> k & 1 else -size[k]) - x[k]
        square += (to - h[k] * y) * (to - h[k] * y)
    return square, y, e, clamped


@kernel
def _second_point(size, x, h, half, at, kind, feature, corner, edge_at):
    """How much further along the axis a second sphere touches."""
    if kind == _END:
        return _along_face(size, x, h, at, feature)
    heading = 0
    for k in range(3):
        heading += (1 << k) if h[k] > 0 else 0
    if kind == _CORNER:
        return _from_corner(size, h, half, at, heading ^ corner)
    return _from_edge(size, h, at, feature, heading, corner, edge_at)


@kernel
def _along_face(size, x, h, at, face):
    """From an end over a face towards the other end, to where the axis leaves the face."""
    if face < 0:
        return real(_NOWHERE, at)
    towards = real(-1.0, at) if at > 0 else real(1.0, at)
    reach = real(2.0, at)
    for k in range(3):
        if k == face or h[k] == 0:
            continue
        for side in range(2):
            leaves = towards * ((size[k] if side else -size[k]) - (x[k] - towards * h[k])) / h[k]
            if 0 < leaves < reach:
                reach = leaves
    return reach * towards


@kernel
def _from_corner(size, h, half, at, turned):
    """From a corner: along the edge or over the face that the axis follows."""
    if turned == 0 or turned == 7:
        return real(_NOWHERE, at)
    ahead = real(1.0, at)
    if turned != 1 and turned != 2 and turned != 4:
        ahead, turned = real(-1.0, at), 7 - turned
    k = 0 if turned == 1 else 1 if turned == 2 else 2
    if h[k] * h[k] > 0.5 * half * half:
        return ahead * min(1 - ahead * at, 2 * size[k] / abs(h[k]))
    reach = 1 + ahead * at
    for i in range(3):
        if i != k and h[i] != 0:
            reach = min(reach, 2 * size[i] / abs(h[i]))
    return -ahead * reach


@kernel
def _from_edge(size, h, at, edge, heading, corner, edge_at):
    """From inside an edge: over the face that the axis is less inclined to."""
    turned = (heading ^ corner) & (7 - (1 << edge))
    if turned != 1 and turned != 2 and turned != 4:
        return real(_NOWHERE, at)
    i, j = (edge + 1) % 3, (edge + 2) % 3
    k = i if abs(h[i]) > abs(h[j]) else j
    forwards = (turned >> k & 1) != 0
    reach = 1 - at if forwards else 1 + at
    if h[k] != 0:
        reach = min(reach, 2 * size[k] / abs(h[k]))
    same = (heading >> edge & 1 != 0) == forwards
    left = 1 - edge_at if same else 1 + edge_at
    if h[edge] != 0:
        reach = min(reach, size[edge] * left / abs(h[edge]))
    return reach if forwards else -reach
