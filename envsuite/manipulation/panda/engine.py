"""One PyBullet world: the arm, the table, the things and marks at their goals, in panda-gym's order."""

import importlib
from typing import Any, NamedTuple

import numpy as np

from envsuite.core.bullet import BulletClient
from envsuite.manipulation.panda.params import FLIP, REACH, SLIDE, STACK
from envsuite.manipulation.panda.scenes import ARM, BASE, CUBE, FORCES, JOINTS, PUCK

TIMESTEP, SUBSTEPS = 1 / 500, 20
"""s, and steps of the engine in one of the environment (panda-gym 3.0.7)."""

_MOVED = (0, 1, 2, 3, 4, 5, 6, 9, 10)
_FINGERS, _TIP = (9, 10), 11
_DOWN = (1.0, 0.0, 0.0, 0.0)  # x, y, z, w
_UPRIGHT = (0.0, 0.0, 0.0, 1.0)
_BALL = 0.02  # m, radius of the mark that Reach goes to
_GREEN, _BLUE = (0.1, 0.9, 0.1), (0.1, 0.1, 0.9)
_GHOST = 0.3
_RED, _CYAN = (0.9, 0.2, 0.2), (0.2, 0.8, 0.9)


class Reading(NamedTuple):
    """What the engine says after a step.

    Attributes:
        joints: coordinates and speeds of the nine joints, (9, 2).
        hand: place and velocity of the point between the fingers, (2, 3).
        things: for each place (3,), quaternion (x, y, z, w), velocity (3,) and spin (3,).
    """

    joints: np.ndarray
    hand: tuple[Any, Any]
    things: list[tuple[Any, Any, Any, Any]]


