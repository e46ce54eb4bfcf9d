"""Contacts with the floor, other drones, gates and pads."""

import gymnasium
import numpy as np
import pytest

import envsuite  # noqa: F401 (registers)
from envsuite.core.companions import Players, companion
from envsuite.quadcopters.bullet_backend.engine import FLOOR, Engine
from envsuite.quadcopters.params import VEHICLES
from envsuite.quadcopters.state import BulletBody

pytest.importorskip("pybullet")

CRAZYFLIE = VEHICLES["cf2x"]
RADIUS, HEIGHT, _ = CRAZYFLIE.hull


def made(name, seed=0, **options):
    env = gymnasium.make(f"envsuite/{name}-v0", backend="bullet", **options).unwrapped
    env.reset(seed=seed)
    return env


@pytest.fixture
def engine():
    found = Engine(CRAZYFLIE, 2, timestep=1 / 240, damping=0.0, floor=True)
    yield found
    found.close()


def bodies(*positions):
    drones = np.zeros(len(positions), BulletBody.dtype(np.float64)).view(np.recarray)
    drones.active, drones.attitude[:, 0], drones.previous_attitude[:, 0] = True, 1, 1
    drones.position[:] = positions
    return drones


def test_a_drone_rests_on_the_floor(engine):
    drones = bodies((0, 0, 0.1), (5, 5, 5))
    for n in range(2):
        engine.place(n, drones[n])
    for _ in range(240):
        engine.step()
    engine.read(0, drones[0])
    assert drones[0].position[2] == pytest.approx(HEIGHT / 2, abs=2e-3)
    assert np.abs(drones[0].velocity).max() < 1e-3
    assert engine.contacts(0)[FLOOR] == pytest.approx(CRAZYFLIE.mass * CRAZYFLIE.gravity, rel=0.02)
    assert engine.contacts(1) == {}


def test_sliding_stops_by_coulomb_friction(engine):
    """A friction of a half stops a speed v within v^2 / g."""
    drones = bodies((0, 0, HEIGHT / 2), (5, 5, 5))
    drones.velocity[0, 0] = 0.5
    for n in range(2):
        engine.place(n, drones[n])
    for _ in range(120):
        engine.step()
    engine.read(0, drones[0])
    assert abs(drones[0].velocity[0]) < 1e-2
    assert drones[0].position[0] == pytest.approx(0.5**2 / CRAZYFLIE.gravity, rel=0.15)


def test_a_head_on_collision_conserves_momentum(engine):
    """Equal masses without restitution go on nearly together; the engine pushes apart what has sunk into each other."""
    drones = bodies((-0.2, 0, 3), (0.2, 0, 3))
    drones.velocity[0, 0] = 1.0
    for n in range(2):
        engine.place(n, drones[n])
    met = False
    for _ in range(120):
        engine.step()
        met = met or "drone_1" in engine.contacts(0)
    for n in range(2):
        engine.read(n, drones[n])
    assert met
    assert drones.velocity[:, 0].sum() == pytest.approx(1.0, abs=1e-6)
    assert 0 <= drones.velocity[1, 0] - drones.velocity[0, 0] < 0.2


def test_multi_hover_collides_where_hulls_touch():
    env = made("QuadMultiHover", act="pid")
    drones = env.batch.states["drones"][0]
    drones["position"] = ((0, 0, 1), (0.13, 0, 1))
    drones["velocity"][1] = (-1.0, 0, 0)
    target = np.array([[0, 0, 1], [-0.5, 0, 1]], np.float32)
    hit_at = None
    for step in range(6):
        _, _, _, _, info = env.step(target)
        if info["collided"].any():
            hit_at = step
            break
    assert hit_at is not None
    assert info["collided"].all()
    assert info["min_separation"][0] == pytest.approx(2 * RADIUS, abs=0.01)
    assert not env.batch.states["drones"][0]["active"].any()


def test_drones_pass_above_each_other_within_what_spheres_would_allow():
    """Hulls are flat: 4 cm above each other they do not touch, though their centres are nearer than 12 cm."""
    env = made("QuadMultiHover", act="pid")
    env.batch.states["drones"][0]["position"] = ((0, 0, 1.0), (0, 0, 1.04))
    _, _, _, _, info = env.step(np.zeros((2, 3), np.float32))
    assert not info["collided"].any()
    kernel = gymnasium.make("envsuite/QuadMultiHover-v0", act="pid").unwrapped
    kernel.reset(seed=0)
    kernel.batch.states["drones"][0]["position"] = ((0, 0, 1.0), (0, 0, 1.04))
    assert kernel.step(np.zeros((2, 3), np.float32))[4]["collided"].all()


