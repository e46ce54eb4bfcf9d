"""Our compiler beside MuJoCo's."""

import warnings
from pathlib import Path

import numpy as np
import pytest

from envsuite.locomotion import models
from envsuite.rigid import Compiled, Scene, compile_scene, read_mjcf, write_mjcf
from envsuite.rigid.layout import CLASSES
from envsuite.rigid.mjcf import IgnoredWarning

from .oracle import ASSETS, disagreements
from .random_scenes import random_scene
from .scenes import SCENES

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
ALL = [*(getattr(models, name) for name in models.__all__), *SCENES.values(), *map(random_scene, range(50))]


def of_mujoco(made) -> Compiled:
    from envsuite.rigid.mujoco import from_mujoco

    return from_mujoco(made)


def read(path: Path) -> Scene:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IgnoredWarning)
        return read_mjcf(path)


@pytest.mark.parametrize("name", FILES)
def test_declared_models_are_what_mujoco_makes_of_gymnasiums_files(name):
    ours = compile_scene(getattr(models, name), general=True)
    theirs = of_mujoco(mujoco.MjModel.from_xml_path(str(ASSETS / f"{FILES[name]}.xml")))
    assert disagreements(ours, theirs) == {}


@pytest.mark.parametrize("path", sorted(ASSETS.glob("*.xml")), ids=lambda path: path.stem)
def test_files_that_are_read_compile_to_what_mujoco_makes_of_them(path):
    ours = compile_scene(read(path), general=True)
    assert disagreements(ours, of_mujoco(mujoco.MjModel.from_xml_path(str(path)))) == {}


@pytest.mark.parametrize("scene", ALL, ids=lambda scene: scene.name)
def test_scenes_compile_to_what_mujoco_makes_of_them(scene):
    ours = compile_scene(scene, general=True)
    assert disagreements(ours, of_mujoco(mujoco.MjModel.from_xml_string(write_mjcf(scene)))) == {}


@pytest.mark.parametrize("scene", ALL, ids=lambda scene: scene.name)
def test_what_is_written_is_read_again(scene):
    ours = compile_scene(scene, general=True)
    again = compile_scene(read_mjcf(write_mjcf(scene)), general=True)
    assert disagreements(ours, again, 1e-14) == {}
    assert (ours.body, ours.joint, ours.geom, ours.qposadr) == (again.body, again.joint, again.geom, again.qposadr)


@pytest.mark.parametrize("scene", ALL, ids=lambda scene: scene.name)
def test_pairs_are_the_contacts_that_mujoco_finds_when_everything_overlaps(scene):
    ours = compile_scene(scene, general=True).model[0]
    data = _overlapping(mujoco.MjModel.from_xml_string(write_mjcf(scene)))
    count = ours["npair"]
    pairs = list(zip(ours["pair_geom1"][:count].tolist(), ours["pair_geom2"][:count].tolist(), strict=True))
    found = [tuple(one.geom.tolist()) for one in data.contact]
    assert list(dict.fromkeys(found)) == pairs
    for one, geoms in zip(data.contact, found, strict=True):
        row = pairs.index(geoms)
        assert one.dim == ours["pair_condim"][row]
        np.testing.assert_allclose(one.includemargin, ours["pair_includemargin"][row], rtol=1e-14)
        np.testing.assert_allclose(one.friction, ours["pair_friction"][row], rtol=1e-14)
        np.testing.assert_allclose(one.solref, ours["pair_solref"][row], rtol=1e-14)
        np.testing.assert_allclose(one.solimp, ours["pair_solimp"][row], rtol=1e-14)


def _overlapping(made):
    """Data with contacts between shapes that are all too large to be apart."""
    solid = made.geom_type != mujoco.mjtGeom.mjGEOM_PLANE
    made.geom_size[solid] = 60
    made.geom_rbound[solid] = 1e3
    made.geom_aabb[:] = (0, 0, 0, 1e3, 1e3, 1e3)
    made.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_MIDPHASE
    data = mujoco.MjData(made)
    mujoco.mj_kinematics(made, data)
    mujoco.mj_comPos(made, data)
    mujoco.mj_collision(made, data)
    return data


def test_margins_add_up_in_later_versions():
    (hopper,) = compile_scene(models.HOPPER).model
    (later,) = compile_scene(models.HOPPER, physics="mujoco-4").model
    assert set(hopper["pair_margin"][: hopper["npair"]]) == {0.001}
    assert set(later["pair_margin"][: later["npair"]]) == {0.002}


def test_single_precision_rounds_the_constants():
    double, single = (compile_scene(models.ANT, real=real) for real in (np.float64, np.float32))
    assert single.model["body_mass"].dtype == np.float32
    np.testing.assert_array_equal(single.model["body_mass"], double.model["body_mass"].astype(np.float32))


def test_classes_are_the_smallest_that_fit():
    sizes = {name: compile_scene(getattr(models, name), general=True).size for name in models.__all__}
    assert {name for name, size in sizes.items() if size == "large"} == {"HUMANOID", "HUMANOID_STANDUP"}
    assert sizes["HOPPER"] == "small"
    assert sizes["ANT"] == "medium"
    larger = compile_scene(models.HOPPER, size="large")
    assert larger.model.dtype == compile_scene(models.HUMANOID).model.dtype
    assert larger.sizes == CLASSES["large"].sizes
