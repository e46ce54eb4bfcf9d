import numpy as np
import pytest

from envsuite.core.canvas import Canvas
from envsuite.core.jit import records
from envsuite.core.raster import BOX, POLYGON, SHAPE, STROKE, draw_on, paint


def shape(kind, points, color=(255, 255, 255, 255), width=0.0):
    made = np.zeros(1, SHAPE)
    made["kind"], made["corners"], made["width"], made["color"] = kind, len(points), width, color
    made["points"][0, : len(points)] = points
    return made


def painted(shapes, size=(64, 48), channels=3, scale=(1.0, 1.0)):
    out = np.zeros((size[1], size[0], channels), np.uint8)
    paint(out, 0, channels, records(shapes), len(shapes), *scale)
    return out


@pytest.mark.parametrize(
    ("made", "area"),
    [
        (shape(BOX, [(10.25, 5.5), (20.5, 9.75)]), 10.25 * 4.25),
        (shape(STROKE, [(20.3, 20.7), (20.3, 20.7)], width=16.0), np.pi * 64),
        (shape(STROKE, [(10, 10), (40, 30)], width=6.0), 6 * np.hypot(30, 20) + np.pi * 9),
        (shape(POLYGON, [(5, 5), (45, 9), (20, 40)]), 0.5 * abs(40 * 35 - 15 * 4)),
        (shape(POLYGON, [(5, 5), (45, 5), (45, 40), (25, 20), (5, 40)]), 40 * 35 - 0.5 * 40 * 20),
    ],
)
def test_a_shape_covers_its_area(made, area):
    assert painted(made)[..., 0].sum() / 255 == pytest.approx(area, rel=0.015)


def test_half_covered_pixels_and_half_opaque_colours_are_half_of_it():
    out = painted(shape(BOX, [(2.5, 3.0), (5.0, 4.0)], (200, 100, 50, 255)))
    assert out[3, 2].tolist() == [100, 50, 25]
    assert out[3, 3].tolist() == [200, 100, 50]
    half = painted(np.concatenate([shape(BOX, [(0, 0), (8, 8)]), shape(BOX, [(0, 0), (8, 8)], (0, 0, 0, 127))]))
    assert half[4, 4].tolist() == [127, 127, 127]
    grey = painted(shape(BOX, [(0, 0), (8, 8)], (255, 0, 0, 255)), channels=1)
    assert grey[4, 4, 0] == 76  # ITU-R BT.601


def test_what_leaves_the_picture_is_cut_off():
    out = painted(shape(STROKE, [(-50, -50), (200, 150)], width=1000.0))
    assert (out == 255).all()
    assert not painted(shape(BOX, [(70, 3), (90, 9)])).any()


def test_kernels_and_canvas_draw_the_same():
    rng = np.random.Generator(np.random.Philox(3))
    shapes = np.concatenate(
        [
            shape(kind, rng.uniform(5, 55, (points, 2)) * (1, 0.7), (*rng.integers(0, 256, 3), 255), rng.uniform(2, 9))
            for kind, points in [(STROKE, 2), (POLYGON, 3), (STROKE, 2), (POLYGON, 4)] * 3
        ]
    )
    canvas = Canvas(128, 96, (0, 0, 0), supersample=4)
    draw_on(canvas, shapes, 2.0, 2.0)
    off = np.abs(canvas.to_array().astype(int) - painted(shapes, (128, 96), scale=(2.0, 2.0)))
    assert off.mean() < 3
    assert np.mean(off.max(axis=2) > 60) < 0.02  # edges only
