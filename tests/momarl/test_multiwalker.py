"""Multiwalker: mechanics, rewards, falls, and snapshots of an engine that cannot be read out."""

import pickle

import numpy as np
import pytest

pytest.importorskip("Box2D", exc_type=ModuleNotFoundError)

from envsuite.momarl.multiwalker.engine import Engine
from envsuite.momarl.multiwalker.kernel import MultiwalkerWorld
from envsuite.momarl.multiwalker.params import DT, LEG_LENGTH, LEVEL, RANGE, STEP
from envsuite.momarl.multiwalker.senses import beam

from ..batches import begun, played

STILL = np.zeros((2, 4), np.float32)


def flat(**options):
    """Two walkers on flat ground, not pushed."""
    batch = begun(MultiwalkerWorld(n_walkers=2, position_noise=0.0, angle_noise=0.0, **options))
    state = batch.states[0]
    state["ground"], state["push"] = LEVEL, 0.0
    return batch, state


def walks(count, strength=0.5, seed=0):
    return np.random.default_rng(seed).uniform(-strength, strength, (count, 2, 4)).astype(np.float32)


def test_package_falls_freely():
    """Velocity first: after k steps it has fallen g dt² k (k + 1) / 2 (semi-implicit Euler)."""
    batch, state = flat()
    before = float(state["body"][-1, 1])
    for k in range(1, 4):
        played(batch, STILL)
        assert state["body"][-1, 4] == pytest.approx(-10.0 * DT * k, rel=1e-5)
        assert before - state["body"][-1, 1] == pytest.approx(10.0 * DT**2 * k * (k + 1) / 2, rel=1e-3)


def test_push_is_an_impulse():
    """In the air a force of one step changes a walker's momentum by F dt; the masses are those of the polygons."""
    batch, state = flat()
    state["ground"], state["push"] = LEVEL - 5.0, [5.0, -5.0]
    played(batch, STILL)
    hull, leg = 5.0 * (64 * 17 - 28 * 8 / 2) / 900, 8 * 34 / 900  # kg, from m² without the nose's corner
    masses = np.array([hull, leg, 0.8 * leg, leg, 0.8 * leg])
    for walker, force in enumerate((5.0, -5.0)):
        parts = state["body"][5 * walker : 5 * walker + 5].astype(float)
        assert masses @ parts[:, 3] == pytest.approx(force * DT, rel=1e-3)
        assert masses @ parts[:, 4] == pytest.approx(-10.0 * DT * masses.sum(), rel=1e-3)


def test_rewards_are_way_and_tilt():
    batch, state = flat(shared_reward=False)
    total = np.zeros(2)
    start = float(state["body"][-1, 0])
    tilts = [0.0]
    for row in walks(40):
        total += played(batch, row).rewards[0, 0]
        tilts.append(float(state["body"][-1, 2]))
    assert not batch.done[0]
    assert total[0] == pytest.approx(130 / 30 * (state["body"][-1, 0] - start), abs=1e-4)
    assert total[1] == pytest.approx(-np.abs(np.diff(tilts)).sum(), abs=1e-5)
    assert total[1] < 0


def test_beams():
    """Straight down the lower leg is in the way; ahead the flat ground, by plane geometry; the package never is."""
    batch, state = flat()
    x, y = (float(value) for value in state["body"][0, :2])
    seen = batch.last.observations[0, 0, 14:24]
    assert seen[0] == pytest.approx((26 / 30) / RANGE, rel=0.01)  # whose end is 34 px down; it begins 8 px up
    for k in (8, 9):
        u, v = np.sin(0.15 * k) * RANGE, -np.cos(0.15 * k) * RANGE
        expected = min(1.0, (y - LEVEL) / -v)
        assert beam(state, 1, u, v) == pytest.approx(expected, rel=1e-6)
    assert beam(state, 0, 0.0, RANGE) == 1.0
    assert beam(state, 0, 12 * STEP, 0.0) == pytest.approx((10 - 30 / 14) / 12, rel=1e-6)  # the other's hull
    assert x == pytest.approx(10 * STEP)
    assert y == pytest.approx(LEVEL + 2 * LEG_LENGTH, rel=1e-6)


