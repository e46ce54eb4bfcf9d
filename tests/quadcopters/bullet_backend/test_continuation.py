"""On the floor the engine flies on as in gym-pybullet-drones, and from any moment again."""

import pickle
import subprocess
import sys

import gymnasium
import numpy as np
import pytest

import envsuite  # noqa: F401 (registers)
from envsuite.core.batch import digest
from envsuite.quadcopters.bullet_backend.camera import photograph
from envsuite.quadcopters.bullet_backend.continuation import LIMIT

pybullet = pytest.importorskip("pybullet")

MASS, KF, KM, GRAVITY = 0.027, 3.16e-10, 7.94e-12, 9.8  # cf2x, see the fact sheet in README.md
HOVER = np.sqrt(MASS * GRAVITY / (4 * KF))  # a NumPy number: the original multiplies in double precision
PROPS = ((0.028, -0.028), (-0.028, -0.028), (-0.028, 0.028), (0.028, 0.028), (0, 0))
LINK = '<link name="{0}"><inertial><origin xyz="{1} {2} 0"/><mass value="{3}"/><inertia {4}/></inertial>{5}</link>'
HULL = '<collision><geometry><cylinder radius=".06" length=".025"/></geometry></collision>'


def inertia(xx, yy, zz):
    return f'ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"'


def original(actions, path):
    """Positions along a flight of one Crazyflie in the scene of gym-pybullet-drones (`BaseAviary`), (T, 3)."""
    text = LINK.format("base", 0, 0, MASS, inertia(1.4e-5, 1.4e-5, 2.17e-5), HULL)
    for i, (x, y) in enumerate(PROPS):
        text += LINK.format(f"l{i}", x, y, 0, inertia(0, 0, 0), "")
        text += f'<joint name="j{i}" type="fixed"><parent link="base"/><child link="l{i}"/></joint>'
    (path / "drone.urdf").write_text(f'<robot name="cf2">{text}</robot>')
    data = pytest.importorskip("pybullet_data").getDataPath()
    client = {"physicsClientId": pybullet.connect(pybullet.DIRECT)}
    pybullet.setGravity(0, 0, -GRAVITY, **client)
    pybullet.setTimeStep(1 / 240, **client)
    pybullet.loadURDF(f"{data}/plane.urdf", **client)
    flags = pybullet.URDF_USE_INERTIA_FROM_FILE
    drone = pybullet.loadURDF(str(path / "drone.urdf"), (0, 0, 0.1125), flags=flags, **client)
    found, touched = [], 0
    for action in actions:
        speed = np.broadcast_to(HOVER * (1 + 0.05 * action), (4,))
        force, torque = speed**2 * KF, speed**2 * KM
        for _ in range(8):
            for i in range(4):
                link = pybullet.LINK_FRAME
                pybullet.applyExternalForce(drone, i, (0, 0, force[i]), (0, 0, 0), link, **client)
            turn = (0, 0, -torque[0] + torque[1] - torque[2] + torque[3])
            pybullet.applyExternalTorque(drone, 4, turn, pybullet.LINK_FRAME, **client)
            pybullet.stepSimulation(**client)
        touched += len(pybullet.getContactPoints(drone, **client)) > 0
        found.append(pybullet.getBasePositionAndOrientation(drone, **client)[0])
    pybullet.disconnect(**client)
    return np.array(found), touched


def flights(size):
    """Actions (T, size): uniform; and down to the floor, a rest there, and up again."""
    generator = np.random.default_rng(8)
    fall = np.full((240, size), -1.0, np.float32) + generator.uniform(0, 0.1, (240, size)).astype(np.float32)
    fall[60:] = generator.uniform(-0.2, 1, (180, size))
    return generator.uniform(-1, 1, (240, size)).astype(np.float32), fall


def made(act="rpm", name="QuadHoverGPD", **options):
    options = {"compat": "gpd", "backend": "bullet"} | options
    return gymnasium.make(f"envsuite/{name}-v0", act=act, **options).unwrapped


def flown(env, actions):
    """Positions (T, 3) and digests of states, whatever the task says about ends."""
    places, digests = [], []
    for action in actions:
        env.batch.done[:] = False
        env.step(action.reshape(env.action_space.shape))
        places.append(env.batch.states["drones"]["position"][0, 0].copy())
        digests.append(digest(env.batch.states))
    return np.array(places), digests


@pytest.mark.parametrize("act", ["rpm", "one_d_rpm"])
@pytest.mark.parametrize("which", [0, 1])
def test_floor_contact_is_the_originals(act, which, tmp_path):
    actions = flights(4 if act == "rpm" else 1)[which]
    expected, touched = original(actions, tmp_path)
    env = made(act)
    env.reset(seed=0)
    assert touched > 5
    np.testing.assert_allclose(flown(env, actions)[0], expected, atol=1e-9)
    env.close()


def test_snapshots_hold_on_the_floor():
    env, fresh, actions = made(), made(), flights(4)[1]
    env.reset(seed=0)
    flown(env, actions[:50])  # on the floor, pushing off
    snapshot = env.get_state()
    assert env.batch.states["drones"]["contact"][0, 0]
    once = flown(env, actions[50:])[1]
    env.set_state(snapshot)
    assert flown(env, actions[50:])[1] == once, "the engine that flew it"
    fresh.reset(seed=3)
    flown(fresh, flights(4)[0][:25])
    fresh.set_state(pickle.loads(pickle.dumps(snapshot)))
    assert flown(fresh, actions[50:])[1] == once, "one with another past"
    env.set_state(snapshot)
    copy = pickle.loads(pickle.dumps(env))
    assert flown(copy, actions[50:])[1] == once, "a copy"
    for one in (env, fresh, copy):
        one.close()


