"""Solids as a camera sees them, compared with distances: another way to find where a ray meets them."""

import numpy as np
import pytest

from envsuite.core.canvas import Camera
from envsuite.core.solids import BALL, BOX, CAPSULE, CYLINDER, develop, draw, hit, room, solid, view_of

SIZES = {BALL: (0.3,), BOX: (0.3, 0.2, 0.1), CYLINDER: (0.25, 0.2), CAPSULE: (0.2, 0.25)}
AXES = np.eye(3)
UP = np.array([0.0, 0.0, 1.0])


def _distance(kind: int, points: np.ndarray) -> np.ndarray:
    """Signed distance of points (..., 3) from a solid at the origin, as geometry books have it."""
    size = SIZES[kind]
    if kind == BALL:
        return np.linalg.norm(points, axis=-1) - size[0]
    if kind == BOX:
        beyond = np.abs(points) - size
        return np.linalg.norm(np.maximum(beyond, 0), axis=-1) + np.minimum(beyond.max(-1), 0)
    aside, along = np.hypot(points[..., 0], points[..., 1]), np.abs(points[..., 2])
    if kind == CAPSULE:
        return np.hypot(aside, np.maximum(along - size[1], 0)) - size[0]
    beyond = np.stack([aside - size[0], along - size[1]], -1)
    return np.linalg.norm(np.maximum(beyond, 0), axis=-1) + np.minimum(beyond.max(-1), 0)


@pytest.mark.parametrize("kind", SIZES)
def test_rays_meet_solids_where_the_distance_is_zero(kind):
    """Oracle: going along the ray by the distance, which never goes too far."""
    draw_from = np.random.default_rng(kind)
    size = np.array([*SIZES[kind], 0.0, 0.0])[:3]
    met = 0
    for _ in range(300):
        eye = draw_from.normal(size=3)
        eye *= draw_from.uniform(0.8, 2) / np.linalg.norm(eye)
        way = draw_from.normal(scale=0.3, size=3) - eye
        way /= np.linalg.norm(way)
        t = 0.0
        for _ in range(2000):
            t += float(_distance(kind, eye + t * way))
            if t > 5:
                break
        told, *normal = hit(kind, size, tuple(eye), tuple(way))
        assert (told > 5) == (t > 5)
        if t < 5:
            met += 1
            assert told == pytest.approx(t, abs=1e-5)
            place = eye + told * way
            slope = [_distance(kind, place + 1e-6 * one) - _distance(kind, place - 1e-6 * one) for one in AXES]
            assert np.dot(normal, way) < 0
            if np.linalg.norm(slope) > 1.9e-6:  # not on an edge
                np.testing.assert_allclose(normal, np.array(slope) / 2e-6, atol=1e-2)
    assert met > 50


@pytest.mark.parametrize("kind", SIZES)
@pytest.mark.parametrize("axis", range(3))
def test_rays_along_an_axis_meet_solids_too(kind, axis):
    """Where other numbers of the direction are 0."""
    size = np.array([*SIZES[kind], 0.0, 0.0])[:3]
    reach = _distance(kind, 5 * AXES[axis])
    told, *normal = hit(kind, size, tuple(5 * AXES[axis]), tuple(-AXES[axis]))
    assert told == pytest.approx(reach)
    np.testing.assert_allclose(normal, AXES[axis], atol=1e-12)
    aside = 5 * AXES[axis] + 0.5 * AXES[(axis + 1) % 3]
    assert hit(kind, size, tuple(aside), tuple(-AXES[axis]))[0] > 1e6


def _seen(solids, size=(60, 40), fine=1, mark=(0.0, 0.0, 50.0), eye=(0.0, -3.0, 0.0)):
    camera = Camera(eye, (0.0, 0.0, 0.0), size)
    view, memory = view_of(camera, fine).view(np.recarray)[0], room(*size, fine)
    listed = np.concatenate(solids).view(np.recarray)
    draw(listed, len(listed), view, UP, *memory)
    out = np.empty((size[1], size[0], 3), np.uint8)
    sign = solid(BALL, mark, AXES, (0.1,), (0, 255, 0), 0).view(np.recarray)[0]
    develop(listed, view, sign, *memory[:4], fine, out)
    return camera, memory, out


