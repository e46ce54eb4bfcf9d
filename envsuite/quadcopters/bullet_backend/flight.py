"""Flying the tasks' drones by the engine.

The rules of a task are plain functions that Numba compiles. Here they run uncompiled, with the engine's flight in the
place of the closed form's, so that there is one set of rules. A step depends on nothing but the record, so that
snapshots and replays are exact with contacts too: either every control step begins by putting the drones where their
records say, or the record holds how the flight came about, see `continuation`.
"""

import inspect
import os
import threading
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from envsuite.core.bullet import load_pybullet
from envsuite.core.rebinding import rebound
from envsuite.core.world import World
from envsuite.quadcopters.attitude import GIMBAL_LOCK, rotate_back
from envsuite.quadcopters.bullet_backend.continuation import LIMIT, continued, next_mark, poses, put
from envsuite.quadcopters.bullet_backend.engine import FLOOR, Box, Cylinder, Engine
from envsuite.quadcopters.dynamics import bullet, dyn
from envsuite.quadcopters.dynamics import floor as flat_floor
from envsuite.quadcopters.flying import fly as flying
from envsuite.quadcopters.flying.settings import BULLET, DYN, MODELS
from envsuite.quadcopters.gpd import flight as gpd
from envsuite.quadcopters.params import find_vehicle


class Body:
    """The arrays of a drone's record, which Python reads much faster than the record's attributes.

    Args:
        record: of one drone, with the fields of `state.BulletBody`.
    """

    __slots__ = (
        "active",
        "attitude",
        "command",
        "position",
        "previous_attitude",
        "rates",
        "record",
        "rotor_speed",
        "velocity",
    )

    def __init__(self, record):
        self.record, self.active = record, bool(record.active)
        for name in self.__slots__[1:]:
            if name != "record":
                setattr(self, name, record[name])


