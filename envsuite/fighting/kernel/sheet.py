"""Room for the shapes of a picture, and their kinds."""

import numpy as np

from envsuite.core import Record, field, kernel
from envsuite.core.raster import BOX, SHAPE, STROKE
from envsuite.fighting.state import Look

WIDTH, HEIGHT, GROUND = 384, 224, 196  # px of the sheet; the floor's place from the top
MOST = 160  # shapes of one picture

JOINTS = ("hip", "neck", "head", "front_foot", "back_foot", "front_hand", "back_hand")


class Sheet(Record):
    """Room to compose a picture in."""

    number = field(type=np.int32, meaning="of shapes")
    shapes = field(type=SHAPE, shape=MOST)
    joints = field(type=np.float64, shape=(len(JOINTS), 2), unit="px", meaning="forwards and upwards from the feet")
    looks = field(type=Look, shape=2, meaning="of fighters as they are")


@kernel
def next_shape(sheet, kind, r, g, b, opacity):
    """A new shape at the end of the list."""
    shape = sheet.shapes[min(sheet.number, MOST - 1)]
    sheet.number = min(sheet.number + 1, MOST)
    shape.kind, shape.corners = kind, 0
    shape.color[0], shape.color[1], shape.color[2], shape.color[3] = r, g, b, opacity
    return shape


@kernel
def set_corner(shape, k, x, y):
    """A corner, from px upwards from the floor."""
    shape.points[k, 0], shape.points[k, 1] = x, GROUND - y


@kernel
def stroke(sheet, x0, y0, x1, y1, width, color, opacity):
    """A line with round ends."""
    shape = next_shape(sheet, STROKE, color[0], color[1], color[2], opacity)
    shape.width = width
    set_corner(shape, 0, x0, y0)
    set_corner(shape, 1, x1, y1)


@kernel
def disc(sheet, x, y, radius, color, opacity):
    """A filled circle."""
    stroke(sheet, x, y, x, y, 2.0 * radius, color, opacity)


@kernel
def screen(sheet, left, top, right, bottom, color, opacity):
    """A box, from px downwards from the top."""
    shape = next_shape(sheet, BOX, color[0], color[1], color[2], opacity)
    shape.points[0, 0], shape.points[0, 1], shape.points[1, 0], shape.points[1, 1] = left, top, right, bottom


@kernel
def framed(sheet, left, low, right, high, color):
    """A box that lets through what is behind it, with an edge."""
    screen(sheet, left, GROUND - high, right, GROUND - low, color, 70)
    for k in range(2):
        x, y = (left, right)[k], (low, high)[k]
        stroke(sheet, x, low, x, high, 1.0, color, 255)
        stroke(sheet, left, y, right, y, 1.0, color, 255)
