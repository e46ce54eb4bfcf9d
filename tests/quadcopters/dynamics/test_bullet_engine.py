"""The closed form against the PyBullet engine itself, driven as gym-pybullet-drones drives it."""

import numpy as np
import pytest

from envsuite.quadcopters import params, state
from envsuite.quadcopters.dynamics import bullet, settings

pybullet = pytest.importorskip("pybullet")


def _link(name: str, mass: float, inertia: tuple[float, float, float], x: float = 0.0, y: float = 0.0) -> str:
    return (
        f'<link name="{name}"><inertial><origin xyz="{x!r} {y!r} 0"/><mass value="{mass!r}"/>'
        f'<inertia ixx="{inertia[0]!r}" iyy="{inertia[1]!r}" izz="{inertia[2]!r}" ixy="0" ixz="0" iyz="0"/>'
        "</inertial></link>"
    )


def _urdf(vehicle: params.Vehicle) -> str:
    """A base and five massless links: a rotor each, and the centre of mass."""
    text = _link("base", vehicle.mass, vehicle.inertia)
    for i, (x, y) in enumerate([*vehicle.rotors, (0.0, 0.0)]):
        text += _link(f"link{i}", 0.0, (0.0, 0.0, 0.0), x, y)
        text += f'<joint name="joint{i}" type="fixed"><parent link="base"/><child link="link{i}"/></joint>'
    return f'<robot name="quadcopter">{text}</robot>'


class Engine:
    """Bodies in a PyBullet world, moved by the original's recipe in the engine's own terms."""

    def __init__(self, tmp_path, vehicle, mode, positions, timestep=1 / 240):
        self.vehicle, self.mode = vehicle, mode
        self.client = pybullet.connect(pybullet.DIRECT)
        file = tmp_path / "quadcopter.urdf"
        file.write_text(_urdf(vehicle))
        pybullet.setGravity(0, 0, -vehicle.gravity, physicsClientId=self.client)
        pybullet.setTimeStep(timestep, physicsClientId=self.client)
        flags = pybullet.URDF_USE_INERTIA_FROM_FILE
        self.ids = [
            pybullet.loadURDF(str(file), position, flags=flags, physicsClientId=self.client) for position in positions
        ]
        self.last_rpm = np.zeros((len(positions), 4))

    def close(self):
        pybullet.disconnect(self.client)

    def start(self, n, position, quaternion_xyzw, velocity, angular_velocity):
        body = self.ids[n]
        pybullet.resetBasePositionAndOrientation(body, position, quaternion_xyzw, physicsClientId=self.client)
        pybullet.resetBaseVelocity(body, velocity, angular_velocity, physicsClientId=self.client)

    def pose(self, n):
        position, quaternion = pybullet.getBasePositionAndOrientation(self.ids[n], physicsClientId=self.client)
        velocity, angular = pybullet.getBaseVelocity(self.ids[n], physicsClientId=self.client)
        return np.array(position), np.array(quaternion), np.array(velocity), np.array(angular)

    def _push(self, n, link, force):
        pybullet.applyExternalForce(
            self.ids[n], link, list(force), [0, 0, 0], pybullet.LINK_FRAME, physicsClientId=self.client
        )

    def step(self, rpm):
        vehicle, kf = self.vehicle, self.vehicle.thrust_curve[2]
        poses = [self.pose(n) for n in range(len(self.ids))]
        for n, (position, quaternion, velocity, _) in enumerate(poses):
            thrust = kf * rpm[n] ** 2
            for i in range(4):
                self._push(n, i, (0, 0, thrust[i]))
            torque = [0, 0, float(np.dot(vehicle.spin, thrust)) * vehicle.torque_per_thrust]
            pybullet.applyExternalTorque(self.ids[n], 4, torque, pybullet.LINK_FRAME, physicsClientId=self.client)
            if "gnd" in self.mode:
                self._ground_effect(n, quaternion, thrust)
            if "drag" in self.mode:
                rotation = np.array(pybullet.getMatrixFromQuaternion(quaternion)).reshape(3, 3)
                turns = np.sum(2 * np.pi * self.last_rpm[n] / 60)
                self._push(n, 4, rotation.T @ (-np.array(vehicle.drag) * turns * velocity))
            if "dw" in self.mode:
                for other, *_ in poses:
                    self._downwash(n, other - position)
        pybullet.stepSimulation(physicsClientId=self.client)
        self.last_rpm = rpm.copy()

    def _ground_effect(self, n, quaternion, thrust):
        vehicle = self.vehicle
        states = pybullet.getLinkStates(
            self.ids[n], [0, 1, 2, 3, 4], computeForwardKinematics=1, physicsClientId=self.client
        )
        heights = np.maximum([s[0][2] for s in states[:4]], vehicle.ground_clip)
        extra = thrust * vehicle.ground_effect * (vehicle.propeller_radius / (4 * heights)) ** 2
        roll, pitch, _ = pybullet.getEulerFromQuaternion(quaternion)
        if abs(roll) < np.pi / 2 and abs(pitch) < np.pi / 2:
            for i in range(4):
                self._push(n, i, (0, 0, extra[i]))

    def _downwash(self, n, offset):
        c1, c2, c3 = self.vehicle.downwash
        gap, distance = offset[2], np.hypot(offset[0], offset[1])
        if gap > 0 and distance < 10:
            alpha = c1 * (self.vehicle.propeller_radius / (4 * gap)) ** 2
            self._push(n, 4, (0, 0, -alpha * np.exp(-0.5 * (distance / (c2 * gap + c3)) ** 2)))