class EngineWorld(World):
    """A task whose drones the engine flies, in double precision; to be mixed into the task's own class.

    Attributes:
        rules: the module of the task's kernels.
        touched: what each drone touched in the last control step: by name, the largest force, N.
    """

    rules: ClassVar[ModuleType]

    def __init__(self, **options: Any):
        if options.setdefault("precision", "float64") not in (None, "float64"):
            raise ValueError(f"precision is {options['precision']!r}, but PyBullet computes in 'float64'")
        load_pybullet()
        options["precision"] = "float64"
        super().__init__(**options)
        default = inspect.signature(super().__init__).parameters["vehicle"].default
        self._vehicle = find_vehicle(options.get("vehicle", default))
        self._prepare()
        physics = self.physics()
        flags = {name: bool(physics[name]) for name in ("explicit", "ground_effect", "drag", "downwash", "floor")}
        self._physics = SimpleNamespace(timestep=float(physics["timestep"]), **flags)
        self._forget()
        self._engine()  # so that what the engine refuses is refused here

    def _prepare(self) -> None:
        """Adapt the parameters to the engine."""

    def _forget(self) -> None:
        self._engines: dict[int, Engine] = {}
        self._process = os.getpid()
        self._slot, self._lock = 0, threading.Lock()
        self.touched: list[dict[str, float]] = []
        step = rebound(self.rules.step, **self.replacements())
        self._rules_step = step
        self._loop = rebound(super().loops.step, step=self._step)

    def __getstate__(self) -> dict[str, Any]:
        mine = ("_engines", "_rules_step", "_loop", "_process", "_slot", "_lock", "_flown", "touched")
        return {name: value for name, value in self.__dict__.items() if name not in mine}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()

    # What tasks say

    def physics(self):
        """The record of `settings.Physics`."""
        raise NotImplementedError

    def replacements(self) -> dict[str, Any]:
        """What stands in the place of names in the task's rules."""
        raise NotImplementedError

    def scenery(self) -> list[Box | Cylinder]:
        """What stands about."""
        return []

    def stand(self, engine: Engine, s) -> None:
        """Put the scenery into place for a control step."""

    def begin_anew(self, states, which) -> None:
        """Clear what the records of these instances must not carry into a new episode."""

    def judged(self, s, p, *arguments):
        """One step by the rules, and what contacts change of its outcome."""
        return self._rules_step(s, p, *arguments)

    # What the front ends call

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """The task's, with steps by the engine."""
        return replace(super().loops, reset=self._reset_batch, step=self._step_batch)

    def _reset_batch(self, states, params, mask, observations, info, start, stop) -> None:
        self.begin_anew(states, np.flatnonzero(mask[start:stop]) + start)
        super().loops.reset(states, params, mask, observations, info, start, stop)

    def _step_batch(
        self, states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
    ) -> None:
        """As the task's kernel of this name, by the engine."""
        self.begin_anew(states, np.flatnonzero(restart[start:stop]) + start)
        p, s, metrics = params.view(np.recarray), states.view(np.recarray), info.view(np.recarray)
        observations = observations.view(np.recarray) if observations.dtype.names else observations
        with self._lock:  # an instance at a time, whose slot is the world's
            for i in range(start, stop):
                self._slot, self.touched = i, []
                arrays = (observations, rewards, terminated, truncated, metrics)
                self._loop(s, p, actions, restart, horizon, *arrays, i, i + 1)

    def close(self) -> None:
        """Free the engines; the next step makes new ones."""
        if self._process == os.getpid():
            for engine in self._engines.values():
                engine.close()
        self._engines = {}

    def __del__(self):
        if getattr(self, "_engines", None):
            self.close()

    # What cameras call

    def names(self) -> tuple[str, ...]:
        """Names of all that cameras and contacts can meet."""
        self._slot = 0
        return self._engine().kinds

    def show(self, state) -> tuple[Engine, Any]:
        """Put everything into its place.

        Args:
            state: one record of `state_dtype`.

        Returns:
            The engine, and the records of the drones.
        """
        self._slot = 0
        engine = self._engine()
        field = next(name for name in ("drones", "crafts", "craft") if name in state.dtype.names)
        drones = np.atleast_1d(state[field])
        drones = drones.view(np.recarray)
        engine.left = None  # placing drones ends the flight that was under way
        for n in range(len(drones)):
            engine.place(n, Body(drones[n]))
        self.stand(engine, state)
        return engine, drones

    # Flight

    def _step(self, s, p, *arguments):
        self.stand(self._engine(), s)
        return self.judged(s, p, *arguments)

    def _engine(self) -> Engine:
        """The engine of the instance that is being stepped."""
        if self._process != os.getpid():  # engines do not survive a fork
            self._engines, self._process = {}, os.getpid()
        engine = self._engines.get(self._slot)
        if engine is None:
            engine = self._engines[self._slot] = Engine(
                self._vehicle,
                max(1, len(self.agents)),
                timestep=self._physics.timestep,
                damping=float(self.physics()["damping"]),
                floor=self._physics.floor or self.grounded,
                scenery=self.scenery(),
            )
        return engine

    grounded: ClassVar[bool] = False
    """Whether there is a floor even where the closed form has none."""

    def _set_out(self, drones, vehicle=None) -> tuple[Engine, list[Body]]:
        """Put the drones in their places for a control step."""
        engine, bodies = self._engine(), [Body(drones[n]) for n in range(len(drones))]
        engine.forget_contacts()
        for n, body in enumerate(bodies):
            engine.place(n, body)
            if vehicle is not None:
                engine.weigh(n, float(vehicle.mass), vehicle.inertia.tolist())
        self.touched = [{} for _ in bodies]
        return engine, bodies

    def _physics_step(self, engine: Engine, bodies: list[Body], physics) -> None:
        """One physics step of all active drones.

        Args:
            engine: where they are.
            bodies: their records.
            physics: record of `settings.Physics`, for kernels.
        """
        flying = [(n, body) for n, body in enumerate(bodies) if body.active]
        if self._physics.explicit:
            self._explicit_step(engine, flying, physics)
            return
        for n, body in flying:
            self._push(engine, n, body)
        engine.step()
        for n, body in flying:
            sinking = -float(body.velocity[2])
            engine.read(n, body)
            body.rotor_speed[:] = body.command
            contacts = engine.contacts(n)
            if contacts:
                self._note(n, contacts)
            if FLOOR in contacts:
                drone = body.record
                drone.contact = True
                # the speed that the floor takes away, which may need two steps of the engine
                taken = contacts[FLOOR] * self._physics.timestep / engine.mass(n)
                drone.impact_speed = max(drone.impact_speed, taken, sinking)

    def _explicit_step(self, engine: Engine, flying: list[tuple[int, Body]], physics) -> None:
        """The explicit dynamics move the drones, as in the original; the engine only sees what they touch."""
        for n, body in flying:
            drone = body.record
            dyn.step(drone, physics.vehicle, physics)
            if self._physics.floor:
                impact = flat_floor.touch(drone, physics)
                drone.contact = drone.contact or impact > 0
                drone.impact_speed = max(drone.impact_speed, impact)
            engine.place(n, body)
        engine.look()
        for n, _ in flying:
            self._note(n, {name: force for name, force in engine.contacts(n).items() if name != FLOOR})

    def _note(self, n: int, contacts: dict[str, float]) -> None:
        for name, force in contacts.items():
            self.touched[n][name] = max(self.touched[n].get(name, 0.0), force)

    def _push(self, engine: Engine, n: int, body: Body) -> None:
        """Apply what acts on a drone, as gym-pybullet-drones does (arXiv 2103.02142)."""
        vehicle, speeds = self._vehicle, body.command.tolist()
        thrusts, yaw = self._rotors(speeds)
        engine.push(n, thrusts, yaw)
        if self._physics.ground_effect:
            heights = engine.rotor_heights(n)
            w, x, y, z = body.attitude.tolist()
            if 1 - 2 * (x * x + y * y) > 0 and 2 * abs(w * y - x * z) < GIMBAL_LOCK:
                c2 = vehicle.thrust_curve[2]
                engine.lift(n, [c2 * u * u * self._ground_gain(h) for u, h in zip(speeds, heights, strict=True)])
        if self._physics.drag:
            turns = 2 * np.pi / 60 * sum(body.rotor_speed.tolist())
            force = [-c * turns * v for c, v in zip(vehicle.drag, body.velocity.tolist(), strict=True)]
            engine.press(n, rotate_back(tuple(body.attitude.tolist()), tuple(force)))
        if self._physics.downwash:
            engine.press(n, (0.0, 0.0, -float(body.record.downwash)))

    def _rotors(self, speeds: list[float]) -> tuple[list[float], float]:
        """Thrust of each rotor (N) and the yaw torque of all (N m), rounded as the closed form does."""
        c0, c1, c2 = self._vehicle.thrust_curve
        thrusts = [c0 + (c1 + c2 * speed) * speed for speed in speeds]
        yaw = sum(sign * thrust for sign, thrust in zip(self._vehicle.spin, thrusts, strict=True))
        return thrusts, yaw * self._vehicle.torque_per_thrust

    def _ground_gain(self, height: float) -> float:
        """Share of a rotor's thrust that the floor adds (item 3 of `dynamics.bullet`)."""
        ratio = self._vehicle.propeller_radius / (4 * max(self._vehicle.ground_clip, height))
        return self._vehicle.ground_effect * ratio * ratio


