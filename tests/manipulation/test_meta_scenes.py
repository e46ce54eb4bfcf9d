"""Scenes of Meta-World's tasks."""

import numpy as np
import pytest

from envsuite.manipulation.meta import world
from envsuite.manipulation.meta.cards import INSTRUCTIONS
from envsuite.manipulation.meta.scenes.parts import SIZE
from envsuite.manipulation.meta.sheets import corners
from envsuite.manipulation.meta.tasks import NAMES, TASKS
from envsuite.manipulation.meta.world import MetaWorld
from envsuite.rigid import compile_scene
from tests.manipulation.play import begun


def test_every_task_has_an_instruction():
    assert tuple(INSTRUCTIONS) == NAMES
    assert len(NAMES) == len(set(NAMES)) == 50


@pytest.mark.parametrize("task", NAMES)
def test_scenes_share_a_size_class_and_the_hand(task):
    made = compile_scene(TASKS[task].scene, size=SIZE)
    assert made.size == SIZE
    assert [made.body[name] for name in ("mocap", "hand", "rightclaw", "leftclaw")] == [1, 2, 3, 4]
    assert (made.body["hand"], made.body["rightclaw"], made.body["leftclaw"]) == (world.HAND, world.RIGHT, world.LEFT)
    sites = (world.RIGHT_TIP, world.RIGHT_PAD, world.LEFT_TIP, world.LEFT_PAD)
    assert tuple(made.site[name] for name in ("righttip", "rightpad", "lefttip", "leftpad")) == sites
    assert made.model[0]["body_mocapid"][made.body["mocap"]] == 0
    assert [made.qposadr[f"hand_{one}"] for one in "xyz"] == [0, 1, 2]


def test_the_hand_weighs_in_contacts_what_the_arm_does():
    made = compile_scene(TASKS["reach"].scene, size=SIZE)
    assert made.model[0]["body_invweight0"][world.HAND, 0] == pytest.approx(6.1, rel=0.01)  # mjModel, metaworld 3.1.1


@pytest.mark.parametrize("task", NAMES)
def test_places_are_drawn_from_their_ranges(task):
    batch, declared = begun(task, 200), TASKS[task]
    drawn = batch.states["drawn"]
    for k, bounds in enumerate((declared.first, declared.second)):
        low, high = (np.array(one) for one in corners(bounds))
        assert np.all(drawn[:, k] >= low)
        assert np.all(drawn[:, k] <= high)
        spread = (drawn[:, k].max(0) - drawn[:, k].min(0)) / np.where(high > low, high - low, 1.0)
        assert np.all(spread[high > low] > 0.6)  # less than all where both places have to be apart
    flat = np.linalg.norm(drawn[:, 0, :2] - drawn[:, 1, :2], axis=1)
    assert np.all(flat >= declared.apart)


def test_an_unknown_task_is_refused():
    with pytest.raises((ValueError, KeyError), match="juggle"):
        MetaWorld(task="juggle")
