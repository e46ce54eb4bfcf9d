"""Where a cylinder and a box touch; in closed form, unlike MuJoCo, which takes its general convex solver.

The distance of two convex shapes is the widest gap between them along any direction, negative where they overlap. For
a cylinder and a box the widest gap lies along a normal of the box, the cylinder's axis, a product of the axis and an
edge, the way from a vertex to the side or to a rim, or the way from an edge to a rim. The last is the normal of an
ellipse, the rim seen along the edge, at its point nearest to the edge. All are tried, so the distance is exact.

Contacts lie where the two shapes face each other along that direction: on the rim as against a plane (see
`envsuite.rigid.contact`), at corners of the box on the flat end, where sides of a face pass over the rim. A cylinder
whose end is over a face has so the contacts that it has with a plane.

Vectors are in axes of the box, from its centre; the direction points from the cylinder to the box.
"""

from numba.core import types
from numba.extending import overload

from envsuite.core import kernel, real
from envsuite.core.fmath import sqrt
from envsuite.rigid.points import add_contact
from envsuite.rigid.spatial import TINY, rotate, rotate_back

_TIE = 1e-9  # a later direction has to gain that share of the radius: where faces are flat on each other, one is kept
_FACING = 0.9  # cosine up to which a face or an end takes part in a contact
_ACROSS = 0.43  # its sine: a side takes part below
_PARALLEL = 0.03  # sine up to which an edge lies along a side
_EVEN = 1e-11  # cosine or sine up to which a cylinder lies or stands on a face, by less than a tie
_ALONG = 1e-14  # sine up to which it lies along an edge, by far less than a tie
_ALIKE = 1e-6  # m, as mjOption.ccd_tolerance: points as deep as the deepest one


def touch_cylinder_box(m, s, w, pair):
    """Add the contacts of a cylinder and a box; compiled for models alone that have such a pair."""
    _cylinder_box(m, s, w, pair)


@overload(touch_cylinder_box)
def _touch_cylinder_box(m, s, w, pair):
    def known(m, s, w, pair):
        _cylinder_box(m, s, w, pair)

    def nothing(m, s, w, pair):
        return None

    return known if isinstance(w, types.Record) and w.typeof("rims").shape[0] else nothing


@kernel
def _cylinder_box(m, s, w, pair):
    """The first geom is the cylinder."""
    a, b, margin = m.pair_geom1[pair], m.pair_geom2[pair], m.pair_margin[pair]
    size, box = m.geom_size[a], m.geom_size[b]
    p, q, r, t = w.geom_xpos[a], w.geom_xpos[b], w.geom_xmat[b], w.geom_xmat[a]
    f = w.rims[0]
    f.centre[0], f.centre[1], f.centre[2] = rotate_back(r, p[0] - q[0], p[1] - q[1], p[2] - q[2])
    f.axis[0], f.axis[1], f.axis[2] = rotate_back(r, t[2], t[5], t[8])
    gap = _widest_gap(f, size, box, margin)
    if gap > margin:
        return
    f.count = 0
    _facing_points(f, size, box, r, t, margin)
    _witness(f, size, box, gap)
    if m.multiccd == 0:
        _one_point(f, gap)
    n, local = w.new_normal, f.trial
    n[0], n[1], n[2] = rotate(r, f.normal)
    for i in range(f.count):
        for k in range(3):
            local[k] = f.points[i, k]
        dx, dy, dz = rotate(r, local)
        w.new_pos[0], w.new_pos[1], w.new_pos[2] = q[0] + dx, q[1] + dy, q[2] + dz
        add_contact(m, s, w, pair, f.gaps[i])