def fall(batch, state):
    """Let the first walker go limp until it has fallen or all is over; the reward of each step."""
    rewards = []
    hold = np.array([[0, 0, 0, 0], [-1, 1, 1, 1]], np.float32)
    for _ in range(300):
        output = played(batch, hold)
        rewards.append(output.rewards[0].copy())
        if batch.done[0] or state["fallen"].any():
            return np.array(rewards), output
    raise AssertionError("nobody fell")


def test_a_fall_ends_it_for_all():
    batch, state = flat()
    rewards, output = fall(batch, state)
    assert output.terminated.all()
    fallen = int(state["fallen"].sum())
    np.testing.assert_allclose(rewards[-1], -100.0 - 10.0 * fallen / 2, atol=0.5)
    assert (np.abs(rewards[:-1]) < 1).all()


@pytest.mark.parametrize(("compat", "again"), [(None, 0.0), ("momaland-0.2", -110.0)])
def test_a_fall_of_one(compat, again):
    """It pays the end and its fall, once; the original takes both in every step."""
    batch, state = flat(terminate_on_fall=False, remove_on_fall=False, compat=compat)
    rewards, output = fall(batch, state)
    if state["dropped"] or state["fallen"].sum() != 1:
        pytest.skip("more than one thing fell at once")
    np.testing.assert_allclose(rewards[-1], -110.0 / 2, atol=0.5)  # shared
    np.testing.assert_array_equal(output.terminated[0], state["fallen"] != 0)
    after = played(batch, STILL)
    going = state["fallen"] == 0
    np.testing.assert_allclose(after.rewards[0, going], again / 2, atol=0.5)
    assert not after.rewards[0, ~going].any()


def test_those_removed_see_and_are_seen_as_zeros():
    batch, state = flat(terminate_on_fall=False)
    fall(batch, state)
    gone = state["gone"] != 0
    assert gone.any()
    if not batch.done[0]:
        seen = played(batch, STILL).observations[0]
        assert not seen[gone].any()
        assert not seen[~gone, 24:28].any()


def test_snapshots_repeat_what_was_done():
    """A restored record has no engine; another world makes one from the actions, to the last bit."""
    world = MultiwalkerWorld(n_walkers=2)
    batch = begun(world, slots=2)
    rows = walks(30)
    played(batch, *rows[:20])
    kept = batch.get_state()
    played(batch, *rows[20:])
    later = batch.states.tobytes()
    batch.set_state(kept)
    played(batch, *rows[20:])
    assert batch.states.tobytes() == later
    other = begun(pickle.loads(pickle.dumps(world)), slots=2)
    other.set_state(kept)
    played(other, *rows[20:])
    assert other.states.tobytes() == later


def test_equal_records_do_not_share_an_engine():
    """Two slots with one seed and one history go on alike, each in a world of its own."""
    world = MultiwalkerWorld(n_walkers=2)
    batch = begun(world, slots=2)
    batch.states[1] = batch.states[0]
    rows = walks(12)
    played(batch, *rows)
    assert batch.states[0].tobytes() == batch.states[1].tobytes()
    alone = begun(world)
    played(alone, *rows)
    assert alone.states[0].tobytes() == batch.states[0].tobytes()


def test_equal_records_do_not_repeat_their_past(monkeypatch):
    steps = []
    monkeypatch.setattr(
        Engine, "step", lambda self, actions, step=Engine.step: (steps.append(0), step(self, actions))[1]
    )
    world = MultiwalkerWorld(n_walkers=2)
    batch = begun(world, slots=5)
    batch.states[1:] = batch.states[0]
    played(batch, *walks(12))
    assert len(steps) == 5 * 12


def test_engines_do_not_pile_up():
    world = MultiwalkerWorld(n_walkers=2)
    for seed in range(20):
        played(begun(world, seed=seed), STILL)
    for _ in range(20):
        played(begun(world, seed=3), STILL)
    assert sum(map(len, world._engines.values())) <= 16


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_walkers": 0}, "n_walkers is 0, expected a whole number from 1 to 20"),
        ({"terrain_length": 40}, "terrain_length is 40, expected a whole number from 60"),
        ({"fall_reward": 1.0}, "fall_reward is 1.0, expected a number from -10000"),
        ({"compat": "1.0"}, "compat is '1.0', expected one of 'momaland-0.2' or None"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(ValueError, match=message):
        MultiwalkerWorld(**options)
