"""The engine behind the front ends: snapshots, replays, pictures, errors."""

import dataclasses
import pickle
import subprocess
import sys

import gymnasium
import numpy as np
import pettingzoo
import pytest

import envsuite
from envsuite.quadcopters.bullet_backend.camera import CameraObservation, photograph
from envsuite.quadcopters.params import VEHICLES
from envsuite.testing import CHECKS

pybullet = pytest.importorskip("pybullet")


def made(name, **options):
    return gymnasium.make(f"envsuite/{name}-v0", backend="bullet", **options).unwrapped


def tumble(env, seed, steps=60):
    """Fall to the floor with uneven motors, so that there are contacts; states after every step."""
    env.reset(seed=seed)
    return roll(env, steps)


def roll(env, steps):
    generator = np.random.default_rng(0)
    found = []
    for _ in range(steps):
        env.step(generator.uniform(-1, 0.2, env.action_space.shape).astype(np.float32))
        env.batch.done[:] = False
        found.append(env.batch.states.tobytes())
    return found


def test_replays_are_exact_with_contacts():
    first, second = made("QuadTakeoff"), made("QuadTakeoff")
    once = tumble(first, 4)
    tumble(second, 9)  # another flight before, whose contacts must not linger
    assert tumble(second, 4) == once
    assert any(touched for touched in first.world.touched)


def test_snapshots_are_exact_with_contacts():
    env = made("QuadTakeoff")
    tumble(env, 4, 30)
    snapshot = env.get_state()
    once = roll(env, 30)
    tumble(env, 7, 10)
    env.set_state(snapshot)
    assert roll(env, 30) == once


def test_world_is_reused_on_reset():
    env = made("QuadFlyThruGate")
    env.reset(seed=0)
    env.step(env.action_space.sample())
    engine = env.world._engines[0]
    count = pybullet.getNumBodies(physicsClientId=engine.client)
    for seed in range(5):
        env.reset(seed=seed)
        env.step(env.action_space.sample())
    assert env.world._engines[0] is engine
    assert pybullet.getNumBodies(physicsClientId=engine.client) == count


def test_close_frees_the_engine():
    env = made("QuadTakeoff")
    env.reset(seed=0)
    client = env.world._engines[0].client
    assert pybullet.isConnected(client)
    env.close()
    assert not pybullet.isConnected(client)
    env.reset(seed=0)
    env.step(env.action_space.sample())  # a new one
    env.close()
    env.close()


def test_batch_equals_single():
    many = gymnasium.make_vec("envsuite/QuadTakeoff-v0", num_envs=3, backend="bullet")
    many.reset(seed=10)
    one = made("QuadTakeoff")
    one.reset(seed=12)
    for _ in range(20):
        many.action_space.seed(0)
        actions = many.action_space.sample()
        many.step(actions)
        one.step(actions[2])
    assert many.unwrapped.batch.states[2].tobytes() == one.batch.states[0].tobytes()
    many.close()


def test_parallel_environment():
    env = pettingzoo.make("parallel", "envsuite/QuadMultiHover-v0", backend="bullet")
    env.reset(seed=0)
    observations, *_ = env.step({agent: env.action_space(agent).sample() for agent in env.agents})
    assert sorted(observations) == ["drone_0", "drone_1"]
    env.close()


def test_pickle():
    env = made("QuadTakeoff")
    env.reset(seed=0)
    copy = pickle.loads(pickle.dumps(env))
    action = np.zeros(4, np.float32)
    env.step(action)
    copy.step(action)
    assert env.batch.states.tobytes() == copy.batch.states.tobytes()


@pytest.mark.parametrize("check", ["gymnasium", "observations_in_space", "seeding", "replay", "snapshot", "text"])
def test_conformance(check):
    card = envsuite.card("QuadHoverGPD")
    card = dataclasses.replace(card, options={**card.options, "backend": "bullet"})
    matching = [name for name in CHECKS if check in name]
    assert matching, sorted(CHECKS)
    for name in matching:
        CHECKS[name](card)


