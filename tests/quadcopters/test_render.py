"""Pictures of drones show them where they are, at every size."""

import importlib

import gymnasium
import numpy as np
import pytest

import envsuite
from envsuite.core.companions import Pictures, companion_class
from envsuite.quadcopters.flying.gates import draw_frame
from envsuite.quadcopters.render import COLORS, VIEWS, Drones, render_scene

ROTORS = 0.028 * np.array([[1, -1, 0], [-1, -1, 0], [-1, 1, 0], [1, 1, 0]], np.float64)
LEVEL = np.eye(3)[np.newaxis]


def picture(position=(0.0, 0.0, 0.5), rotation=LEVEL, **options):
    belongings = {name: options.pop(name) for name in ("targets", "trails", "scale") if name in options}
    drones = Drones(np.array([position]), rotation, ROTORS, **belongings)
    return render_scene(drones, **{"look_at": (0.0, 0.0, 0.5), "distance": 1.6, **options})


def coloured(frame, color):
    """Pixels whose hue is near that of `color`: rows and columns."""
    tint = np.array(color) - np.mean(color)
    pixel = frame.astype(float) - frame.mean(axis=-1, keepdims=True)
    strength = pixel @ tint / np.linalg.norm(tint)
    along = strength / (np.linalg.norm(pixel, axis=-1) + 1e-9)
    return np.nonzero((along > 0.95) & (strength > 40))


def difference(first, second):
    return np.abs(first.astype(int) - second).sum(axis=-1) > 12


@pytest.mark.parametrize("size", [(480, 360), (84, 84), (200, 120), (64, 200)])
def test_shape_and_determinism(size):
    frame = picture(size=size, targets=np.zeros((1, 3)), caption="1.00 s")
    assert frame.shape == (size[1], size[0], 3)
    assert frame.dtype == np.uint8
    assert np.array_equal(frame, picture(size=size, targets=np.zeros((1, 3)), caption="1.00 s"))


def test_the_drone_is_in_the_middle_and_moves_with_its_position():
    rows, columns = coloured(picture(), COLORS[0])
    assert len(rows) > 300
    assert np.mean(rows) == pytest.approx(180, abs=15)
    assert np.mean(columns) == pytest.approx(240, abs=25)
    higher, _ = coloured(picture((0.0, 0.0, 0.7)), COLORS[0])
    assert np.mean(higher) < np.mean(rows) - 40
    _, aside = coloured(picture((0.2, -0.2, 0.5)), COLORS[0])  # to the right of a camera that looks along (1, 1)
    assert np.mean(aside) > np.mean(columns) + 60


def test_the_front_turns_with_the_drone():
    turned = np.diag([-1.0, -1.0, 1.0])[np.newaxis]
    front = np.mean(coloured(picture(), COLORS[0])[0])
    back = np.mean(coloured(picture(rotation=turned), COLORS[0])[0])
    assert front < back - 5  # x points away from the camera


def test_small_pictures_show_drone_and_target():
    empty = picture((50.0, 50.0, 0.5), size=(84, 84))
    shown = picture(size=(84, 84))
    assert difference(shown, empty).sum() > 100
    assert len(coloured(shown, COLORS[0])[0]) > 20
    target = picture((50.0, 50.0, 0.5), size=(84, 84), targets=np.array([[0.0, 0.0, 0.5]]))
    rows, columns = coloured(target, COLORS[0])
    assert len(rows) > 15
    assert abs(np.mean(columns) - 42) < 3


def test_shadow_lies_straight_below():
    near, far = picture((0.0, 0.0, 0.12)), picture((50.0, 50.0, 0.5))
    low = picture((0.0, 0.0, 0.4))
    changed = difference(low, far)
    columns = np.nonzero(changed[240:])[1]
    assert len(columns) > 200
    assert np.mean(columns) == pytest.approx(240, abs=5)
    assert low[240:][changed[240:]].mean() < far[240:][changed[240:]].mean()
    assert difference(near, far).any()
    sunk = picture((0.0, 0.0, 0.4), floor=0.6)  # below the floor nothing casts a shadow
    assert difference(sunk, picture((50.0, 50.0, 0.5), floor=0.6)).sum() < changed.sum()


def test_caption_only_where_it_can_be_read():
    assert difference(picture(caption="0.31 m"), picture()).any()
    assert np.array_equal(picture(caption="0.31 m", size=(84, 84)), picture(size=(84, 84)))


