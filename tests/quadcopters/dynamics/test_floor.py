import numpy as np
import pytest

from envsuite.quadcopters import attitude, state
from envsuite.quadcopters.dynamics import bullet, dyn, floor, settings

PHYSICS = settings.physics("pyb", floor=True, real=np.float64)
HALF_HEIGHT = 0.0125  # of the Crazyflie's hull


def body_at(position, roll=0.0, pitch=0.0):
    body = np.zeros(1, state.BulletBody.dtype(np.float64)).view(np.recarray)[0]
    bullet.place(body, np.array(position, float), np.array(attitude.from_euler(roll, pitch, 0.3)))
    return body


def fall(body, steps, step=bullet.step):
    impacts = []
    for _ in range(steps):
        step(body, PHYSICS.vehicle, PHYSICS)
        impacts.append(floor.touch(body, PHYSICS))
    return np.array(impacts)


@pytest.mark.parametrize("step", [bullet.step, dyn.step])
def test_a_falling_drone_stops_without_bouncing(step):
    body = body_at((0, 0, 0.5))
    impacts = fall(body, 240, step)
    hit = np.flatnonzero(impacts)[0]
    assert impacts[hit] == pytest.approx(np.sqrt(2 * 9.8 * (0.5 - HALF_HEIGHT)), rel=0.05)
    assert (impacts[hit + 1 :] <= 9.8 / 240 + 1e-12).all()  # it only leans on the floor from then on
    assert body.position[2] == pytest.approx(HALF_HEIGHT, abs=1e-12)
    assert body.velocity[2] == 0


def test_no_contact_above_the_floor_or_on_the_way_up():
    for height, speed in ((HALF_HEIGHT + 1e-9, -1.0), (0.0, 1.0), (0.0, 0.0)):
        body = body_at((0, 0, height))
        body.velocity[2] = speed
        before = body.copy()
        assert floor.touch(body, PHYSICS) == 0
        assert body == before


def test_sliding_stops_after_v_squared_over_2_mu_g():
    """Coulomb friction with coefficient 0.5, apart from the damping of the air."""
    body = body_at((0, 0, HALF_HEIGHT - 1e-6))
    body.velocity[:2] = (0.6, 0.8)
    fall(body, 240)
    np.testing.assert_array_equal(body.velocity[:2], 0)
    assert np.linalg.norm(body.position[:2]) == pytest.approx(1 / (2 * 0.5 * 9.8), rel=0.03)
    assert body.position[1] / body.position[0] == pytest.approx(4 / 3, rel=1e-9)


@pytest.mark.parametrize(("roll", "pitch"), [(0.3, 0.0), (0.0, -0.3), (0.2, 0.2)])
def test_a_lying_drone_levels_with_a_time_constant_of_50_ms(roll, pitch):
    body = body_at((0, 0, HALF_HEIGHT - 1e-6), roll, pitch)
    start = np.arccos(attitude.up(body.attitude)[2])
    fall(body, 24)
    end = np.arccos(min(1.0, attitude.up(body.attitude)[2]))
    assert end / start == pytest.approx(np.exp(-0.1 / 0.05), rel=0.15)
    yaw = attitude.to_euler(body.attitude)[2]
    assert yaw == pytest.approx(0.3, abs=0.03)


def test_spinning_in_yaw_goes_on():
    body = body_at((0, 0, HALF_HEIGHT - 1e-6))
    body.rates[:] = (2.0, -2.0, 3.0)
    floor.touch(body, PHYSICS)
    body.velocity[2] = -0.01
    body.position[2] = 0.0
    floor.touch(body, PHYSICS)
    assert abs(body.rates[0]) < 2
    assert body.rates[2] == 3


def test_thrust_lifts_off():
    body = body_at((0, 0, HALF_HEIGHT))
    body.command[:] = 1.05 * PHYSICS.vehicle.command_hover
    fall(body, 60)
    assert body.position[2] > HALF_HEIGHT + 0.01
