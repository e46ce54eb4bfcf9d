"""Away from everything, the engine flies as the closed form does."""

import gymnasium
import numpy as np
import pytest

import envsuite  # noqa: F401 (registers)
from envsuite.quadcopters.dynamics.settings import MODES

pytest.importorskip("pybullet")


def worst(name, steps, spread, *, seed=3, lift=0.0, **options):
    """Largest differences of position (m), quaternion and rates (rad/s) over a flight with random actions."""
    kernel = gymnasium.make(f"envsuite/{name}-v0", precision="float64", **options).unwrapped
    engine = gymnasium.make(f"envsuite/{name}-v0", backend="bullet", **options).unwrapped
    field = "craft" if "craft" in kernel.batch.states.dtype.names else "drones"
    for env in (kernel, engine):
        env.reset(seed=seed)
        env.batch.states[field]["position"][..., 2] += lift
        env.batch.done[:] = False
    generator = np.random.default_rng(seed)
    found = np.zeros(3)
    start = kernel.batch.states[field]["position"].copy()
    for _ in range(steps):
        action = generator.uniform(-spread, spread, kernel.action_space.shape).astype(np.float32)
        for env in (kernel, engine):
            env.step(action)
            env.batch.done[:] = False  # fly on whatever the task says
        a, b = kernel.batch.states[field], engine.batch.states[field]
        found = np.maximum(found, [np.abs(a[f] - b[f]).max() for f in ("position", "attitude", "rates")])
    assert np.abs(kernel.batch.states[field]["position"] - start).max() > 1e-3  # it did fly
    engine.close()
    return found


@pytest.mark.parametrize("mode", MODES)
def test_every_physics_mode(mode):
    """120 physics steps."""
    found = worst("QuadHoverGPD", 15, 0.2, physics=mode, compat="gpd", lift=1.0)
    assert found[0] < 1e-8, found
    assert found[2] < 1e-6, found


@pytest.mark.parametrize("vehicle", ["cf2p", "racer", "hb"])
def test_other_vehicles(vehicle):
    assert worst("QuadHoverGPD", 15, 0.2, vehicle=vehicle, compat="gpd", lift=1.0)[0] < 1e-8


@pytest.mark.parametrize("mode", ["pyb_dw", "pyb_gnd_drag_dw"])
def test_several_drones_feel_each_other(mode):
    found = worst("QuadMultiHover", 15, 0.2, physics=mode, num_drones=3, lift=np.array([0.3, 0.9, 1.5]))
    assert found[0] < 1e-8, found


@pytest.mark.parametrize(
    "terms",
    [
        {},
        {"ground_effect": True, "floor": False},
        {"drag": 0.02, "wind": 2.0, "gust": 1.0, "buffet": 0.1},
        {"push_force": 0.1, "push_torque": 1e-4},
        {"motor_lag": 0.05, "motor_loss": 0.2, "battery": 60.0, "delay": 1},
        {"damping": False},
    ],
)
def test_every_term(terms):
    found = worst("QuadFlyThruGate", 24, 0.2, terms=terms, lift=2.0)
    assert found[0] < 1e-8, found


@pytest.mark.parametrize("model", ["pyb_drag", "dyn"])
@pytest.mark.parametrize("act", ["ctbr", "pid"])
def test_models_and_actions(model, act):
    assert worst("QuadTakeoff", 24, 0.2, model=model, act=act, lift=1.5, terms={"ground_effect": False})[0] < 1e-8


def test_randomised_vehicles():
    """Level 1 draws mass and inertia anew in each episode."""
    found = worst("QuadGateRaceL1", 60, 0.5, model="bullet", lift=1.0)
    assert found[0] < 1e-8, found