class GpdEngineWorld(EngineWorld):
    """Worlds whose rules fly through `gpd.flight`; their flights go on in the engine from step to step."""

    def _prepare(self) -> None:
        self.state_dtype = continued(self.state_dtype, max(1, len(self.agents)))

    def physics(self):
        """See `EngineWorld`."""
        return self.params[0]["flight"]["physics"]

    def replacements(self):
        """See `EngineWorld`."""
        return {"flight": SimpleNamespace(**{**vars(gpd), "fly": self._fly})}

    def begin_anew(self, states, which) -> None:
        """See `EngineWorld`; a new episode has no past."""
        states["flown"][which] = 0

    def _step(self, s, p, *arguments):
        self._flown = s.flown
        return super()._step(s, p, *arguments)

    def _fly(self, drones, flight) -> None:
        """As `gpd.flight.fly`."""
        engine, flown, now = self._engine(), self._flown, poses(drones)
        if not self._resume(engine, drones, flight, now):
            flown.steps, flown.mark = 0, 0
            flown.commands[:], flown.start[:] = 0.0, now
            self._set_out(drones)
        engine.left = None  # until the step is done
        bodies = [Body(drones[n]) for n in range(len(drones))]
        flown.commands[flown.steps] = [body.command for body in bodies]
        flown.mark = next_mark(flown, now)
        flown.steps = (flown.steps + 1) % LIMIT
        self.touched = [{} for _ in bodies]
        self._control_step(engine, drones, bodies, flight.physics)
        engine.left = int(flown.mark), poses(drones).tobytes()

    def _resume(self, engine: Engine, drones, flight, now: np.ndarray) -> bool:
        """Bring the engine to where the record's flight was left; False if it is not the record's drones' flight."""
        flown = self._flown
        if not flown.steps:
            return False
        if engine.left is not None and engine.left[0] == int(flown.mark):
            return engine.left[1] == now.tobytes()
        past = drones.copy().view(np.recarray)
        put(past, flown.start)
        engine, bodies = self._set_out(past)
        for k in range(flown.steps):
            for body, command in zip(bodies, flown.commands[k], strict=True):
                body.command[:] = command
            self._control_step(engine, past, bodies, flight.physics)
        return poses(past).tobytes() == now.tobytes()

    def _rotors(self, speeds: list[float]) -> tuple[list[float], float]:
        """As the original rounds, RPM² kf and RPM² km: on the floor the last digit decides how a drone tips over."""
        lift = self._vehicle.thrust_curve[2]
        turn = lift * self._vehicle.torque_per_thrust
        yaw = sum(sign * (speed * speed * turn) for sign, speed in zip(self._vehicle.spin, speeds, strict=True))
        return [speed * speed * lift for speed in speeds], yaw

    def _control_step(self, engine: Engine, drones, bodies: list[Body], physics) -> None:
        for _ in range(gpd.SUBSTEPS):
            if self._physics.downwash and len(bodies) > 1:
                bullet.feel_downwash(drones, physics)
            for body in bodies:
                if body.active:
                    body.record.contact = False
            self._physics_step(engine, bodies, physics)


