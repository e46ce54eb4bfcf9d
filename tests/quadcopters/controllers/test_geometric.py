import numpy as np
import pytest

from envsuite.core.jit import kernel
from envsuite.quadcopters import params, state
from envsuite.quadcopters.controllers import geometric
from envsuite.quadcopters.dynamics import l2f
from tests.quadcopters.reference import l2f_starts, rotor_positions, rotor_thrusts

VEHICLE = params.vehicle("l2f_cf2023", np.float64)
LAGGED = [name for name, vehicle in params.VEHICLES.items() if vehicle.motor_rise > 0]


@kernel
def hover(bodies, vehicle, gain, box, steps, alive):
    """Hold the origin; `alive` says which never left the box."""
    for i in range(bodies.shape[0]):
        alive[i] = True
        for _ in range(steps):
            zero = (0.0, 0.0, 0.0)
            geometric.control(bodies[i], vehicle, gain, zero, zero, zero, 0.0)
            l2f.step(bodies[i], vehicle, 0.01)
            p = bodies[i].position
            if max(max(abs(p[0]), abs(p[1])), abs(p[2])) > box:
                alive[i] = False
                break


def figure_eight(size, period, t):
    """Position, velocity, acceleration of the lemniscate-like curve whose phase rate ramps up over 1 s."""
    rate = 2 * np.pi / period
    if t < 1:
        phase, speed, change = rate * t * t / 2, rate * t, rate
    else:
        phase, speed, change = rate * (t - 0.5), rate, 0.0
    s, c, s2, c2 = np.sin(phase), np.cos(phase), np.sin(2 * phase), np.cos(2 * phase)
    return (
        (size * s, size / 2 * s2, 0.0),
        (size * c * speed, size * c2 * speed, 0.0),
        (size * (c * change - s * speed**2), size * (c2 * change - 2 * s2 * speed**2), 0.0),
    )


def tracking_errors(preset, size, period):
    """Distance after each step of three laps to the point that the controller was given before it."""
    gain = geometric.gains(preset, scalar=np.float64)
    body = np.zeros(1, state.DisturbedBody.dtype(np.float64)).view(np.recarray)[0]
    body.attitude[0] = 1
    body.rotor_speed[:] = VEHICLE.command_hover
    errors = []
    for k in range(round(3 * period / 0.01)):
        position, velocity, acceleration = figure_eight(size, period, k * 0.01)
        geometric.control(body, VEHICLE, gain, position, velocity, acceleration, 0.0)
        l2f.step(body, VEHICLE, 0.01)
        errors.append(np.linalg.norm(body.position - position))
    return np.array(errors)


@pytest.mark.parametrize(
    ("preset", "size", "period", "rmse", "largest"),
    [
        ("robust", 1.0, 15.0, 0.0070, 0.022),
        ("robust", 1.0, 8.0, 0.0242, 0.049),
        ("robust", 1.0, 5.5, 0.0572, 0.083),
        ("robust", 1.0, 3.5, 0.154, 0.225),
        ("robust", 2.0, 5.5, 0.112, 0.165),
        ("agile", 1.0, 15.0, 0.0053, 0.012),
        ("agile", 1.0, 8.0, 0.0141, 0.025),
        ("agile", 1.0, 5.5, 0.0284, 0.041),
        ("agile", 1.0, 3.5, 0.0663, 0.098),
        ("agile", 2.0, 5.5, 0.056, 0.081),
    ],
)
def test_tracking_table_of_the_original(preset, size, period, rmse, largest):
    errors = tracking_errors(preset, size, period)
    assert np.sqrt((errors**2).mean()) == pytest.approx(rmse, rel=0.02)
    assert errors.max() == pytest.approx(largest, rel=0.02, abs=5e-4)


@pytest.mark.parametrize(
    ("preset", "alive_share", "settled_share"), [("robust", 0.957, 0.953), ("agile", 0.506, 0.506)]
)
def test_hover_table_of_the_original(preset, alive_share, settled_share):
    """Three thousand episodes, so that chance alone moves the shares by less than a point (1 sigma)."""
    bodies = l2f_starts(3000, seed=0)
    alive = np.zeros(len(bodies), np.bool_)
    hover(bodies, VEHICLE, geometric.gains(preset, scalar=np.float64), 0.6, 500, alive)
    distance = np.linalg.norm(bodies.position, axis=1)
    assert alive.mean() == pytest.approx(alive_share, abs=0.025)
    assert (alive & (distance < 0.2)).mean() == pytest.approx(settled_share, abs=0.025)
    if preset == "robust":
        assert np.median(distance[alive]) == pytest.approx(0.086, abs=0.004)


