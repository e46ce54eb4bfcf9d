"""Drawing: exact areas and blends, the camera against a pinhole written out, painter's order, tiling."""

import numpy as np
import pytest

from envsuite.core.canvas import Camera, Canvas, Scene, disc, ground, shadow, tile

WHITE, BLACK, RED, BLUE = (255, 255, 255), (0, 0, 0), (255, 0, 0), (0, 0, 255)


def ink(canvas):
    """How much of each pixel is black, 0 to 1."""
    return 1 - canvas.to_array()[..., 0] / 255


def test_shapes_have_their_areas_and_smooth_edges():
    canvas = Canvas(100, 80, WHITE, supersample=4)
    canvas.polygon([(10, 10), (60, 10), (60, 40), (10, 40)], BLACK)
    assert ink(canvas).sum() == pytest.approx(50 * 30, rel=0.03)
    canvas = Canvas(100, 80, WHITE, supersample=4)
    canvas.circle((50, 40), 20, BLACK)
    cover = ink(canvas)
    assert cover.sum() == pytest.approx(np.pi * 400, rel=0.03)
    assert ((cover > 0.1) & (cover < 0.9)).any()
    rows, columns = np.indices(cover.shape) + 0.5
    centre = (cover * columns).sum() / cover.sum(), (cover * rows).sum() / cover.sum()
    assert centre == pytest.approx((50, 40), abs=0.2)
    canvas = Canvas(100, 80, WHITE)
    canvas.line([(10, 40), (90, 40)], BLACK, width=4)
    assert ink(canvas).sum() == pytest.approx(80 * 4, rel=0.03)


def test_transparent_colours_blend():
    canvas = Canvas(20, 20, WHITE)
    canvas.rectangle((0, 0, 20, 20), (0, 0, 0, 51))
    assert canvas.to_array()[10, 10] == pytest.approx(np.full(3, 204), abs=1)
    canvas.polygon([(0, 0), (19, 0), (19, 19), (0, 19)], (255, 0, 0, 255), outline=BLUE, width=2)
    assert canvas.to_array()[10, 10].tolist() == list(RED)
    assert canvas.to_array()[10, 0].tolist() == list(BLUE)


def test_background_array_comes_back_unchanged():
    background = np.random.default_rng(0).integers(0, 256, (30, 40, 3), np.uint8)
    before = background.copy()
    for supersample in (1, 2, 3):
        canvas = Canvas(40, 30, background, supersample=supersample)
        assert np.array_equal(canvas.to_array(), background)
        canvas.circle((20, 15), 5, RED)
        assert canvas.to_array()[15, 20].tolist() == list(RED)
    assert np.array_equal(background, before)


def test_text():
    canvas = Canvas(200, 60, WHITE)
    canvas.text((10, 10), "height 1.25 m", BLACK, size=16)
    rows, columns = np.nonzero(ink(canvas) > 0.3)
    assert 8 <= rows.min() < rows.max() <= 30
    assert columns.min() >= 8
    assert columns.max() - columns.min() == pytest.approx(canvas.text_width("height 1.25 m", 16), abs=4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 5), "at least 1, got 0, 5"),
        ((4, 5, np.zeros((4, 5, 3), np.uint8)), r"uint8 \(4, 5, 3\), expected uint8 \(5, 4, 3\)"),
        ((4, 5, np.zeros((5, 4, 3))), r"float64 \(5, 4, 3\), expected uint8"),
    ],
)
def test_canvas_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        Canvas(*arguments)


CAMERA = Camera((3.0, -4.0, 2.0), (0.0, 0.0, 0.5), (480, 360), fov=50.0)


def test_camera_against_a_pinhole_written_out():
    random = np.random.default_rng(1)
    points = random.uniform(-1, 1, (50, 3))
    forward = np.array([-3.0, 4.0, -1.5]) / np.sqrt(9 + 16 + 2.25)
    right = np.array([forward[1], -forward[0], 0]) / np.hypot(forward[0], forward[1])
    up = np.cross(right, forward)
    half = np.tan(np.radians(25.0))
    pixels, depth = CAMERA.project(points)
    for point, pixel, far in zip(points, pixels, depth, strict=True):
        offset = point - [3.0, -4.0, 2.0]
        assert far == pytest.approx(offset @ forward)
        assert pixel[0] == pytest.approx(240 + 180 * (offset @ right) / (offset @ forward) / half)
        assert pixel[1] == pytest.approx(180 - 180 * (offset @ up) / (offset @ forward) / half)


