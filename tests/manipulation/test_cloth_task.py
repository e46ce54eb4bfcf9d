"""Resets, rewards and success of cloth hanging, told by the sheet's formulas in NumPy."""

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.companions import Players, Words, companion
from envsuite.core.world import make_world
from envsuite.manipulation.cloth.levels import HOLES, SPLITS, flat, mesh
from envsuite.manipulation.cloth.params import CELL
from tests.core.simulator import run_on_simulator

CLOTH = "envsuite.manipulation.cloth.kernel:ClothHangingWorld"


def begun(count, **options):
    world = make_world(CLOTH, **options)
    batch = Batch(world, count, horizon=100)
    batch.seed(range(count))
    return world, batch, batch.reset()


def test_holes_are_forty_of_which_half_are_held_out():
    assert len(set(HOLES)) == 40
    assert not set(SPLITS["training"]) & set(SPLITS["held_out"])
    assert [len(one) for one in SPLITS.values()] == [20, 20]
    assert np.abs(np.array(HOLES) - 8).max() == 3


@pytest.mark.parametrize("hole", [(8, 8), (5, 11), (3, 13)])
def test_a_mesh_is_a_grid_with_a_hole(hole):
    found = mesh(hole, 0.031)
    there = found.owner > -2
    column, row = np.meshgrid(np.arange(1, 16), np.arange(1, 16))
    far = np.hypot(column - hole[0], row - hole[1]).ravel()
    assert np.array_equal(there, far > 1.1)
    assert there.sum() == 220
    assert np.flatnonzero(found.owner >= 0).tolist() == [0, 14, 210, 224]
    expected = (CELL, np.sqrt(2) * CELL, 2 * CELL)
    for kind in range(3):
        pairs = found.springs[found.kinds[kind] : found.kinds[kind + 1]]
        assert there[pairs].all()
        assert np.allclose(np.linalg.norm(flat()[pairs[:, 0]] - flat()[pairs[:, 1]], axis=1), expected[kind])
        assert len({tuple(sorted(one)) for one in pairs.tolist()}) == len(pairs)
    middles = (flat()[found.springs[found.kinds[2] :]]).mean(axis=1)
    assert np.linalg.norm(middles - flat()[15 * (hole[1] - 1) + hole[0] - 1], axis=1).min() > 1.1 * CELL
    assert np.sort(far[there])[9] == pytest.approx(far[found.edge].max())
    assert len(set(found.edge.tolist())) == 10
    assert np.allclose(flat()[found.edge].mean(axis=0), CELL * (np.array(hole) - 8))


def test_it_begins_as_the_original():
    _, batch, _ = begun(200, rotation="none")
    s = batch.states
    assert (s["hanger"][:, 1] == -1.5).all()
    assert np.abs(s["hanger"][:, [0, 2]] - (0, 4.5)).max() <= 0.5
    assert np.ptp(s["hanger"][:, 0]) > 0.9
    assert np.allclose(s["grippers"].mean(axis=1), (0, 0, 4.5))
    assert np.allclose(np.linalg.norm(s["grippers"] - (0, 0, 4.5), axis=2), np.sqrt(0.5))
    assert np.allclose(s["frame"], np.eye(3))
    assert set(s["level"]) == set(range(20))


def test_scenes_are_turned_about_the_hanger():
    _, plain, _ = begun(50, rotation="none")
    _, turned, _ = begun(50)
    assert np.allclose(plain.states["hanger"], turned.states["hanger"])
    f = turned.states["frame"]
    assert np.allclose(f @ np.swapaxes(f, 1, 2), np.eye(3), atol=1e-12)
    assert np.allclose(np.linalg.det(f), 1)
    arms = plain.states["grippers"] - plain.states["hanger"][:, np.newaxis]
    expected = np.einsum("nij,nkj->nki", f, arms) + plain.states["hanger"][:, np.newaxis]
    assert np.allclose(turned.states["grippers"], expected)
    pitch = np.arcsin(-f[:, 2, 0])
    roll, yaw = np.arctan2(f[:, 2, 1], f[:, 2, 2]), np.arctan2(f[:, 1, 0], f[:, 0, 0])
    assert np.abs(pitch).max() <= np.pi / 2
    assert roll.min() >= -np.pi / 4 - 1e-9
    assert roll.max() <= np.pi / 2 + 1e-9
    assert np.ptp(yaw) > 5
    _, rolled, _ = begun(50, rotation="roll")
    assert np.allclose(rolled.states["frame"][:, :, 0], (1, 0, 0))


@pytest.mark.parametrize("compat", [None, "hepi"])
def test_it_pays_by_the_sheet(compat):
    world, batch, _ = begun(3, compat=compat)
    rng, before = np.random.default_rng(0), np.zeros((3, 12))
    for step in range(1, 101):
        actions = rng.uniform(-1, 1, (3, 12)).astype(np.float32)
        output = batch.step(actions)
        for k, s in enumerate(batch.states):
            p = world.params[s["level"]]
            away = s["position"][p["edge"]].mean(axis=0) - s["hanger"]
            distance = np.linalg.norm(away)
            cosine = away @ ((0, 1, 0) if compat else s["frame"][:, 1]) / distance
            weight = 5 if step > 98 else 1
            speed = np.linalg.norm(s["velocity"][p["owner"] > -2], axis=1).mean()
            pairs = p["springs"][: p["kinds"][1]]
            lengths = np.linalg.norm(s["position"][pairs[:, 0]] - s["position"][pairs[:, 1]], axis=1)
            expected = -0.8 * (weight * distance + 0.1 * weight * (1 - cosine)) - 0.2 * speed
            expected -= np.abs(lengths / CELL - 1).mean()
            expected -= 0.002 * ((actions[k] - before[k]).astype(float) ** 2).sum()
            assert output.rewards[k] == pytest.approx(expected, rel=1e-5)
            assert output.info["distance"][k] == pytest.approx(distance)
        before = actions
    assert output.truncated.all()
    names = ("distance_term", "side_term", "speed_term", "stretch_term", "rate_term")
    assert np.allclose(sum(output.info[name] for name in names), output.rewards, rtol=1e-5)


