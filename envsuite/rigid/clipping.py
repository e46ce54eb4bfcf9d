"""Where two boxes touch, as MuJoCo 2.3 to 3.11 find it (mjc_BoxBox before it was rewritten).

The axis of least overlap is a face's normal or a product of two edges. A face of one box is then clipped by the other.
Contacts of a face report half of the true depth, which is a defect of that routine: stacked boxes sink twice as deep
as a box on a plane. It is kept, since results are to be equal.
"""

import numpy as np

from envsuite.core import kernel, real
from envsuite.core.fmath import sqrt
from envsuite.rigid.boxes import ROUNDING
from envsuite.rigid.points import add_contact
from envsuite.rigid.spatial import TINY, rotate, rotate_back

_NONE = -1
_SLACK = 1.01  # points outside a box by more than 1 % do not count


@kernel
def box_box(m, s, w, pair):
    """Up to eight points, seldom more."""
    c = w.clipping
    if _are_clear(m, w, pair):
        return
    _relate(m, w, pair)
    code = _least_overlap(m, w, pair)
    if code == _NONE:
        return
    c.count = 0
    if code < 12:
        _clip_face(m, w, pair, code % 6, code >= 6)
    else:
        _clip_edge(m, w, pair, (code - 12) // 3, (code - 12) % 3)
    _sift(m, w, pair)
    for i in range(c.count):
        if c.kept[i] != 0:
            w.new_pos[0], w.new_pos[1], w.new_pos[2] = c.place[i, 0], c.place[i, 1], c.place[i, 2]
            w.new_normal[0], w.new_normal[1], w.new_normal[2] = c.out[0], c.out[1], c.out[2]
            add_contact(m, s, w, pair, c.depth[i])


@kernel
def _are_clear(m, w, pair):
    """Write the way from each centre to the other; whether a box's face is beyond the other's bounding sphere."""
    a, b, c = m.pair_geom1[pair], m.pair_geom2[pair], w.clipping
    p, q = w.geom_xpos[a], w.geom_xpos[b]
    x, y, z = q[0] - p[0], q[1] - p[1], q[2] - p[2]
    c.ahead[0], c.ahead[1], c.ahead[2] = rotate_back(w.geom_xmat[a], x, y, z)
    reach, outside = m.pair_margin[pair] + ROUNDING, False
    for k in range(3):
        outside = outside or abs(c.ahead[k]) - m.geom_size[a, k] > m.geom_rbound[b] + reach
    if outside:
        return True
    c.back[0], c.back[1], c.back[2] = rotate_back(w.geom_xmat[b], -x, -y, -z)
    for k in range(3):
        outside = outside or abs(c.back[k]) - m.geom_size[b, k] > m.geom_rbound[a] + reach
    return outside


@kernel
def _relate(m, w, pair):
    """Axes of the second box in the first one's."""
    r, t, c = w.geom_xmat[m.pair_geom1[pair]], w.geom_xmat[m.pair_geom2[pair]], w.clipping
    for i in range(3):
        for j in range(3):
            c.turn[3 * i + j] = r[i] * t[j] + r[3 + i] * t[3 + j] + r[6 + i] * t[6 + j]


@kernel
def _least_overlap(m, w, pair):
    """Which axis separates the boxes least: 0 to 5 a face of the first, 6 to 11 of the second, 12 on edges i, j."""
    c, margin = w.clipping, m.pair_margin[pair]
    size1, size2 = m.geom_size[m.pair_geom1[pair]], m.geom_size[m.pair_geom2[pair]]
    least, code = margin, _NONE
    for k in range(3):
        least += 3 * (size1[k] + size2[k])
    for i in range(3):
        mine, other = size1[i] - abs(c.ahead[i]), size2[i] - abs(c.back[i])
        for j in range(3):
            mine += abs(c.turn[3 * i + j]) * size2[j]
            other += abs(c.turn[3 * j + i]) * size1[j]
        if mine < -margin or other < -margin:
            return _NONE
        if mine < least:
            least, code = mine, i + (3 if c.ahead[i] < 0 else 0)
        if other < least:
            least, code = other, i + (9 if c.back[i] < 0 else 6)
    for i in range(3):
        for j in range(3):
            overlap, towards = _edge_overlap(c, size1, size2, i, j)
            if overlap < -margin:
                return _NONE
            if overlap < least * (1 - 1e-12):
                least, code = overlap, 12 + 3 * i + j
                _choose_edges(c, i, j, towards < 0)
    return code


@kernel
def _edge_overlap(c, size1, size2, i, j):
    """Overlap along the product of axis i of the first box and axis j of the second, and the centres' distance."""
    a, b = (i + 1) % 3, (i + 2) % 3
    x, y = -c.turn[3 * b + j], c.turn[3 * a + j]
    length = sqrt(x * x + y * y)
    if length < TINY:
        return real(1e300, length), length
    x, y = x / length, y / length
    c.trial[i], c.trial[a], c.trial[b] = 0.0, x, y
    towards = c.ahead[a] * x + c.ahead[b] * y
    overlap = size1[a] * abs(x) + size1[b] * abs(y) - abs(towards)
    for k in range(3):
        if k != j:
            overlap += size2[k] * abs(c.turn[3 * i + 3 - k - j]) / length
    return overlap, towards


@kernel
def _choose_edges(c, i, j, flipped):
    """Remember the axis, and on which edges of both boxes it touches (signs as bits)."""
    c.flipped, c.edge1, c.edge2 = flipped, 0, 0
    for k in range(3):
        c.axis[k] = c.trial[k]
        if k != i and (c.trial[k] > 0) != flipped:
            c.edge1 += 1 << k
        if k != j and ((c.turn[3 * i + 3 - k - j] > 0) != flipped) != ((k - j + 3) % 3 == 1):
            c.edge2 += 1 << k


@kernel
def _to_face(q, x, y, z):
    """A vector of a box in the frame whose third axis is its face q (3 to 5: the negative ones)."""
    if q == 0:
        return -z, y, x
    if q == 1:
        return x, -z, y
    if q == 2:
        return x, y, z
    if q == 3:
        return z, y, -x
    if q == 4:
        return x, z, -y
    return -x, y, -z


@kernel
def _from_face(q, x, y, z):
    """The inverse of `_to_face`."""
    if q == 0:
        return z, y, -x
    if q == 1:
        return x, z, -y
    if q == 2:
        return x, y, z
    if q == 3:
        return -z, y, x
    if q == 4:
        return x, -z, y
    return -x, y, -z


@kernel
def _face_frame(m, w, pair, q, second):
    """Write the other box's axes and centre, and the face's half sides, in the frame of face q; returns its height."""
    c = w.clipping
    own = m.geom_size[m.pair_geom2[pair] if second else m.pair_geom1[pair]]
    for k in range(3):
        if second:
            x, y, z = _to_face(q, c.turn[3 * k], c.turn[3 * k + 1], c.turn[3 * k + 2])
        else:
            x, y, z = _to_face(q, c.turn[k], c.turn[3 + k], c.turn[6 + k])
        c.axes[k], c.axes[3 + k], c.axes[6 + k] = x, y, z
    way = c.back if second else c.ahead
    c.centre[0], c.centre[1], c.centre[2] = _to_face(q, way[0], way[1], way[2])
    x, y, z = _to_face(q, own[0], own[1], own[2])
    c.half[0], c.half[1], height = abs(x), abs(y), abs(z)
    c.centre[2] -= height
    c.height, c.face, c.second = height, q, second
    return height


@kernel
def _put(c, x, y, z, depth):
    """Add a point in the frame of the face."""
    if c.count < c.points.shape[0]:
        c.points[c.count, 0], c.points[c.count, 1], c.points[c.count, 2] = x, y, z
        c.depth[c.count] = depth
        c.count += 1


@kernel
def _clip_face(m, w, pair, q, second):
    """Clip the other box's lowest face, edge or corner by a face; depths are half the true ones."""
    c, margin = w.clipping, m.pair_margin[pair]
    _face_frame(m, w, pair, q, second)
    edges = _lowest(c, m.geom_size[m.pair_geom1[pair] if second else m.pair_geom2[pair]])
    lines = 4 if edges > 1 else edges
    for i in range(lines):
        _cross_sides(c, i)
    if edges > 1:
        _corners_within(c)
    for i in range(1 << edges):
        x, y, z = c.corner[0], c.corner[1], c.corner[2]
        for e in range(edges):
            if i >> e & 1:
                x, y, z = x + c.edges[e, 0], y + c.edges[e, 1], z + c.edges[e, 2]
        if i == 0 or (-c.half[0] < x < c.half[0] and -c.half[1] < y < c.half[1]):
            _put(c, x, y, z, z)
    kept = 0
    for i in range(c.count):
        if c.points[i, 2] <= margin:
            c.points[kept, 0], c.points[kept, 1] = c.points[i, 0], c.points[i, 1]
            c.points[kept, 2] = c.depth[kept] = 0.5 * c.points[i, 2]
            kept += 1
    c.count = kept
    x, y, z = _from_face(q, real(0.0, margin), real(0.0, margin), real(1.0, margin))
    a, b = m.pair_geom1[pair], m.pair_geom2[pair]
    c.trial[0], c.trial[1], c.trial[2] = (-x, -y, -z) if second else (x, y, z)
    c.out[0], c.out[1], c.out[2] = rotate(w.geom_xmat[b if second else a], c.trial)


@kernel
def _lowest(c, size):
    """Write the lowest corner, the edges at it that lie rather flat, and their lines; returns how many edges."""
    for k in range(3):
        c.corner[k] = c.centre[k]
    edges = 0
    for k in range(3):
        low = 1.0 if c.axes[6 + k] < 0 else -1.0
        for i in range(3):
            c.corner[i] += c.axes[3 * i + k] * size[k] * low
        if abs(c.axes[6 + k]) < 0.5:
            if edges < 2:
                for i in range(3):
                    c.edges[edges, i] = -2 * size[k] * low * c.axes[3 * i + k]
            edges += 1
    edges = min(edges, 2)
    for line in range(4):
        along, start = 0 if line in (0, 3) else 1, line - 2
        for i in range(3):
            c.lines[line, i] = c.corner[i] + (c.edges[start, i] if start >= 0 else 0.0)
            c.lines[line, 3 + i] = c.edges[along, i]
    return edges


@kernel
def _cross_sides(c, i):
    """Points where a line passes over the sides of the face."""
    line = c.lines[i]
    for q in range(2):
        if abs(line[3 + q]) <= TINY:
            continue
        for side in range(2):
            at = ((c.half[q] if side else -c.half[q]) - line[q]) / line[3 + q]
            if 0 <= at <= 1 and abs(line[1 - q] + line[4 - q] * at) <= c.half[1 - q]:
                x, y, z = line[0] + at * line[3], line[1] + at * line[4], line[2] + at * line[5]
                _put(c, x, y, z, z)


@kernel
def _corners_within(c):
    """Corners of the face under the other box's face."""
    e, f, o = c.edges[0], c.edges[1], c.corner
    whole = e[0] * f[1] - f[0] * e[1]
    for i in range(4):
        x, y = c.half[0] if i // 2 else -c.half[0], c.half[1] if i % 2 else -c.half[1]
        dx, dy = x - o[0], y - o[1]
        u, v = (dx * f[1] - dy * f[0]) / whole, (dy * e[0] - dx * e[1]) / whole
        if 0 < u < 1 and 0 < v < 1:
            z = o[2] + u * e[2] + v * f[2]
            _put(c, x, y, z, z)


@kernel
def _clip_edge(m, w, pair, i1, j2):
    """Slide the second box's face at the touching edge along the normal onto a face of the first, and clip it there."""
    c, margin = w.clipping, m.pair_margin[pair]
    a1, a2 = _steeper(c, j2, i1, True)
    _, b2 = _steeper(c, i1, j2, False)
    q = b2 if c.edge1 >> b2 & 1 else b2 + 3
    _face_frame(m, w, pair, q, False)
    n = c.trial
    n[0], n[1], n[2] = _to_face(q, c.axis[0], c.axis[1], c.axis[2])
    if abs(n[2]) < TINY:
        return
    down = (-1.0 if c.flipped else 1.0) / n[2]
    _slide(c, m.geom_size[m.pair_geom2[pair]], a1, a2, j2)
    for i in range(4):
        _cross_slid(c, i, down, margin)
    crossed = c.count
    _corners_slid(c, crossed, margin)
    _vertices_slid(c, crossed, c.count, down, margin)
    x, y, z = _from_face(q, n[0], n[1], n[2])
    sign = -1.0 if c.flipped else 1.0
    c.trial[0], c.trial[1], c.trial[2] = sign * x, sign * y, sign * z
    c.out[0], c.out[1], c.out[2] = rotate(w.geom_xmat[m.pair_geom1[pair]], c.trial)


@kernel
def _steeper(c, own, other, rows):
    """The two other axes of a box: first the one that is more inclined to the other box's touching edge."""
    first, second = 1, 2
    if own == 1:
        first = 0
    elif own == 2:
        first, second = 1, 0
    if rows:
        swap = abs(c.turn[3 * other + first]) < abs(c.turn[3 * other + second])
    else:
        swap = abs(c.turn[3 * first + other]) < abs(c.turn[3 * second + other])
    return (second, first) if swap else (first, second)


@kernel
def _slide(c, size, a1, a2, j2):
    """Write the face's vertices, the same slid along the normal, and the lines of both."""
    n = c.trial
    for i in range(4):
        s1 = size[a1] if (c.edge2 >> a1 & 1 != 0) == (i < 2) else -size[a1]
        s2 = size[a2] if c.edge2 >> a2 & 1 else -size[a2]
        s3 = size[j2] if i % 2 == 0 else -size[j2]
        for k in range(3):
            row = 3 * k
            c.true[i, k] = c.centre[k] + c.axes[row + a1] * s1 + c.axes[row + a2] * s2 + c.axes[row + j2] * s3
        fall = c.true[i, 2] / n[2]
        for k in range(3):
            c.slid[i, k] = c.true[i, k] - n[k] * fall
    for i in range(4):
        start, along = (0 if i < 2 else 1 if i == 2 else 2), (1 if i == 0 or i == 3 else 2)
        for k in range(3):
            c.lines[i, k], c.lines[i, 3 + k] = c.slid[start, k], c.slid[along, k] - c.slid[0, k]
            c.true_lines[i, k], c.true_lines[i, 3 + k] = c.true[start, k], c.true[along, k] - c.true[0, k]


@kernel
def _cross_slid(c, i, down, margin):
    """Points halfway between a true edge and where the slid one passes over the sides of the face."""
    line, true = c.lines[i], c.true_lines[i]
    for q in range(2):
        if abs(line[3 + q]) <= TINY:
            continue
        for side in range(2):
            edge = c.half[q] if side else -c.half[q]
            at = (edge - line[q]) / line[3 + q]
            across = line[1 - q] + line[4 - q] * at
            height = true[2] + true[5] * at
            if at < 0 or at > 1 or abs(across) > c.half[1 - q] or height * down > margin:
                continue
            x, y = true[0] + at * true[3], true[1] + at * true[4]
            x += edge if q == 0 else across
            y += across if q == 0 else edge
            _put(c, 0.5 * x, 0.5 * y, 0.5 * height, height * down)


@kernel
def _corners_slid(c, crossed, margin):
    """Corners of the face under the slid one.

    The determinant is overwritten by the first distance, so that later corners see a wrong one: a slip of the original
    that is kept, since 8 % of touching poses would have other points.
    """
    o, t = c.slid[0], c.true
    ex, ey, fx, fy = c.slid[1, 0] - o[0], c.slid[1, 1] - o[1], c.slid[2, 0] - o[0], c.slid[2, 1] - o[1]
    whole = ex * fy - fx * ey
    for i in range(4):
        x, y = c.half[0] if i // 2 else -c.half[0], c.half[1] if i % 2 else -c.half[1]
        u, v = ((x - o[0]) * fy - (y - o[1]) * fx) / whole, ((y - o[1]) * ex - (x - o[0]) * ey) / whole
        beside_u, beside_v = u < 0 or u > 1, v < 0 or v > 1
        if (crossed == 0 and beside_u and beside_v) or (crossed > 0 and (beside_u or beside_v)):
            continue
        u, v = min(max(u, 0.0), 1.0), min(max(v, 0.0), 1.0)
        rest = 1 - u - v
        tx = t[0, 0] * rest + t[1, 0] * u + t[2, 0] * v
        ty = t[0, 1] * rest + t[1, 1] * u + t[2, 1] * v
        tz = t[0, 2] * rest + t[1, 2] * u + t[2, 2] * v
        whole = (x - tx) * (x - tx) + (y - ty) * (y - ty) + tz * tz
        if tz > 0 and whole > margin * margin:
            continue
        _put(c, 0.5 * (x + tx), 0.5 * (y + ty), 0.5 * tz, -sqrt(whole) if tz < 0 else sqrt(whole))


@kernel
def _vertices_slid(c, crossed, before, down, margin):
    """Vertices over the face, or beside it where nothing else has been found."""
    for i in range(4):
        x, y, height = c.slid[i, 0], c.slid[i, 1], c.true[i, 2]
        out_x, out_y = abs(x) > c.half[0], abs(y) > c.half[1]
        if (crossed == 0 and before != 0 and out_x and out_y) or (crossed != 0 and (out_x or out_y)):
            continue
        kx, ky = min(max(x, -c.half[0]), c.half[0]), min(max(y, -c.half[1]), c.half[1])
        square = (x - kx) * (x - kx) + (y - ky) * (y - ky) + height * down * (height * down)
        if height > 0 and square > margin * margin:
            continue
        depth = -sqrt(square) if height < 0 else sqrt(square)
        _put(c, 0.5 * (kx + c.true[i, 0]), 0.5 * (ky + c.true[i, 1]), 0.5 * height, depth)


@kernel
def _sift(m, w, pair):
    """Points in the world; without those outside one box and not well inside the other, and without doubles."""
    c, a, b, margin = w.clipping, m.pair_geom1[pair], m.pair_geom2[pair], m.pair_margin[pair]
    home = b if c.second else a
    local = c.trial
    for i in range(c.count):
        x, y, z = c.points[i, 0], c.points[i, 1], c.points[i, 2] + c.height
        local[0], local[1], local[2] = _from_face(c.face, x, y, z)
        dx, dy, dz = rotate(w.geom_xmat[home], local)
        p = w.geom_xpos[home]
        c.place[i, 0], c.place[i, 1], c.place[i, 2] = p[0] + dx, p[1] + dy, p[2] + dz
        first = _beside(w.geom_xpos[a], w.geom_xmat[a], m.geom_size[a], c.place[i], margin)
        second = _beside(w.geom_xpos[b], w.geom_xmat[b], m.geom_size[b], c.place[i], margin)
        c.kept[i] = not ((first == 1 and second != -1) or (second == 1 and first != -1))
    for i in range(c.count):
        for j in range(i + 1, c.count):
            same = c.place[i, 0] == c.place[j, 0] and c.place[i, 1] == c.place[j, 1]
            if c.kept[j] != 0 and same and c.place[i, 2] == c.place[j, 2]:
                c.kept[i] = np.uint8(0)


@kernel
def _beside(p, r, size, place, margin):
    """1 where a place is outside a box, -1 well inside, 0 near its surface."""
    x, y, z = rotate_back(r, place[0] - p[0], place[1] - p[1], place[2] - p[2])
    x, y, z = abs(x), abs(y), abs(z)
    sx, sy, sz = size[0] + margin, size[1] + margin, size[2] + margin
    if x > sx * _SLACK or y > sy * _SLACK or z > sz * _SLACK:
        return 1
    return -1 if x < sx / _SLACK and y < sy / _SLACK and z < sz / _SLACK else 0