@kernel
def _widest_gap(f, size, box, margin):
    """Write the direction of the widest gap and return it; or any gap beyond the margin."""
    a, best, none = f.axis, real(-1e300, margin), real(0.0, margin)
    for k in range(3):
        best = _widened_across(f, size, box, best, k)
        if best > margin:
            return best
    best = _widened(f, size, box, best, a[0], a[1], a[2])
    if best > margin:
        return best
    best = _widened(f, size, box, best, none, a[2], -a[1])
    best = _widened(f, size, box, best, -a[2], none, a[0])
    best = _widened(f, size, box, best, a[1], -a[0], none)
    if best > margin or _is_known(f, size, box, best):
        return best
    near, far = f.edges[0], f.edges[1]
    _look_at_corners(f, near, size, box)
    _measure(f, near, size, box)
    for way in range(near.count):
        if near.gap[way] > best + _TIE * size[0]:
            best = _widened(f, size, box, best, near.way[0, way], near.way[1, way], near.way[2, way])
    if best > margin or _is_beside(f, size, box):
        return best
    near.count = 0
    for k in range(3):
        if _least_depth(f, size, box, k) < -best:
            _look_along(f, size, box, k, best)
    _list_far(near, far, size[0])
    _try_edges(f, near, size, box, False)
    _try_edges(f, far, size, box, True)
    for way in range(near.count):
        for e in range(2):
            place = near.twin[way] if e else way
            if place >= 0 and f.edges[e].gap[place] > best + _TIE * size[0]:
                x, y, z = f.edges[e].way[0, place], f.edges[e].way[1, place], f.edges[e].way[2, place]
                best = _widened(f, size, box, best, x, y, z)
    return best


@kernel
def _look_at_corners(f, e, size, box):
    """Write the ways from the side and from the rims to the box's corners."""
    a, p = f.axis, f.centre
    for corner in range(8):
        x = (box[0] if corner & 1 else -box[0]) - p[0]
        y = (box[1] if corner & 2 else -box[1]) - p[1]
        z = (box[2] if corner & 4 else -box[2]) - p[2]
        along = x * a[0] + y * a[1] + z * a[2]
        x, y, z = x - along * a[0], y - along * a[1], z - along * a[2]  # away from the axis
        out = sqrt(x * x + y * y + z * z)
        known, way = out >= TINY, 2 * corner
        beyond, share = along - (size[1] if along > 0 else -size[1]), 1 - size[0] / (out if known else 1.0)
        e.way[0, way], e.way[1, way], e.way[2, way] = x, y, z
        x, y, z = x * share + beyond * a[0], y * share + beyond * a[1], z * share + beyond * a[2]  # from the rim
        for k in range(3):
            e.way[k, way + 1] = 0.0 if not known else x if k == 0 else y if k == 1 else z
    e.count = 16


@kernel
def _least_depth(f, size, box, k):
    """What the depth along any direction across axis k is at least; up to rounding, which is far below a tie.

    The depth along u is the cylinder's reach, h |a.u| + r sqrt(1 - (a.u)^2), plus the box's beyond the cylinder's
    centre. The first is concave in |a.u|, so it is least at an end, where a.u is 0 or as large as it can be.
    """
    a, p, i, j = f.axis, f.centre, (k + 1) % 3, (k + 2) % 3
    reach = min(size[0], size[1] * sqrt(a[i] * a[i] + a[j] * a[j]) + size[0] * abs(a[k]))
    x, y = abs(p[i]) - box[i], abs(p[j]) - box[j]
    if x <= 0 and y <= 0:
        return reach - max(x, y)
    x, y = max(x, 0.0), max(y, 0.0)
    return reach - sqrt(x * x + y * y)


@kernel
def _is_known(f, size, box, gap):
    """Whether no other direction has a wider gap than the best of the box's normals and the axis."""
    a, p = f.axis, f.centre
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        if a[i] * a[i] + a[j] * a[j] <= _EVEN * _EVEN:
            # A cylinder along axis k: differences of points are those along k, times those across it. So the distance
            # from the border is the lesser one of both, unless both are apart; across, only a corner is not a normal.
            x, y = abs(p[i]) - box[i], abs(p[j]) - box[j]
            if min(x, y) <= 0 and (max(x, y) <= size[0] or abs(p[k]) <= box[k] + size[1]):
                return True
    return _over_face(f, size, box, gap)


