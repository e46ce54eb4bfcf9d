"""One Box2D world with walkers, package and ground."""

import importlib
import warnings
from types import ModuleType

import numpy as np

from envsuite.momarl.multiwalker.params import (
    CARRIERS,
    DT,
    GAP,
    GRAVITY,
    GROUND_GRIP,
    HIP,
    HIP_SPEED,
    HULL,
    HULL_DENSITY,
    HULL_GRIP,
    KNEE,
    KNEE_SPEED,
    LEG_DENSITY,
    LEG_GRIP,
    LEG_LENGTH,
    LEG_TOP,
    LEG_WIDTH,
    LEVEL,
    PACKAGE,
    PACKAGE_DENSITY,
    PACKAGE_GRIP,
    PAD,
    POSITION_ROUNDS,
    SHANK,
    SPREAD,
    STEP,
    TORQUE,
    VELOCITY_ROUNDS,
)

_SEEN, _UNSEEN = 0x0001, 0x0004
"""Collision categories; both collide with all, but beams meet the first only."""
_HULL, _LEG, _PACKAGE = range(1, 4)
_GROUND = (0, 0, 0)
"""What a body is, which walker's, and of a lower leg, which side's."""


def load_box2d() -> ModuleType:
    """The engine's module.

    Raises:
        ModuleNotFoundError: it is not installed; the message names the extra.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # SWIG's types warn, and where that is an error, the import crashes
            return importlib.import_module("Box2D")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError('multiwalker needs Box2D: pip install "envsuite[box2d]"', name="Box2D") from error


def start_of(walker: int) -> tuple[float, float]:
    """Where a walker's hull begins, m."""
    return STEP * PAD / 2 + GAP * walker * STEP, LEVEL + 2 * LEG_LENGTH


def _listener(engine: ModuleType, owner: "Engine"):
    class Listener(engine.b2ContactListener):
        """Tells the owner which contacts begin and end."""

        def BeginContact(self, contact):  # noqa: N802 (the engine's name)
            """See the engine's manual."""
            owner.note(hash(contact.fixtureA.body), hash(contact.fixtureB.body), True)

        def EndContact(self, contact):  # noqa: N802 (the engine's name)
            """See the engine's manual."""
            owner.note(hash(contact.fixtureA.body), hash(contact.fixtureB.body), False)

    return Listener()