def test_takeoff_stands_on_the_floor_and_reports_hard_landings():
    env = made("QuadTakeoff")
    *_, info = env.step(np.full(4, -1, np.float32))
    assert info["contact"]
    craft = env.batch.states["craft"][0]
    assert craft["position"][2] == pytest.approx(HEIGHT / 2, abs=2e-3)
    kernel = gymnasium.make("envsuite/QuadTakeoff-v0", precision="float64").unwrapped
    kernel.reset(seed=0)
    impacts = []
    for one in (env, kernel):
        one.batch.states["craft"]["position"][0, 2] = 0.5
        for _ in range(48):
            *_, info = one.step(np.full(4, -1, np.float32))
        impacts.append(info["impact_speed"])
    assert impacts[0] == pytest.approx(impacts[1], rel=0.02)
    assert impacts[1] == pytest.approx(np.sqrt(2 * CRAZYFLIE.gravity * (0.5 - HEIGHT / 2)), rel=0.05)


@pytest.mark.parametrize(
    ("x", "z", "crash"),
    [
        (0.0, 0.75, False),
        (0.2, 0.75, False),
        (0.225, 0.75, True),  # the hull touches a column, though the centre would pass
        (0.0, 0.985, False),
        (0.0, 0.995, True),  # the hull touches the lintel
        (0.0, 0.4, True),
    ],
)
def test_gate(x, z, crash):
    env = made("QuadFlyThruGate")
    craft = env.batch.states["craft"]
    craft["position"][0], craft["velocity"][0] = (x, -0.9, z), (0, -3, 0)
    hover = np.full(4, 2 * CRAZYFLIE.command_hover / CRAZYFLIE.command_high - 1, np.float32)
    ended = False
    for _ in range(6):
        _, reward, ended, _, info = env.step(hover)
        if ended:
            break
    assert ended == crash
    assert info["crashed"] == crash
    assert reward == -10 or not crash
    assert info["passed"] or crash


def test_experts_of_the_closed_form_fly_the_engine():
    """Take-off, gate and landing succeed on the engine with the experts of the kernels."""
    for name, steps in (("QuadTakeoff", 240), ("QuadFlyThruGate", 240), ("QuadLanding", 300)):
        env = made(name, seed=5)
        expert = companion(env.world, Players).expert()
        for _ in range(steps):
            *_, ended, _, info = env.step(expert.act(env.batch.last.observations, env.batch.states)[0])
            if ended:
                break
        assert info["is_success"], (name, info)
        if name == "QuadLanding":
            assert info["touchdown_speed"] < 0.3
        env.close()


def test_a_hard_landing_and_one_beside_the_pad():
    for x, speed in ((0.0, -1.0), (0.5, -0.2)):
        env = made("QuadLanding", terms={"ground_effect": False})  # which would hold the drone up
        craft = env.batch.states["craft"]
        craft["position"][0], craft["velocity"][0] = (x, 0, 0.05), (0, 0, speed)
        craft["attitude"][0] = craft["previous_attitude"][0] = (1, 0, 0, 0)
        hover = np.full(4, 2 * CRAZYFLIE.command_hover / CRAZYFLIE.command_high - 1, np.float32)
        for _ in range(20):
            _, reward, ended, _, info = env.step(hover)
            if ended:
                break
        assert ended
        assert reward == -10
        assert info["touchdown_speed"] == pytest.approx(abs(speed), abs=0.12)


def test_race_gates_are_solid():
    env = made("QuadGateRaceL0", model="bullet")
    x, y, z, yaw = env.batch.states["gates"][0, 0]
    craft = env.batch.states["craft"]
    ahead = np.array([np.cos(yaw), np.sin(yaw), 0])
    left = np.array([-np.sin(yaw), np.cos(yaw), 0])
    craft["position"][0] = np.array([x, y, z]) - 0.2 * ahead + 0.17 * left
    craft["velocity"][0] = 2.0 * ahead
    for _ in range(20):
        _, reward, ended, _, info = env.step(np.zeros(4, np.float32))
        if ended:
            break
    assert ended
    assert info["crashed"]
    assert reward == -5
    assert "gate" in env.world.touched[0]
