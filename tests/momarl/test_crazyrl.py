"""Surround, escort and catch against a plain reference in double precision, and returns known in closed form."""

import numpy as np
import pytest

from envsuite.momarl.crazyrl.kernel import CrazyRLWorld

from ..batches import begun, played

STARTS = np.array([(0, 0, 1), (1, 1, 1), (0, 1, 1), (2, 2, 1)], float)
GOAL, FINAL = np.array([1, 1, 2.5]), np.array([-2, -2, 3.0])


def next_target(task, target, places, step):
    if task == "escort":
        return GOAL + (FINAL - GOAL) * min(step, 51) / 51
    if task == "catch":
        away = target - places.mean(axis=0)
        assert np.linalg.norm(away) > 0.2  # else it would move by chance
        moved = target + 0.1 * away / np.linalg.norm(away)
        return np.clip(moved, (-3, -3, 0.2), (3, 3, 3))
    return target


def reference(task, rows):
    """Vectors of all drones at every step, until one crashes."""
    places, target, found = STARTS, GOAL, []
    for step, row in enumerate(rows, 1):
        new_target = next_target(task, target, places, step)
        moved = np.clip(places + 0.2 * row, (-3, -3, 0), (3, 3, 3))
        gaps = np.linalg.norm(moved[:, None] - moved, axis=2)
        approach = np.linalg.norm(places - target, axis=1) - np.linalg.norm(moved - target, axis=1)
        crashed = (gaps + 9 * np.eye(4) < 0.1).any(axis=1)
        crashed |= (np.linalg.norm(moved - new_target, axis=1) < 0.1) | (moved[:, 2] < 0.1)
        vector = np.column_stack([approach, gaps.sum(axis=1) / 3])
        found.append(np.where(crashed[:, None], -10.0, vector))
        places, target = moved, new_target
        if crashed.any():
            break
    return np.array(found)


@pytest.mark.parametrize("task", ["surround", "escort", "catch"])
@pytest.mark.parametrize("seed", range(4))
def test_follows_a_plain_reference(task, seed):
    rows = np.random.default_rng(seed).uniform(-1, 1, (80, 4, 3))
    expected = reference(task, rows.astype(np.float32).astype(float))
    batch = begun(CrazyRLWorld(task=task))
    low, high = batch.world.reward.low, batch.world.reward.high
    for row, wanted in zip(rows, expected, strict=False):
        output = played(batch, row)
        np.testing.assert_allclose(output.rewards[0], wanted, atol=3e-5)
        assert ((output.rewards >= low) & (output.rewards <= high)).all()
    assert output.terminated.all() == (len(expected) < 80 or (expected[-1] == -10).any())
    assert (expected[-1] == -10).any(), "this test wants crashes"


def test_return_of_hovering():
    batch = begun(CrazyRLWorld())
    total = discounted = 0.0
    for step in range(200):
        reward = played(batch, np.zeros((4, 3))).rewards[0].sum(axis=0)
        total, discounted = total + reward, discounted + 0.99**step * reward
    np.testing.assert_allclose(total, (0, 1319.056), rtol=1e-5)
    np.testing.assert_allclose(discounted, (0, 571.165), rtol=1e-5)


def test_return_of_flying_to_corners():
    """The four drones end in corners of the room that are as far from each other as can be."""
    batch, total = begun(CrazyRLWorld()), 0.0
    corners = np.array([(-3, -3, 3), (3, -3, 0.2), (-3, 3, 0.2), (3, 3, 3)])
    for _ in range(200):
        move = np.clip((corners - batch.states[0]["position"]) / 0.2, -1, 1)
        total = total + played(batch, move).rewards[0].sum(axis=0)
    expected = np.linalg.norm(STARTS - GOAL, axis=1).sum() - np.linalg.norm(corners - GOAL, axis=1).sum()
    assert total[0] == pytest.approx(expected, rel=1e-4)
    assert 5300 < total[1] < 200 * 4 * 7.4


@pytest.mark.parametrize(("compat", "reached"), [(None, FINAL), ("momaland-0.2", GOAL + (FINAL - GOAL) * 51 / 52)])
def test_escorted_target_reaches_its_end(compat, reached):
    batch = begun(CrazyRLWorld(task="escort", compat=compat))
    for _ in range(60):
        played(batch, np.zeros((4, 3)))
    np.testing.assert_allclose(batch.states[0]["target"], reached, rtol=1e-6)


def test_caught_target_trembles_from_its_seed():
    starts = [(0.9, 1, 2.5), (1.1, 1, 2.5), (1, 0.8, 2.5), (1, 1.2, 2.5)]
    for compat, low in ((None, -0.01), ("momaland-0.2", 0.0)):
        batch = begun(CrazyRLWorld(task="catch", init_positions=starts, compat=compat), 300)
        played(batch, np.zeros((4, 3)))
        moved = batch.states["target"] - np.array([1, 1, 2.5], np.float32)
        assert (moved >= low - 1e-6).all()
        assert (moved <= 0.01 + 1e-6).all()
        assert moved.mean() == pytest.approx((low + 0.01) / 2, abs=1e-3)


def test_all_may_pay_for_a_crash():
    rows = np.zeros((4, 3))
    rows[0, 2] = -1
    for penalty, paid in (("involved", [True, False, False, False]), ("all", [True] * 4)):
        batch = begun(CrazyRLWorld(crash_penalty=penalty))
        for _ in range(5):
            output = played(batch, rows)
        assert ((output.rewards[0] == -10).all(axis=1) == paid).all()


@pytest.mark.parametrize("count", [2, 5, 8, 30])
def test_starts_of_any_number_do_not_crash(count):
    world = CrazyRLWorld(num_drones=count)
    starts = world.params[0]["starts"]
    gaps = np.linalg.norm(starts[:, None] - starts, axis=2) + 9 * np.eye(count)
    assert gaps.min() > 0.45
    assert np.linalg.norm(starts - GOAL, axis=1).min() > 0.1
