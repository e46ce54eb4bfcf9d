"""Pictures of tasks, for people and as observations."""

import os
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Pictures, companion
from envsuite.manipulation.meta.render import MetaPictures
from envsuite.manipulation.meta.tasks import NAMES
from envsuite.manipulation.suites.world import MetaSuiteWorld
from tests.manipulation.play import begun, moved, played

SIZE = (120, 120)
AWAY = (0.0, 0.0, -9.0)


def _frame(batch: Batch, view: str, **changes) -> np.ndarray:
    pictures, state = companion(batch.world, Pictures), batch.states[0].copy()
    for name, value in changes.items():
        state["look"][name] = value
    pictures.view = view
    return pictures.draw(state, SIZE)


DRAWN = """
import hashlib
from envsuite.core.companions import Pictures, companion
from tests.manipulation.play import begun
batch = begun("hammer")
print(hashlib.sha256(companion(batch.world, Pictures).draw(batch.states[0], (60, 60)).tobytes()).hexdigest())
"""


def test_pictures_are_drawn_interpreted_too():
    root = Path(__file__).parents[2]
    found = {
        subprocess.run(
            [sys.executable, "-c", DRAWN],
            env={**os.environ, "NUMBA_DISABLE_JIT": interpreted, "PYTHONPATH": str(root)},
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for interpreted in "01"
    }
    assert len(found) == 1


@pytest.mark.parametrize("task", NAMES)
def test_the_goal_is_seen_from_every_fixed_view(task):
    """Also where something stands before it: the picture without it is another one."""
    batch = begun(task)
    for view in ("corner", "front", "left", "above"):
        shown, hidden = _frame(batch, view), _frame(batch, view, goal=AWAY)
        other = (shown != hidden).any(-1)
        assert 3 <= other.sum() < 200, view


def test_the_goal_darkens_when_the_task_is_done():
    batch = played("reach", 1, 100)
    state, pictures = batch.states[0].copy(), companion(batch.world, Pictures)
    done = pictures.draw(state, SIZE)
    state["success"] = False
    assert (pictures.draw(state, SIZE).astype(int) - done).sum() > 0


@pytest.mark.parametrize("view", MetaPictures.views)
def test_what_moves_is_seen_moving(view):
    before, after = begun("pick-place"), played("pick-place", 1, 60)
    assert (_frame(before, view) != _frame(after, view)).any(-1).mean() > 0.01


def test_the_puck_is_where_the_camera_projects_it():
    batch = begun("push")
    pictures = companion(batch.world, Pictures)
    pictures.view = "above"
    picture = pictures.draw(batch.states[0], SIZE).astype(int)
    blue = np.argwhere((picture[..., 2] > 150) & (picture[..., 0] < 90))
    place = batch.states[0]["look"]["obj"] + np.array((0, 0, 0.02))
    (column, row), _ = pictures.camera(batch.states[0], SIZE).project(place)
    np.testing.assert_allclose(blue.mean(0) + 0.5, (row, column), atol=1)


def test_nothing_inside_a_closed_drawer_is_seen():
    """The case hides the drawer from behind and from the side, but for its handle."""
    closed = begun("drawer-open")
    picture = _frame(closed, "front", goal=AWAY).astype(int)
    orange = (picture[..., 0] > 150) & (picture[..., 1] > 90) & (picture[..., 2] < 90)
    assert not orange.any()


@pytest.mark.parametrize("name", ["MetaDrawerOpen", "MetaMT10"])
def test_pixels_are_observed_in_batches(name):
    envs = gymnasium.make_vec(f"envsuite/{name}-v0", num_envs=10, obs_type="pixels")
    observations, _ = envs.reset(seed=0)
    assert observations.shape == (10, 84, 84, 3)
    assert observations.dtype == np.uint8
    assert envs.observation_space.contains(observations)
    assert len(np.unique(observations.reshape(10, -1), axis=0)) == 10
    after = envs.step(np.full((10, 4), 1.0, np.float32))[0]
    assert (after != observations).any((1, 2, 3)).all()
    envs.close()


def test_pixels_depend_on_the_instance_alone():
    """Neither on the batch, nor on threads, nor on the front end."""
    world = MetaSuiteWorld(tasks=("push", "drawer-open", "hammer"))
    frames = []
    for threads in (1, 3):
        batch = Batch(world, 7, num_threads=threads, horizon=500)
        batch.seed(np.arange(7))
        batch.reset()
        moved(batch, (0.3, 0.5, -1, 1), 20)
        frames.append(batch.pixels("pixels"))
        np.testing.assert_array_equal(batch.pixels("pixels", np.array([4, 1])), frames[-1][[4, 1]])
    np.testing.assert_array_equal(*frames)
    envs = envsuite.make_vec("MetaHammer", num_envs=2, obs_type="pixels")
    together = envs.reset(seed=5)[0]
    env = gymnasium.make("envsuite/MetaHammer-v0", obs_type="pixels")
    np.testing.assert_array_equal(env.reset(seed=6)[0], together[1])
    env.close()


def test_pixels_are_the_picture_without_words():
    batch = begun("push")
    pictures = companion(batch.world, Pictures)
    picture, pixels = pictures.draw(batch.states[0], (84, 84)), batch.pixels("pixels")[0]
    assert (picture[:30] != pixels[:30]).any()
    np.testing.assert_array_equal(picture[30:], pixels[30:])


@pytest.mark.parametrize("options", [{"compat": "metaworld"}, {"dynamics": "training", "variants": 2}])
def test_other_forms_of_the_world_are_drawn(options):
    batch = begun("drawer-open", 3, **options)
    frames = batch.pixels("pixels")
    assert len(np.unique(frames.reshape(3, -1), axis=0)) == 3
