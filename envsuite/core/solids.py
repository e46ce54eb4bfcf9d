"""Solids as a camera sees them: balls, boxes, cylinders and capsules, in every pixel the nearest one on its ray.

Nothing is approximated by triangles, and nothing depends on the order in which solids are listed. Kernels draw into
memory that the caller gives, so that pictures of many instances come from several threads. World coordinates are in
metres, z up; a ground lies far below.
"""

from typing import Any

import numpy as np

from envsuite.core.canvas import Camera
from envsuite.core.fmath import sqrt
from envsuite.core.jit import kernel

BALL, BOX, CYLINDER, CAPSULE = range(4)

SOLID = np.dtype(
    [
        ("kind", np.int32),
        ("group", np.int32),  # lines are drawn where groups meet, and along edges
        ("casts", np.uint8),  # whether it throws a shadow
        ("centre", np.float64, (3,)),  # m
        ("axes", np.float64, (3, 3)),  # columns; cylinders and capsules lie along the last
        ("extent", np.float64, (3,)),  # m: half lengths of a box; else radius, and half the length of the middle part
        ("color", np.float64, (3,)),  # 0 to 255
    ],
    align=True,
)

VIEW = np.dtype([("eye", np.float64, (3,)), ("axes", np.float64, (3, 3)), ("focal", np.float64)], align=True)
"""A camera as kernels read it: place, rows to the right, down and forward, pixels to a metre at a distance of 1 m."""

_FAR = 1e9
_NEAR = 0.02  # m; what is nearer is not seen
_WIDE = 12  # pixels, from which it is worth finding out which of a row a solid may cover
_SKIN = 1e-4  # m, by which a shadow's ray starts above its surface
_AMBIENT, _DIRECT = 0.5, 0.5
"""Shares of light; the direct one falls from 1 to 0 between a surface that faces the light and one turned away."""
_SHADE, _LINE, _CREASE = 0.72, 0.74, 0.3
"""Factors on colours in shadow and on lines; the difference in light from which an edge has a line."""


def view_of(camera: Camera, fine: int = 1) -> np.ndarray:
    """A camera for kernels.

    Args:
        camera: as others use it.
        fine: by how much finer than its size the picture is drawn, along each axis.

    Returns:
        (1,) of type `VIEW`.
    """
    made: np.ndarray = np.zeros(1, VIEW)
    made["eye"], made["axes"], made["focal"] = camera.position, camera.axes, camera.focal * fine
    return made


def room(width: int, height: int, fine: int) -> tuple[np.ndarray, ...]:
    """Memory for `draw` and `develop`: depth, number of the nearest solid, light, shadow of each fine pixel, corners.

    Args:
        width: of the picture, pixels.
        height: likewise.
        fine: fine pixels to a pixel, along each axis.
    """
    shape = height * fine, width * fine
    return np.zeros(shape), np.zeros(shape, np.int32), np.zeros(shape), np.zeros(shape, np.uint8), np.zeros((8, 2))


@kernel
def _local(axes, x, y, z):
    """A direction of the world along a solid's axes."""
    return (
        axes[0, 0] * x + axes[1, 0] * y + axes[2, 0] * z,
        axes[0, 1] * x + axes[1, 1] * y + axes[2, 1] * z,
        axes[0, 2] * x + axes[1, 2] * y + axes[2, 2] * z,
    )


@kernel
def _inverse(x):
    """One over a number; finite, also of 0."""
    return 1.0 / x if abs(x) > 1e-12 else 1e12


