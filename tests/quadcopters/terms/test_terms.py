"""Every term against its closed form."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from envsuite.core.jit import kernel
from envsuite.quadcopters import params
from envsuite.quadcopters.flying import fly, settings
from tests.quadcopters.flying.common import ROTORS, Flight


@pytest.mark.parametrize("model", ["bullet", "dyn"])
def test_lagging_motors_relax_exponentially(model):
    flight = Flight(model, "cf2x", "motor", motor_lag=0.1)
    hover, high = flight.vehicle.command_hover, flight.vehicle.command_high
    flight.fly(np.ones(4), 30)
    np.testing.assert_allclose(flight.craft.rotor_speed, high + (hover - high) * np.exp(-3), rtol=1e-12)


@pytest.mark.parametrize(("model", "vehicle"), [("l2f", "cf2x"), ("fp", "cf21B_500")])
def test_motor_lag_replaces_that_of_the_vehicle(model, vehicle):
    flight = Flight(model, vehicle, "motor", motor_lag=0.1, rate=500)
    hover, high = flight.vehicle.command_hover, flight.vehicle.command_high
    flight.fly(np.ones(4), 100)
    np.testing.assert_allclose(flight.craft.rotor_speed, high + (hover - high) * np.exp(-2), rtol=1e-8)


@pytest.mark.parametrize(("model", "vehicle"), ROTORS)
def test_drag_takes_the_drone_along_with_the_wind(model, vehicle):
    """v = wind (1 - exp(-D t / m)) while level; a strong drag, so that PyBullet's own damping is left aside."""
    mass = params.find_vehicle(vehicle).mass
    flight = Flight(model, vehicle, "motor", drag=mass * 2.0, wind=1.0, damping=False, rate=1000)
    flight.craft.breeze[:] = (0.3, -0.4, 0.0)
    flight.fly(flight.hover, 500)
    np.testing.assert_allclose(flight.craft.velocity[:2], np.array([0.3, -0.4]) * (1 - np.exp(-1)), rtol=2e-3)


def test_drag_acts_along_the_body_axes():
    flight = Flight("l2f", "l2f_cf2023", "motor", drag=(0.0, 0.0, 0.027))
    turn = np.pi / 3  # about y, so that the body's z axis leans towards x
    flight.craft.attitude[:] = (np.cos(turn / 2), 0, np.sin(turn / 2), 0)
    flight.craft.velocity[:] = (1.0, 0, 0)
    flight.craft.rotor_speed[:] = 0
    flight.fly(-np.ones(4))
    axis = np.array([np.sin(turn), 0, np.cos(turn)])
    expected = np.array([1.0, 0, 0]) - 0.01 * axis * axis[0] + [0, 0, -0.0981]
    np.testing.assert_allclose(flight.craft.velocity, expected, atol=1e-4)


@pytest.mark.parametrize(
    ("model", "vehicle"), [("bullet", "cf2x"), ("dyn", "cf2p"), ("fp", "cf21B_500"), ("l2f", "cf2x_L250")]
)
@pytest.mark.parametrize("height", [0.05, 0.2])
def test_ground_effect_lifts_as_the_height_says(model, vehicle, height):
    flight = Flight(model, vehicle, "motor", ground_effect=True, damping=False, rate=1000, height=height)
    flight.fly(flight.hover)
    constants = params.find_vehicle(vehicle)
    gain = constants.ground_effect * (constants.propeller_radius / (4 * max(height, constants.ground_clip))) ** 2
    assert flight.craft.velocity[2] == pytest.approx(0.001 * constants.gravity * gain, rel=1e-3)


def test_ground_effect_is_the_one_of_the_bullet_modes():
    """Away from level too; that mode lags behind by a step, which a still drone does not notice."""
    ends = []
    for model, terms in (("pyb_gnd", {}), ("pyb", {"ground_effect": True})):
        flight = Flight(model, "cf2x", "motor", rate=240, height=0.06, damping=False, **terms)
        attitude = np.array([np.cos(0.2), np.sin(0.2), 0, 0])
        flight.craft.attitude[:] = flight.craft.previous_attitude[:] = attitude
        flight.fly(flight.hover)
        ends.append(np.concatenate([flight.craft.velocity, flight.craft.rates]))
    np.testing.assert_allclose(ends[1], ends[0], rtol=1e-9, atol=1e-12)
    assert abs(ends[0][3]) > 1e-3  # it turns the tilted drone upright


@kernel
def fly_pair(crafts, p, g, actions):
    fly.fly_together(crafts, p, g, actions)


