"""Each kind of action does what it says, under every dynamics model."""

import numpy as np
import pytest

from envsuite.quadcopters.flying import settings
from tests.quadcopters.flying.common import EVERY, ROTORS, Flight


@pytest.mark.parametrize(("model", "vehicle"), ROTORS)
def test_motor_actions_are_shares_of_the_largest_speed(model, vehicle):
    flight = Flight(model, vehicle, "motor")
    flight.fly([-1, -0.5, 0, 1])
    np.testing.assert_allclose(flight.craft.command, flight.vehicle.command_high * np.array([0, 0.25, 0.5, 1]))


@pytest.mark.parametrize("act", ["motor5", "one_d"])
def test_small_actions_change_the_hover_speed_by_5_percent(act):
    flight = Flight("bullet", "cf2x", act)
    flight.fly([1.0] if act == "one_d" else [1.0, -1.0, 0.0, 0.5])
    share = np.full(4, 0.05) if act == "one_d" else 0.05 * np.array([1, -1, 0, 0.5])
    np.testing.assert_allclose(flight.craft.command, flight.vehicle.command_hover * (1 + share))


@pytest.mark.parametrize("wanted", [(0.2, 0, 0), (0, -0.2, 0), (0, 0, 0.3)])
@pytest.mark.parametrize(("model", "vehicle"), ROTORS)
def test_ctbr_holds_body_rates(model, vehicle, wanted):
    flight = Flight(model, vehicle, "ctbr", rate=100, substeps=5)
    weight = 2 * flight.vehicle.mass * flight.vehicle.gravity / (4 * flight.vehicle.max_rotor_thrust) - 1
    rates = np.array(wanted) * settings.RATE_LIMITS
    # PyBullet's damping resists turning and the loop has no integral: a little less than asked for
    flight.fly([weight, *wanted], 60)
    np.testing.assert_allclose(flight.craft.rates, rates, rtol=0.03, atol=0.05)


def test_ctbr_keeps_the_thrust_when_torque_saturates():
    flight = Flight("dyn", "cf2x", "ctbr")
    flight.fly([0.2, 1.0, 1.0, 1.0])
    thrusts = 3.16e-10 * flight.craft.command**2
    assert (thrusts >= -1e-15).all()
    assert (thrusts <= 0.59535 / 4 * (1 + 1e-6)).all()
    assert thrusts.sum() == pytest.approx(0.6 * 0.59535, rel=1e-6)


def test_ctbr_collective_is_a_share_of_all_thrust():
    flight = Flight("dyn", "cf2x", "ctbr")
    flight.fly([0.0, 0, 0, 0])
    assert flight.craft.velocity[2] == pytest.approx(0.01 * (0.5 * 2.25 - 1) * 9.8, rel=1e-9)


@pytest.mark.parametrize("wanted", [(0.5, 0), (0, -0.5), (0.3, 0.3)])
@pytest.mark.parametrize(("model", "vehicle"), EVERY)
def test_attitude_holds_the_angles(model, vehicle, wanted):
    flight = Flight(model, vehicle, "attitude", rate=100, substeps=5)
    weight = 2 * flight.vehicle.mass * flight.vehicle.gravity / (4 * flight.vehicle.max_rotor_thrust) - 1
    flight.fly([*wanted, 0, weight], 150)
    np.testing.assert_allclose(flight.euler[:2], np.array(wanted) * np.pi / 3, atol=0.02)


@pytest.mark.parametrize(("model", "vehicle"), EVERY)
def test_attitude_turns_at_the_yaw_rate(model, vehicle):
    flight = Flight(model, vehicle, "attitude", rate=100, substeps=5)
    weight = 2 * flight.vehicle.mass * flight.vehicle.gravity / (4 * flight.vehicle.max_rotor_thrust) - 1
    flight.fly([0, 0, 0.1, weight], 150)
    before = flight.euler[2]
    flight.fly([0, 0, 0.1, weight], 50)
    assert (flight.euler[2] - before) % (2 * np.pi) == pytest.approx(0.3, rel=0.05)


@pytest.mark.parametrize(("model", "vehicle"), EVERY)
def test_vel_reaches_the_velocity(model, vehicle):
    flight = Flight(model, vehicle, "vel", rate=50, substeps=10)
    flight.fly([3.0, -4.0, 0.0, 0.5], 200)
    # proportional control against drag and damping: a little slower than asked for
    np.testing.assert_allclose(flight.craft.velocity, [0.3, -0.4, 0.0], atol=0.06)


@pytest.mark.parametrize(("model", "vehicle"), EVERY)
def test_pid_flies_to_a_waypoint(model, vehicle):
    flight = Flight(model, vehicle, "pid", rate=50, substeps=10)
    goal = np.array([0.5, -0.3, 1.4])
    for _ in range(300):
        flight.fly(np.clip(goal - flight.craft.position, -1, 1))
    np.testing.assert_allclose(flight.craft.position, goal, atol=0.05)


@pytest.mark.parametrize(
    ("model", "vehicle", "act", "terms", "mention"),
    [
        ("euler", "cf2x", "motor", {}, "model is 'euler', expected one of bullet"),
        ("bullet", "cf9", "motor", {}, "unknown vehicle 'cf9'"),
        ("bullet", "cf2x", "rpm", {}, "act is 'rpm', expected one of motor"),
        ("l2f", "cf2x", "motor", {}, "'cf2x' has no motor time constant.*motor_lag"),
        ("rpy", "cf2x", "attitude", {}, "'rpy' knows no response of vehicle 'cf2x'.*cf21B_500"),
        ("rpy", "cf21B_500", "motor", {}, "act is 'motor', but the model 'rpy' has no rotors"),
        ("rpy", "cf21B_500", "pid", {"battery": 60}, "cannot have the term battery"),
        ("bullet", "cf2x", "motor", {"wind": 1.0}, "wind acts through drag"),
        ("bullet", "cf2x", "motor", {"drag": True}, "'cf2x' has no drag of its own"),
        ("bullet", "cf2x", "motor", {"drag": -1.0}, "term drag is -1.0"),
        ("l2f", "mrs", "motor", {"ground_effect": True}, "'mrs' has no coefficient of the ground effect"),
        ("bullet", "cf2x", "motor", {"gravity": 3}, "unknown term 'gravity'"),
        ("bullet", "cf2x", "motor", {"delay": 4}, "term delay is 4, expected 0 to 3"),
        ("bullet", "cf2x", "motor", {"gust": -1}, "term gust is -1"),
        ("bullet", "cf2x", "motor", {"motor_loss": 1.5}, "term motor_loss is 1.5"),
        ("bullet", "cf2x", "motor", {"motor_lag": 0}, "term motor_lag is 0"),
        ("bullet", "cf2x", "motor", {"noise": (1, 2)}, "term noise is"),
        ("bullet", "cf2x", "motor", {"gust_time": 0}, "term gust_time is 0"),
    ],
)
def test_bad_options_are_named(model, vehicle, act, terms, mention):
    with pytest.raises(ValueError, match=mention):
        Flight(model, vehicle, act, **terms)