@kernel
def _is_beside(f, size, box):
    """Whether the cylinder lies along an edge of the box, and partly beside it.

    No other gap is wider then than those along the box's normals and the ways to its corners: differences of points are
    those along the edge, which overlap, times those across it, a rectangle with round corners.
    """
    a, p, beside = f.axis, f.centre, False
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        lies = a[i] * a[i] + a[j] * a[j] <= _ALONG * _ALONG
        beside = beside or (lies and abs(p[k]) <= box[k] + size[1])
    return beside


@kernel
def _over_face(f, size, box, gap):
    """Whether the direction found is a normal of the box, and the cylinder's nearest point well over that face.

    No other gap is wider then. With the depth d = -gap, and the point at least r from the face's border, the
    differences between points of the box and of the cylinder contain a disc of radius r at height d over the origin
    and the way down to d - 2 b, twice the box's half height b lower. Their reach at an angle t from the direction is
    at least d cos t + r sin t, which is d or more up to tan(t / 2) = r / d, and at least (2 b - d) |cos t| beyond,
    which is more than d if r >= 3 d and b > 1.5 d.
    """
    n, a, p = f.normal, f.axis, f.centre
    k = -1
    for d in range(3):
        k = d if abs(n[d]) == 1 else k
    if k < 0:
        return False
    i, j, along = (k + 1) % 3, (k + 2) % 3, n[k] * a[k]
    across = sqrt(a[i] * a[i] + a[j] * a[j])
    x, y, free = p[i], p[j], real(0.0, gap)
    if across <= _EVEN:  # any point of the end
        x, y, free = max(abs(x) - box[i], free), max(abs(y) - box[j], free), size[0]
        free -= sqrt(x * x + y * y)
    else:  # the nearest point, or of a line of nearest points the one by the face's middle
        end = -(x * a[i] + y * a[j])
        if abs(along) > _EVEN:
            end = size[1] if along > 0 else -size[1]
        end = min(max(end, -size[1]), size[1]) - size[0] * along / across
        free = min(box[i] - abs(x + end * a[i]), box[j] - abs(y + end * a[j]))
    depth = max(-gap, 0.0)
    return free >= 3 * depth and box[k] > 1.5 * depth


@kernel
def _widened(f, size, box, best, x, y, z):
    """The gap along a direction of any length, if it is wider; the direction is kept then."""
    p, a = f.centre, f.axis
    length = sqrt(x * x + y * y + z * z)
    if length < TINY:
        return best
    x, y, z = x / length, y / length, z / length
    along, way = x * a[0] + y * a[1] + z * a[2], x * p[0] + y * p[1] + z * p[2]
    u, v, t = x - along * a[0], y - along * a[1], z - along * a[2]
    gap = abs(way) - size[1] * abs(along) - size[0] * sqrt(u * u + v * v + t * t)
    gap -= box[0] * abs(x) + box[1] * abs(y) + box[2] * abs(z)
    if gap <= best + _TIE * size[0]:
        return best
    sign = -1.0 if way > 0 else 1.0
    f.normal[0], f.normal[1], f.normal[2] = sign * x, sign * y, sign * z
    return gap


@kernel
def _widened_across(f, size, box, best, k):
    """As `_widened` along a normal of the box, to the bit."""
    a, way, square = f.axis, f.centre[k], real(0.0, best)
    for d in range(3):
        u = (1.0 if d == k else 0.0) - a[k] * a[d]
        square += u * u
    gap = abs(way) - size[1] * abs(a[k]) - size[0] * sqrt(square) - box[k]
    if gap <= best + _TIE * size[0]:
        return best
    sign = -1.0 if way > 0 else 1.0
    for d in range(3):
        f.normal[d] = sign if d == k else sign * 0.0
    return gap