def test_camera_landmarks():
    pixels, _ = CAMERA.project([(0, 0, 0.5), (0, 0, 0.8), (30, -40, 6.5)])
    assert pixels[0] == pytest.approx((240, 180))
    assert pixels[1][0] == pytest.approx(240)
    assert pixels[1][1] < 180
    assert np.isnan(pixels[2]).all()
    assert CAMERA.project(np.zeros((2, 3, 3)))[0].shape == (2, 3, 2)


@pytest.mark.parametrize(
    "wrong", [{"fov": 0.0}, {"fov": 180.0}, {"look_at": (1.0, 1.0, 0.0)}, {"look_at": (1.0, 1.0, 1.0)}]
)
def test_camera_refuses(wrong):
    with pytest.raises(ValueError, match=r"fov is|cannot look at"):
        Camera(**{"position": (1.0, 1.0, 1.0), "look_at": (0.0, 0.0, 0.0), "size": (10, 10), **wrong})


def test_ground_has_its_lines_and_horizon_where_the_camera_sees_them():
    camera = Camera((0.0, -3.0, 1.0), (0.0, 0.0, 0.8), (300, 200), fov=60.0)
    picture = ground(camera, 0.0, spacing=0.5).astype(int)
    assert picture.shape == (200, 300, 3)
    assert ground(camera, 0.0, spacing=0.5) is ground(camera, 0.0, spacing=0.5)
    with pytest.raises(ValueError, match="read-only"):
        ground(camera, 0.0, spacing=0.5)[0, 0] = 0
    horizon = 100 - camera.focal * 0.2 / 3.0  # the camera looks down by 0.2 on 3
    blue = picture[:, 3, 2] - picture[:, 3, 0]
    above = picture[: int(horizon) - 2]
    assert np.abs(np.diff(above, axis=1)).max() <= 1  # no lines in the sky
    assert blue[0] > blue[int(horizon) - 1]
    on, beside = camera.project([(0.5, -1.3, 0.0), (0.75, -1.3, 0.0)])[0]
    dark, light = (picture[int(y), int(x)].sum() for x, y in (on, beside))
    assert dark < light - 30


def test_nearer_shapes_cover_farther_ones():
    near = [(0.2, -0.4, 0.2), (0.2, 0.4, 0.2), (0.2, 0.4, 0.8), (0.2, -0.4, 0.8)]
    far = [(-0.2, -0.9, 0.0), (-0.2, 0.9, 0.0), (-0.2, 0.9, 1.0), (-0.2, -0.9, 1.0)]
    camera = Camera((3.0, 0.0, 0.5), (0.0, 0.0, 0.5), (100, 100))
    for order in ((near, far), (far, near)):
        scene, canvas = Scene(camera), Canvas(100, 100)
        for shape in order:
            scene.polygon(shape, RED if shape is near else BLUE)
        scene.ball((1.0, 0.0, 0.5), 0.05, BLACK)
        scene.draw(canvas)
        picture = canvas.to_array()
        assert picture[50, 50].tolist() == list(BLACK)
        assert picture[50, 40].tolist() == list(RED)
        assert picture[50, 25].tolist() == list(BLUE)
        assert picture[50, 2].tolist() == list(WHITE)


def test_sizes_follow_perspective():
    camera = Camera((4.0, 0.0, 0.0), (0.0, 0.0, 0.0), (200, 200))
    for distance in (2.0, 4.0, 8.0):
        scene, canvas = Scene(camera), Canvas(200, 200, supersample=4)
        scene.ball((4.0 - distance, 0.0, 0.0), 0.3, BLACK)
        scene.draw(canvas)
        assert ink(canvas).sum() == pytest.approx(np.pi * (0.3 * camera.focal / distance) ** 2, rel=0.03)
    scene, canvas = Scene(camera), Canvas(200, 200, supersample=4)
    scene.segment((0.0, -0.5, 0.0), (0.0, 0.5, 0.0), BLACK, 0.1)
    scene.draw(canvas)
    assert ink(canvas).sum() == pytest.approx(0.1 * (camera.focal / 4) ** 2, rel=0.1)


