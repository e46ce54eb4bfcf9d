"""Probes of contacts: the hand is pushed at what stands fast, and closes beside what lies there."""

import numpy as np
import pytest

from envsuite.core import kernel
from envsuite.core.batch import Batch
from envsuite.core.jit import records
from envsuite.rigid.integrate import forward
from envsuite.rigid.layout import Work
from tests.manipulation.play import begun, moved

COUNT = 20
DEEPEST = 0.005  # m, where the hand is held to a place some 3 cm within
HARD = 0.015  # m, 20 cm within: contacts are as soft as what holds the hand, in the original too
AHEAD = 0.08  # m, by which the place that the hand is held to goes past the middle of what it is pushed at
BELOW_HAND = 0.045  # m, of the tips


@kernel
def _contacts(model, bodies, work, out):
    for i in range(bodies.shape[0]):
        forward(model[0], bodies[i], work[0])
        for c in range(work[0].ncon):
            out[i] = min(out[i], work[0].con_dist[c])


def deepest(batch: Batch) -> float:
    """Distance of the shapes that go farthest into each other in any instance, m, negative."""
    made, out = batch.world.compiled, np.zeros(batch.num_envs)
    work = np.zeros(1, Work.dtype(np.float64, **made.sizes))
    _contacts(records(made.model), records(batch.states["body"].copy()), records(work), out)
    return float(out.min())


def _led(batch: Batch, places: np.ndarray, steps: int) -> None:
    """Move hands to places, with closed fingers."""
    for _ in range(steps):
        moves = np.clip(10 * (places - batch.states["look"]["hand"]), -1, 1)
        batch.step(np.column_stack([moves, np.ones(batch.num_envs)]).astype(np.float32))


def _pushed(batch: Batch, directions: np.ndarray, steps: int) -> float:
    """Push hands along directions, and then wait; the deepest contact on the way."""
    found = 0.0
    for k in range(steps + 20):
        moved(batch, np.column_stack([directions if k < steps else 0 * directions, np.ones(batch.num_envs)]), 1)
        found = min(found, deepest(batch))
    return found


def _round(first: float, last: float) -> np.ndarray:
    """Directions to the side between two angles, (n, 3)."""
    angles = np.linspace(first, last, COUNT, endpoint=last - first < 2 * np.pi)
    return np.column_stack([np.cos(angles), np.sin(angles), np.zeros(COUNT)])


def _pushed_at(batch: Batch, middles: np.ndarray, away: np.ndarray, distance: float, gentle: int) -> None:
    """Push hands at places from directions; they stay on their side, and nothing goes into anything."""
    starts = middles + distance * away
    look, count = batch.states["look"], batch.num_envs
    high, front = np.full(count, 0.42), np.full(count, 0.45)
    for place in (
        np.column_stack([look["hand"][:, 0], front, high]),
        np.column_stack([starts[:, 0], front, high]),
        np.column_stack([starts[:, :2], high]),
        starts,
    ):
        _led(batch, place, 60)
    np.testing.assert_allclose(batch.states["look"]["hand"], starts, atol=0.02)
    assert _pushed(batch, -away, gentle) > -DEEPEST
    assert _pushed(batch, -away, round(100 * (distance + AHEAD)) - gentle) > -HARD
    from_sides = abs(away[:, 1]) > 0.5  # others may slide round an end
    assert from_sides.sum() >= 12
    assert (np.sum((look["hand"] - middles) * away, axis=1)[from_sides] > 0).all()


def test_the_hand_does_not_pass_a_wall():
    batch = begun("reach-wall", COUNT)
    _pushed_at(batch, np.tile([0.1, 0.75, 0.07 + BELOW_HAND], (COUNT, 1)), _round(0, 2 * np.pi), 0.2, 20)


def test_the_hand_does_not_pass_a_shelf():
    batch = begun("shelf-place", COUNT)
    middles = batch.states["look"]["goal"] * (1, 1, 0) + (0, 0, 0.225 + BELOW_HAND)  # the upper board, by the fingers
    _pushed_at(batch, middles, _round(-np.pi + 0.2, -0.2), 0.26, 14)


def test_the_hand_does_not_pass_the_table():
    batch = begun("lever-pull", COUNT)  # in which the hand may be sent to 15 cm below the table's top
    slanted = _round(0, 2 * np.pi) * np.linspace(0, 1, COUNT)[:, None] - (0, 0, 1)
    assert _pushed(batch, slanted, 30) > -DEEPEST
    assert (batch.states["look"]["tcp"][:, 2] > -0.01).all()  # 4 mm below the shapes of the fingers


@pytest.mark.parametrize("task", ["push", "pick-place", "push-back", "soccer", "sweep"])
def test_closing_beside_an_object_does_not_lift_it(task):
    batch = begun(task, 10)
    look = batch.states["look"]
    for _ in range(80):  # down, 6 cm beside it
        moves = np.clip(10 * (look["obj"] + (0.06, 0, 0.03) - look["hand"]), -1, 1)
        batch.step(np.column_stack([moves, np.full(10, -1.0)]).astype(np.float32))
    before = look["obj"][:, 2].copy()
    moved(batch, (0, 0, 0, 1), 30)
    moved(batch, (0, 0, 1, 1), 40)
    assert (look["obj"][:, 2] < before + 0.005).all()
    assert (look["hand"][:, 2] > 0.2).all()
