import numpy as np
import pytest

from envsuite.quadcopters import params, state
from envsuite.quadcopters.dynamics import bullet, dyn, settings
from tests.quadcopters.reference import BulletReference

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
STEP = {"pyb": bullet.step, "dyn": dyn.step}


def fresh(position, real=np.float64):
    body = np.zeros(1, state.BulletBody.dtype(real)).view(np.recarray)[0]
    bullet.place(body, np.array(position, real), IDENTITY.astype(real))
    return body


def fly(mode, factors, steps, position=(0, 0, 100)):
    """Steps of 1/240 s of a cf2x at multiples of the hover speed."""
    physics = settings.physics(mode, "cf2x", real=np.float64)
    body = fresh(position)
    body.command[:] = physics.vehicle.command_hover * np.asarray(factors)
    for _ in range(steps):
        STEP[mode](body, physics.vehicle, physics)
    return body


@pytest.mark.parametrize(("mode", "z", "speed"), [("dyn", 95.07958333, -9.8), ("pyb", 95.42607588, -8.54580671)])
def test_free_fall_of_the_original(mode, z, speed):
    body = fly(mode, (0, 0, 0, 0), 240)
    assert body.position[2] == pytest.approx(z, abs=1.5e-8)
    assert body.velocity[2] == pytest.approx(speed, abs=6e-9)


@pytest.mark.parametrize(("mode", "rate"), [("dyn", 1.22552879), ("pyb", 1.21690396)])
def test_yaw_couple_of_the_original(mode, rate):
    assert fly(mode, (0.99, 1.01, 0.99, 1.01), 48).rates[2] == pytest.approx(rate, abs=6e-9)


@pytest.mark.parametrize(("mode", "rate"), [("dyn", -0.26528172), ("pyb", -0.26431661)])
def test_roll_couple_of_the_original(mode, rate):
    assert fly(mode, (1.005, 1.005, 0.995, 0.995), 12).rates[0] == pytest.approx(rate, abs=6e-9)


@pytest.mark.parametrize("mode", ["dyn", "pyb"])
def test_hover_speed_keeps_height(mode):
    body = fly(mode, (1, 1, 1, 1), 1000, position=(0, 0, 1))
    assert body.position[2] == pytest.approx(1, abs=1e-12)
    np.testing.assert_array_equal(body.position[:2], 0)


def test_terminal_speed_of_the_damping():
    """0.04 v (1 + v) = g at the terminal speed (about 15 m/s)."""
    body = fly("pyb", (0, 0, 0, 0), 240 * 60)
    expected = (-1 + np.sqrt(1 + 4 * 9.8 / settings.DAMPING)) / 2
    assert -body.velocity[2] == pytest.approx(expected, rel=1e-9)
    assert expected == pytest.approx(15, abs=0.5)


@pytest.mark.parametrize("mode", [mode for mode in settings.MODES if mode != "dyn"])
@pytest.mark.parametrize("name", ["cf2x", "cf2p", "racer", "hb"])
@pytest.mark.parametrize("timestep", [1 / 240, 1 / 1000])
def test_every_mode_agrees_with_matrices(mode, name, timestep):
    generator = np.random.default_rng(11)
    physics = settings.physics(mode, name, timestep=timestep, real=np.float64)
    positions = [(0.1 * n, -0.05 * n, 0.06 + 0.4 * n) for n in range(3)]
    reference = BulletReference(mode, name, positions, timestep)
    bodies = np.zeros(3, state.BulletBody.dtype(np.float64)).view(np.recarray)
    for body, position in zip(bodies, positions, strict=True):
        bullet.place(body, np.array(position), IDENTITY)
    for _ in range(120):
        rpm = physics.vehicle.command_hover * (1 + generator.uniform(-0.02, 0.02, (3, 4)))
        reference.step(rpm)
        bullet.feel_downwash(bodies, physics)
        for n in range(3):
            bodies[n].command[:] = rpm[n]
            bullet.step(bodies[n], physics.vehicle, physics)
    for n in range(3):
        np.testing.assert_allclose(bodies[n].position, reference.p[n], atol=1e-12)
        np.testing.assert_allclose(bodies[n].velocity, reference.v[n], atol=1e-11)
        matrix = reference.rotation[n].as_matrix()
        np.testing.assert_allclose(matrix @ bodies[n].rates, reference.w[n], atol=1e-10)
        np.testing.assert_allclose(bullet.up(bodies[n].attitude), matrix[:, 2], atol=1e-12)


def test_single_precision_follows_double():
    ends = []
    for real in (np.float32, np.float64):
        body, physics = fresh((0, 0, 1), real), settings.physics("pyb_gnd_drag_dw", real=real)
        body.command[:] = 14468.429 * np.array([1.001, 0.999, 1.0005, 1.0])
        for _ in range(120):
            bullet.step(body, physics.vehicle, physics)
        ends.append(body)
    np.testing.assert_allclose(ends[0].position, ends[1].position, atol=2e-5)
    np.testing.assert_allclose(ends[0].attitude, ends[1].attitude, atol=2e-5)