def _advance(bodies, physics, rpm):
    if physics.downwash:
        bullet.feel_downwash(bodies, physics)
    for n in range(len(bodies)):
        bodies[n].command[:] = rpm[n]
        bullet.step(bodies[n], physics.vehicle, physics)


def _fly(tmp_path, mode, name, count, spread, start_rates, seed, steps=120):
    """Largest differences in position, attitude, velocity and world angular velocity over a random flight."""
    generator = np.random.default_rng(seed)
    vehicle = params.find_vehicle(name)
    physics = settings.physics(mode, name, real=np.float64)
    positions = [(0.15 * n, -0.1 * n, 0.3 + 0.45 * n) for n in range(count)]
    engine = Engine(tmp_path, vehicle, mode, positions)
    bodies = np.zeros(count, state.BulletBody.dtype(np.float64)).view(np.recarray)
    for n, position in enumerate(positions):
        bullet.place(bodies[n], np.array(position), np.array([1.0, 0, 0, 0]))
        if start_rates:
            velocity, rates = generator.uniform(-1, 1, 3), generator.uniform(-start_rates, start_rates, 3)
            bodies[n].velocity[:], bodies[n].rates[:] = velocity, rates
            engine.start(n, position, (0, 0, 0, 1), velocity, rates)
    worst = np.zeros(4)
    for _ in range(steps):
        rpm = vehicle.command_hover * (1 + generator.uniform(-spread, spread, (count, 4)))
        engine.step(rpm)
        _advance(bodies, physics, rpm)
        for n in range(count):
            worst = np.maximum(worst, _difference(engine.pose(n), bodies[n]))
    engine.close()
    return worst


def _difference(pose, body):
    from scipy.spatial.transform import Rotation

    position, quaternion, velocity, angular = pose
    rotation = Rotation.from_quat(body.attitude[[1, 2, 3, 0]])
    return np.array(
        [
            np.abs(position - body.position).max(),
            (Rotation.from_quat(quaternion).inv() * rotation).magnitude(),
            np.abs(velocity - body.velocity).max(),
            np.abs(angular - rotation.apply(body.rates)).max(),
        ]
    )


@pytest.mark.parametrize("mode", [mode for mode in settings.MODES if mode != "dyn"])
@pytest.mark.parametrize("name", ["cf2x", "cf2p", "racer"])
def test_every_mode_agrees_with_the_engine(tmp_path, mode, name):
    """Random speeds of +-1 % around hover for 120 steps, positions within 1e-8 m."""
    worst = _fly(tmp_path, mode, name, count=2, spread=0.01, start_rates=0.0, seed=7)
    assert worst[0] < 1e-8, worst
    assert worst[1] < 1e-7, worst
    assert worst[2] < 1e-7, worst
    assert worst[3] < 1e-6, worst


@pytest.mark.parametrize("mode", ["pyb", "pyb_gnd_drag_dw"])
def test_wild_flight_agrees_with_the_engine(tmp_path, mode):
    """Large rates and differences of speed, so that gyroscopic, lag and damping terms all matter."""
    worst = _fly(tmp_path, mode, "cf2x", count=3, spread=0.1, start_rates=10.0, seed=3, steps=60)
    assert worst[0] < 1e-7, worst
    assert worst[3] < 1e-4, worst