class Engine(BulletClient):
    """The arm and the things of a task in a world of PyBullet.

    Args:
        task: number of the task.
        things: number of objects.
        seen: whether pictures are drawn, for which the arm's meshes are loaded.

    Attributes:
        left: digest of what it did last, see `bullet.Flown`, and where that has left everything.
    """

    def __init__(self, task: int, things: int, *, seen: bool = False):
        super().__init__()
        self._task, self._count, self._seen = task, things, seen
        self._call("setAdditionalSearchPath", importlib.import_module("pybullet_data").getDataPath())
        self._load()

    def _load(self) -> None:
        """Make everything from nothing: what the engine keeps of bodies that were moved would change what follows."""
        self._call("setTimeStep", TIMESTEP)
        self._call("resetSimulation")
        self._call("setGravity", 0, 0, -9.81)
        flags = 0 if self._seen else self._engine.URDF_IGNORE_VISUAL_SHAPES
        file = "franka_panda/panda.urdf"
        self.arm = self._call("loadURDF", file, basePosition=BASE, useFixedBase=True, flags=flags)
        self.names = {self.arm: "arm"}
        for kind, value in (("lateralFriction", 1.0), ("spinningFriction", 0.001)):
            for finger in _FINGERS:
                self._call("changeDynamics", self.arm, finger, **{kind: value})
        self._box("floor", (3.0, 3.0, 0.01), 0.0, (0.0, 0.0, -0.41), (0.15, 0.15, 0.15))
        length, middle = (1.4, -0.1) if self._task == SLIDE else (1.1, -0.3)
        self._box("table", (length / 2, 0.35, 0.2), 0.0, (middle, 0.0, -0.2), (0.95, 0.95, 0.95))
        self.things, self.marks = [], []
        for n in range(self._count):
            self.things.append(self._thing(n))
            self.marks.append(self._mark(n))
        if self._task == REACH:
            self.marks.append(self._mark(0))

    def _body(self, name: str, kind: int, shape: dict, mass: float, place, color, *, ghost: bool = False) -> int:
        look = {"length" if key == "height" else key: value for key, value in shape.items()}
        seen = self._call(
            "createVisualShape",
            kind,
            **look,
            specularColor=(0, 0, 0),
            rgbaColor=(*color, _GHOST if ghost else 1.0),
        )
        solid = -1 if ghost else self._call("createCollisionShape", kind, **shape)
        body = self._call(
            "createMultiBody",
            baseVisualShapeIndex=seen,
            baseCollisionShapeIndex=solid,
            baseMass=mass,
            basePosition=place,
        )
        self.names[body] = name
        return body

    def _box(self, name: str, half, mass: float, place, color, *, ghost: bool = False) -> int:
        return self._body(name, self._engine.GEOM_BOX, {"halfExtents": half}, mass, place, color, ghost=ghost)

    def _shape(self, name: str, mass: float, place, color, *, ghost: bool = False) -> int:
        """A cube, or Slide's puck."""
        if self._task != SLIDE:
            return self._box(name, (CUBE, CUBE, CUBE), mass, place, color, ghost=ghost)
        radius, half = PUCK
        shape = {"radius": radius, "height": 2 * half}
        return self._body(name, self._engine.GEOM_CYLINDER, shape, mass, place, color, ghost=ghost)

    def _thing(self, n: int) -> int:
        heavy = self._task == STACK and n == 0
        height = 0.03 if self._task == SLIDE else CUBE
        place = (0.5 * n, 0.0, height)
        color = _BLUE if heavy else _GREEN
        body = self._shape(f"object {n + 1}", 2.0 if heavy else 1.0, place, color)
        if self._task == SLIDE:
            self._call("changeDynamics", body, -1, lateralFriction=0.04)
        return body

    def _mark(self, n: int) -> int:
        name, place = f"goal {n + 1}", (0.5 * n, 0.0, 0.05)
        if self._task == REACH:
            shape = {"radius": _BALL}
            return self._body(name, self._engine.GEOM_SPHERE, shape, 0.0, (0, 0, 0), _GREEN, ghost=True)
        return self._shape(name, 0.0, place, _BLUE if self._task == STACK and n == 0 else _GREEN, ghost=True)

    def begin(self, body, goal) -> None:
        """Forget everything, and put arm, things and marks where a record says."""
        self._load()
        self.place(body, goal)

    def place(self, body, goal) -> None:
        """Put arm, things and marks where a record says.

        Args:
            body: record of type `envsuite.rigid.layout.Physics`.
            goal: of the episode, (6,).
        """
        q, v = body["qpos"], body["qvel"]
        for k, joint in enumerate(_MOVED):
            self._call("resetJointState", self.arm, joint, targetValue=float(q[k]), targetVelocity=float(v[k]))
        self.mark(goal)
        for n, thing in enumerate(self.things):
            at, dof = JOINTS + 7 * n, JOINTS + 6 * n
            w, x, y, z = q[at + 3 : at + 7].tolist()
            self._call("resetBasePositionAndOrientation", thing, q[at : at + 3].tolist(), (x, y, z, w))
            if v[dof : dof + 6].any():
                spin = self._engine.multiplyTransforms((0, 0, 0), (x, y, z, w), v[dof + 3 : dof + 6].tolist(), _UPRIGHT)
                self._call("resetBaseVelocity", thing, v[dof : dof + 3].tolist(), spin[0])

    def mark(self, goal) -> None:
        """Put the marks to a goal, (6,)."""
        given = [float(value) for value in goal]
        for n, one in enumerate(self.marks):
            place, turn = given[3 * n : 3 * n + 3], _UPRIGHT
            if self._task == FLIP:
                place, turn = (0.0, 0.0, 3 * CUBE), tuple(given[:4])
            self._call("resetBasePositionAndOrientation", one, place, turn)

    def act(self, action: np.ndarray, *, grips: bool, by_joints: bool) -> None:
        """One step of the environment, rounded as panda-gym rounds it.

        Args:
            action: float32, (n,), within its bounds.
            grips: whether its last number is the fingers'.
            by_joints: whether the others turn joints.
        """
        if by_joints:
            now = [state[0] for state in self._call("getJointStates", self.arm, range(ARM))]
            target = np.array(now) + action[:ARM] * np.float32(0.05)
        else:
            place = np.array(self._call("getLinkState", self.arm, _TIP)[0]) + action[:3] * np.float32(0.05)
            place[2] = max(0.0, place[2])
            found = self._call(
                "calculateInverseKinematics", self.arm, _TIP, targetPosition=place, targetOrientation=_DOWN
            )
            target = np.array(found)[:ARM]
        half = 0.0
        if grips:
            left, right = (state[0] for state in self._call("getJointStates", self.arm, _FINGERS))
            half = (np.float32(left + right) + action[-1] * np.float32(0.2)) / np.float32(2)
        self._call(
            "setJointMotorControlArray",
            self.arm,
            jointIndices=_MOVED,
            controlMode=self._engine.POSITION_CONTROL,
            targetPositions=[*target, half, half],
            forces=FORCES,
        )
        for _ in range(SUBSTEPS):
            self._call("stepSimulation")

    def read(self) -> Reading:
        """Where everything is."""
        joints = np.array([state[:2] for state in self._call("getJointStates", self.arm, _MOVED)])
        link = self._call("getLinkState", self.arm, _TIP, computeLinkVelocity=True)
        things = [
            (*self._call("getBasePositionAndOrientation", one), *self._call("getBaseVelocity", one))
            for one in self.things
        ]
        return Reading(joints, (link[0], link[6]), things)

    def angles(self, turn) -> tuple[float, float, float]:
        """Roll, pitch and yaw of a quaternion (x, y, z, w), rad."""
        return self._engine.getEulerFromQuaternion(turn)

    def spin_in_body(self, turn, spin) -> tuple[float, float, float]:
        """A spin in axes of the world as one in axes of a body that is turned by a quaternion."""
        back = self._engine.invertTransform((0, 0, 0), turn)[1]
        return self._engine.multiplyTransforms((0, 0, 0), back, spin, _UPRIGHT)[0]

    def orbit(self, target, distance: float, yaw: float, pitch: float) -> tuple[float, ...]:
        """View matrix of a camera that looks at a point (m) from a distance (m), by angles in degrees."""
        return self._engine.computeViewMatrixFromYawPitchRoll(target, distance, yaw, pitch, 0, 2)