@kernel
def _look_along(f, size, box, k, best):
    """Add where the edges along axis k are beside both rims, which are ellipses if seen along them.

    Nothing is added where one of these ellipses has a disc in it, around that place, of a radius as large as the best
    depth: all directions across axis k have that depth at least. Scaled by its half axes, an ellipse is a circle, so
    that a place at a share s of its radius has a disc of radius (1 - s) times the short half axis around it.
    """
    a, p, e, i, j = f.axis, f.centre, f.edges[0], (k + 1) % 3, (k + 2) % 3
    flat = sqrt(a[i] * a[i] + a[j] * a[j])
    if flat < TINY:
        return
    gi, gj = a[i] / flat, a[j] / flat  # the short half axis
    for edge in range(8):
        way, end = e.count + edge, size[1] if edge & 4 else -size[1]
        x = (box[i] if edge & 1 else -box[i]) - p[i] - end * a[i]
        y = (box[j] if edge & 2 else -box[j]) - p[j] - end * a[j]
        e.long[way], e.short[way], e.narrow[way] = y * gi - x * gj, x * gi + y * gj, size[0] * abs(a[k])
        e.axis[way], e.tilt[0, way], e.tilt[1, way] = k, gi, gj
    wide, narrow = size[0], size[0] * abs(a[k])
    share = narrow + min(best, 0.0)  # times the short half axis
    for way in range(e.count, e.count + 8):
        x, y = narrow * e.long[way], wide * e.short[way]
        if share > 0 and x * x + y * y <= share * share * (wide * wide):
            return
    e.count += 8


@kernel
def _list_far(near, far, wide):
    """List the places that may have a far point too: those within the ellipse's centres of curvature (its evolute)."""
    far.count = 0
    for way in range(near.count):
        x, y, narrow = abs(near.long[way]), abs(near.short[way]), near.narrow[way]
        reach = (wide * wide - narrow * narrow) * (1 + _TIE)
        near.twin[way] = -1
        if wide * x <= reach and narrow * y <= reach:
            place = far.count
            near.twin[way] = place
            far.long[place], far.short[place], far.narrow[place] = near.long[way], near.short[way], narrow
            far.axis[place] = near.axis[way]
            far.tilt[0, place], far.tilt[1, place] = near.tilt[0, way], near.tilt[1, way]
            far.count = place + 1


@kernel
def _try_edges(f, e, size, box, far):
    """Write the directions from the rims to the edges that were added, and their gaps, side by side."""
    _off_ellipses(e, size[0], far)
    for way in range(e.count):
        nu = -e.nu[way] if e.long[way] < 0 else e.nu[way]
        nv = -e.nv[way] if e.short[way] < 0 else e.nv[way]
        k, gi, gj = e.axis[way], e.tilt[0, way], e.tilt[1, way]
        i, j = (k + 1) % 3, (k + 2) % 3
        e.way[i, way], e.way[j, way], e.way[k, way] = nv * gi - nu * gj, nu * gi + nv * gj, 0.0
    _measure(f, e, size, box)


@kernel
def _measure(f, e, size, box):
    """Write the gaps along the directions, side by side; as `_widened`."""
    a, p = f.axis, f.centre
    for way in range(e.count):
        x, y, z = e.way[0, way], e.way[1, way], e.way[2, way]
        length = sqrt(x * x + y * y + z * z)
        known = length >= TINY
        x, y, z = x / length, y / length, z / length
        along, centre = x * a[0] + y * a[1] + z * a[2], x * p[0] + y * p[1] + z * p[2]
        u, v, t = x - along * a[0], y - along * a[1], z - along * a[2]
        gap = abs(centre) - size[1] * abs(along) - size[0] * sqrt(u * u + v * v + t * t)
        gap -= box[0] * abs(x) + box[1] * abs(y) + box[2] * abs(z)
        e.gap[way] = gap if known else -1e300