@kernel
def _hit_box(size, e, d):
    i0, i1, i2 = _inverse(d[0]), _inverse(d[1]), _inverse(d[2])
    m0, m1, m2 = -e[0] * i0, -e[1] * i1, -e[2] * i2
    w0, w1, w2 = size[0] * abs(i0), size[1] * abs(i1), size[2] * abs(i2)
    n0, n1, n2 = m0 - w0, m1 - w1, m2 - w2
    near, far = max(n0, n1, n2), min(m0 + w0, m1 + w1, m2 + w2)
    if near > far or near <= 0.0:
        return _FAR, 0.0, 0.0, 0.0
    if near == n0:
        return near, -1.0 if d[0] > 0.0 else 1.0, 0.0, 0.0
    if near == n1:
        return near, 0.0, -1.0 if d[1] > 0.0 else 1.0, 0.0
    return near, 0.0, 0.0, -1.0 if d[2] > 0.0 else 1.0


@kernel
def _hit_ball(radius, height, e, d):
    """A ball whose centre is at a height along the last axis."""
    z = e[2] - height
    a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    b = e[0] * d[0] + e[1] * d[1] + z * d[2]
    c = e[0] * e[0] + e[1] * e[1] + z * z - radius * radius
    under = b * b - a * c
    if under <= 0.0:
        return _FAR, 0.0, 0.0, 0.0
    t = (-b - sqrt(under)) / a
    if t <= 0.0:
        return _FAR, 0.0, 0.0, 0.0
    return t, (e[0] + t * d[0]) / radius, (e[1] + t * d[1]) / radius, (z + t * d[2]) / radius


@kernel
def _hit_barrel(radius, half, e, d):
    """A cylinder's side."""
    a = d[0] * d[0] + d[1] * d[1]
    b = e[0] * d[0] + e[1] * d[1]
    c = e[0] * e[0] + e[1] * e[1] - radius * radius
    under = b * b - a * c
    if a == 0.0 or under <= 0.0:
        return _FAR, 0.0, 0.0, 0.0
    t = (-b - sqrt(under)) / a
    if t <= 0.0 or abs(e[2] + t * d[2]) > half:
        return _FAR, 0.0, 0.0, 0.0
    return t, (e[0] + t * d[0]) / radius, (e[1] + t * d[1]) / radius, 0.0


@kernel
def _hit_ends(radius, half, e, d):
    """A cylinder's flat ends."""
    side = -1.0 if d[2] > 0.0 else 1.0
    if d[2] == 0.0:
        return _FAR, 0.0, 0.0, 0.0
    t = (side * half - e[2]) / d[2]
    x, y = e[0] + t * d[0], e[1] + t * d[1]
    if t <= 0.0 or x * x + y * y > radius * radius:
        return _FAR, 0.0, 0.0, 0.0
    return t, 0.0, 0.0, side


@kernel
def _nearer(one, two):
    return two if two[0] < one[0] else one


@kernel
def hit(kind, size, e, d):
    """Where a ray meets a solid from outside, along its axes.

    Args:
        kind: of the solid.
        size: ``extent`` of a `SOLID`.
        e: the ray's beginning, from the solid's centre, m.
        d: its direction.

    Returns:
        How many times the direction, and the outward normal; a very large number where it does not meet it.
    """
    if kind == BOX:
        return _hit_box(size, e, d)
    if kind == BALL:
        return _hit_ball(size[0], 0.0, e, d)
    side = _hit_barrel(size[0], size[1], e, d)
    if kind == CYLINDER:
        return _nearer(side, _hit_ends(size[0], size[1], e, d))
    ends = _nearer(_hit_ball(size[0], -size[1], e, d), _hit_ball(size[0], size[1], e, d))
    return _nearer(side, ends)


@kernel
def _stretch(view, width, height, x, y, z, box):
    """A rectangle of pixels that a point is in too; everything where the point is not in front of the camera."""
    x, y, z = x - view.eye[0], y - view.eye[1], z - view.eye[2]
    a = view.axes
    deep = a[2, 0] * x + a[2, 1] * y + a[2, 2] * z
    if deep < _NEAR:
        return 0, 0, width, height
    scale = view.focal / deep
    u = (a[0, 0] * x + a[0, 1] * y + a[0, 2] * z) * scale + 0.5 * width
    v = (a[1, 0] * x + a[1, 1] * y + a[1, 2] * z) * scale + 0.5 * height
    u, v = min(max(u, -1.0), width + 1.0), min(max(v, -1.0), height + 1.0)
    left, top = max(min(box[0], int(u) - 1), 0), max(min(box[1], int(v) - 1), 0)
    return left, top, min(max(box[2], int(u) + 2), width), min(max(box[3], int(v) + 2), height)