class Engine:
    """A Box2D world at the start of an episode, in this process.

    Bodies are made in the order of PettingZoo's, which decides the order of contacts, and so the last bits.

    Args:
        ground: heights of the ground's points, m.
        push: force on each walker's hull in the first step, N.
        remove: a walker that has fallen is taken out before the next step.
        latch: the end of any contact counts as a lower leg's last, as in the original.
    """

    def __init__(self, ground: np.ndarray, push: np.ndarray, *, remove: bool, latch: bool):
        self._engine = load_box2d()
        self._world = self._engine.b2World(gravity=(0.0, -GRAVITY))
        self._remove, self._latch = remove, latch
        self._listener = _listener(self._engine, self)
        self._world.contactListener = self._listener
        count = len(push)
        self.fallen = [False] * count
        self.dropped = False
        self._touch = [[0, 0] for _ in range(count)]
        # by address: the engine's own way, userData, is released twice where a body is destroyed
        self._kinds: dict[int, tuple[int, int, int]] = {}
        self._package = self._make_package(count)
        self._make_ground(ground.tolist())
        self._bodies: list[list] = []
        self._joints: list[list] = []
        for walker, force in enumerate(push.tolist()):
            self._make_walker(walker, force)

    def _body(self, kind, place, angle, shape, density, friction, *, group=0, category=_SEEN):
        fixture = self._engine.b2FixtureDef(
            shape=shape, density=density, friction=friction, restitution=0.0, groupIndex=group, categoryBits=category
        )
        body = self._world.CreateDynamicBody(position=place, angle=angle, fixtures=fixture)
        self._kinds[hash(body)] = kind
        return body

    def _make_package(self, walkers: int):
        starts = [start_of(walker)[0] for walker in range(walkers)]
        x, y = PACKAGE[0] / 2 * walkers / CARRIERS, PACKAGE[1] / 2
        shape = self._engine.b2PolygonShape(vertices=[(-x, y), (x, y), (x, -y), (-x, -y)])
        place = (float(np.mean(starts)), LEVEL + 3 * LEG_LENGTH)
        return self._body((_PACKAGE, 0, 0), place, 0.0, shape, PACKAGE_DENSITY, PACKAGE_GRIP, category=_UNSEEN)

    def _make_ground(self, heights: list[float]) -> None:
        for k in range(len(heights) - 1):
            line = [(k * STEP, heights[k]), ((k + 1) * STEP, heights[k + 1])]
            shape = self._engine.b2EdgeShape(vertices=line)
            self._world.CreateStaticBody(fixtures=self._engine.b2FixtureDef(shape=shape, friction=GROUND_GRIP))

    def _make_walker(self, walker: int, force: float) -> None:
        x, y = start_of(walker)
        group = -1 - walker  # no two parts of a walker collide
        shape = self._engine.b2PolygonShape(vertices=list(HULL))
        hull = self._body((_HULL, walker, 0), (x, y), 0.0, shape, HULL_DENSITY, HULL_GRIP, group=group)
        hull.ApplyForceToCenter((force, 0.0), True)
        bodies, joints = [hull], []
        for side, sign in enumerate((-1, 1)):
            above, where, hinge, limits, speed = hull, y - LEG_TOP, (0.0, LEG_TOP), HIP, float(sign)
            for part, width in enumerate((LEG_WIDTH, SHANK * LEG_WIDTH)):
                shape = self._engine.b2PolygonShape(box=(width / 2, LEG_LENGTH / 2))
                place = (x, where - LEG_LENGTH * (part + 0.5))
                kind = (_LEG, walker, side) if part else (_LEG, walker, 2)
                leg = self._body(kind, place, sign * SPREAD, shape, LEG_DENSITY, LEG_GRIP, group=group)
                joint = self._world.CreateRevoluteJoint(
                    bodyA=above, bodyB=leg, localAnchorA=hinge, localAnchorB=(0.0, LEG_LENGTH / 2),
                    enableLimit=True, lowerAngle=limits[0], upperAngle=limits[1],
                    enableMotor=True, maxMotorTorque=TORQUE, motorSpeed=speed,
                )  # fmt: skip
                bodies.append(leg)
                joints.append(joint)
                above, hinge, limits, speed = leg, (0.0, -LEG_LENGTH / 2), KNEE, 1.0
        self._bodies.append(bodies)
        self._joints.append(joints)

    def note(self, first: int, second: int, begins: bool) -> None:
        """A contact of two bodies begins or ends.

        Args:
            first: hash of a body.
            second: likewise.
            begins: or ends.
        """
        one, other = self._kinds.get(first, _GROUND), self._kinds.get(second, _GROUND)
        for (kind, walker, side), (against, _, _) in ((one, other), (other, one)):
            if kind == _LEG and side < 2:
                touch = self._touch[walker]
                touch[side] = int(begins) if self._latch else touch[side] + (1 if begins else -1)
            elif begins and kind == _HULL and against != _PACKAGE:
                self.fallen[walker] = True
            elif begins and kind == _PACKAGE and against != _HULL:
                self.dropped = True

    def step(self, actions: np.ndarray) -> None:
        """One step of `DT`.

        Args:
            actions: (walkers, 4) float32 from -1 to 1.
        """
        for walker, row in enumerate(actions.tolist()):
            if self._remove and self.fallen[walker] and self._bodies[walker]:
                for body in self._bodies[walker]:
                    address = hash(body)
                    self._world.DestroyBody(body)  # which ends its contacts
                    del self._kinds[address]
                self._bodies[walker] = self._joints[walker] = []
            for joint, action, top in zip(self._joints[walker], row, (HIP_SPEED, KNEE_SPEED) * 2, strict=False):
                joint.motorSpeed = top if action > 0 else -top if action < 0 else 0.0
                joint.maxMotorTorque = TORQUE * abs(action)
        self._world.Step(DT, VELOCITY_ROUNDS, POSITION_ROUNDS)

    def read(self, s) -> None:
        """Write what bodies do into a record.

        Args:
            s: has the fields of `state.state_dtype`; bodies that are gone stay as they were.
        """
        body = s["body"]
        for walker, bodies in enumerate(self._bodies):
            if bodies:
                body[5 * walker : 5 * walker + 5] = [_motion(one) for one in bodies]
        body[-1] = _motion(self._package)
        s["touch"] = [[count > 0 for count in both] for both in self._touch]
        s["fallen"] = self.fallen
        s["dropped"] = self.dropped


def _motion(body) -> tuple[float, ...]:
    place, velocity = body.position, body.linearVelocity
    return place.x, place.y, body.angle, velocity.x, velocity.y, body.angularVelocity