@kernel
def _off_ellipses(e, wide, far):
    """Normals of ellipses at points whose distance from a place is least, of any length, in the first quadrant.

    There are two such points if the place is well inside: one in this quadrant and a far one beyond the long axis. The
    point is (wide^2 x / (t + wide^2), narrow^2 y / (t + narrow^2)) with a t that makes it one of the ellipse, above
    -narrow^2 or below it (D. Eberly, "Distance from a point to an ellipse"). Newton's method comes to t from one side.
    Zeros are written where there is no far point.

    Args:
        e: room, whose places are looked at.
        wide: the long half axis of all.
        far: whether the far points are asked for.
    """
    square = wide * wide
    for way in range(e.count):
        x, y, narrow = abs(e.long[way]), abs(e.short[way]), e.narrow[way]
        other = narrow * narrow
        t = -narrow * y - other if far else max(narrow * y - other, wide * x - square)
        e.t[way], e.none[way] = t, 1.0 if t + square <= 0 else 0.0
        e.moving[way] = 0.0 if t + square <= 0 or t + other == 0 else 1.0
        e.axial[way] = 1.0 if t + other == 0 else 0.0
    for _ in range(30):
        moving = real(0.0, wide)
        for way in range(e.count):
            t, narrow = e.t[way], e.narrow[way]
            other = narrow * narrow
            u, v = wide * abs(e.long[way]) / (t + square), narrow * abs(e.short[way]) / (t + other)
            excess, slope = u * u + v * v - 1, u * u / (t + square) + v * v / (t + other)
            goes_on = e.moving[way] != 0 and not excess <= 0
            astray = (slope >= 0) == far or t + square <= 0
            e.none[way] = 1.0 if goes_on and astray else e.none[way]
            goes_on = goes_on and not astray
            better = t + 0.5 * excess / slope
            e.t[way] = better if goes_on else t
            e.moving[way] = 1.0 if goes_on and better != t else 0.0
            moving = max(moving, e.moving[way])
        if moving == 0:
            break
    for way in range(e.count):
        x, y, t, narrow = abs(e.long[way]), abs(e.short[way]), e.t[way], e.narrow[way]
        other = narrow * narrow
        if e.none[way] != 0:
            e.nu[way], e.nv[way] = 0.0, 0.0
        elif e.axial[way] != 0:  # on the long axis, between the centres of curvature
            share = wide * x / (square - other)
            across = sqrt(max(1 - share * share, 0.0))
            e.nu[way], e.nv[way] = share * narrow / wide, -across if far else across
        else:
            e.nu[way], e.nv[way] = x / (t + square), y / (t + other)


@kernel
def _add(f, x, y, z, gap, side, margin):
    """Add a point that lies on the cylinder (side 1) or on the box (-1), moved to the middle of the gap."""
    i, n = f.count, f.normal
    if gap <= margin and i < f.gaps.shape[0]:
        step = 0.5 * gap if side > 0 else -0.5 * gap
        f.points[i, 0], f.points[i, 1], f.points[i, 2] = x + step * n[0], y + step * n[1], z + step * n[2]
        f.gaps[i] = gap
        f.count = i + 1


@kernel
def _facing_points(f, size, box, r, t, margin):
    """Points of the end, the side and the face or edge that look at each other."""
    n, a = f.normal, f.axis
    k = 0
    for i in range(1, 3):
        k = i if abs(n[i]) > abs(n[k]) else k
    along = n[0] * a[0] + n[1] * a[1] + n[2] * a[2]
    _outwards(f, size, r, t, along)
    over_face, on_end = abs(n[k]) > _FACING, abs(along) > _FACING
    if over_face:
        _rim_on_face(f, size, box, k, abs(along) < _ACROSS, margin)
    if on_end:
        _edges_on_end(f, size, box, k, over_face, abs(along), margin)
    elif not over_face and abs(along) < _PARALLEL:
        _edge_along_side(f, size, box, margin)


@kernel
def _outwards(f, size, r, t, along):
    """Write the end that looks at the box, and the way from the axis to where the rim is nearest to it."""
    n, a, out, end = f.normal, f.axis, f.out, f.end
    sign = size[1] if along >= 0 else -size[1]
    for k in range(3):
        end[k] = sign * a[k]
        out[k] = n[k] - along * a[k]
    length, tilt = _off_axis(f)
    if length < _TIE:  # flat: as on a plane, the cylinder's own x axis
        out[0], out[1], out[2] = rotate_back(r, t[0], t[3], t[6])
        length, tilt = real(1.0, along), real(0.0, along)
    for k in range(3):  # what rounding leaves along the axis counts where little is across it
        out[k] = (out[k] - tilt * a[k]) * size[0] / length


