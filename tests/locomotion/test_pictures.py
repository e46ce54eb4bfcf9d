"""Pictures show the bodies where they are."""

import numpy as np
import pytest

from envsuite.core.companions import Pictures, companion
from envsuite.core.single import WorldEnv
from envsuite.core.world import make_world
from tests.locomotion.test_gymnasium import TASKS


@pytest.mark.parametrize("task", TASKS)
def test_bodies_are_seen_and_move(task):
    env = WorldEnv(TASKS[task], render_mode="rgb_array")
    env.reset(seed=0)
    first = env.render()
    env.step(env.action_space.high)
    second = env.render()
    assert first.shape == second.shape == (400, 640, 3)
    assert 100 < (first != second).any(-1).sum() < 0.9 * 400 * 640
    pictures = companion(env.unwrapped.world, Pictures)
    model = env.unwrapped.world.compiled.model[0]
    state = env.unwrapped.get_state().states[0]
    places, _ = env.unwrapped.world.frames(state)
    seen, _ = pictures.camera(
        np.array([*(places[1][:2] if pictures.follows else (0, 0)), pictures.height]), (640, 400)
    ).project(places[1:])
    assert ((seen > 0) & (seen < (640, 400))).all()  # every body lies in the picture
    assert np.isfinite(places).all()
    assert len(places) == model["nbody"]
    env.close()


def test_the_camera_follows_and_looks_from_where_it_is_asked():
    frames = {}
    for view in ("corner", "side", "front"):
        env = WorldEnv(TASKS["Ant-v5"], render_mode="rgb_array", view=view)
        env.reset(seed=0)
        frames[view] = env.render()
    assert len({frame.tobytes() for frame in frames.values()}) == 3
    world = make_world(TASKS["Ant-v5"])
    assert companion(world, Pictures).fps == 20