def place_hole(batch, world, where, normal):
    """Move the whole cloth so that its hole is at a place, flat, with a normal."""
    s = batch.states[0]
    p = world.params[s["level"]]
    side = np.cross(normal, (0.3, 0.5, 0.8))
    side /= np.linalg.norm(side)
    axes = np.stack([side, np.cross(normal, side)])
    there = p["owner"] > -2
    s["position"][there] = where + (flat()[there] - flat()[p["edge"]].mean(axis=0)) @ axes
    s["velocity"] = 0.0


def test_success_wants_the_hole_around_the_rod():
    world, batch, _ = begun(1)
    middle, axis = batch.states["hanger"][0].copy(), batch.states["frame"][0, :, 1].copy()
    place_hole(batch, world, middle + 0.05 * axis, axis)
    output = batch.step(np.zeros((1, 12), np.float32))
    assert output.info["success"][0]
    assert output.info["success_once"][0]
    beside = np.cross(axis, (0.1, 0.9, -0.4))
    beside /= np.linalg.norm(beside)
    batch.reset()
    middle, axis = batch.states["hanger"][0].copy(), batch.states["frame"][0, :, 1].copy()
    beside = np.cross(axis, (0.1, 0.9, -0.4))
    beside /= np.linalg.norm(beside)
    place_hole(batch, world, middle + 0.07 * beside, beside)
    output = batch.step(np.zeros((1, 12), np.float32))
    assert output.info["distance"][0] < 0.12
    assert not output.info["success"][0], "it lies beside the rod"


@pytest.mark.parametrize("options", [{}, {"shapes": "held_out"}, {"rotation": "none"}, {"holes": [(3, 13), (13, 3)]}])
def test_the_reference_player_hangs_it_up(options):
    world, batch, output = begun(16, **options)
    player = companion(world, Players).expert()
    for _ in range(100):
        output = batch.step(player.act(output.observations, batch.states))
    assert output.info["success"].mean() > 0.9


def test_a_team_does_what_one_player_does():
    _, single, first = begun(2)
    many, team, seen = begun(2, team=True)
    assert many.agents == ("gripper_0", "gripper_1", "gripper_2", "gripper_3")
    assert np.array_equal(seen.observations[:, 0], first.observations)
    assert np.array_equal(seen.observations[:, 2, :3], first.observations[:, 6:9])
    for _ in range(10):
        actions = np.random.default_rng(1).uniform(-1, 1, (2, 4, 3)).astype(np.float32)
        a, b = single.step(actions.reshape(2, 12)), team.step(actions)
        assert np.array_equal(b.rewards, np.repeat(a.rewards[:, np.newaxis], 4, axis=1))
    assert np.array_equal(single.states["position"], team.states["position"])


@pytest.mark.parametrize("hole", [(2, 8), (8, 14), (8.0, 8.0), (8, 8, 8)])
def test_a_hole_outside_the_cloth_is_named(hole):
    with pytest.raises(ValueError, match="expected two whole numbers from 3 to 13"):
        make_world(CLOTH, holes=[hole])


def test_bad_options_are_named():
    with pytest.raises(ValueError, match="expected places of at least one hole"):
        make_world(CLOTH, holes=[])
    with pytest.raises(ValueError, match="rotation is 'upside', expected one of 'none'"):
        make_world(CLOTH, rotation="upside")
    with pytest.raises(ValueError, match="shapes is 'test', expected one of 'training', 'held_out'"):
        make_world(CLOTH, shapes="test")


def test_words_tell_places():
    world, batch, _ = begun(1)
    told = companion(world, Words).describe(batch.states[0])
    x, y, z = batch.states[0]["hanger"]
    assert f"middle is at ({x:.2f}, {y:.2f}, {z:.2f})" in told
    assert f"{batch.states[0]['distance']:.2f} m from the middle" in told


SCRIPT = """
import numpy as np
from envsuite.core.cuda import CudaVectorEnv
from envsuite.core.vector import WorldVectorEnv
from envsuite.manipulation.cloth.kernel import ClothHangingWorld

world = ClothHangingWorld(holes=[(8, 8)])
world.params["substeps"] = world.params["decimation"] = 1  # Python is slow
device = CudaVectorEnv(world, 1, max_episode_steps=5)
host = WorldVectorEnv(world, 1, max_episode_steps=5)
assert np.array_equal(device.reset(seed=0)[0].copy_to_host(), host.reset(seed=0)[0])
rng = np.random.default_rng(0)
for _ in range(2):
    actions = rng.uniform(-1, 1, (1, 12)).astype(np.float32)
    seen, rewards, *_ = device.step(actions)
    expected = host.step(actions)
    assert np.array_equal(seen.copy_to_host(), expected[0])
    assert np.array_equal(rewards.copy_to_host(), expected[1])
print("done")
"""


def test_the_simulator_gives_the_same_numbers():
    """With few substeps; the contract's check of whole steps takes minutes in plain Python."""
    run_on_simulator(SCRIPT)
