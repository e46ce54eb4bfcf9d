"""One PyBullet world: drones, a floor and scenery, loaded once and put into place again for every flight."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from envsuite.core.bullet import BulletClient, Picture
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.attitude import multiply, rotate, rotate_back
from envsuite.quadcopters.bullet_backend.models import CENTER, urdf
from envsuite.quadcopters.render import COLORS

FLOOR = "floor"
_AWAY = 1000.0  # m; where bodies wait that take no part
_LEVEL = (1.0, 0.0, 0.0, 0.0)  # w, x, y, z; the engine has w last
_UPRIGHT = (0.0, 0.0, 0.0, 1.0)
_NEAREST = 0.03  # m, that cameras see
_DAMPING = 0.04  # the engine's own; setting it to the same value changes contacts in the last digits
_GROUND = (100.0, 100.0, 5.0)  # m, half the floor's edges: a box, as in PyBullet's plane.urdf
_GRIP = 1.0  # friction of floor and scenery; times a drone's own of 0.5, as in gym-pybullet-drones


class Box(NamedTuple):
    """A standing box of scenery.

    Attributes:
        name: what contacts and segmentations call it.
        half: half its edges, m.
        color: red, green, blue, 0 to 1.
    """

    name: str
    half: tuple[float, float, float]
    color: tuple[float, float, float]


class Cylinder(NamedTuple):
    """An upright cylinder of scenery.

    Attributes:
        name: what contacts and segmentations call it.
        radius: m.
        height: m.
        color: red, green, blue, 0 to 1.
    """

    name: str
    radius: float
    height: float
    color: tuple[float, float, float]


class Engine(BulletClient):
    """Drones, a floor and scenery in a world of PyBullet.

    Args:
        vehicle: constants of every drone.
        count: number of drones.
        timestep: s.
        damping: linear and angular, see `dynamics.bullet`.
        floor: whether there is a floor at z = 0.
        scenery: what else stands about; at first out of the way, see `stand`.

    Attributes:
        left: what was left at the end of the last control step by a flight that is to go on, see `continuation`.
    """

    def __init__(
        self,
        vehicle: Vehicle,
        count: int,
        *,
        timestep: float,
        damping: float,
        floor: bool,
        scenery: Sequence[Box | Cylinder] = (),
    ):
        super().__init__()
        self.vehicle, self.timestep = vehicle, timestep
        self._call("setGravity", 0, 0, -vehicle.gravity)
        self._call("setTimeStep", timestep)
        self.drones = self._load_drones(count, damping)
        self.scenery = [self._load(shape) for shape in scenery]
        if floor:
            self._load_floor()
        self._loads: list[tuple[float, ...]] = [(vehicle.mass, *vehicle.inertia)] * count
        self._present = [True] * count
        self._lags: list[tuple[float, ...]] = [_LEVEL] * count

    def _load_drones(self, count: int, damping: float) -> list[int]:
        ids = []
        with tempfile.TemporaryDirectory() as folder:
            for n in range(count):
                red, green, blue = COLORS[n % len(COLORS)]
                path = Path(folder) / f"drone_{n}.urdf"
                path.write_text(urdf(self.vehicle, (red / 255, green / 255, blue / 255)), encoding="utf-8")
                flags = self._engine.URDF_USE_INERTIA_FROM_FILE | self._engine.URDF_USE_MATERIAL_COLORS_FROM_MTL
                ids.append(self._call("loadURDF", str(path), (0, 0, _AWAY + n), flags=flags))
                if damping != _DAMPING:
                    self._call("changeDynamics", ids[-1], -1, linearDamping=damping, angularDamping=damping)
                self.names[ids[-1]] = f"drone_{n}"
        return ids

    def _load(self, shape: Box | Cylinder) -> int:
        if isinstance(shape, Box):
            kind, size = self._engine.GEOM_BOX, {"halfExtents": shape.half}
            look = size
        else:
            kind, size = self._engine.GEOM_CYLINDER, {"radius": shape.radius, "height": shape.height}
            look = {"radius": shape.radius, "length": shape.height}
        solid = self._call("createCollisionShape", kind, **size)
        seen = self._call("createVisualShape", kind, rgbaColor=(*shape.color, 1), **look)
        body = self._call("createMultiBody", 0, solid, seen, (0, 0, -_AWAY))
        self._call("changeDynamics", body, -1, lateralFriction=_GRIP)
        self.names[body] = shape.name
        return body

    def _load_floor(self) -> None:
        from PIL import Image

        below = {"halfExtents": _GROUND, "collisionFramePosition": (0, 0, -_GROUND[2])}
        solid = self._call("createCollisionShape", self._engine.GEOM_BOX, **below)
        thin = 0.05
        look = {"halfExtents": (20, 20, thin), "visualFramePosition": (0, 0, -thin)}
        seen = self._call("createVisualShape", self._engine.GEOM_BOX, rgbaColor=(1, 1, 1, 1), **look)
        body = self._call("createMultiBody", 0, solid, seen)
        self._call("changeDynamics", body, -1, lateralFriction=_GRIP)
        with tempfile.TemporaryDirectory() as folder:
            squares = np.indices((80, 80)).sum(axis=0) % 2  # of half a metre, for cameras to see motion by
            tiles = np.where(squares[..., None] == 1, (214, 221, 229), (178, 189, 202)).astype(np.uint8)
            path = Path(folder) / "tiles.png"
            Image.fromarray(np.kron(tiles, np.ones((8, 8, 1), np.uint8))).save(path)
            self._call("changeVisualShape", body, -1, textureUniqueId=self._call("loadTexture", str(path)))
        self.names[body] = FLOOR

    def stand(self, number: int, position, yaw: float = 0.0) -> None:
        """Put a piece of scenery somewhere.

        Args:
            number: index into the scenery.
            position: m, its middle.
            yaw: rad.
        """
        turn = (0.0, 0.0, float(np.sin(yaw / 2)), float(np.cos(yaw / 2)))
        self._call("resetBasePositionAndOrientation", self.scenery[number], tuple(map(float, position)), turn)

    def place(self, n: int, drone) -> None:
        """Put a drone where its record says.

        Args:
            n: index of the drone.
            drone: has the fields of `state.BulletBody`; one that is not active is taken out of the air.
        """
        body = self.drones[n]
        if drone.active != self._present[n]:
            group, mask = (1, -1) if drone.active else (0, 0)
            for link in range(-1, CENTER + 1):
                self._call("setCollisionFilterGroupMask", body, link, group, mask)
            self._present[n] = drone.active
        if not drone.active:
            self._call("resetBasePositionAndOrientation", body, (0, 0, _AWAY + n), _UPRIGHT)
            self._call("resetBaseVelocity", body, (0, 0, 0), (0, 0, 0))
            return
        w, x, y, z = drone.attitude.tolist()
        self._call("resetBasePositionAndOrientation", body, drone.position.tolist(), (x, y, z, w))
        self.set_motion(n, drone)

    def weigh(self, n: int, mass: float, inertia: Sequence[float]) -> None:
        """Give a drone a mass (kg) and principal moments of inertia (kg m^2)."""
        if self._loads[n] != (mass, *inertia):
            self._call("changeDynamics", self.drones[n], -1, mass=mass, localInertiaDiagonal=inertia)
            self._loads[n] = (mass, *inertia)

    def mass(self, n: int) -> float:
        """Of a drone, kg."""
        return self._loads[n][0]

    def set_motion(self, n: int, drone) -> None:
        """Give a drone the velocities of its record."""
        w, x, y, z = drone.attitude.tolist()
        turn = rotate((w, x, y, z), tuple(drone.rates.tolist()))
        self._call("resetBaseVelocity", self.drones[n], drone.velocity.tolist(), turn)
        # the engine turns link forces with the attitude of one step ago, but has just forgotten it
        self._lags[n] = multiply((w, -x, -y, -z), tuple(drone.previous_attitude.tolist()))

    def forget_contacts(self) -> None:
        """Drop the contact points that the engine keeps from step to step, so that a flight begins afresh."""
        for n, body in enumerate(self.drones):
            self._call("resetBasePositionAndOrientation", body, (0, 0, _AWAY + n), _UPRIGHT)
        self._call("performCollisionDetection")

    def push(self, n: int, thrusts: Sequence[float], yaw_torque: float) -> None:
        """Apply the forces of the rotors for the coming step, with the engine's lag.

        Args:
            n: index of the drone.
            thrusts: N, of each rotor.
            yaw_torque: N m, of all rotors' drag.
        """
        x, y, z = rotate(self._lags[n], (0.0, 0.0, 1.0))
        for i, thrust in enumerate(thrusts):
            self._force(n, i, (thrust * x, thrust * y, thrust * z))
        torque = (yaw_torque * x, yaw_torque * y, yaw_torque * z)
        self._call("applyExternalTorque", self.drones[n], CENTER, torque, self._engine.LINK_FRAME)

    def rotor_heights(self, n: int) -> list[float]:
        """Heights of the rotors, m; the query makes the engine turn forces applied later with the present attitude."""
        states = self._call("getLinkStates", self.drones[n], [0, 1, 2, 3], computeForwardKinematics=1)
        self._lags[n] = _LEVEL
        return [state[0][2] for state in states]

    def lift(self, n: int, gains: Sequence[float]) -> None:
        """Apply extra thrust of each rotor, N."""
        for i, gain in enumerate(gains):
            self._force(n, i, (0.0, 0.0, gain))

    def press(self, n: int, force: Sequence[float]) -> None:
        """Apply a force (N, body frame) at the centre of mass."""
        self._force(n, CENTER, rotate(self._lags[n], (float(force[0]), float(force[1]), float(force[2]))))

    def _force(self, n: int, link: int, force: tuple[float, float, float]) -> None:
        self._call("applyExternalForce", self.drones[n], link, force, (0, 0, 0), self._engine.LINK_FRAME)

    def step(self) -> None:
        """One step of the engine."""
        self._call("stepSimulation")
        self._lags = [_LEVEL] * len(self.drones)  # from now on the engine has its own

    def look(self) -> None:
        """Find contacts without moving anything."""
        self._call("performCollisionDetection")

    def read(self, n: int, drone) -> None:
        """Write pose and velocities of a drone into its record, and the attitude of before the step."""
        position, (x, y, z, w) = self._call("getBasePositionAndOrientation", self.drones[n])
        velocity, turn = self._call("getBaseVelocity", self.drones[n])
        drone.previous_attitude[:] = drone.attitude
        drone.position[:], drone.attitude[:], drone.velocity[:] = position, (w, x, y, z), velocity
        drone.rates[:] = rotate_back((w, x, y, z), turn)

    def look_at(self, eye, target, up, size: tuple[int, int], fov: float) -> Picture:
        """Draw what is seen from one point of the world in the direction of another.

        Args:
            eye: m, (3,).
            target: m, (3,).
            up: direction that points up in the picture, (3,).
            size: (width, height), pixels.
            fov: angle that the height of the picture spans, degrees.
        """
        points = [[float(value) for value in vector] for vector in (eye, target, up)]
        return self.picture(self._engine.computeViewMatrix(*points), size, fov, _NEAREST)

    def contacts(self, n: int) -> dict[str, float]:
        """What a drone touches: by name, the force along the contacts' normals, N, summed."""
        found: dict[str, float] = {}
        for point in self._call("getContactPoints", self.drones[n]):
            other, distance, force = point[2], point[8], point[9]
            if force > 0 or distance <= 0:
                name = self.names[other]
                found[name] = found.get(name, 0.0) + force
        return found
