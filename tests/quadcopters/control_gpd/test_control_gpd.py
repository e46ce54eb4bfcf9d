"""The control environments."""

import gymnasium
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from envsuite.quadcopters import state
from envsuite.quadcopters.controllers import dsl_pid
from envsuite.quadcopters.dynamics import bullet, settings
from tests.quadcopters.tasks import fly_expert, started


@pytest.mark.parametrize("physics", ["pyb", "pyb_gnd_drag_dw"])
def test_flies_as_the_physics_alone(physics):
    batch = started("QuadControlGPD", 1, physics=physics, num_drones=2)
    record = settings.physics(physics, real=np.float64)
    bodies = np.zeros(2, state.BulletBody.dtype(np.float64)).view(np.recarray)
    for n in range(2):
        place = np.array([0.1588 * n, 0.1588 * n, 0.1125])
        bullet.place(bodies[n], place, np.array([1.0, 0, 0, 0]))
        batch.states["drones"]["position"][0, n] += [0, 0, n]  # above one another
        bodies[n].position[2] += n
    generator = np.random.default_rng(0)
    for _ in range(24):
        rpm = (14468.4 * generator.uniform(0.99, 1.02, (1, 2, 4))).astype(np.float32)
        output = batch.step(rpm)
        bodies.command[:] = rpm[0]
        for _ in range(5):
            bullet.feel_downwash(bodies, record)
            for n in range(2):
                bullet.step(bodies[n], record.vehicle, record)
        assert (output.rewards == -1).all()
    np.testing.assert_allclose(batch.states["drones"]["position"][0], bodies.position, atol=1e-12)


def test_observation_is_the_state_vector():
    batch = started("QuadControlGPD", 1)
    for _ in range(20):
        output = batch.step(np.array([[[14400, 14500, 14600, 14500]] * 2], np.float32))
    drone, found = batch.states["drones"][0, 0], output.observations[0, 0]
    rotation = Rotation.from_quat(drone["attitude"][[1, 2, 3, 0]])
    yaw, pitch, roll = rotation.as_euler("ZYX")
    expected = [*drone["position"], *drone["attitude"][[1, 2, 3, 0]], roll, pitch, yaw, *drone["velocity"]]
    np.testing.assert_allclose(found[:13], expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found[13:16], rotation.apply(drone["rates"]), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(found[16:], [14400, 14500, 14600, 14500])


def test_velocity_goes_through_the_controller():
    batch = started("QuadVelocityGPD", 1, num_drones=2)
    body = np.zeros(1, state.BulletBody.dtype(np.float64)).view(np.recarray)[0]
    bullet.place(body, np.array([0, 0, 0.1125]), np.array([1.0, 0, 0, 0]))
    record, gain = settings.physics("pyb", real=np.float64), dsl_pid.gains("cf2x", np.float64)
    memory = np.zeros(1, dsl_pid.Memory.dtype(np.float64)).view(np.recarray)[0]
    for _ in range(24):
        batch.step(np.array([[[3.0, 0.0, 4.0, 0.5]] * 2], np.float32) / [5, 5, 5, 1])
        velocity = np.array([0.6, 0.0, 0.8]) * 0.125
        dsl_pid.control(body, record.vehicle, gain, memory, body.position.copy(), velocity, 0.0, 1 / 48)
        for _ in range(5):
            bullet.step(body, record.vehicle, record)
    np.testing.assert_allclose(batch.states["drones"]["position"][0, 0], body.position, atol=1e-5)
    np.testing.assert_allclose(body.velocity[[0, 2]], [0.075, 0.1], atol=0.06)


def test_helix():
    batch, errors = started("QuadControlGPD", 1, num_drones=3, start="helix"), []

    def watch(batch, output):
        angle = 2 * np.pi * int(batch.states["clock"]["step"][0]) / 480 + np.pi / 3 * np.arange(3) + np.pi / 2
        place = np.column_stack([0.3 * np.cos(angle), 0.3 * np.sin(angle) - 0.3, 0.1 + 0.05 * np.arange(3)])
        errors.append(np.linalg.norm(batch.states["drones"]["position"][0] - place, axis=1))

    fly_expert(batch, 576, watch)
    assert np.max(errors[96:]) < 0.12


def test_nothing_ends_an_episode():
    env = gymnasium.make("envsuite/QuadControlGPD-v0")
    assert env.observation_space.shape == (2, 20)
    env.reset(seed=0)
    for _ in range(300):
        _, reward, terminated, truncated, _ = env.step(np.zeros((2, 4), np.float32))
        assert not terminated
        assert not truncated
    assert reward == -2


@pytest.mark.parametrize(
    ("options", "mention"),
    [
        ({"num_drones": 0}, "num_drones is 0, expected a whole number from 1 to 16"),
        ({"control": "force"}, "control is 'force'"),
        ({"physics": "newton"}, "physics is 'newton', expected one of 'pyb'"),
        ({"control_rate": 50}, "control_rate is 50, expected a divisor"),
        ({"start": "moon"}, "start is 'moon'"),
        ({"control": "velocity", "vehicle": "racer"}, "not 'racer'"),
        ({"control": "velocity", "speed_limit": -1.0}, "speed_limit is -1.0"),
        ({"precision": "float16"}, "precision is 'float16'"),
    ],
)
def test_bad_options_are_named(options, mention):
    with pytest.raises(ValueError, match=mention):
        gymnasium.make("envsuite/QuadControlGPD-v0", **options)
