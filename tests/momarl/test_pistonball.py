"""Pistonball: free fall, rolling, friction and rewards against mechanics."""

import numpy as np
import pytest

from envsuite.core.companions import Players, companion
from envsuite.momarl.pistonball.kernel import PistonballWorld
from envsuite.momarl.pistonball.params import CAP, DT, GRAVITY, LOWEST, RADIUS

from ..batches import begun, played

COUNT = 6
"""Pistons: a step of the world is so many of the engine, 0.3 s."""
STAY = np.zeros((COUNT, 1))
MIDDLE = 180.0
"""Above the middle of the fourth piston."""


def flat(**options):
    """All pistons at their lowest."""
    world = PistonballWorld(n_pistons=COUNT, random_drop=False, random_rotate=False, **options)
    batch = begun(world)
    state = batch.states[0]
    state["height"] = LOWEST
    return batch, state


def test_free_fall():
    """Positions take the old velocity, as in the engine: after k steps g dt² k (k - 1) / 2 (symplectic Euler)."""
    batch, state = flat()
    state["place"] = [MIDDLE, 200.0]
    for step in (1, 2):
        played(batch, STAY)
        k = COUNT * step
        assert state["place"][1] == pytest.approx(200.0 + GRAVITY * DT**2 * k * (k - 1) / 2)
        assert state["velocity"][1] == pytest.approx(GRAVITY * DT * k)
    for _ in range(6):
        played(batch, STAY)
    assert state["place"][0] == pytest.approx(MIDDLE, abs=1.0)  # it landed deep enough to touch the next pistons
    assert state["place"][1] == pytest.approx(LOWEST - CAP - RADIUS, abs=0.2)  # the engine lets bodies sink in by 0.1
    assert abs(state["velocity"][1]) < 1e-6  # nothing bounces


def test_a_spinning_ball_comes_to_roll():
    """A disc that lies and turns ends up rolling with a third of its rim's speed, whatever the friction (mechanics)."""
    batch, state = flat(ball_friction=0.5)
    state["place"] = [MIDDLE + 10.0, LOWEST - CAP - RADIUS]
    state["spin"] = -3.0
    played(batch, STAY)
    assert state["velocity"][0] == pytest.approx(state["spin"] * RADIUS, rel=1e-6)
    assert state["velocity"][0] == pytest.approx(-3.0 * RADIUS / 3, rel=1e-6)


def test_friction_slows_by_its_coefficient():
    """While it slides, a disc gains 0.64 mu g in each second."""
    batch, state = flat(ball_friction=0.05)
    state["place"] = [MIDDLE, LOWEST - CAP - RADIUS - 0.05]
    state["spin"] = -20.0
    played(batch, STAY, STAY)
    before = float(state["velocity"][0])
    state["place"][0] = MIDDLE
    played(batch, STAY)
    assert before - state["velocity"][0] == pytest.approx(0.05 * 0.64 * GRAVITY * COUNT * DT, rel=1e-6)


def test_bounces_with_elastic_walls():
    batch, state = flat(wall_elasticity=0.5)
    state["place"], state["velocity"] = [MIDDLE, LOWEST - CAP - RADIUS - 1.0], [0.0, 200.0]
    played(batch, STAY)
    highest = LOWEST
    for _ in range(3):
        played(batch, STAY)
        highest = min(highest, float(state["place"][1]))
    assert highest < LOWEST - CAP - RADIUS - 5.0


def test_pistons_keep_to_their_way():
    batch, state = flat()
    for _ in range(20):
        played(batch, 1 + STAY)
    np.testing.assert_array_equal(state["height"], LOWEST - 64.0)
    for _ in range(20):
        played(batch, -1 + STAY)
    np.testing.assert_array_equal(state["height"], LOWEST)


def test_rewards_add_up_and_the_wall_ends_it():
    """The ball's whole way is worth 100; the last step costs no time."""
    world = PistonballWorld()
    batch, expert = begun(world, slots=4, seed=3), companion(world, Players).expert()
    totals, lengths = np.zeros((4, 20, 2)), np.zeros(4)
    while not batch.done.all():
        live = ~batch.done
        output = batch.step(expert.act(batch.last.observations, batch.states))
        totals[live] += output.rewards[live]
        lengths += live
        ended = output.terminated.all(axis=1) & live
        np.testing.assert_allclose(totals[ended, :, 1], -0.1 * (lengths[ended, None] - 1) + np.zeros(20), rtol=1e-5)
    way = batch.states["way"]
    left = batch.states["before"] - 40.0
    np.testing.assert_allclose(totals[:, 0, 0], 100.0 * (way - left) / way, rtol=1e-4)
    assert (lengths < 60).all()
    assert (left <= 1 - DT * batch.states["velocity"][:, 0]).all()


def test_choices_are_numbers():
    """Down, stay and up are pushes of -1, 0 and 1."""
    numbers, choices = PistonballWorld(n_pistons=3), PistonballWorld(n_pistons=3, continuous=False)
    one, other = begun(numbers, seed=5), begun(choices, seed=5)
    for row in ((0, 1, 2), (2, 2, 0), (1, 0, 2)):
        played(one, [[k - 1.0] for k in row])
        played(other, row)
    for name in ("place", "velocity", "height"):
        np.testing.assert_array_equal(one.states[name], other.states[name])


def test_sight():
    """A piston sees the ball above itself and its neighbours alone, or always."""
    batch, state = flat()
    state["place"] = [MIDDLE - 50.0, 300.0]
    seen = played(batch, STAY).observations[0]
    middles = 40.0 * (np.arange(COUNT) + 1.5)
    visible = np.abs(state["place"][0] - middles) < 100.0
    np.testing.assert_array_equal(seen[:, 4] == 1.0, visible)
    assert not seen[~visible, 5:].any()
    np.testing.assert_allclose(seen[visible, 5], (state["place"][0] - middles[visible]) / 40.0, rtol=1e-5)
    batch, state = flat(sight="all")
    assert played(batch, STAY).observations[0, :, 4].all()