def test_neither_cameras_nor_interrupts_change_the_flight(monkeypatch):
    env, actions = made(), flights(4)[1]
    env.reset(seed=0)
    flown(env, actions[:50])
    moment = env.get_state()
    once = flown(env, actions[50:80])[1]
    env.set_state(moment)
    photograph(env.world, env.batch.states[0], size=(8, 8))
    assert flown(env, actions[50:80])[1] == once
    env.set_state(moment)
    flown(env, actions[50:60])
    before, step = env.get_state(), env.world._physics_step
    count = iter(range(3))

    def stop(*arguments):
        step(*arguments)
        if next(count, None) is None:
            raise KeyboardInterrupt

    monkeypatch.setattr(env.world, "_physics_step", stop)
    with pytest.raises(KeyboardInterrupt):
        env.step(actions[60][None])
    monkeypatch.undo()
    env.set_state(before)
    assert flown(env, actions[60:80])[1] == once[10:]
    env.close()


def test_snapshots_hold_in_another_process(tmp_path):
    env, actions = made(), flights(4)[1]
    env.reset(seed=0)
    flown(env, actions[:50])
    (tmp_path / "moment").write_bytes(pickle.dumps(env.get_state()))
    program = f"""
import pickle, sys
from tests.quadcopters.bullet_backend.test_continuation import flights, flown, made
env = made()
env.reset(seed=0)
env.set_state(pickle.loads(open({str(tmp_path / "moment")!r}, "rb").read()))
print(flown(env, flights(4)[1][50:])[1][-1])
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.split()[-1] == flown(env, actions[50:])[1][-1]


def test_what_was_changed_by_hand_is_flown_from_there():
    env, other, actions = made(), made(), flights(4)[1]
    for one in (env, other):
        one.reset(seed=0)
    flown(env, actions[:50])
    flown(other, actions[:30])
    for one in (env, other):
        drone = one.batch.states["drones"][0, 0]
        drone["position"], drone["attitude"], drone["velocity"] = (0.1, 0.2, 0.5), (1, 0, 0, 0), 0
        drone["previous_attitude"], drone["rates"], drone["rotor_speed"] = (1, 0, 0, 0), 0, 0
    np.testing.assert_array_equal(flown(env, actions[50:])[0], flown(other, actions[50:])[0])


def test_a_past_is_forgotten_at_the_start_of_an_episode():
    env, actions = made(compat=None), flights(4)[1]
    env.reset(seed=5)
    first = flown(env, actions[:40])[1]
    env.reset(seed=6)
    flown(env, actions[:50])
    env.reset(seed=5)
    assert flown(env, actions[:40])[1] == first
    many = gymnasium.make_vec("envsuite/QuadHoverGPD-v0", num_envs=2, backend="bullet")
    many.reset(seed=5)
    for _ in range(60):  # some episodes end on the way
        many.step(np.full((2, 4), -1, np.float32) * np.float32([1, 1, -1, -1]))
    assert not many.unwrapped.batch.states["flown"]["steps"].max() > 60
    many.close()


def test_threads_change_nothing():
    def last(threads):
        env = gymnasium.make_vec(
            "envsuite/QuadHoverGPD-v0", num_envs=4, backend="bullet", compat="gpd", num_threads=threads
        )
        env.reset(seed=0)
        for action in flights(4)[1][:40]:
            env.step(np.stack([action[None] * scale for scale in np.float32([1, 0.9, 0.8, 1])]))
        found = digest(env.unwrapped.batch.states)
        env.close()
        return found

    assert last(1) == last(2)


def test_long_flights_are_put_into_place_now_and_then():
    env, other = made(), made()
    actions = np.concatenate([flights(4)[1], flights(4)[0]])
    for one in (env, other):
        one.reset(seed=0)
    first = flown(env, actions[: LIMIT + 5])[1]
    flown(other, actions[: LIMIT - 3])
    moment = other.get_state()
    env.set_state(moment)
    assert flown(env, actions[LIMIT - 3 : LIMIT + 5])[1] == first[-8:]


def test_two_drones_that_collide():
    both = made("one_d_rpm", "QuadMultiHover"), made("one_d_rpm", "QuadMultiHover")
    generator = np.random.default_rng(2)
    actions = generator.uniform(-1, 0.4, (80, 2, 1)).astype(np.float32)

    def on(env, part):
        found = []
        for action in part:
            env.batch.done[:] = False
            env.step(action)
            found.append(digest(env.batch.states))
        return found

    for one in both:
        one.reset(seed=0)
        drones = one.batch.states["drones"]
        drones["position"][0, 1] = drones["position"][0, 0] + (0.03, 0, 0.05)  # one on top of the other
    once = on(both[0], actions)
    assert both[0].world.touched[0].get("drone_1") or both[0].batch.states["drones"]["contact"].any()
    on(both[1], actions[:40])
    moment = both[1].get_state()
    both[0].set_state(moment)
    assert on(both[0], actions[40:]) == once[40:]