@kernel
def _off_axis(f):
    """Length of the way out, and its part along the axis."""
    out, a = f.out, f.axis
    tilt = out[0] * a[0] + out[1] * a[1] + out[2] * a[2]
    return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]), tilt


@kernel
def _rim_on_face(f, size, box, k, lying, margin):
    """The points that a cylinder has on a plane, where they are over the face; and where a lying one leaves it."""
    n, p, out, end, side, point = f.normal, f.centre, f.out, f.end, f.side, f.trial
    i, j = (k + 1) % 3, (k + 2) % 3
    height = -box[k] if n[k] > 0 else box[k]
    for d in range(3):
        side[d] = out[(d + 1) % 3] * end[(d + 2) % 3] - out[(d + 2) % 3] * end[(d + 1) % 3]
    wide = sqrt(3 / 4) / size[1]
    for trial in range(4):
        for d in range(3):
            if trial < 2:
                point[d] = p[d] + out[d] + (-end[d] if trial else end[d])
            else:
                point[d] = p[d] + end[d] - 0.5 * out[d] + (-wide if trial == 3 else wide) * side[d]
        gap = (height - point[k]) / n[k]
        if abs(point[i] + gap * n[i]) <= box[i] and abs(point[j] + gap * n[j]) <= box[j]:
            _add(f, point[0], point[1], point[2], gap, 1, margin)
    if not lying:
        return
    for d in range(3):
        point[d] = p[d] + out[d]
    here = (height - point[k]) / n[k]
    for axis in range(3):
        other = 3 - k - axis
        drift = end[axis] - n[axis] * end[k] / n[k]  # of the side's shadow on the face
        if axis == k or abs(drift) < TINY:
            continue
        for sign in range(2):
            at = ((box[axis] if sign else -box[axis]) - point[axis] - here * n[axis]) / drift
            gap = here - at * end[k] / n[k]
            if abs(at) < 1 and abs(point[other] + at * end[other] + gap * n[other]) <= box[other]:
                _add(f, point[0] + at * end[0], point[1] + at * end[1], point[2] + at * end[2], gap, 1, margin)


@kernel
def _edges_on_end(f, size, box, k, over_face, along, margin):
    """Corners of the box's face, or of its edge, that are on the end, and where its sides pass over the rim."""
    n, corner = f.normal, f.trial
    for d in range(3):
        corner[d] = -box[d] if n[d] > 0 else box[d]
    if over_face:
        i, j = (k + 1) % 3, (k + 2) % 3
        for side in range(4):  # around the face
            axis = j if side % 2 else i
            corner[axis] = -corner[axis]
            _edge_on_end(f, size, axis, along, margin)
        return
    axis = 0
    for d in range(1, 3):
        axis = d if abs(n[d]) < abs(n[axis]) else axis
    _edge_on_end(f, size, axis, along, margin)
    if abs(n[axis]) < _ACROSS:
        corner[axis] = -corner[axis]
        _corner_on_end(f, size, along, margin)


@kernel
def _corner_on_end(f, size, along, margin):
    """The corner, if it is over the end."""
    gap, square = _over_end(f, size, along, 3), real(0.0, along)
    for d in range(3):
        square += f.shadow[d] * f.shadow[d]
    if square <= size[0] * size[0]:
        _add(f, f.trial[0], f.trial[1], f.trial[2], gap, -1, margin)


@kernel
def _over_end(f, size, along, axis):
    """Write the shadow of the corner (axis 3), or of a direction, on the end, from its centre; returns its gap."""
    n, end, gap = f.normal, f.end, real(0.0, along)
    for d in range(3):
        f.shadow[d] = f.trial[d] - f.centre[d] - end[d] if axis == 3 else real(d == axis, along)
        gap += f.shadow[d] * end[d]
    gap /= size[1] * along
    for d in range(3):
        f.shadow[d] -= gap * n[d]
    return gap


