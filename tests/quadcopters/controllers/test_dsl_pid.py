import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from envsuite.core.jit import kernel
from envsuite.quadcopters import params, state
from envsuite.quadcopters.attitude import from_euler
from envsuite.quadcopters.controllers import dsl_pid
from envsuite.quadcopters.dynamics import bullet, dyn, settings
from tests.quadcopters.reference import PidReference


def memory_of(real=np.float64):
    return np.zeros(1, dsl_pid.Memory.dtype(real)).view(np.recarray)[0]


def body_at(position, attitude=(1.0, 0.0, 0.0, 0.0), real=np.float64):
    body = np.zeros(1, state.BulletBody.dtype(real)).view(np.recarray)[0]
    bullet.place(body, np.array(position, real), np.array(attitude, real))
    return body


def test_agrees_with_matrices():
    generator = np.random.default_rng(3)
    vehicle, gain = params.vehicle("cf2x", np.float64), dsl_pid.gains("cf2x", np.float64)
    memory, reference = memory_of(), PidReference()
    body = body_at((0, 0, 1))
    seen = set()
    for _ in range(300):
        body.position[:] = generator.normal(0, 0.4, 3)
        body.velocity[:] = generator.normal(0, 0.5, 3)
        body.attitude[:] = from_euler(*generator.normal(0, 0.05, 2), generator.normal(0, 0.02))
        goal, goal_velocity = generator.normal(0, 0.4, 3), generator.normal(0, 0.2, 3)
        yaw = generator.normal(0, 0.02)
        dsl_pid.control(body, vehicle, gain, memory, goal, goal_velocity, yaw, 1 / 48)
        rotation = Rotation.from_quat(body.attitude[[1, 2, 3, 0]])
        expected = reference(body.position, rotation, body.velocity, goal, goal_velocity, yaw, 1 / 48)
        np.testing.assert_allclose(body.command, expected, rtol=1e-9)
        seen.update(np.round(expected, 6))
    assert {9440.3, 21666.4475} < seen  # both ends of the PWM range were met
    assert len(seen) > 100  # and so was what lies between


@kernel
def fly(body, physics, gain, memory, goal, yaw, calls):
    """240 Hz physics and 48 Hz control, the timing of the original's examples."""
    still = (0.0, 0.0, 0.0)
    for _ in range(calls):
        dsl_pid.control(body, physics.vehicle, gain, memory, goal, still, yaw, 1 / 48)
        for _ in range(5):
            if physics.explicit:
                dyn.step(body, physics.vehicle, physics)
            else:
                bullet.step(body, physics.vehicle, physics)


@pytest.mark.parametrize("mode", settings.MODES)
@pytest.mark.parametrize("name", ["cf2x", "cf2p"])
@pytest.mark.parametrize("goal", [(0.0, 0.0, 1.0), (0.4, -0.3, 0.6)])
def test_flies_to_a_target(mode, name, goal):
    """The integral term leaves with a time constant of 8 s; a wobble of millimetres stays."""
    physics = settings.physics(mode, name, real=np.float64)
    gain, goal = dsl_pid.gains(name, np.float64), np.array(goal)
    body, memory = body_at((0, 0, 0.1125)), memory_of()
    fly(body, physics, gain, memory, goal, 0.0, 48 * 35)
    path = []
    for _ in range(48 * 5):
        fly(body, physics, gain, memory, goal, 0.0, 1)
        path.append(body.position.copy())
    assert np.linalg.norm(path - goal, axis=1).max() < 0.03
    assert np.linalg.norm(np.mean(path, axis=0) - goal) < 0.01


def test_turns_to_a_yaw():
    physics = settings.physics("pyb", real=np.float64)
    body, memory = body_at((0, 0, 1)), memory_of()
    fly(body, physics, dsl_pid.gains("cf2x", np.float64), memory, np.array([0.0, 0.0, 1.0]), 1.0, 480)
    assert memory.euler[2] == pytest.approx(1.0, abs=0.02)
    np.testing.assert_allclose(body.position, (0, 0, 1), atol=0.02)


def test_clear_forgets():
    memory = memory_of()
    for field in memory.dtype.names:
        memory[field][:] = 7
    dsl_pid.clear(memory)
    assert not any(memory[field].any() for field in memory.dtype.names)


def test_other_vehicles_are_refused():
    with pytest.raises(ValueError, match=r"cf2x and cf2p, not 'racer'"):
        dsl_pid.gains("racer")
