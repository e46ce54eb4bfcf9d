import numpy as np
import pytest

from envsuite.core.jit import kernel
from envsuite.quadcopters import params, state
from envsuite.quadcopters.dynamics import l2f
from tests.quadcopters.reference import flat, l2f_starts, l2f_step

LAGGED = [name for name, vehicle in params.VEHICLES.items() if vehicle.motor_rise > 0]


@kernel
def fly(body, vehicle, dt, steps):
    for _ in range(steps):
        l2f.step(body, vehicle, dt)


def level(real=np.float64, **fields):
    body = np.zeros(1, state.DisturbedBody.dtype(real)).view(np.recarray)[0]
    body.attitude[0] = 1
    for field, value in fields.items():
        body[field][:] = value
    return body


@pytest.mark.parametrize("name", LAGGED)
def test_agrees_with_matrices(name):
    """100 steps of random commands from the paper's wild starts, with disturbances."""
    vehicle, record = params.find_vehicle(name), params.vehicle(name, np.float64)
    generator = np.random.default_rng(1)
    for body in l2f_starts(3, seed=2, name=name):
        x = flat(body)
        for _ in range(100):
            command = vehicle.command_high * generator.uniform(0, 1, 4)
            body.command[:] = command
            l2f.step(body, record, 0.01)
            x = l2f_step(x, vehicle, command, body.force, body.torque, 0.01)
        np.testing.assert_allclose(body.position, x[0:3], rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(body.attitude, x[3:7], atol=1e-10)
        np.testing.assert_allclose(body.velocity, x[7:10], rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(body.rates, x[10:13], rtol=1e-10, atol=1e-9)
        np.testing.assert_allclose(body.rotor_speed, x[13:17], rtol=1e-12)


def test_single_precision_follows_double():
    single, double = l2f_starts(20, 4, real=np.float32), l2f_starts(20, 4)
    for a, b in zip(single, double, strict=True):
        a.command[:] = b.command[:] = 14475.8
        fly(a, params.vehicle("l2f_cf2023", np.float32), np.float32(0.01), 100)
        fly(b, params.vehicle("l2f_cf2023", np.float64), 0.01, 100)
        np.testing.assert_allclose(a.position, b.position, atol=1e-4)
        np.testing.assert_allclose(a.attitude, b.attitude, atol=1e-4)


@pytest.mark.parametrize("name", LAGGED)
def test_hover_is_an_equilibrium(name):
    vehicle = params.vehicle(name, np.float64)
    body = level(command=vehicle.command_hover, rotor_speed=vehicle.command_hover)
    fly(body, vehicle, 0.01, 500)
    np.testing.assert_allclose(body.position, 0, atol=1e-11)
    np.testing.assert_array_equal(body.attitude, (1, 0, 0, 0))


def test_hover_action_of_the_original():
    """Action 0.33405300 on all motors with rotors at 14475.809 RPM is an equilibrium."""
    vehicle = params.vehicle("l2f_cf2023", np.float64)
    body = level(command=21702 * (1 + 0.33405300) / 2, rotor_speed=14475.809)
    before = body.copy()
    fly(body, vehicle, 0.01, 1)
    assert abs(body.velocity[2]) < 1e-7
    assert abs(body.rotor_speed[0] - before.rotor_speed[0]) < 1e-4


@pytest.mark.parametrize(("real", "tolerance"), [(np.float64, 1e-6), (np.float32, 1e-4)])
def test_free_rotation_keeps_angular_momentum(real, tolerance):
    """Without thrust |J w| and the world direction of J w stay for 10 s."""
    from envsuite.quadcopters.attitude import rotate

    vehicle = params.vehicle("l2f_cf2023", real)
    body = level(real, rates=(3.0, -2.0, 5.0))
    inertia = np.array(params.find_vehicle("l2f_cf2023").inertia)
    start = np.array(rotate(body.attitude.astype(float), inertia * body.rates))
    fly(body, vehicle, real(0.01), 1000)
    end = np.array(rotate(body.attitude.astype(float), inertia * body.rates))
    assert np.linalg.norm(end) == pytest.approx(np.linalg.norm(start), rel=tolerance)
    np.testing.assert_allclose(end, start, atol=20 * tolerance * np.linalg.norm(start))
    assert abs(body.rates[0] - 3) > 0.1  # it does precess


def test_quaternion_norm_in_single_precision():
    body = level(np.float32, rates=(3.0, -2.0, 5.0))
    vehicle = params.vehicle("l2f_cf2023", np.float32)
    for _ in range(100):
        fly(body, vehicle, np.float32(0.01), 1000)
        assert np.linalg.norm(body.attitude.astype(float)) == pytest.approx(1, abs=1e-6)


def test_ballistic_flight_is_exact():
    vehicle = params.vehicle("l2f_cf2023", np.float64)
    body = level(velocity=(1.0, 2.0, 3.0))
    fly(body, vehicle, 0.01, 100)
    np.testing.assert_allclose(body.position, (1, 2, 3 - 9.81 / 2), atol=1e-12)
    np.testing.assert_allclose(body.velocity, (1, 2, 3 - 9.81), atol=1e-12)


def test_disturbance_accelerates():
    vehicle = params.vehicle("l2f_cf2023", np.float64)
    body = level(force=(0.01, 0.0, 0.027 * 9.81), torque=(0.0, 0.0, 1e-6))
    fly(body, vehicle, 0.01, 100)
    np.testing.assert_allclose(body.velocity, (0.01 / 0.027, 0, 0), atol=1e-12)
    assert body.rates[2] == pytest.approx(1e-6 / 5.9675e-6, rel=1e-12)


@pytest.mark.parametrize(("start", "command", "constant"), [(0.2, 0.9, "motor_rise"), (0.9, 0.2, "motor_fall")])
def test_rotors_lag_by_their_own_constants(start, command, constant):
    """RK4 multiplies the remaining difference by the fourth-order Taylor polynomial of exp(-dt/T)."""
    vehicle = params.vehicle("l2f_cf2024", np.float64)
    body = level(rotor_speed=start, command=command)
    fly(body, vehicle, 0.01, 7)
    z = -0.01 / vehicle[constant]
    factor = 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24
    np.testing.assert_allclose(body.rotor_speed, command + (start - command) * factor**7, rtol=1e-13)
    exact = command + (start - command) * np.exp(7 * z)
    np.testing.assert_allclose(body.rotor_speed, exact, rtol=1e-4)


def test_rotor_speeds_are_clamped():
    vehicle = params.vehicle("l2f_cf2023", np.float64)
    body = level(rotor_speed=21000, command=1e6)
    fly(body, vehicle, 0.01, 1)
    np.testing.assert_array_equal(body.rotor_speed, 21702)
    body.command[:] = -1e6
    fly(body, vehicle, 0.01, 1)
    np.testing.assert_array_equal(body.rotor_speed, 0)


def test_converges_with_fourth_order():
    vehicle = params.vehicle("l2f_cf2023", np.float64)

    def end(dt):
        body = level(rates=(4.0, -3.0, 2.0), rotor_speed=9000, command=(15000, 14000, 16000, 14500))
        fly(body, vehicle, dt, round(0.32 / dt))
        return flat(body)[:13]

    exact = end(0.0005)
    errors = [np.abs(end(dt) - exact).max() for dt in (0.04, 0.02, 0.01)]
    orders = np.log2([errors[0] / errors[1], errors[1] / errors[2]])
    np.testing.assert_allclose(orders, 4, atol=0.35)


@pytest.mark.parametrize(
    ("rotor", "roll", "pitch", "yaw"), [(0, -1, -1, -1), (1, -1, 1, 1), (2, 1, 1, -1), (3, 1, -1, 1)]
)
def test_each_rotor_turns_the_body_its_way(rotor, roll, pitch, yaw):
    vehicle = params.vehicle("l2f_cf2023", np.float64)
    body = level(rotor_speed=14000, command=14000)
    body.rotor_speed[rotor] = body.command[rotor] = 15000
    fly(body, vehicle, 0.01, 1)
    assert tuple(np.sign(body.rates)) == (roll, pitch, yaw)