@pytest.mark.parametrize("name", LAGGED)
def test_holds_every_vehicle(name):
    """From a small offset every vehicle settles at the origin; undisturbed, so without a remaining error."""
    vehicle = params.vehicle(name, np.float64)
    bodies = np.zeros(4, state.DisturbedBody.dtype(np.float64)).view(np.recarray)
    bodies.attitude[:, 0] = 1
    bodies.position[:] = ((0.2, 0, 0), (0, -0.2, 0), (0, 0, 0.2), (0.1, 0.1, -0.1))
    bodies.rotor_speed[:] = vehicle.command_hover
    alive = np.zeros(4, np.bool_)
    hover(bodies, vehicle, geometric.gains("robust", name, scalar=np.float64), 5.0, 1000, alive)
    assert alive.all()
    np.testing.assert_allclose(bodies.position, 0, atol=2e-3)


@pytest.mark.parametrize("name", LAGGED)
def test_mixing_gives_what_is_asked(name):
    constants, vehicle = params.find_vehicle(name), params.vehicle(name, np.float64)
    largest = constants.max_rotor_thrust
    arm = np.abs(np.array(constants.rotors)).max()
    torques = largest * np.array([0.1 * arm, -0.07 * arm, 0.1 * constants.torque_per_thrust])
    forces = np.array(geometric._mix(vehicle, 2 * largest, *torques))
    pushes = np.outer(forces, [0, 0, 1])
    moment = np.cross(rotor_positions(constants), pushes).sum(axis=0)
    moment[2] += constants.torque_per_thrust * np.dot(constants.spin, forces)
    assert forces.sum() == pytest.approx(2 * largest, rel=1e-12)
    np.testing.assert_allclose(moment, torques, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("scale", [1, 10, 1e4])
def test_mixing_stays_feasible(scale):
    generator = np.random.default_rng(6)
    constants = params.find_vehicle("l2f_cf2023")
    largest = constants.max_rotor_thrust
    for _ in range(300):
        torques = scale * largest * generator.normal(0, 1, 3) * (0.02, 0.02, 0.005)
        forces = np.array(geometric._mix(VEHICLE, generator.uniform(0, 4) * largest, *torques))
        assert forces.min() > -1e-12 * largest
        assert forces.max() < (1 + 1e-12) * largest


@pytest.mark.parametrize("name", LAGGED)
def test_thrust_curve_is_inverted(name):
    constants, vehicle = params.find_vehicle(name), params.vehicle(name, np.float64)
    gain = geometric.gains("robust", scalar=np.float64)
    gain.lead = 1.0  # the command is then the speed itself
    body = np.zeros(1, state.DisturbedBody.dtype(np.float64)).view(np.recarray)[0]
    lowest = max(0.0, constants.thrust_curve[0])
    for thrust in np.linspace(lowest, constants.max_rotor_thrust, 9):
        geometric.ask(body, vehicle, gain, 0, thrust)
        assert rotor_thrusts(constants, body.command[0]) == pytest.approx(thrust, rel=1e-9, abs=1e-12)


def test_turns_to_a_yaw_the_short_way():
    body = np.zeros(1, state.DisturbedBody.dtype(np.float64)).view(np.recarray)[0]
    body.attitude[:] = (np.cos(1.5), 0, 0, np.sin(1.5))  # yaw 3
    body.rotor_speed[:] = VEHICLE.command_hover
    gain, zero = geometric.gains("agile", scalar=np.float64), (0.0, 0.0, 0.0)
    turned = 0.0
    for _ in range(800):
        geometric.control(body, VEHICLE, gain, zero, zero, zero, -3.0)
        l2f.step(body, VEHICLE, 0.01)
        turned += body.rates[2] * 0.01
    assert turned == pytest.approx(2 * np.pi - 6, abs=0.01)
    assert np.linalg.norm(body.position) < 0.01


def test_lead_is_limited_for_fast_motors():
    assert geometric.gains("robust", "l2f_cf2023").lead == 8
    flightmare = geometric.gains("robust", "flightmare", scalar=np.float64).lead
    assert flightmare == pytest.approx(1 / (1 - np.exp(-0.5)), rel=1e-12)
    assert geometric.gains("robust", "cf2x").lead == 1  # no lag, nothing to lead


def test_unknown_presets_are_refused():
    with pytest.raises(ValueError, match=r"'fast'.*robust, agile"):
        geometric.gains("fast")
