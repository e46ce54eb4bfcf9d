"""The tasks that the engine flies."""

from itertools import combinations

import numpy as np

from envsuite.quadcopters.bullet_backend.engine import FLOOR, Box, Cylinder, Engine
from envsuite.quadcopters.bullet_backend.flight import FlyingEngineWorld, GpdEngineWorld
from envsuite.quadcopters.fly_thru_gate import kernel as fly_thru_gate
from envsuite.quadcopters.fly_thru_gate import params as gate_params
from envsuite.quadcopters.gate_race import kernel as gate_race
from envsuite.quadcopters.gate_race import params as race_params
from envsuite.quadcopters.hover_gpd import kernel as hover_gpd
from envsuite.quadcopters.landing import kernel as landing
from envsuite.quadcopters.landing import params as landing_params
from envsuite.quadcopters.landing.render import pad_of
from envsuite.quadcopters.multi_hover import kernel as multi_hover
from envsuite.quadcopters.takeoff import kernel as takeoff
from envsuite.quadcopters.throw_recovery import kernel as throw_recovery
from envsuite.quadcopters.track_lissajous import kernel as track_lissajous
from envsuite.quadcopters.waypoint_vel import kernel as waypoint_vel

_BLUE, _GREY, _BROWN = (0.0, 0.45, 0.7), (0.5, 0.54, 0.6), (0.4, 0.26, 0.26)
_DEPTH = 0.02  # m, half the depth of gates


class BulletHoverGPD(GpdEngineWorld, hover_gpd.QuadHoverGPD):  # ty: ignore[incompatible-property-override]
    """QuadHoverGPD on the engine."""

    rules = hover_gpd


class BulletMultiHover(GpdEngineWorld, multi_hover.QuadMultiHover):
    """QuadMultiHover on the engine; drones collide when their hulls touch."""

    rules = multi_hover

    def _prepare(self):
        super()._prepare()
        self.params[0]["apart"] = 0.0

    def replacements(self):
        """See `EngineWorld`."""
        return {**super().replacements(), "_mind_the_gaps": self._mind_the_gaps}

    def _mind_the_gaps(self, s, p):
        multi_hover._mind_the_gaps(s, p)
        if not p.flight.compat:
            for n, i in combinations(range(len(self.agents)), 2):
                if self.agents[i] in self.touched[n]:
                    s.collided[n] = s.collided[i] = 1


class BulletTakeoff(FlyingEngineWorld, takeoff.TakeoffWorld):  # ty: ignore[incompatible-property-override]
    """QuadTakeoff on the engine."""

    rules = takeoff


class BulletTrackLissajous(FlyingEngineWorld, track_lissajous.TrackLissajousWorld):  # ty: ignore[incompatible-property-override]
    """QuadTrackLissajous on the engine."""

    rules = track_lissajous


class BulletThrowRecovery(FlyingEngineWorld, throw_recovery.ThrowRecoveryWorld):  # ty: ignore[incompatible-property-override]
    """QuadThrowRecovery on the engine."""

    rules = throw_recovery


class BulletWaypointVel(FlyingEngineWorld, waypoint_vel.WaypointVelWorld):
    """QuadWaypointVel and QuadReachVel on the engine."""

    rules = waypoint_vel


class BulletLanding(FlyingEngineWorld, landing.LandingWorld):  # ty: ignore[incompatible-property-override]
    """QuadLanding on the engine: touching the pad or the floor is what ends a flight."""

    rules = landing
    grounded = True

    def scenery(self):
        """The pad, a tall cylinder whose top is what counts."""
        return [Cylinder("pad", landing_params.RADIUS, 1.0, _BLUE)]

    def stand(self, engine: Engine, s):
        """Where it is at the end of the control step."""
        x, y, top = pad_of(s, self.params[0]) - (0.0, 0.0, float(self.params[0]["hull"]))
        engine.stand(0, (x, y, top - 0.5))

    def interrupted(self):
        """See `FlyingEngineWorld`."""
        return bool(self.touched[0])

    def judged(self, s, p, *arguments):
        """See `EngineWorld`."""
        resting = s.soft
        reward, ended = self._rules_step(s, p, *arguments)
        if self.touched and self.touched[0] and not resting and not s.landed:
            return landing.touch_down(s, p)
        return reward, ended