@pytest.mark.parametrize(("model", "vehicle"), [("bullet", "cf2x"), ("l2f", "cf2x_L250"), ("fp", "cf2x_T350")])
def test_downwash_presses_the_lower_drone(model, vehicle):
    flight = Flight(model, vehicle, "motor", downwash=True, damping=False, rate=1000)
    crafts = np.full(2, flight.craft).view(np.recarray)
    crafts.position[1] = (0.05, 0, 2.0)
    fly_pair(crafts, flight.p, flight.g, np.tile(flight.hover, (2, 1)).astype(np.float32))
    constants = params.find_vehicle(vehicle)
    c1, c2, c3 = constants.downwash
    alpha, beta = c1 * (constants.propeller_radius / 4) ** 2, c2 + c3
    force = min(alpha * np.exp(-(0.05**2) / (2 * beta**2)), 0.5 * constants.mass * constants.gravity)
    assert crafts.velocity[0, 2] == pytest.approx(-0.001 * force / constants.mass, rel=1e-3)
    assert crafts.velocity[1, 2] == pytest.approx(0, abs=1e-8)


@kernel(arrays=True)
def gusts(c, p, g, out):
    action = np.zeros(4, np.float32)
    for k in range(out.shape[0]):
        fly.decide(c, p.physics.vehicle, p, g, action)
        for j in range(3):
            out[k, j] = c.gust[j]
            out[k, 3 + j] = c.buffet[j]


def test_gusts_have_their_spread_and_memory():
    flight = Flight("l2f", "l2f_cf2023", "motor", drag=0.01, gust=2.0, buffet=0.1, gust_time=0.05)
    found = np.zeros((60_000, 6))
    gusts(flight.craft, flight.p, flight.g, found)
    found /= [2.0] * 3 + [0.1 * 0.027 * 9.81] * 3
    np.testing.assert_allclose(found.std(axis=0), 1, rtol=0.04)
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=0.05)
    for lag in (1, 5, 10):
        np.testing.assert_allclose((found[lag:] * found[:-lag]).mean(axis=0), np.exp(-0.2 * lag), atol=0.05)


def started(count, **terms):
    return [Flight("l2f", "l2f_cf2023", "motor", seed=seed, **terms).craft.copy() for seed in range(count)]


def test_constant_disturbances_have_their_distributions():
    crafts = started(600, drag=0.01, wind=3.0, push_force=0.05, push_torque=1e-4, motor_loss=0.3)
    speeds = [np.hypot(c.breeze[0], c.breeze[1]) for c in crafts]
    assert stats.kstest(speeds, stats.uniform(0, 3).cdf).pvalue > 1e-3
    directions = [np.arctan2(c.breeze[1], c.breeze[0]) for c in crafts]
    assert stats.kstest(directions, stats.uniform(-np.pi, 2 * np.pi).cdf).pvalue > 1e-3
    weight = 0.027 * 9.81
    for name, spread in (("push_force", 0.05), ("push_torque", 1e-4)):
        values = np.concatenate([c[name] for c in crafts])
        assert stats.kstest(values, stats.norm(0, spread * weight).cdf).pvalue > 1e-3
    efficiency = np.concatenate([c.efficiency for c in crafts])
    assert stats.kstest(efficiency, stats.uniform(0.7, 0.3).cdf).pvalue > 1e-3


@pytest.mark.parametrize(("model", "vehicle"), ROTORS)
def test_weak_motors_lose_thrust_and_torque(model, vehicle):
    flight = Flight(model, vehicle, "motor", motor_loss=0.5, damping=False, rate=1000)
    constants = params.find_vehicle(vehicle)
    flight.craft.efficiency[:] = 0.8
    flight.fly(flight.hover)
    assert flight.craft.velocity[2] == pytest.approx(-0.2 * constants.gravity / 1000, rel=1e-3)
    np.testing.assert_allclose(flight.craft.rates, 0, atol=1e-6)
    flight = Flight(model, vehicle, "motor", motor_loss=0.5, damping=False, rate=1000)
    flight.craft.efficiency[:] = (0.5, 1, 1, 1)
    flight.fly(flight.hover)
    lost = 0.5 * constants.mass * constants.gravity / 4
    x, y = constants.rotors[0]
    torque = -lost * np.array([y, -x, constants.spin[0] * constants.torque_per_thrust])
    np.testing.assert_allclose(flight.craft.rates, 0.001 * torque / constants.inertia, rtol=5e-3)


