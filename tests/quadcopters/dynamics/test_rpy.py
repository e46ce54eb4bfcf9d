"""The identified attitude response against its defining equations in Euler angles."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from envsuite.quadcopters import params
from envsuite.quadcopters.dynamics import rpy
from tests.quadcopters.dynamics.test_fp import NAMES, level


def euler(body):
    w, x, y, z = body.attitude
    return Rotation.from_quat([x, y, z, w]).as_euler("ZYX")[::-1]


def reference(vehicle, form, start, command, wind, duration):
    """Position, velocity, Euler angles, their rates and thrust, from the definition."""
    gains = np.array(vehicle.attitude_response)

    def slope(_, y):
        v, angles, rates, thrust = y[3:6], y[6:9], y[9:12], y[12]
        rotation = Rotation.from_euler("ZYX", angles[::-1]).as_matrix()
        pull = command[3] if form == 0 else thrust
        force = vehicle.thrust_gain[form] * pull * rotation[:, 2]
        if form == 2:
            force = force - rotation @ (np.array(vehicle.body_drag) * (rotation.T @ (v - wind)))
        lag = 0.0 if form == 0 else (command[3] - thrust) / vehicle.thrust_lag[form]
        change = gains[:, 0] * angles + gains[:, 1] * rates + gains[:, 2] * command[:3]
        return np.concatenate([v, force / vehicle.mass - [0, 0, vehicle.gravity], rates, change, [lag]])

    return solve_ivp(slope, (0, duration), start, rtol=1e-10, atol=1e-12).y[:, -1]


@pytest.mark.parametrize("form", range(3))
@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_the_equations_in_euler_angles(name, form):
    vehicle, record = params.find_vehicle(name), params.vehicle(name, np.float64)
    weight, wind = vehicle.mass * vehicle.gravity, np.array([1.0, -0.5, 0.2])
    body = level(velocity=(1, -1, 0.5), wind=wind)
    body.rotor_speed[0] = 0.9 * weight
    start = np.concatenate([np.zeros(3), [1, -1, 0.5], np.zeros(6), [0.9 * weight]])
    for command in ((0.4, -0.3, 0.5, 1.2 * weight), (-0.2, 0.5, -0.4, weight)):
        body.command[:] = command
        start = reference(vehicle, form, start, np.array(command), wind, 0.2)
        for _ in range(200):
            rpy.step(body, record, form, 0.001)
    np.testing.assert_allclose(body.position, start[:3], atol=1e-7)
    np.testing.assert_allclose(body.velocity, start[3:6], atol=1e-7)
    np.testing.assert_allclose(euler(body), start[6:9], atol=1e-7)
    if form > 0:
        assert body.rotor_speed[0] == pytest.approx(start[12], rel=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_attitude_settles_where_the_response_says(name):
    vehicle, record = params.find_vehicle(name), params.vehicle(name, np.float64)
    body = level(command=(0.3, 0.2, -0.4, vehicle.mass * 9.81))
    for _ in range(1000):
        rpy.step(body, record, 2, 0.005)
    gains = np.array(vehicle.attitude_response)
    np.testing.assert_allclose(euler(body), -gains[:, 2] / gains[:, 0] * [0.3, 0.2, -0.4], rtol=1e-6)
    np.testing.assert_allclose(body.rates, 0, atol=1e-8)


def test_flips_stay_finite():
    record = params.vehicle("cf21B_500", np.float32)
    body = level(np.float32, rates=(0, 40, 0), command=(0, 3.0, 0, 0.4))
    for _ in range(2000):
        rpy.step(body, record, np.int64(2), np.float32(0.002))
    assert np.isfinite(body.position).all()
    assert np.linalg.norm(body.attitude) == pytest.approx(1, abs=1e-5)