class FlyingEngineWorld(EngineWorld):
    """Worlds whose rules fly through `flying.fly`, under the models `bullet` and `dyn`."""

    def physics(self):
        """See `EngineWorld`."""
        return self.params[0]["flying"]["physics"]

    def _prepare(self) -> None:
        model = int(self.params[0]["flying"]["model"])
        if model not in (BULLET, DYN):
            raise ValueError(f"the model is {MODELS[model]!r}, but the backend 'bullet' flies 'bullet' and 'dyn'")

    def replacements(self):
        """See `EngineWorld`."""
        return {"fly": self._fly, "fly_together": self._fly_together}

    def _fly(self, craft, vehicle, p, g, action) -> None:
        """As `flying.fly.fly`."""
        flying.decide(craft, vehicle, p, g, action)
        self._advance([craft], vehicle, p)

    def _fly_together(self, crafts, p, g, chosen) -> None:
        """As `flying.fly.fly_together`."""
        for n in range(len(crafts)):
            if crafts[n].active:
                flying.decide(crafts[n], p.physics.vehicle, p, g, chosen[n])
        self._advance(crafts, p.physics.vehicle, p)

    def _advance(self, crafts, vehicle, p) -> None:
        physics = p.physics
        engine, bodies = self._set_out(crafts, vehicle)
        for _ in range(p.substeps):
            if p.downwash and len(bodies) > 1:
                bullet.feel_downwash(crafts, physics)
            for n, body in enumerate(bodies):
                if body.active:
                    flying.prepare(body.record, vehicle, p)
                    if body.record.force.any() or body.record.torque.any():
                        flying.kick(body.record, vehicle, p)
                        engine.set_motion(n, body)
            velocities = [body.velocity.copy() for body in bodies]
            self._physics_step(engine, bodies, physics)
            if self.interrupted():
                for body, velocity in zip(bodies, velocities, strict=True):
                    body.velocity[:] = velocity
                break

    def interrupted(self) -> bool:
        """Whether what was touched ends the control step; the velocities stay those before the contact."""
        return False