def test_hovering_empties_the_battery_in_its_endurance():
    flight = Flight("dyn", "cf2x", "motor", battery=2.0, battery_sag=0.3)
    flight.craft.rotor_speed[:] = flight.vehicle.command_hover
    charges = []
    for _ in range(100):
        flight.craft.charge, before = flight.craft.charge, flight.craft.charge
        flight.craft.rotor_speed[:] = flight.vehicle.command_hover
        flight.fly(flight.hover)
        np.testing.assert_allclose(
            flight.craft.command, flight.vehicle.command_hover * (1 - 0.3 * (1 - before)), rtol=1e-6
        )
        charges.append(flight.craft.charge)
    np.testing.assert_allclose(charges, 1 - 0.005 * np.arange(1, 101), rtol=1e-9)


@pytest.mark.parametrize("delay", range(4))
def test_delayed_actions_come_later(delay):
    generator = np.random.default_rng(0)
    actions = generator.uniform(-0.2, 0.2, (20, 4))
    late, prompt = Flight("l2f", "l2f_cf2023", "motor5", delay=delay), Flight("l2f", "l2f_cf2023", "motor5")
    for action in [np.zeros(4)] * delay + list(actions[: 20 - delay]):
        prompt.fly(action)
    for action in actions:
        late.fly(action)
    for name in ("position", "attitude", "rotor_speed", "command"):
        np.testing.assert_array_equal(late.craft[name], prompt.craft[name])


@kernel
def sense_all(c, p, g, out):
    from_body = c
    for i in range(out.shape[0]):
        fly.sense(from_body, p, g)
        for k in range(3):
            out[i, k], out[i, 3 + k], out[i, 6 + k] = c.seen.position[k], c.seen.velocity[k], c.seen.rates[k]
            out[i, 9 + k] = 2.0 * c.seen.attitude[1 + k]


def test_sensors_are_noisy_around_a_constant_bias():
    noise, bias = (0.01, 0.02, 0.1, 0.005), (0.1, 0.2, 0.3, 0.01)
    flight = Flight("l2f", "l2f_cf2023", "motor", noise=noise, bias=bias)
    flight.craft.velocity[:] = (1, 2, 3)
    found = np.zeros((20_000, 12))
    sense_all(flight.craft, flight.p, flight.g, found)
    truth = np.concatenate([[0, 0, 1], [1, 2, 3], np.zeros(6)])
    np.testing.assert_allclose(found.mean(axis=0) - truth, flight.craft.seen.bias, atol=0.003)
    np.testing.assert_allclose(found.std(axis=0), np.repeat(noise, 3), rtol=0.03)
    assert np.abs(np.corrcoef(found.T) - np.eye(12)).max() < 0.05
    biases = np.array([c.seen.bias for c in started(300, bias=bias)])
    for k in range(12):
        assert stats.kstest(biases[:, k], stats.norm(0, bias[k // 3]).cdf).pvalue > 1e-3


def test_without_noise_sensors_tell_the_truth():
    flight = Flight("l2f", "l2f_cf2023", "motor5")
    flight.fly([0.1, 0.2, -0.1, 0.3], 20)
    sense_all(flight.craft, flight.p, flight.g, np.zeros((1, 12)))
    for name in ("position", "velocity", "rates", "attitude"):
        np.testing.assert_array_equal(flight.craft.seen[name], flight.craft[name])


def test_the_floor_stops_a_drone_under_every_model():
    for model, vehicle in [("bullet", "cf2x"), ("l2f", "cf2x_L250"), ("fp", "cf21B_500")]:
        flight = Flight(model, vehicle, "motor", floor=True, height=0.3)
        flight.fly(-np.ones(4), 200)
        assert flight.craft.position[2] == pytest.approx(0.0125, abs=2e-3)
        assert flight.craft.contact
        assert flight.craft.impact_speed > 1


def test_terms_can_all_be_on_at_once():
    everything = dict(
        motor_lag=0.05, drag=0.01, ground_effect=True, downwash=True, wind=2.0, gust=1.0, push_force=0.05,
        push_torque=1e-4, buffet=0.1, motor_loss=0.1, battery=60.0, delay=1, noise=(0.01,) * 4, bias=(0.01,) * 4,
        floor=True,
    )  # fmt: skip
    assert set(everything) <= {field.name for field in dataclasses.fields(settings.Terms)}
    for model, vehicle in [("bullet", "cf2x"), ("dyn", "cf2x"), ("l2f", "cf2x_L250"), ("fp", "cf21B_500")]:
        for scalar in (np.float32, np.float64):
            flight = Flight(model, vehicle, "pid", rate=50, substeps=4, scalar=scalar, **everything)
            for _ in range(250):
                flight.fly(np.clip([0, 0, 1] - flight.craft.position, -1, 1))
            assert np.linalg.norm(flight.craft.position - [0, 0, 1]) < 1.0, (model, scalar)