@kernel
def _half(solid):
    """Half lengths of the box around a solid."""
    x, y, z = solid.extent[0], solid.extent[1], solid.extent[2]
    if solid.kind != BOX:
        y = x
        z = x if solid.kind == BALL else solid.extent[1] + (x if solid.kind == CAPSULE else 0.0)
    return x, y, z


@kernel
def _bounds(solid, view, width, height, light, shadow):
    """The rectangle of pixels in which a solid can be seen, or it and its shadow down to z = 0."""
    box = width, height, 0, 0
    x, y, z = _half(solid)
    axes, centre = solid.axes, solid.centre
    for k in range(8):
        i, j, m = x if k & 1 else -x, y if k & 2 else -y, z if k & 4 else -z
        u = centre[0] + axes[0, 0] * i + axes[0, 1] * j + axes[0, 2] * m
        v = centre[1] + axes[1, 0] * i + axes[1, 1] * j + axes[1, 2] * m
        w = centre[2] + axes[2, 0] * i + axes[2, 1] * j + axes[2, 2] * m
        box = _stretch(view, width, height, u, v, w, box)
        if shadow and w > 0.0:
            down = w / light[2]
            box = _stretch(view, width, height, u - down * light[0], v - down * light[1], 0.0, box)
    return box


@kernel
def _outline(solid, view, width, height, corners):
    """Write where the corners of a solid's box are seen, (8, 2), pixels; whether all are in front of the camera."""
    x, y, z = _half(solid)
    a, axes, centre = view.axes, solid.axes, solid.centre
    for k in range(8):
        i, j, m = x if k & 1 else -x, y if k & 2 else -y, z if k & 4 else -z
        u = centre[0] + axes[0, 0] * i + axes[0, 1] * j + axes[0, 2] * m - view.eye[0]
        v = centre[1] + axes[1, 0] * i + axes[1, 1] * j + axes[1, 2] * m - view.eye[1]
        w = centre[2] + axes[2, 0] * i + axes[2, 1] * j + axes[2, 2] * m - view.eye[2]
        deep = a[2, 0] * u + a[2, 1] * v + a[2, 2] * w
        if deep < _NEAR:
            return False
        corners[k, 0] = (a[0, 0] * u + a[0, 1] * v + a[0, 2] * w) * view.focal / deep + 0.5 * width
        corners[k, 1] = (a[1, 0] * u + a[1, 1] * v + a[1, 2] * w) * view.focal / deep + 0.5 * height
    return True


@kernel
def _span(corners, row, left, right):
    """The columns of a row between the corners' outline, a pixel more on each side, within bounds."""
    low, high, first, last = row - 0.5, row + 1.5, _FAR, -_FAR
    for i in range(7):
        for j in range(i + 1, 8):
            ax, ay, bx, by = corners[i, 0], corners[i, 1], corners[j, 0], corners[j, 1]
            if (ay < low and by < low) or (ay > high and by > high):
                continue
            slope = (bx - ax) / (by - ay) if ay != by else 0.0
            one, two = (
                (ax, bx)
                if ay == by
                else (
                    ax + (min(max(ay, low), high) - ay) * slope,
                    ax + (min(max(by, low), high) - ay) * slope,
                )
            )
            first, last = min(first, one, two), max(last, one, two)
    first, last = min(max(first - 1.0, left), right), min(max(last + 2.0, left), right)
    return int(first), int(last)