def test_camera_sees_the_gate_at_its_distance():
    env = made("QuadFlyThruGate")
    env.reset(seed=0)
    craft = env.batch.states["craft"]
    craft["position"][0], craft["attitude"][0] = (0, 0.5, 0.75), (np.sqrt(0.5), 0, 0, -np.sqrt(0.5))  # towards -y
    shot = photograph(env.world, env.batch.states[0], size=(160, 120))
    assert shot.rgb.shape == (120, 160, 3)
    assert shot.rgb.dtype == np.uint8
    gate = shot.segmentation == shot.names.index("gate")
    # its front face stands half the beams' depth nearer than its middle plane
    assert shot.depth[gate].min() == pytest.approx(1.475, abs=0.01)
    assert shot.depth[60, 80] > 5  # through the opening
    columns = np.nonzero(gate[60])[0]
    inner = 2 * 0.275 / 1.475 * 60 / np.tan(np.radians(30))
    gap = np.max(np.diff(columns))
    assert gap == pytest.approx(inner, abs=3)
    rolled = craft["attitude"][0].copy()
    craft["attitude"][0] = (rolled[0], rolled[0] * 0.3, rolled[3] * 0.3, rolled[3])  # rolls about its own x axis
    craft["attitude"][0] /= np.linalg.norm(craft["attitude"][0])
    again = photograph(env.world, env.batch.states[0], size=(160, 120))
    assert not np.array_equal(again.segmentation, shot.segmentation)  # the camera turns with the drone


def test_cameras_do_not_disturb_the_flight():
    plain, filmed = made("QuadTakeoff"), made("QuadTakeoff")
    for env in (plain, filmed):
        env.reset(seed=1)
    for _ in range(20):
        for env in (plain, filmed):
            env.step(np.full(4, 0.3, np.float32))
        photograph(filmed.world, filmed.batch.states[0])
    assert plain.batch.states.tobytes() == filmed.batch.states.tobytes()


def test_camera_observations():
    env = gymnasium.make("envsuite/QuadMultiHover-v0", backend="bullet")
    env = CameraObservation(env, kinds=("rgb", "depth", "segmentation"), size=(32, 24))
    observation, _ = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    observation, *_ = env.step(env.action_space.sample())
    assert env.observation_space.contains(observation)
    assert observation["rgb"].shape == (2, 24, 32, 3)
    env.close()
    with pytest.raises(ValueError, match="heat"):
        CameraObservation(env, kinds=("heat",))
    with pytest.raises(ValueError, match='backend="bullet"'):
        CameraObservation(gymnasium.make("envsuite/QuadTakeoff-v0"))


def test_clear_errors():
    with pytest.raises(ValueError, match=r"'nonsense'.*'bullet'"):
        gymnasium.make("envsuite/QuadTakeoff-v0", backend="nonsense")
    with pytest.raises(ValueError, match=r"'bullet'.*expected None for"):
        gymnasium.make("envsuite/QuadHover-v0", backend="bullet")
    with pytest.raises(ValueError, match=r"float32.*float64"):
        made("QuadTakeoff", precision="float32")
    with pytest.raises(ValueError, match=r"model is 'fp'.*bullet"):
        made("QuadGateRaceL0")
    with pytest.raises(ValueError, match="no hull"):
        made("QuadTakeoff", vehicle="l2f_cf2023", terms={"ground_effect": False})
    with pytest.raises(ValueError, match="rings"):
        made("QuadGateRaceRings", model="bullet", vehicle="cf2x")
    heavier = dataclasses.replace(VEHICLES["cf2x"], mass=0.03)
    env = made("QuadTakeoff", vehicle=heavier)
    env.reset(seed=0)
    assert pybullet.getDynamicsInfo(env.world._engines[0].drones[0], -1, env.world._engines[0].client)[0] == 0.03


def test_missing_pybullet_names_the_extra():
    program = """
import sys
sys.modules["pybullet"] = None
import gymnasium, envsuite
try:
    gymnasium.make("envsuite/QuadTakeoff-v0", backend="bullet")
except ModuleNotFoundError as error:
    assert "envsuite[bullet]" in str(error), error
else:
    raise SystemExit("no error")
"""
    subprocess.run([sys.executable, "-c", program], check=True)
