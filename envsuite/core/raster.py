"""Flat shapes as records: listed by kernels, and drawn into small pictures by kernels or onto a canvas by Pillow.

Places are on a sheet with x to the right and y downwards; a picture of any size shows the whole sheet, its two axes
scaled apart where the proportions differ. Edges are smooth: a pixel takes as much of a colour as a shape covers of it.
"""

import math

import numpy as np

from envsuite.core.canvas import Canvas
from envsuite.core.jit import kernel

STROKE, BOX, POLYGON = range(3)
CORNERS = 6  # of a polygon at most

SHAPE = np.dtype(
    [
        # STROKE: a line with round ends from the first point to the second, a disc where these are one; BOX: its top
        # left and bottom right; POLYGON: its corners
        ("kind", np.int32),
        ("corners", np.int32),
        ("points", np.float64, (CORNERS, 2)),
        ("width", np.float64),  # of a stroke
        ("color", np.int32, (4,)),  # red, green, blue and opacity, 0 to 255
    ],
    align=True,
)


@kernel
def paint(out, first, count, shapes, number, across, down):
    """Draw shapes into a picture, in their order.

    Args:
        out: uint8 (height, width, channels).
        first: channel to draw into.
        count: 3 for colours from there on, 1 for grey (ITU-R BT.601 luma) in that channel.
        shapes: records of type `SHAPE`.
        number: how many of them.
        across: pixels of the picture to a unit of the sheet.
        down: likewise, along the other axis.
    """
    for k in range(number):
        shape = shapes[k]
        if shape.kind == STROKE:
            _stroke(out, first, count, shape, across, down)
        elif shape.kind == BOX:
            _box(out, first, count, shape, across, down)
        else:
            _polygon(out, first, count, shape, across, down)


@kernel(inline=True)
def _mixed(below, color, share):
    """A byte with `share` 256ths of a colour mixed into it."""
    return np.uint8((np.int32(below) * (256 - share) + color * share) >> 8)


@kernel(inline=True)
def _blend(out, y, x, first, count, color, cover):
    """Mix a colour into a pixel, of which a shape covers a share."""
    share = np.int32(cover * (color[3] + 1))
    if count == 3 and share == 256:
        out[y, x, first], out[y, x, first + 1], out[y, x, first + 2] = color[0], color[1], color[2]
    elif count == 3:
        out[y, x, first] = _mixed(out[y, x, first], color[0], share)
        out[y, x, first + 1] = _mixed(out[y, x, first + 1], color[1], share)
        out[y, x, first + 2] = _mixed(out[y, x, first + 2], color[2], share)
    else:
        grey = (299 * color[0] + 587 * color[1] + 114 * color[2]) // 1000
        out[y, x, first] = _mixed(out[y, x, first], grey, share)


@kernel
def _stroke(out, first, count, shape, across, down):
    wide, high = 1.0 / across, 1.0 / down  # of a pixel
    ax, ay = shape.points[0, 0], shape.points[0, 1]
    dx, dy = shape.points[1, 0] - ax, shape.points[1, 1] - ay
    radius, soft = 0.5 * shape.width, 0.25 * (wide + high)  # half the width of an edge
    most = min(1.0, radius / soft)
    reach = radius + soft
    inner = max(radius - soft, 0.0)
    inner, outer = inner * inner, reach * reach
    long = dx * dx + dy * dy
    per = 1.0 / long if long > 0.0 else 0.0
    steep = most / (2.0 * soft)
    left = max(0, math.floor((ax + min(dx, 0.0) - reach) * across))
    right = min(out.shape[1], math.ceil((ax + max(dx, 0.0) + reach) * across))
    top = max(0, math.floor((ay + min(dy, 0.0) - reach) * down))
    bottom = min(out.shape[0], math.ceil((ay + max(dy, 0.0) + reach) * down))
    color = (shape.color[0], shape.color[1], shape.color[2], shape.color[3])
    for y in range(top, bottom):
        py = (y + 0.5) * high - ay
        for x in range(left, right):
            px = (x + 0.5) * wide - ax
            along = min(max((px * dx + py * dy) * per, 0.0), 1.0)
            ex, ey = px - along * dx, py - along * dy
            away = ex * ex + ey * ey
            if away < outer:
                cover = most if away <= inner else steep * (reach - math.sqrt(away))
                _blend(out, y, x, first, count, color, cover)