def test_what_is_near_hides_what_is_far_in_any_order():
    near, far = (
        solid(BOX, (0, y, 0), AXES, (0.3, 0.1, 0.3), color, y) for y, color in ((-1, (200, 0, 0)), (1, (0, 0, 200)))
    )
    one, two = (_seen(order) for order in ((near, far), (far, near)))
    np.testing.assert_array_equal(one[1][0], two[1][0])
    np.testing.assert_array_equal(one[2], two[2])
    assert one[1][0][20, 30] == pytest.approx(3 - 1 - 0.1)
    assert one[2][20, 30, 0] > 0
    assert one[2][20, 30, 2] == 0


def test_a_ball_covers_the_pixels_of_its_cone():
    """Closed form: a pixel's ray meets the ball where it passes its centre by less than the radius."""
    camera, (depth, *_), _ = _seen([solid(BALL, (0.3, 0.0, 0.2), AXES, (0.4,), (255, 255, 255), 1)])
    rows, columns = np.indices(depth.shape)
    rays = (
        np.stack([(columns - 29.5) / camera.focal, (rows - 19.5) / camera.focal, np.ones_like(depth)], -1) @ camera.axes
    )
    rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
    centre = np.array((0.3, 3.0, 0.2))
    passing = np.linalg.norm(np.cross(rays, centre), axis=-1)
    np.testing.assert_array_equal(depth < 100, passing < 0.4)


def test_shadows_lie_where_the_light_is_hidden():
    """A ball over a floor, under a light from above: the shadow is the disc below it."""
    floor = solid(BOX, (0, 0, -0.1), AXES, (2, 2, 0.1), (200, 200, 200), 0, casts=False)
    ball = solid(BALL, (0.2, 0.5, 0.8), AXES, (0.4,), (9, 9, 9), 1)
    camera, (depth, which, _, shade, _), _ = _seen([floor, ball], eye=(0.0, -3.0, 1.5))
    rows, columns = np.indices(depth.shape)
    rays = (
        np.stack([(columns - 29.5) / camera.focal, (rows - 19.5) / camera.focal, np.ones_like(depth)], -1) @ camera.axes
    )
    places = depth[..., None] * rays + camera.position
    floor_seen = which == 0
    below = np.hypot(places[..., 0] - 0.2, places[..., 1] - 0.5) < 0.4
    assert (below & floor_seen).sum() > 20
    np.testing.assert_array_equal(shade[floor_seen] == 1, (below & (places[..., 2] > -0.01))[floor_seen])


def test_a_mark_shines_through_what_hides_it():
    wall = [solid(BOX, (0, 0, 0), AXES, (1, 0.1, 1), (200, 0, 0), 1)]
    plain, behind, before = (_seen(wall, mark=mark)[2] for mark in ((0, 0, 50), (0, 1, 0), (0, -1, 0)))
    green = [int(one[20, 30, 1]) for one in (plain, behind, before)]
    assert green[0] == 0
    assert 60 < green[1] < 130 < green[2]


def test_a_finer_picture_has_smoother_edges():
    ball = [solid(BALL, (0, 0, 0), AXES, (0.5,), (0, 0, 0), 1)]
    coarse, fine = (_seen(ball, fine=k)[2][..., 0] for k in (1, 4))
    assert len(np.unique(fine[20])) > len(np.unique(coarse[20]))


@pytest.mark.parametrize("eye", [(0.0, -3.0, 0.0), (0.0, -0.6, 0.4)])
def test_every_pixel_shows_the_nearest_solid_on_its_ray(eye):
    """Each pixel's ray against each solid, whatever part of the picture the kernel looks at; also from among them."""
    random = np.random.default_rng(4)
    solids = []
    for k in range(12):
        turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
        size = random.uniform(0.05, 0.5, 3) if k % 4 == BOX else random.uniform(0.05, 0.4, 2)
        solids.append(solid(k % 4, random.uniform(-0.8, 0.8, 3), turn, size, (9, 9, 9), k, casts=False))
    camera, (depth, which, *_), _ = _seen(solids, size=(90, 60), eye=eye)
    for row in range(60):
        for column in range(90):
            ray = np.array([(column - 44.5) / camera.focal, (row - 29.5) / camera.focal, 1.0]) @ camera.axes
            told = []
            for one in solids:
                axes, place = one["axes"][0], np.array(camera.position) - one["centre"][0]
                told.append(hit(one["kind"][0], one["extent"][0], tuple(place @ axes), tuple(ray @ axes))[0])
            told = [t if t > 0.02 else 1e9 for t in told]
            nearest = int(np.argmin(told))
            assert which[row, column] == (nearest if told[nearest] < 1e6 else -1)
            assert depth[row, column] == pytest.approx(told[nearest])