class BulletFlyThruGate(FlyingEngineWorld, fly_thru_gate.FlyThruGateWorld):  # ty: ignore[incompatible-property-override]
    """QuadFlyThruGate on the engine: touching the gate is a crash; the drone's centre has to cross the opening."""

    rules = fly_thru_gate

    def _prepare(self):
        super()._prepare()
        self.params[0]["hull"] = 0.0

    def scenery(self):
        """The frame's beams, and the columns that it stands on."""
        rim, wide = gate_params.RIM / 2, gate_params.HALF_WIDTH
        middle, half = float(self.params[0]["gate"][2]), float(self.params[0]["half_height"])
        foot = max((middle - half) / 2, 1e-3)
        side = Box("gate", (rim, rim, half), _BLUE)
        beam = Box("gate", (wide + 2 * rim, rim, rim), _BLUE)
        column = Box("gate", (rim, rim, foot), _GREY)
        return [side, side, beam, *([beam, column, column] if middle > half else [])]

    def stand(self, engine: Engine, s):
        """See `EngineWorld`."""
        x, y, z = (float(value) for value in self.params[0]["gate"])
        rim, wide, half = gate_params.RIM / 2, gate_params.HALF_WIDTH, float(self.params[0]["half_height"])
        places = [(x - wide - rim, y, z), (x + wide + rim, y, z), (x, y, z + half + rim)]
        if z > half:
            columns = [(x + side * (wide + rim), y, (z - half) / 2) for side in (-1, 1)]
            places += [(x, y, z - half - rim), *columns]
        for number, place in enumerate(places):
            engine.stand(number, place)

    def judged(self, s, p, *arguments):
        """See `EngineWorld`."""
        reward, ended = self._rules_step(s, p, *arguments)
        if "gate" in self.touched[0]:
            s.hit = True
            return -p.weights.crash, True
        return reward, ended


class BulletGateRace(FlyingEngineWorld, gate_race.GateRaceWorld):
    """The gate races on the engine: touching a gate or a pole is a crash."""

    rules = gate_race

    def _prepare(self):
        super()._prepare()
        p = self.params[0]
        if p["course"] == race_params.RINGS:
            raise ValueError("the course 'rings' has no solid rings; the backend 'bullet' flies L0 to L3")
        p["opening"], p["rim"] = race_params.OPENING, race_params.FRAME - race_params.OPENING
        p["hull"], p["pole"] = 0.0, race_params.POLE_RADIUS

    def _size(self):
        shapes = self.state_dtype["gates"].shape, self.state_dtype["poles"].shape
        return shapes[0][0], shapes[1][0]

    def scenery(self):
        """Four beams and a stand for each gate, and the poles."""
        middle = (race_params.OPENING + race_params.FRAME) / 2
        rim = middle - race_params.OPENING
        upright = Box("gate", (_DEPTH, rim, race_params.FRAME), _BLUE)
        across = Box("gate", (_DEPTH, race_params.OPENING, rim), _BLUE)
        stand = Cylinder("gate", 0.02, 2.0, _GREY)
        gates, poles = self._size()
        pole = Cylinder("pole", race_params.POLE_RADIUS, race_params.POLE_HEIGHT, _BROWN)
        return [upright, upright, across, across, stand] * gates + [pole] * poles

    def stand(self, engine: Engine, s):
        """See `EngineWorld`."""
        middle, gates = (race_params.OPENING + race_params.FRAME) / 2, self._size()[0]
        for i in range(gates):
            x, y, z, yaw = (float(value) for value in s["gates"][i])
            left = np.array((-np.sin(yaw), np.cos(yaw), 0.0)) * middle
            center = np.array((x, y, z))
            above = np.array((0.0, 0.0, middle))
            for k, place in enumerate((center + left, center - left, center + above, center - above)):
                engine.stand(5 * i + k, place, yaw)
            engine.stand(5 * i + 4, (x, y, z - race_params.FRAME - 1.0))
        for i, (x, y) in enumerate(s["poles"]):
            engine.stand(5 * gates + i, (x, y, race_params.POLE_HEIGHT / 2))

    def replacements(self):
        """See `EngineWorld`."""
        return {**super().replacements(), "_collide": self._collide}

    def _collide(self, s, p, before):
        passed, touched = gate_race._collide(s, p, before)
        touched = touched or any(name != FLOOR for name in self.touched[0])
        s.hit = s.hit or (touched and not p.soft)
        return passed, touched
