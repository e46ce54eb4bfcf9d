"""Cylinders and boxes: the deepest contact beside MuJoCo's general solver, all contacts by what they have to be."""

from dataclasses import replace

import numba
import numpy as np
import pytest

from envsuite.rigid import Body, Box, Cylinder, Free, Option, Plane, Scene, compile_scene, read_mjcf, write_mjcf
from envsuite.rigid.cylinders import _touch_cylinder_box
from envsuite.rigid.layout import CLASSES, Work
from tests.rigid.engine import Engine
from tests.rigid.test_touching import turned

DISC = Cylinder("disc", size=(0.1, 0.15))
TABLE = Box("table", size=(0.3, 0.4, 0.1), pos=(0, 0, -0.1))


def one(shape, *world, **option) -> Scene:
    """A free body with one shape above shapes that stand still."""
    body = Body("thing", pos=(0, 0, 1), joints=[Free("root")], geoms=[shape])
    return Scene("one", option=Option(**option), geoms=world, bodies=[body])


def axes(quat) -> np.ndarray:
    w, x, y, z = quat
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.array(rows)


def gaps(directions, place, axis, size, box) -> np.ndarray:
    """Between a cylinder, in axes of the box, and the box, along directions."""
    directions = directions / np.linalg.norm(directions, axis=-1, keepdims=True)
    along = directions @ axis
    out = np.linalg.norm(directions - along[..., None] * axis, axis=-1)
    return abs(directions @ place) - size[1] * abs(along) - size[0] * out - abs(directions) @ box


def widest(rng, *shapes) -> float:
    """The widest gap, by search: from the best of many directions, with smaller and smaller steps."""
    directions = rng.normal(size=(20000, 3))
    best = directions[np.argsort(-gaps(directions, *shapes))[:3]]
    best /= np.linalg.norm(best, axis=-1, keepdims=True)
    found = -np.inf
    for start in best:
        here, step = start, 0.03
        while step > 1e-9:
            trials = np.vstack([here, here + step * rng.normal(size=(60, 3))])
            trials /= np.linalg.norm(trials, axis=-1, keepdims=True)
            nearest = int(np.argmax(gaps(trials, *shapes)))
            here, step = trials[nearest], step * (0.6 if nearest == 0 else 1.1)
        found = max(found, float(gaps(here, *shapes)))
    return found