@kernel
def _from(view, centre):
    return view.eye[0] - centre[0], view.eye[1] - centre[1], view.eye[2] - centre[2]


@kernel
def _pace(view, axes):
    """The camera's directions along a solid's axes: of a pixel to the right, of one down, and forward."""
    a, unit = view.axes, 1.0 / view.focal
    return (
        _local(axes, unit * a[0, 0], unit * a[0, 1], unit * a[0, 2]),
        _local(axes, unit * a[1, 0], unit * a[1, 1], unit * a[1, 2]),
        _local(axes, a[2, 0], a[2, 1], a[2, 2]),
    )


@kernel
def _ray(pace, u, v):
    """Direction of a pixel's ray, one metre deep; the pixel counted from the middle."""
    right, down, ahead = pace
    return (
        u * right[0] + v * down[0] + ahead[0],
        u * right[1] + v * down[1] + ahead[1],
        u * right[2] + v * down[2] + ahead[2],
    )


@kernel
def draw(solids, number, view, light, depth, which, lit, shade, corners):
    """Find for every pixel the nearest solid, its light, and whether it lies in a shadow.

    Args:
        solids: records of type `SOLID`.
        number: how many of them.
        view: record of type `VIEW`.
        light: unit vector towards the light, upwards, (3,).
        depth: (height, width), written: m, forward.
        which: likewise: number of the solid, -1 for none.
        lit: likewise: 0 to 1.
        shade: likewise: 1 in a shadow.
        corners: (8, 2), written.
    """
    height, width = depth.shape
    for row in range(height):
        for column in range(width):
            depth[row, column], which[row, column], shade[row, column] = _FAR, -1, 0
    for k in range(number):
        solid = solids[k]
        axes, kind, size = solid.axes, solid.kind, solid.extent
        x, y, z = _from(view, solid.centre)
        e, sun = _local(axes, x, y, z), _local(axes, light[0], light[1], light[2])
        left, top, right, bottom = _bounds(solid, view, width, height, light, False)
        pace, narrow = _pace(view, axes), right - left > _WIDE and _outline(solid, view, width, height, corners)
        for row in range(top, bottom):
            v = row + 0.5 - 0.5 * height
            first, last = _span(corners, row, left, right) if narrow else (left, right)
            for column in range(first, last):
                t, a, b, c = hit(kind, size, e, _ray(pace, column + 0.5 - 0.5 * width, v))
                if _NEAR < t < depth[row, column]:
                    depth[row, column], which[row, column] = t, k
                    lit[row, column] = a * sun[0] + b * sun[1] + c * sun[2]
    for k in range(number):
        if solids[k].casts != 0:
            _cast(solids[k], k, view, light, depth, which, lit, shade)


@kernel
def _cast(solid, number, view, light, depth, which, lit, shade):
    """Mark what lies in a solid's shadow."""
    height, width = depth.shape
    axes, kind, size, centre = solid.axes, solid.kind, solid.extent, solid.centre
    sun = _local(axes, light[0], light[1], light[2])
    x, y, z = _from(view, centre)
    e = _local(axes, x + _SKIN * light[0], y + _SKIN * light[1], z + _SKIN * light[2])
    left, top, right, bottom = _bounds(solid, view, width, height, light, True)
    pace = _pace(view, axes)
    for row in range(top, bottom):
        v = row + 0.5 - 0.5 * height
        for column in range(left, right):
            one, t = which[row, column], depth[row, column]
            if one < 0 or one == number or shade[row, column] != 0 or lit[row, column] <= 0.0:
                continue
            x, y, z = _ray(pace, column + 0.5 - 0.5 * width, v)
            if hit(kind, size, (e[0] + t * x, e[1] + t * y, e[2] + t * z), sun)[0] < _FAR:
                shade[row, column] = 1