@kernel
def _box(out, first, count, shape, across, down):
    x0, x1 = shape.points[0, 0] * across, shape.points[1, 0] * across
    y0, y1 = shape.points[0, 1] * down, shape.points[1, 1] * down
    left, right = max(0, math.floor(x0)), min(out.shape[1], math.ceil(x1))
    color = (shape.color[0], shape.color[1], shape.color[2], shape.color[3])
    for y in range(max(0, math.floor(y0)), min(out.shape[0], math.ceil(y1))):
        high = min(y1, y + 1.0) - max(y0, float(y))
        for x in range(left, right):
            _blend(out, y, x, first, count, color, high * (min(x1, x + 1.0) - max(x0, float(x))))


@kernel
def _polygon(out, first, count, shape, across, down):
    """Four samples a pixel: two rows of them, each of which meets the edges where `_crossings` says."""
    wide, high = 1.0 / across, 1.0 / down  # of a pixel
    top = bottom = shape.points[0, 1]
    for k in range(1, shape.corners):
        top, bottom = min(top, shape.points[k, 1]), max(bottom, shape.points[k, 1])
    color = (shape.color[0], shape.color[1], shape.color[2], shape.color[3])
    for y in range(max(0, math.floor(top * down)), min(out.shape[0], math.ceil(bottom * down))):
        upper, lower = (y + 0.25) * high, (y + 0.75) * high
        (n0, left0, right0), (n1, left1, right1) = _crossings(shape, upper), _crossings(shape, lower)
        if n0 + n1 == 0:
            continue
        start, stop = math.floor(min(left0, left1) * across), math.ceil(max(right0, right1) * across)
        for x in range(max(0, start), min(out.shape[1], stop)):
            px, qx = (x + 0.25) * wide, (x + 0.75) * wide
            if n0 <= 2 and n1 <= 2:
                inside = (
                    (left0 <= px < right0) + (left0 <= qx < right0) + (left1 <= px < right1) + (left1 <= qx < right1)
                )
            else:
                inside = _holds(shape, px, upper) + _holds(shape, qx, upper)
                inside += _holds(shape, px, lower) + _holds(shape, qx, lower)
            if inside > 0:
                _blend(out, y, x, first, count, color, 0.25 * inside)


@kernel
def _crossings(shape, y):
    """How many edges of a polygon a level line crosses, and where the first and the last of them from the left are."""
    number, left, right, j = 0, math.inf, -math.inf, shape.corners - 1
    for k in range(shape.corners):
        ax, ay, bx, by = shape.points[k, 0], shape.points[k, 1], shape.points[j, 0], shape.points[j, 1]
        if (ay > y) != (by > y):
            x = ax + (bx - ax) * (y - ay) / (by - ay)
            number, left, right = number + 1, min(left, x), max(right, x)
        j = k
    return number, left, right


@kernel
def _holds(shape, x, y):
    """Whether a point lies in a polygon: 1 or 0, by the parity of the edges to its right."""
    found, j = 0, shape.corners - 1
    for k in range(shape.corners):
        ax, ay, bx, by = shape.points[k, 0], shape.points[k, 1], shape.points[j, 0], shape.points[j, 1]
        if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
            found = 1 - found
        j = k
    return found


def draw_on(canvas: Canvas, shapes: np.ndarray, across: float, down: float) -> None:
    """Draw shapes onto a canvas, where round ends stay round even if the axes are scaled apart.

    Args:
        canvas: to draw on.
        shapes: (n,) of type `SHAPE`.
        across: pixels of the canvas to a unit of the sheet.
        down: likewise, along the other axis.
    """
    scale, thin = np.array([across, down]), min(across, down)
    for shape in shapes:
        *paint_, opacity = (int(value) for value in shape["color"])
        color = (*paint_, opacity) if opacity < 255 else tuple(paint_)
        points = shape["points"] * scale
        if shape["kind"] == BOX:
            canvas.rectangle((*points[0], *np.maximum(points[1], points[0] + 1.0)), color)  # Pillow has none thinner
        elif shape["kind"] == POLYGON:
            canvas.polygon(points[: int(shape["corners"])], color)
        else:
            width = max(1.0, float(shape["width"]) * thin)
            if (points[0] != points[1]).any():
                canvas.line(points[:2], color, width)
                canvas.circle(points[1], width / 2, color)
            canvas.circle(points[0], width / 2, color)