@kernel
def _edge_on_end(f, size, axis, along, margin):
    """The corner, and where the shadow of the edge through it along an axis passes over the rim."""
    _corner_on_end(f, size, along, margin)
    rise = _over_end(f, size, along, axis)
    x, y, z = f.shadow[0], f.shadow[1], f.shadow[2]
    here, corner = _over_end(f, size, along, 3), f.trial
    u, v, t = f.shadow[0], f.shadow[1], f.shadow[2]
    square, cross, rest = x * x + y * y + z * z, x * u + y * v + z * t, u * u + v * v + t * t - size[0] * size[0]
    whole = cross * cross - square * rest
    if square < TINY or whole <= 0:
        return
    for sign in range(2):
        at, start = (-cross + (sqrt(whole) if sign else -sqrt(whole))) / square, corner[axis]
        if 0 < at / (-2 * start) < 1:
            corner[axis] += at
            _add(f, corner[0], corner[1], corner[2], here + at * rise, -1, margin)
            corner[axis] = start


@kernel
def _edge_along_side(f, size, box, margin):
    """Both ends of where an edge lies along the side."""
    n, a, p, out, corner = f.normal, f.axis, f.centre, f.out, f.trial
    k = 0
    for d in range(1, 3):
        k = d if abs(a[d]) > abs(a[k]) else k
    if 1 - a[k] * a[k] > _PARALLEL * _PARALLEL or abs(n[k]) > _PARALLEL:
        return
    rest, lean = real(0.0, margin), real(0.0, margin)
    for d in range(3):
        corner[d] = -box[d] if n[d] > 0 else box[d]
        lean += n[d] * out[d]
        if d != k:
            rest += (corner[d] - p[d]) * a[d]
    middle, reach = p[k] - rest / a[k], size[1] / abs(a[k])
    low, high = max(-box[k], middle - reach), min(box[k], middle + reach)
    if low > high:
        return
    for end in range(2):
        corner[k] = high if end else low
        x, y, z = corner[0] - p[0] - out[0], corner[1] - p[1] - out[1], corner[2] - p[2] - out[2]
        _add(f, corner[0], corner[1], corner[2], (x * out[0] + y * out[1] + z * out[2]) / lean, -1, margin)


@kernel
def _witness(f, size, box, gap):
    """Add the point of the widest gap where none of the others is as near."""
    n, a, p, out, end = f.normal, f.axis, f.centre, f.out, f.end
    for i in range(f.count):
        if f.gaps[i] <= gap + _ALIKE:
            return
    along = abs(n[0] * end[0] + n[1] * end[1] + n[2] * end[2]) / size[1]
    lean = (n[0] * out[0] + n[1] * out[1] + n[2] * out[2]) / size[0]
    corner, free = f.trial, -1
    for d in range(3):
        corner[d] = -box[d] if n[d] > 0 else box[d]
        free = d if abs(n[d]) < _TIE else free
    if along > _TIE and lean > _TIE:  # a point of the rim
        _add(f, p[0] + out[0] + end[0], p[1] + out[1] + end[1], p[2] + out[2] + end[2], gap, 1, gap)
    elif along <= _TIE and free >= 0 and abs(a[free]) < 1 - _TIE:  # the side and an edge cross
        x, y, z = corner[0] - p[0] - out[0], corner[1] - p[1] - out[1], corner[2] - p[2] - out[2]
        rise, away = x * a[0] + y * a[1] + z * a[2], corner[free] - p[free] - out[free]
        at = (rise - a[free] * away) / (1 - a[free] * a[free])
        at = min(max(at, -size[1]), size[1])
        _add(f, p[0] + out[0] + at * a[0], p[1] + out[1] + at * a[1], p[2] + out[2] + at * a[2], gap, 1, gap)
    else:
        _add(f, corner[0], corner[1], corner[2], gap, -1, gap)


@kernel
def _one_point(f, gap):
    """Leave one contact: the middle of the deepest points."""
    alike, x, y, z = 0, real(0.0, gap), real(0.0, gap), real(0.0, gap)
    for i in range(f.count):
        if f.gaps[i] <= gap + _ALIKE:
            alike += 1
            x, y, z = x + f.points[i, 0], y + f.points[i, 1], z + f.points[i, 2]
    f.points[0, 0], f.points[0, 1], f.points[0, 2] = x / alike, y / alike, z / alike
    f.gaps[0], f.count = gap, 1