def random_poses(count: int, seed: int, margin: float, **option):
    """Engines after a pass, with the place and axis of the cylinder in axes of the box."""
    rng = np.random.default_rng(seed)
    for _ in range(count // 20):
        size, box = rng.uniform(0.03, 0.3, 2), rng.uniform(0.03, 0.3, 3)
        ground = Box("box", size=box, margin=margin)
        engine = Engine.of(compile_scene(one(Cylinder("disc", size=size), ground, **option)))
        reach = np.linalg.norm(size) + np.linalg.norm(box)
        for _ in range(20):
            way = rng.normal(size=3)
            way *= rng.uniform(0.05, 1) * reach / np.linalg.norm(way)
            quat = turned(rng)
            engine.put(qpos=(*way, *quat), qvel=(0,) * 6)
            engine.forward()
            yield engine, way, axes(quat)[:, 2], size, box


def contacts(engine: Engine):
    work = engine.work[0]
    count = int(work["ncon"])
    return work["con_dist"][:count], work["con_pos"][:count], work["con_frame"][:count, :3]


@pytest.mark.parametrize("multiccd", [False, True])
def test_the_deepest_contact_is_the_distance(multiccd):
    rng, touching = np.random.default_rng(5), 0
    for engine, *shapes in random_poses(200, 4, 0.02, multiccd=multiccd):
        distance = widest(rng, *shapes)
        found, _, normals = contacts(engine)
        assert len(found) > 0 or distance > 0.02
        if len(found):
            touching += 1
            assert min(found) >= distance - 1e-8  # no other direction has a wider gap than this one has
            # of several, none has to be the deepest to the last digit
            np.testing.assert_allclose(gaps(normals, *shapes), min(found), rtol=0, atol=1e-6 if multiccd else 1e-12)
    assert touching > 80


def test_contacts_lie_between_the_surfaces():
    several = 0
    for engine, place, axis, size, box in random_poses(2000, 6, 0.02):
        found, middles, normals = contacts(engine)
        several += len(found) > 1
        assert len(found) <= 16
        assert (found <= 0.02).all()
        for gap, middle, normal in zip(found, middles, normals, strict=True):
            assert gap >= min(found) - 1e-12
            way = middle - 0.5 * gap * normal - place
            along = way @ axis
            assert abs(along) <= size[1] + 1e-9 + 0.03 * abs(gap)
            assert np.linalg.norm(way - along * axis) <= size[0] + 1e-9 or gap > min(found)
            assert (abs(middle + 0.5 * gap * normal) <= box + 1e-9).all()
    assert several > 200


def test_a_cylinder_over_a_face_touches_as_on_a_plane():
    """Contacts with a plane are MuJoCo's, see `tests.rigid.test_touching`."""
    rng = np.random.default_rng(7)
    box = Engine.of(compile_scene(one(DISC, replace(TABLE, margin=0.01))))
    plane = Engine.of(compile_scene(one(DISC, Plane("floor", margin=0.01))))
    counts = set()
    for _ in range(300):
        quat, way = turned(rng), rng.uniform(-0.1, 0.1, 3)
        up = abs(axes(quat)[2, 2])
        way[2] = 0.15 * up + 0.1 * np.sqrt(1 - up * up) + rng.uniform(-0.01, 0.012)
        for engine in (box, plane):
            engine.put(qpos=(*way, *quat), qvel=(0,) * 6)
            engine.forward()
        (ours, places, normals), (theirs, others, ups) = contacts(box), contacts(plane)
        counts.add(len(ours))
        assert len(ours) == len(theirs)
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
        np.testing.assert_allclose(places, others, rtol=0, atol=1e-12)
        np.testing.assert_allclose(normals, -ups, rtol=0, atol=1e-12)
    assert counts >= {0, 1, 2, 3}


def test_over_a_face_its_normal_is_the_widest_gap():
    """Where the search ends early: cylinders that stand, lie or lean over a face, some near its border, some deep."""
    rng, ended, deep = np.random.default_rng(8), 0, 0
    for trial in range(300):
        size, box = rng.uniform(0.02, 0.1, 2), rng.uniform(0.02, 0.4, 3)
        tilt = (0, np.pi / 2, 1e-4, rng.uniform(0, np.pi))[trial % 4]
        turn, lean = rng.uniform(0, np.pi), (np.cos(tilt / 2), np.sin(tilt / 2))
        quat = (np.cos(turn) * lean[0], -np.sin(turn) * lean[1], np.cos(turn) * lean[1], np.sin(turn) * lean[0])
        down = size[1] * abs(np.cos(tilt)) + size[0] * abs(np.sin(tilt))
        depth = rng.uniform(0, 1) * min(down, 2 * box[2])
        place = np.array([*rng.uniform(-1.1, 1.1, 2) * box[:2], box[2] + down - depth])
        engine = Engine.of(compile_scene(one(Cylinder("disc", size=size), Box("box", size=box))))
        engine.put(qpos=(*place, *quat), qvel=(0,) * 6)
        engine.forward()
        found, _, normals = contacts(engine)
        if not len(found):
            continue
        shapes = place, axes(quat)[:, 2], size, box
        assert min(found) >= widest(rng, *shapes) - 1e-8
        np.testing.assert_allclose(gaps(normals, *shapes), min(found), rtol=0, atol=1e-6)
        ended += abs(normals[0, 2]) == 1
        deep += abs(normals[0, 2]) != 1
    assert ended > 80
    assert deep > 40


@pytest.mark.parametrize("axis", range(3))
def test_beside_an_edge_it_is_a_disc_and_a_rectangle(axis):
    """Where the search ends after the corners: along an edge the distance is that of the disc from the corner."""
    rng, touching = np.random.default_rng(9 + axis), 0
    quat = {0: (0.5**0.5, 0, 0.5**0.5, 0), 1: (0.5**0.5, 0.5**0.5, 0, 0), 2: (1, 0, 0, 0)}[axis]
    across = [k for k in range(3) if k != axis]
    for _ in range(100):
        size, box = rng.uniform(0.02, 0.1, 2), rng.uniform(0.02, 0.4, 3)
        beyond = rng.uniform(0, 1, 2) * size[0] * rng.choice([1, 1e-3], 2)
        place = np.zeros(3)
        place[axis] = rng.uniform(-1, 1) * (box[axis] + size[1])
        place[across] = (box[across] + beyond) * rng.choice([-1, 1], 2)
        engine = Engine.of(compile_scene(one(Cylinder("disc", size=size), Box("box", size=box), multiccd=False)))
        engine.put(qpos=(*place, *quat), qvel=(0,) * 6)
        engine.forward()
        expected = max(np.hypot(*beyond) - size[0], abs(place[axis]) - box[axis] - size[1])
        found, _, normals = contacts(engine)
        assert len(found) == (expected <= 0)
        if len(found):
            touching += 1
            assert found[0] == pytest.approx(expected, abs=1e-10)
            np.testing.assert_allclose(gaps(normals, place, axes(quat)[:, 2], size, box), expected, rtol=0, atol=1e-10)
    assert touching > 50


STANDING, LYING = (1, 0, 0, 0), (0.5**0.5, 0, 0.5**0.5, 0)
SMALL, WIDE = Box("block", size=(0.05, 0.04, 0.1)), Box("block", size=(0.2, 0.2, 0.1))
POST = Cylinder("post", size=(0.1, 0.15), pos=(0, 0, -0.15))
RESTING = {
    "cylinder on its end": (DISC, TABLE, (0.05, 0.1, 0.15), STANDING, DISC),
    "cylinder over an edge": (DISC, TABLE, (0.28, 0.1, 0.15), STANDING, None),
    "cylinder over a corner": (DISC, TABLE, (0.26, 0.37, 0.15), STANDING, None),
    "cylinder on its side": (DISC, TABLE, (0.05, 0.1, 0.1), LYING, DISC),
    "lying cylinder over an edge": (DISC, TABLE, (0.25, 0.1, 0.1), LYING, None),
    "small box on a cylinder": (SMALL, POST, (0.01, 0.02, 0.1), STANDING, SMALL),
    "wide box on a cylinder": (WIDE, POST, (0.01, 0.02, 0.1), STANDING, None),
    "box over the rim": (SMALL, POST, (0.09, 0.02, 0.1), STANDING, None),
}


@pytest.mark.parametrize("name", RESTING)
def test_they_rest_on_each_other(name):
    shape, ground, place, turn, on_plane = RESTING[name]
    engine = Engine.of(compile_scene(one(shape, ground)))
    engine.put(qpos=(*place, *turn), qvel=(0,) * 6)
    engine.step(2000)
    settled = engine.qpos.copy()
    engine.step(1000)
    # What leans, on the softer side of its support, creeps, as a box does over the edge of a box (1.2e-5 m/s).
    still = 1e-10 if on_plane is not None else 1e-4
    assert abs(engine.qvel).max() < still
    assert abs(engine.qpos - settled).max() < 2 * still
    depth = place[2] - engine.qpos[2]
    assert 5e-5 < depth < 1e-3
    assert abs(engine.qpos[:2] - place[:2]).max() < 2e-3
    if on_plane is not None:  # as many contacts at the same places
        other = Engine.of(compile_scene(one(on_plane, Plane())))
        other.put(qpos=(*place, *turn), qvel=(0,) * 6)
        other.step(4000)
        assert depth == pytest.approx(place[2] - other.qpos[2], rel=1e-6)


@pytest.mark.parametrize("place", [(0.31, 0.1, 0.15), (0, 0.42, 0.15)])
def test_a_cylinder_whose_middle_is_beside_the_box_falls(place):
    engine = Engine.of(compile_scene(one(DISC, TABLE)))
    engine.put(qpos=(*place, *STANDING), qvel=(0,) * 6)
    engine.step(1500)
    assert engine.qpos[2] < -0.2


def test_free_bodies_rest_on_each_other():
    bodies = [
        Body("block", pos=(0, 0, 0.1), joints=[Free()], geoms=[Box(size=(0.15, 0.2, 0.1))]),
        Body("disc", pos=(0.02, 0.01, 0.35), joints=[Free()], geoms=[Cylinder(size=(0.08, 0.15))]),
        Body("top", pos=(0.02, 0.01, 0.55), joints=[Free()], geoms=[Box(size=(0.05, 0.05, 0.05))]),
    ]
    engine = Engine.of(compile_scene(Scene("pile", geoms=[Plane()], bodies=bodies)))
    engine.step(3000)
    heights = engine.qpos[2::7].copy()
    np.testing.assert_allclose(heights, (0.1, 0.35, 0.55), rtol=0, atol=2e-3)
    assert abs(engine.qvel).max() < 1e-5
    engine.step(1000)
    np.testing.assert_allclose(engine.qpos[2::7], heights, rtol=0, atol=1e-6)


def beside_mujoco(models: int, poses: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Compare random poses; returns how far apart the contacts are, and their normals.

    Where the gap hardly changes with the direction, MuJoCo's search ends before it knows either well.
    """
    mujoco = pytest.importorskip("mujoco")
    rng, away, apart = np.random.default_rng(seed), [], []
    for _ in range(models):
        disc = Cylinder(size=rng.uniform(0.03, 0.3, 2).round(3), margin=rng.choice([0, 0.02]))
        box = Box(size=rng.uniform(0.03, 0.3, 3).round(3))
        bodies = [Body(f"b{k}", joints=[Free()], geoms=[shape]) for k, shape in enumerate((disc, box))]
        scene = Scene(bodies=bodies, option=Option(multiccd=False))
        model = mujoco.MjModel.from_xml_string(write_mjcf(scene))
        model.opt.ccd_tolerance, model.opt.ccd_iterations = 1e-10, 200
        engine, data = Engine.of(compile_scene(scene)), mujoco.MjData(model)
        reach = float(model.geom_rbound.sum())
        for _ in range(poses):
            way = rng.normal(size=3)
            way *= rng.uniform(0.05, 1) * reach / np.linalg.norm(way)
            data.qpos[:] = np.concatenate([np.zeros(3), turned(rng), way, turned(rng)])
            mujoco.mj_forward(model, data)
            engine.put(qpos=data.qpos, qvel=np.zeros(12))
            engine.forward()
            found, places, normals = contacts(engine)
            assert len(found) == data.ncon, (len(found), data.ncon, data.qpos)
            if data.ncon:
                np.testing.assert_allclose(found, data.contact.dist, rtol=0, atol=1e-8)
                apart.append(np.linalg.norm(normals - data.contact.frame[:, :3]))
                away.append(np.linalg.norm(places - data.contact.pos))
    return np.array(away), np.array(apart)


def test_the_contact_equals_mujoco_s():
    away, apart = beside_mujoco(6, 40, 0)
    assert len(away) > 100
    assert np.quantile(away, 0.95) < 1e-4
    assert np.quantile(apart, 0.95) < 1e-4
    assert max(apart) < 0.01


@pytest.mark.slow
def test_the_contact_equals_mujoco_s_in_many_poses():
    away, apart = beside_mujoco(500, 200, 1)
    assert len(away) > 40000
    assert np.quantile(away, 0.99) < 1e-3
    assert np.quantile(apart, 0.99) < 1e-4
    assert max(apart) < 0.05


def test_one_step_equals_mujoco_s():
    """A cylinder that tumbles over a box, from states of MuJoCo, whose contacts end where its general solver stops."""
    mujoco = pytest.importorskip("mujoco")
    scene = one(DISC, TABLE, multiccd=False)
    model = mujoco.MjModel.from_xml_string(write_mjcf(scene))
    model.opt.tolerance, model.opt.iterations, model.opt.ls_iterations = 1e-15, 200, 100
    model.opt.ccd_tolerance, model.opt.ccd_iterations = 1e-12, 200
    engine, data, other = Engine.of(compile_scene(scene)), mujoco.MjData(model), mujoco.MjData(model)
    errors = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        mujoco.mj_resetData(model, data)
        quat = rng.normal(size=4)
        data.qpos[:] = (*rng.uniform(-0.2, 0.2, 2), 0.3, *quat / np.linalg.norm(quat))
        data.qvel[:] = rng.normal(size=6)
        for _ in range(150):
            mujoco.mj_step(model, data)
            engine.put(qpos=data.qpos, qvel=data.qvel, warm=data.qacc_warmstart)
            engine.forward()
            other.qpos[:], other.qvel[:], other.qacc_warmstart[:] = data.qpos, data.qvel, data.qacc_warmstart
            mujoco.mj_forward(model, other)
            assert engine.work["ncon"][0] == other.ncon
            if other.ncon:
                errors.append(abs(engine.qacc - other.qacc).max() / abs(other.qacc).max())
    assert len(errors) > 100
    assert np.quantile(errors, 0.9) < 1e-4


def test_models_without_such_a_pair_compile_none_of_it():
    assert compile_scene(one(DISC, TABLE)).size == "small-rims"
    assert compile_scene(one(DISC, TABLE), size="medium").size == "medium-rims"
    assert compile_scene(one(DISC, Plane())).size == "small"
    for name, size in CLASSES.items():
        kind = numba.from_dtype(Work.dtype(**size.sizes))
        chosen = _touch_cylinder_box(None, None, kind, None)
        assert chosen.__name__ == ("known" if name.endswith("-rims") else "nothing")


def test_several_contacts_or_one():
    for several, count in ((True, 3), (False, 1)):
        engine = Engine.of(compile_scene(one(DISC, TABLE, multiccd=several)))
        engine.put(qpos=(0, 0, 0.1499, *STANDING), qvel=(0,) * 6)
        engine.forward()
        found, places, _ = contacts(engine)
        assert len(found) == count
        np.testing.assert_allclose(found, -1e-4, rtol=1e-9)
        np.testing.assert_allclose(places.mean(axis=0), (0, 0, -5e-5), rtol=0, atol=1e-12)


def test_files_say_whether_there_are_several():
    mujoco = pytest.importorskip("mujoco")
    from envsuite.rigid.mujoco import from_mujoco

    for several in (True, False):
        scene = one(DISC, TABLE, multiccd=several)
        text = write_mjcf(scene)
        assert read_mjcf(text) == scene
        made = from_mujoco(mujoco.MjModel.from_xml_string(text))
        assert made.model["multiccd"][0] == compile_scene(scene).model["multiccd"][0] == several
        assert made.size == "small-rims"
    assert not read_mjcf("<mujoco/>").option.multiccd
    assert read_mjcf('<mujoco><option><flag multiccd="enable"/></option></mujoco>').option.multiccd