@pytest.mark.parametrize(("height", "gain"), [(0.0, 0.267), (0.05, 0.15), (0.1, 0.038), (0.2, 0.0095)])
def test_ground_effect_of_the_original(height, gain):
    physics = settings.physics("pyb_gnd", real=np.float64)
    body = fresh((0, 0, height))
    body.command[:] = physics.vehicle.command_hover
    bullet.step(body, physics.vehicle, physics)
    assert body.velocity[2] * 240 / 9.8 == pytest.approx(gain, rel=0.025)


@pytest.mark.parametrize(("gap", "force"), [(0.5, 0.30), (1.0, 0.076), (2.0, 0.019)])
def test_downwash_of_the_original(gap, force):
    bodies = np.zeros(2, state.BulletBody.dtype(np.float64)).view(np.recarray)
    bodies.active = True
    bodies.position[1, 2] = gap
    bullet.feel_downwash(bodies, settings.physics("pyb_dw", real=np.float64))
    assert bodies[0].downwash == pytest.approx(force, rel=0.02)
    assert bodies[1].downwash == 0
    bodies[1].active = False
    bullet.feel_downwash(bodies, settings.physics("pyb_dw", real=np.float64))
    assert bodies[0].downwash == 0


@pytest.mark.parametrize("gap", [1e-6, 0.39, 0.5, 0.6875])
@pytest.mark.parametrize("distance", [0.0, 0.02, 0.3])
def test_limited_downwash_has_no_singularities(gap, distance):
    """The original exceeds the weight below 0.54 m and has zero width at 0.6875 m."""
    physics = settings.physics("pyb_dw", exact=False, real=np.float64)
    bodies = np.zeros(2, state.BulletBody.dtype(np.float64)).view(np.recarray)
    bodies.active = True
    bodies.position[1] = (distance, 0, gap)
    bullet.feel_downwash(bodies, physics)
    assert 0 <= bodies[0].downwash <= 0.5 * 0.027 * 9.8
    if distance == 0:
        assert bodies[0].downwash > 0.1


def test_drag_of_the_original():
    """5.6e-3 N per m/s sideways and 6.2e-3 N per m/s vertically at hover speed, beside the damping."""
    for axis, coefficient in ((0, 5.6e-3), (2, 6.2e-3)):
        speeds = []
        for mode in ("pyb", "pyb_drag"):
            physics = settings.physics(mode, real=np.float64)
            body = fresh((0, 0, 1))
            body.command[:] = physics.vehicle.command_hover
            body.rotor_speed[:] = body.command
            body.velocity[axis] = 1
            bullet.step(body, physics.vehicle, physics)
            speeds.append(body.velocity[axis])
        assert (speeds[0] - speeds[1]) * 240 * 0.027 == pytest.approx(coefficient, rel=0.01)


def test_explicit_dynamics_agree_with_matrices():
    """The explicit dynamics, written out for an X layout with rotation matrices."""
    from scipy.spatial.transform import Rotation

    vehicle = params.find_vehicle("cf2x")
    physics = settings.physics("dyn", real=np.float64)
    generator = np.random.default_rng(5)
    body = fresh((0, 0, 1))
    p, v, w, rotation = np.array([0, 0, 1.0]), np.zeros(3), np.zeros(3), Rotation.identity()
    inertia = np.diag(vehicle.inertia)
    for _ in range(200):
        rpm = vehicle.command_hover * (1 + generator.uniform(-0.05, 0.05, 4))
        f = 3.16e-10 * rpm**2
        lever = 0.0397 / np.sqrt(2)
        moment = [
            -(f[0] + f[1] - f[2] - f[3]) * lever,
            (-f[0] + f[1] + f[2] - f[3]) * lever,
            7.94e-12 * (-(rpm[0] ** 2) + rpm[1] ** 2 - rpm[2] ** 2 + rpm[3] ** 2),
        ]
        v = v + (rotation.apply([0, 0, f.sum()]) / 0.027 - [0, 0, 9.8]) / 240
        w = w + np.linalg.solve(inertia, moment - np.cross(w, inertia @ w)) / 240
        p = p + v / 240
        rotation = rotation * Rotation.from_rotvec(w / 240)
        body.command[:] = rpm
        dyn.step(body, physics.vehicle, physics)
    np.testing.assert_allclose(body.position, p, atol=1e-12)
    np.testing.assert_allclose(body.rates, w, atol=1e-10)
    np.testing.assert_allclose(bullet.up(body.attitude), rotation.as_matrix()[:, 2], atol=1e-12)


@pytest.mark.parametrize(
    ("name", "roll", "pitch"), [("racer", 1, -1), ("cf2x", -1, -1), ("cf2p", 0, -1), ("hb", 0, -1)]
)
def test_explicit_dynamics_lever_signs(name, roll, pitch):
    """Speeding rotor 0 up rolls and pitches as the original's formulas say."""
    physics = settings.physics("dyn", name, real=np.float64)
    body = fresh((0, 0, 1))
    body.command[:] = physics.vehicle.command_hover * np.array([1.1, 1, 1, 1])
    dyn.step(body, physics.vehicle, physics)
    assert tuple(np.sign(body.rates[:2])) == (roll, pitch)
    thrust = physics.vehicle.thrust_curve[2] * physics.vehicle.command_hover**2 * (1.1**2 - 1)
    lever = params.find_vehicle(name).arm / (1 if roll == 0 else np.sqrt(2))
    assert abs(body.rates[1]) * 240 * physics.vehicle.inertia[1] == pytest.approx(thrust * lever, rel=1e-9)
