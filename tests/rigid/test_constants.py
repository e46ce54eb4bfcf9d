"""Our compiler beside MuJoCo's."""

import pytest

from envsuite.locomotion import models
from envsuite.rigid import compile_scene
from tests.rigid.oracle import ASSETS, disagreements

mujoco = pytest.importorskip("mujoco")

FILES = {
    "ANT": "ant",
    "HALF_CHEETAH": "half_cheetah",
    "HOPPER": "hopper",
    "HUMANOID": "humanoid",
    "HUMANOID_STANDUP": "humanoidstandup",
    "INVERTED_DOUBLE_PENDULUM": "inverted_double_pendulum",
    "INVERTED_PENDULUM": "inverted_pendulum",
    "PUSHER": "pusher_v5",
    "PUSHER_V4": "pusher",
    "REACHER": "reacher",
    "SWIMMER": "swimmer",
    "WALKER2D": "walker2d_v5",
    "WALKER2D_V4": "walker2d",
}


@pytest.mark.parametrize("name", FILES)
def test_declared_models_compile_to_what_mujoco_makes_of_gymnasiums_files(name):
    from envsuite.rigid.mujoco import from_mujoco

    ours = compile_scene(getattr(models, name), general=True)
    theirs = from_mujoco(mujoco.MjModel.from_xml_path(str(ASSETS / f"{FILES[name]}.xml")))
    assert disagreements(ours, theirs) == {}
