"""Contact, neighbours and downwash of several drones."""

import numpy as np
import pytest

from envsuite.core import rng
from envsuite.core.declare import Record, field
from envsuite.core.jit import kernel, records
from envsuite.quadcopters.flying import swarm


class Apart(Record):
    """A first field of its own: `Flock` must not be the beginning of a world's record, which Numba would mistake."""

    test = field(type=np.uint8)


class Flock(Apart, swarm.SwarmState):
    """Nothing but the drones."""


def flock(positions, velocities=None, real=np.float64):
    """A record of drones at places."""
    count = len(positions)
    states = records(np.zeros(1, Flock.dtype(real, drones=count)))
    states["rng"]["key"][:] = rng.seed_key(3)
    crafts = states["crafts"]
    crafts["position"][0] = positions
    crafts["velocity"][0] = 0 if velocities is None else velocities
    crafts["attitude"][0, :, 0] = 1
    crafts["active"][0] = True
    assemble(states)
    return states


@kernel
def assemble(states):
    swarm.assemble(states[0])


@kernel
def meet(states, apart, contact, counting):
    swarm.meet(states[0], apart, contact, counting)


@kernel
def press(states, dt):
    swarm.press_box(states[0].crafts, states[0].rng, dt)


@kernel
def look(states, n, wanted, out):
    swarm.put_neighbours(out, states[0].crafts, n, wanted)


def test_bounce_keeps_momentum_and_loses_energy():
    generator = np.random.default_rng(0)
    for _ in range(50):
        offset = generator.normal(size=3)
        offset *= 0.1 / np.linalg.norm(offset)
        velocities = generator.normal(size=(2, 3))
        states = flock([np.zeros(3), offset], velocities)
        states["rng"]["key"][:] = generator.integers(2**32, size=2)
        meet(states, 0.12, swarm.BOUNCE, True)
        after = states["crafts"]["velocity"][0]
        np.testing.assert_allclose(after.sum(axis=0), velocities.sum(axis=0), atol=1e-12)
        normal = offset / 0.1
        closing, leaving = (velocities[0] - velocities[1]) @ normal, (after[0] - after[1]) @ normal
        if closing > 0:  # the first flies towards the second
            assert 0.2 <= -leaving / closing <= 0.8
            assert np.abs(states["crafts"]["rates"]).max() <= 5
            assert np.sum(after**2) < np.sum(velocities**2)
        else:
            np.testing.assert_array_equal(after, velocities)
        sideways = (velocities[0] - velocities[1]) - closing * normal
        np.testing.assert_allclose((after[0] - after[1]) - leaving * normal, sideways, atol=1e-12)


def test_hits_count_once_while_drones_stay_close():
    states = flock([(0, 0, 1), (0.1, 0, 1), (3, 0, 1)])
    for k in range(3):
        meet(states, 0.12, swarm.BOUNCE, True)
        assert states["hit"][0].tolist() == ([1, 1, 0] if k == 0 else [0, 0, 0])
    assert states["hits"][0].tolist() == [1, 1, 0]
    assert states["separation"][0] == pytest.approx(0.1)
    states["crafts"]["position"][0, 1] = (1, 0, 1)
    meet(states, 0.12, swarm.BOUNCE, True)
    states["crafts"]["position"][0, 1] = (0.05, 0, 1)
    meet(states, 0.12, swarm.BOUNCE, False)
    assert states["hit"][0].tolist() == [1, 1, 0]
    assert states["hits"][0].tolist() == [1, 1, 0]
    assert not states["crashed"].any()


def test_crash_takes_both_out_and_absent_drones_touch_nobody():
    states = flock([(0, 0, 1), (0.1, 0, 1), (0, 0.1, 1)])
    states["crafts"]["active"][0, 2] = False
    meet(states, 0.12, swarm.CRASH, True)
    assert states["crashed"][0].tolist() == [1, 1, 0]


def test_neighbours_are_the_nearest_in_order():
    generator = np.random.default_rng(1)
    positions, velocities = generator.normal(size=(9, 3)), generator.normal(size=(9, 3))
    positions[5] = positions[2] + [0.5, 0, 0]
    positions[6] = positions[2] - [0.5, 0, 0]  # as far away as the one before
    states = flock(positions, velocities)
    states["crafts"]["active"][0, 3] = False
    out = np.full(60, np.nan, np.float32)
    look(states, 2, 10, out)
    others = [n for n in range(9) if n not in (2, 3)]
    order = sorted(others, key=lambda n: (np.linalg.norm(positions[n] - positions[2]), n))
    expected = np.concatenate([[*(positions[n] - positions[2]), *(velocities[n] - velocities[2])] for n in order])
    np.testing.assert_allclose(out[:42], expected, rtol=1e-5, atol=1e-6)
    assert not out[42:].any()


@pytest.mark.parametrize(("depth", "aside", "felt"), [(0.3, 0.05, True), (0.3, 0.15, False), (0.75, 0.0, False)])
def test_downwash_of_quadswarm(depth, aside, felt):
    kicks = []
    for seed in range(200):
        states = flock([(0, 0, 2), (aside, 0, 2 - depth)])
        states["rng"]["key"][:] = rng.seed_key(seed)
        press(states, 0.01)
        assert not states["crafts"]["velocity"][0, 0].any()
        kicks.append(states["crafts"]["velocity"][0, 1].copy())
        turned = np.linalg.norm(states["crafts"]["rates"][0, 1])
        away = np.hypot(aside, depth)
        assert turned == pytest.approx(0.3 * (away - 1) ** 2 * 0.01 if felt else 0, rel=1e-6)
    kicks = np.array(kicks)
    if not felt:
        assert not kicks.any()
        return
    sizes = np.linalg.norm(kicks, axis=1) / 0.01
    expected = 6 / 17 * (7 - 10 * np.hypot(aside, depth))
    assert np.abs(sizes - expected).max() <= 0.1 + 1e-9
    assert sizes.mean() == pytest.approx(expected, abs=0.02)
    assert (kicks[:, 2] < 0).all()