def test_shapes_behind_the_camera_are_cut_off():
    camera = Camera((0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (100, 100), fov=90.0)
    scene, canvas = Scene(camera), Canvas(100, 100)
    scene.polygon([(-5, -50, 0), (60, -50, 0), (60, 50, 0), (-5, 50, 0)], BLACK)  # a floor that passes below
    scene.polygon([(-3, -1, 0), (-3, 1, 0), (-3, 0, 2)], RED)
    scene.segment((-1.0, 0.0, 1.2), (3.0, 0.0, 1.6), BLUE, 0.02)
    scene.ball((-1.0, 0.0, 1.0), 0.5, RED)
    scene.draw(canvas)
    picture = canvas.to_array()
    assert np.all(picture[54:] == 0)
    assert not np.any(np.all(picture == RED, axis=-1))
    assert np.any(picture[:45, 50] != 255)
    Scene(camera).draw(canvas)


def test_shadow_and_disc():
    points = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 1.0]])
    assert shadow(points, 1.0).tolist() == [[1, 2, 1], [0, 0, 1]]
    assert shadow(points, 0.0, (1.0, 0.0, -1.0)) == pytest.approx(np.array([[4, 2, 0], [1, 0, 0]]))
    with pytest.raises(ValueError, match="does not shine down"):
        shadow(points, 0.0, (0.0, 0.0, 1.0))
    for axis in [(0, 0, 1), (1, 0, 0), (0.3, -2.0, 0.7)]:
        edge = disc((1.0, 2.0, 3.0), axis, 0.5) - [1.0, 2.0, 3.0]
        assert np.linalg.norm(edge, axis=1) == pytest.approx(np.full(24, 0.5))
        assert edge @ axis == pytest.approx(np.zeros(24), abs=1e-12)
        assert edge.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)


def test_tile():
    frames = [np.full((30, 40, 3), i, np.uint8) for i in range(5)]
    picture = tile(frames, gap=2)
    assert picture.shape == (3 * 32 - 2, 2 * 42 - 2, 3)
    for i in range(5):
        assert np.all(picture[i // 2 * 32 : i // 2 * 32 + 30, i % 2 * 42 : i % 2 * 42 + 40] == i)
    assert np.all(picture[64:, 42:] == 90)
    assert np.array_equal(tile(frames[:1]), frames[0])
    assert tile([np.zeros((360, 480, 3), np.uint8)] * 100, largest=800).shape[1] <= 800
    with pytest.raises(ValueError, match="no frames"):
        tile([])
    with pytest.raises(ValueError, match=r"\(30, 40, 3\), \(40, 30, 3\)"):
        tile([frames[0], frames[0].swapaxes(0, 1)])


def test_text_is_cut_after_the_last_letter_that_fits():
    canvas = Canvas(320, 200)
    random = np.random.default_rng(0)
    for _ in range(50):
        text = "".join(random.choice(list("abc iWl.,AVT"), random.integers(80)))
        width = random.uniform(0, 200)
        kept = len(text)
        while kept and canvas.text_width(text[:kept] + "...") > width:
            kept -= 1
        assert canvas.cut(text, width) == (text if canvas.text_width(text) <= width else text[:kept] + "...")


def test_boxes_and_discs_below_a_pixel():
    canvas = Canvas(20, 20, WHITE)
    canvas.rectangle((5, 5, 5, 15), BLACK)
    canvas.rectangle((5, 5, 4, 15), BLACK)
    assert not ink(canvas).any()
    canvas.rectangle((5, 5, 5.1, 15), BLACK)
    canvas.circle((12.3, 12.7), 0.01, BLACK)
    assert ink(canvas)[5:15, 5].all()
