"""The first-principles dynamics against SciPy's integrator and matrices."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from envsuite.quadcopters import params, state
from envsuite.quadcopters.dynamics import fp, l2f
from tests.quadcopters.reference import cross_matrix, flat, rotor_positions, rotor_thrusts

NAMES = ["cf2x_L250", "cf2x_P250", "cf2x_T350", "cf21B_500"]


def level(real=np.float64, **fields):
    body = np.zeros(1, state.WindyBody.dtype(real)).view(np.recarray)[0]
    body.attitude[0] = 1
    for field, value in fields.items():
        body[field][:] = value
    return body


def derivative(x, vehicle, command, force, torque, wind):
    """Newton and Euler with the propellers' angular momentum, written from the definitions."""
    q, v, w, speeds = x[3:7] / np.linalg.norm(x[3:7]), x[7:10], x[10:13], x[13:17]
    a0, a1, a2, a3 = vehicle.rotor_response
    rise = a0 * (command - speeds) + a1 * (command**2 - speeds**2)
    fall = a2 * (command - speeds) + a3 * (command**2 - speeds**2)
    change = np.where(command >= speeds, rise, fall)
    inertia = np.diag(vehicle.inertia)
    thrusts = rotor_thrusts(vehicle, speeds)
    pushes = np.outer(thrusts, [0, 0, 1])
    moment = np.cross(rotor_positions(vehicle), pushes).sum(axis=0) + torque
    moment[2] += np.dot(vehicle.spin, np.polynomial.polynomial.polyval(speeds, vehicle.torque_curve))
    # a rotor that pushes the body one way about z turns the other way
    spin = -np.array(vehicle.spin) * speeds * 2 * np.pi / 60
    spin_change = -np.array(vehicle.spin) * change * 2 * np.pi / 60
    propellers = vehicle.rotor_inertia * np.array([0, 0, spin.sum()])
    moment = moment - vehicle.rotor_inertia * np.array([0, 0, spin_change.sum()])
    total = inertia @ w + propellers
    skew = cross_matrix(q[1:])
    rotation = np.eye(3) + 2 * q[0] * skew + 2 * skew @ skew
    drag = -rotation @ np.diag(vehicle.body_drag) @ rotation.T @ (v - wind)
    turn = np.zeros((4, 4))
    turn[0, 1:], turn[1:, 0], turn[1:, 1:] = -w, w, -cross_matrix(w)
    acceleration = (rotation @ pushes.sum(axis=0) + drag + force) / vehicle.mass - [0, 0, vehicle.gravity]
    return np.concatenate(
        [v, 0.5 * turn @ x[3:7], acceleration, np.linalg.solve(inertia, moment - np.cross(w, total)), change]
    )


@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_an_adaptive_integrator(name):
    vehicle, record = params.find_vehicle(name), params.vehicle(name, np.float64)
    generator = np.random.default_rng(4)
    hover = vehicle.command_hover
    body = level(
        velocity=generator.uniform(-2, 2, 3),
        rates=generator.uniform(-3, 3, 3),
        force=generator.uniform(-0.05, 0.05, 3),
        torque=generator.uniform(-1e-5, 1e-5, 3),
        wind=(1.0, -2.0, 0.5),
        rotor_speed=hover * generator.uniform(0.8, 1.1, 4),
    )
    x = flat(body)
    for _ in range(3):
        command = hover * generator.uniform(0.9, 1.1, 4)
        body.command[:] = command

        def slope(_, y, command=command):
            return derivative(y, vehicle, command, body.force, body.torque, body.wind)

        x = solve_ivp(slope, (0, 0.1), x, rtol=1e-11, atol=1e-12, max_step=0.002).y[:, -1]
        for _ in range(200):
            fp.step(body, record, 0.0005)
    np.testing.assert_allclose(body.position, x[:3], atol=1e-7)
    np.testing.assert_allclose(body.attitude, x[3:7] / np.linalg.norm(x[3:7]), atol=1e-6)
    np.testing.assert_allclose(body.velocity, x[7:10], atol=1e-6)
    np.testing.assert_allclose(body.rates, x[10:13], atol=1e-4)
    np.testing.assert_allclose(body.rotor_speed, x[13:17], rtol=1e-6)


def test_error_falls_with_the_fourth_power_of_the_step():
    record = params.vehicle("cf21B_500", np.float64)

    def end(steps):
        hover = float(record.command_hover)
        body = level(velocity=(1, 2, 0), rates=(2, -1, 1), rotor_speed=hover, command=hover)
        body.command[0] *= 1.02
        for _ in range(steps):
            fp.step(body, record, 0.4 / steps)
        return np.concatenate([body.position, body.attitude])

    errors = [np.abs(end(steps) - end(1280)).max() for steps in (20, 40, 80)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4, abs=0.4)
    assert np.log2(errors[1] / errors[2]) == pytest.approx(4, abs=0.4)


@pytest.mark.parametrize("name", NAMES)
def test_hover_is_an_equilibrium(name):
    record = params.vehicle(name, np.float64)
    body = level(command=record.command_hover, rotor_speed=record.command_hover)
    for _ in range(1000):
        fp.step(body, record, 0.01)
    np.testing.assert_allclose(body.position, 0, atol=1e-10)


def test_falls_at_the_speed_where_drag_carries_the_weight():
    vehicle, record = params.find_vehicle("cf21B_500"), params.vehicle("cf21B_500", np.float64)
    body = level(command=0, wind=(0, 0, 1.0))
    for _ in range(3000):
        fp.step(body, record, 0.01)
    weight = vehicle.mass * vehicle.gravity
    assert body.velocity[2] == pytest.approx(1.0 - weight / vehicle.body_drag[2], rel=1e-6)


def test_angular_momentum_of_body_and_propellers_is_kept():
    """Without thrust and drag torque, whatever the propellers do."""
    vehicle = params.find_vehicle("cf21B_500")
    record = params.vehicle("cf21B_500", np.float64)
    record["thrust_curve"] = record["rotor_torque"] = 0
    body = level(rates=(3, -2, 1), rotor_speed=(20000, 1000, 15000, 100), command=(0, 15000, 3000, 20000))

    def momentum():
        spin = -np.array(vehicle.spin) * body.rotor_speed * 2 * np.pi / 60
        own = np.array(vehicle.inertia) * body.rates + [0, 0, vehicle.rotor_inertia * spin.sum()]
        w, *xyz = body.attitude
        skew = cross_matrix(np.array(xyz))
        return (np.eye(3) + 2 * w * skew + 2 * skew @ skew) @ own

    before = momentum()
    for _ in range(1000):
        fp.step(body, record, 0.001)
    assert abs(body.rates[2] - 1) > 0.1
    np.testing.assert_allclose(momentum(), before, rtol=1e-6, atol=1e-12)


def test_equals_the_l2f_dynamics_where_nothing_is_added():
    record = params.vehicle("l2f_cf2023", np.float64)
    generator = np.random.default_rng(0)
    one = level(rates=(1, 2, 3), velocity=(1, 0, -1), rotor_speed=9000, force=(0.01, 0.02, 0.0))
    two = np.zeros(1, state.DisturbedBody.dtype(np.float64)).view(np.recarray)[0]
    for name in two.dtype.names:
        two[name] = one[name]
    for _ in range(100):
        one.command[:] = two.command[:] = generator.uniform(0, 21702, 4)
        fp.step(one, record, 0.01)
        l2f.step(two, record, 0.01)
    np.testing.assert_allclose(flat(one), flat(two), rtol=1e-9, atol=1e-9)