@kernel
def _line(solids, which, lit, row, column):
    """Whether another group begins to the right or below, or an edge is there."""
    height, width = which.shape
    one = which[row, column]
    for k in range(2):
        i, j = row + (k == 0), column + (k == 1)
        if i < height and j < width:
            two = which[i, j]
            if (one < 0) != (two < 0):
                return True
            if one >= 0 and solids[one].group != solids[two].group:
                return True
            if one >= 0 and abs(lit[row, column] - lit[i, j]) > _CREASE:
                return True
    return False


@kernel
def develop(solids, view, mark, depth, which, lit, shade, fine, out):
    """Make the picture of what `draw` has found, with a mark that shines through what hides it.

    Args:
        solids: as for `draw`.
        view: likewise.
        mark: record of type `SOLID`, along the axes of the world.
        depth: as `draw` wrote it.
        which: likewise.
        lit: likewise.
        shade: likewise.
        fine: fine pixels to a pixel, along each axis.
        out: uint8 (height, width, 3), written.
    """
    height, width = depth.shape
    x, y, z = _from(view, mark.centre)
    e, pace = _local(mark.axes, x, y, z), _pace(view, mark.axes)
    left, top, right, bottom = _bounds(mark, view, width, height, mark.centre, False)
    part = 1.0 / (fine * fine)
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            red, green, blue = 0.0, 0.0, 0.0
            for row in range(i * fine, (i + 1) * fine):
                for column in range(j * fine, (j + 1) * fine):
                    k = which[row, column]
                    if k >= 0:
                        color = solids[k].color
                        share = _AMBIENT + _DIRECT * max(0.5 + 0.5 * lit[row, column], 0.0)
                        if shade[row, column] != 0:
                            share *= _SHADE
                        r, g, b = share * color[0], share * color[1], share * color[2]
                    else:
                        r, g, b = _beyond(_ray(pace, column + 0.5 - 0.5 * width, row + 0.5 - 0.5 * height))
                    if fine > 1 and _line(solids, which, lit, row, column):
                        r, g, b = _LINE * r, _LINE * g, _LINE * b
                    if top <= row < bottom and left <= column < right:
                        d = _ray(pace, column + 0.5 - 0.5 * width, row + 0.5 - 0.5 * height)
                        t = hit(mark.kind, mark.extent, e, d)[0]
                        if t < _FAR:
                            over = 0.8 if t <= depth[row, column] else 0.35
                            r += over * (mark.color[0] - r)
                            g += over * (mark.color[1] - g)
                            b += over * (mark.color[2] - b)
                    red, green, blue = red + r, green + g, blue + b
            out[i, j, 0] = np.uint8(part * red + 0.5)
            out[i, j, 1] = np.uint8(part * green + 0.5)
            out[i, j, 2] = np.uint8(part * blue + 0.5)


@kernel
def _beyond(d):
    """Colour of floor and wall where there is no solid: lighter towards the horizon."""
    slope = d[2] / sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
    share = min(abs(slope) * 1.4, 1.0)
    if slope < 0.0:
        return 236.0 - 42.0 * share, 240.0 - 38.0 * share, 244.0 - 34.0 * share
    return 236.0 - 60.0 * share, 240.0 - 40.0 * share, 244.0 - 18.0 * share


def solid(kind: int, centre: Any, axes: Any, extent: Any, color: Any, group: int, *, casts: bool = True) -> np.ndarray:
    """One solid, (1,) of type `SOLID`.

    Args:
        kind: see `SOLID`; likewise the others.
        centre: m, (3,).
        axes: columns, (3, 3).
        extent: m, (3,) or fewer.
        color: (3,).
        group: number.
        casts: whether it throws a shadow.
    """
    made: np.ndarray = np.zeros(1, SOLID)
    made["kind"], made["group"], made["casts"], made["centre"], made["axes"] = kind, group, casts, centre, axes
    made["color"] = color
    made["extent"][0, : np.size(extent)] = extent
    return made
