"""Procedurally drawn vehicles."""

import numpy as np
import pytest
from scipy import stats

from envsuite.core import rng
from envsuite.core.jit import kernel
from envsuite.quadcopters import params, sampler

LIKE = "l2f_cf2024"


@kernel
def draw_all(g, vehicles, like, ranges):
    for i in range(vehicles.shape[0]):
        sampler.sample(g, rng.RESET, vehicles[i], like, ranges)


def drawn(count=4000, **changes):
    like = params.vehicle(LIKE, np.float64)
    vehicles = np.full(count, like).view(np.recarray)
    stream = np.zeros(1, rng.STREAM).view(np.recarray)[0]
    stream.key[:] = rng.seed_key(7)
    draw_all(stream, vehicles, like, sampler.ranges(np.float64, **changes))
    return vehicles


@pytest.mark.parametrize("name", params.VEHICLES)
def test_derived_fields_are_those_of_the_table(name):
    constants, record = params.find_vehicle(name), params.vehicle(name, np.float64)
    if constants.motor_rise == 0:
        record.motor_rise = record.motor_fall = 0.1
    expected = record.copy()
    for field in ("effect", "inverse_inertia", "gyration", "command_hover", "max_rotor_thrust"):
        record[field] = 0
    sampler.derive(record)
    for field in ("effect", "inverse_inertia", "gyration", "command_hover", "max_rotor_thrust"):
        np.testing.assert_allclose(record[field], expected[field], rtol=1e-12, atol=1e-12)


def test_draws_have_their_distributions():
    vehicles = drawn()
    lift = 4 * vehicles.max_rotor_thrust / (vehicles.mass * vehicles.gravity)
    roll = np.maximum(vehicles.rotors[:, :, 1], 0).sum(axis=1) * vehicles.max_rotor_thrust
    like = params.find_vehicle(LIKE)
    stretch = vehicles.rotors[:, 0, 0] / like.rotors[0][0] / np.cbrt(vehicles.mass / like.mass)
    for sample, (low, high) in (
        (lift, (1.5, 5)),
        (np.cbrt(vehicles.mass), np.cbrt((0.02, 5))),
        (roll / vehicles.inertia[:, 0], (40, 1200)),
        (stretch, (0.9, 1.1)),
        (vehicles.torque_per_thrust, (0.005, 0.05)),
        (vehicles.motor_rise, (0.03, 0.1)),
        (vehicles.motor_fall, (0.03, 0.3)),
    ):
        assert stats.kstest(sample, stats.uniform(low, high - low).cdf).pvalue > 1e-3


def test_every_draw_is_a_vehicle_that_hovers():
    vehicles = drawn()
    c0, c1, c2 = vehicles.thrust_curve.T
    u = vehicles.command_hover
    np.testing.assert_allclose(4 * (c0 + c1 * u + c2 * u * u), vehicles.mass * vehicles.gravity, rtol=1e-12)
    assert ((u > 0) & (u < vehicles.command_high)).all()
    np.testing.assert_allclose(vehicles.inertia * vehicles.inverse_inertia, 1)
    np.testing.assert_allclose(vehicles.effect[:, 0, 0] * vehicles.mass, 1)


def test_ranges_can_be_narrowed():
    vehicles = drawn(200, mass=(0.03, 0.03), thrust_to_weight=(2, 2.5))
    np.testing.assert_allclose(vehicles.mass, 0.03)


@pytest.mark.parametrize(
    ("changes", "mention"),
    [
        ({"colour": (1, 2)}, "unknown range 'colour'"),
        ({"mass": (-1, 2)}, r"range mass is \(-1, 2\)"),
        ({"mass": (2, 1)}, r"range mass is \(2, 1\)"),
        ({"thrust_to_weight": (0.5, 2)}, "thrust_to_weight begins at 0.5"),
    ],
)
def test_bad_ranges_are_named(changes, mention):
    with pytest.raises(ValueError, match=mention):
        sampler.ranges(**changes)