def test_drones_have_colours_of_their_own():
    positions = np.array([[0.3 * i, -0.3 * i, 0.5] for i in (-1, 0, 1)])
    drones = Drones(positions, np.repeat(LEVEL, 3, axis=0), ROTORS[:, :2], positions + np.array([0, 0, 0.2]))
    frame = render_scene(drones, look_at=(0.0, 0.0, 0.5))
    places = [np.mean(coloured(frame, COLORS[i])[1]) for i in range(3)]
    assert places == sorted(places)
    assert places[1] == pytest.approx(240, abs=25)


def test_trail():
    trail = np.full((1, 30, 3), np.nan)
    trail[0, 10:] = np.linspace((-0.4, 0.4, 0.7), (0.0, 0.0, 0.5), 20)
    before = trail.copy()
    frame, bare = picture(trails=trail), picture()
    changed = difference(frame, bare)
    assert changed.sum() > 150
    rows, columns = np.nonzero(changed)
    assert columns.max() < 275
    assert np.corrcoef(rows, columns)[0, 1] > 0.8
    assert np.array_equal(trail, before, equal_nan=True)


@pytest.mark.parametrize("position", [(1e9, 0, 0), (0, 0, -1e12), (np.inf, 0, 0), (np.nan, 0, 0), (-1.05, -1.05, 0.9)])
def test_drones_gone_astray_do_no_harm(position):
    assert picture(position).shape == (360, 480, 3)


def test_scale():
    small = difference(picture(scale=1.0), picture((50.0, 50.0, 0.5), scale=1.0)).sum()
    large = difference(picture(scale=3.0), picture((50.0, 50.0, 0.5), scale=3.0)).sum()
    assert large > 3 * small


def test_the_following_camera_keeps_the_drone_in_the_middle():
    for place in ((0.0, 0.0, 0.5), (3.0, -7.0, 2.0)):
        rows, columns = coloured(picture(place, view="follow"), COLORS[0])
        assert len(rows) > 300
        assert np.mean(rows) == pytest.approx(180, abs=25)
        assert np.mean(columns) == pytest.approx(240, abs=30)
    assert picture((0.0, 0.0, 0.02), view="follow").shape == (360, 480, 3)


def test_the_camera_on_board_looks_ahead():
    """A target straight ahead is in the middle, one to the left is on the left, and the drone does not see itself."""
    ahead = picture((0.0, 0.0, 0.5), view="onboard", targets=np.array([[1.0, 0.0, 0.5]]), floor=-1.0)
    _, columns = coloured(ahead, COLORS[0])
    assert abs(np.mean(columns) - 240) < 3
    left = picture((0.0, 0.0, 0.5), view="onboard", targets=np.array([[1.0, 0.4, 0.5]]), floor=-1.0)
    assert np.mean(coloured(left, COLORS[0])[1]) < 170
    behind = picture((0.0, 0.0, 0.5), view="onboard", targets=np.array([[-1.0, 0.0, 0.5]]), floor=-1.0)
    assert len(coloured(behind, COLORS[0])[0]) == 0


@pytest.mark.parametrize("view", ["follow", "onboard"])
def test_views_of_a_drone_gone_astray(view):
    assert picture((np.nan, 0, 0), view=view).shape == (360, 480, 3)


def test_views_are_options_of_every_drone_task():
    frames = {}
    for view in VIEWS:
        env = gymnasium.make("envsuite/QuadHoverGPD-v0", render_mode="rgb_array", view=view)
        env.reset(seed=0)
        frames[view] = env.render()
        env.close()
    assert not np.array_equal(frames["fixed"], frames["follow"])
    assert not np.array_equal(frames["fixed"], frames["onboard"])
    with pytest.raises(ValueError, match="above"):
        gymnasium.make("envsuite/QuadHoverGPD-v0", view="above")
    for card in envsuite.cards().values():
        if card.family == "quadcopters":
            module, _, name = card.world.partition(":")
            assert companion_class(getattr(importlib.import_module(module), name), Pictures).views == VIEWS


def test_something_behind_a_beam_is_hidden_and_before_it_is_not():
    def frame(below, above):
        draw_frame(above, (0.0, 0.0, 0.5), 0.0, (0.2, 0.2), 0.1, (0, 114, 178), below=below)

    bare = picture((50.0, 50.0, 0.5), props=frame)
    beam, sight = np.array([0.0, -0.25, 0.5]), np.array([0.68, 0.68, -0.29])  # away from the camera
    behind, before = (beam + k * 0.12 * sight for k in (1, -1))
    shown = [len(coloured(picture(place, props=frame, scale=1.0), COLORS[0])[0]) for place in (behind, before)]
    assert shown[1] > 1.5 * shown[0]
    assert difference(picture(before, props=frame, scale=1.0), bare).any()
