"""The race on one record, and the world."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from numba.extending import register_jitable

from envsuite.core import fmath, rng
from envsuite.core.declare import Between
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.attitude import from_euler, rotate_back
from envsuite.quadcopters.flying import blocks, gates
from envsuite.quadcopters.flying.craft import launch, trace
from envsuite.quadcopters.flying.fly import fly, sense
from envsuite.quadcopters.flying.settings import CTBR, RATE_LIMITS, Act, Model, Precision
from envsuite.quadcopters.flying.world import DroneWorld
from envsuite.quadcopters.gate_race import levels
from envsuite.quadcopters.gate_race.params import (
    AIRBORNE,
    BERTH,
    COLLISIONS,
    CONTROL_RATE,
    EVERY,
    FROM_START,
    LEAD,
    LEAN_SPREAD,
    POLE_HEIGHT,
    RING_RADIUS,
    RINGS,
    SIGHT,
    START,
    START_SPREAD,
    SUBSTEPS,
    TERMS,
    WEIGHTS,
    Params,
    parameters,
)
from envsuite.quadcopters.gate_race.state import Info, State, observation_layout
from envsuite.quadcopters.params import find_vehicle


@kernel
def reset(s, p):
    """Draw the course, and put the drone at its start."""
    levels.draw(s, p)
    g, zero, one = s.rng, real(0.0, p.hull), real(1.0, p.hull)
    rest, x, y, z, attitude = (zero, zero, zero), zero, zero, one, (one, zero, zero, zero)
    if p.course != RINGS:
        x, y, z = real(START[0], zero), real(START[1], zero), p.flying.physics.floor_height
        if p.course >= 1:
            u = rng.uniform4(g, rng.RESET, -one, one)
            x, y = x + START_SPREAD * u[0], y + START_SPREAD * u[1]
            tilt = real(LEAN_SPREAD, zero)
            attitude = from_euler(LEAN_SPREAD * u[2], LEAN_SPREAD * u[3], rng.uniform(g, rng.RESET, -tilt, tilt))
    first, airborne = np.int64(0), p.course == RINGS
    if p.anywhere and rng.uniform(g, rng.RESET, zero, one) > FROM_START:
        first, (x, y, z) = levels.along(s, p)
        airborne = True
    launch(s.craft, s.vehicle[0], p.flying, g, (x, y, z), attitude, rest, rest)
    s.next, s.flown, s.lap_time, s.hit, s.airborne = np.uint32(first), 0.0, 0.0, False, airborne
    s.gap = _gap(s, p)


@kernel
def target(s):
    """Index of the gate to pass; the last one when all are."""
    return min(np.int64(s.next), s.gates.shape[0] - 1)


@kernel
def _gap(s, p):
    """Way to the gate to pass, m: straight, or by `p.around` clear of its frame and in from the front."""
    gate, straight = s.gates[target(s)], blocks.distance_to(s.craft, s.gates[target(s)])
    if not p.around:
        return straight
    sine, cosine = fmath.sincos(gate[3])
    x, y, z = gates.to_gate(gate, sine, cosine, s.craft.position)
    y, z, lead = abs(y), abs(z), LEAD * p.opening
    if max(y, z) < 0.5 * p.opening - x:
        return straight
    if x < 0.0:
        return lead + blocks.norm(x + lead, y, z)
    edge = p.opening + p.rim + BERTH
    return lead + fmath.sqrt(edge * edge + lead * lead) + min(blocks.norm(x, y - edge, z), blocks.norm(x, y, z - edge))


@kernel
def _in_pole(pole, p, x):
    """Whether a drone at x touches a pole."""
    dx, dy = x[0] - pole[0], x[1] - pole[1]
    return dx * dx + dy * dy < p.pole * p.pole and x[2] < POLE_HEIGHT


@kernel
def _collide(s, p, before):
    """What the step did: whether it passed the next gate, and whether it touched a frame or a pole."""
    craft, passed, touched = s.craft, False, False
    x = craft.position
    for i in range(s.gates.shape[0]):
        gate = s.gates[i]
        if p.course == RINGS:
            found = gates.cross_ring(gate, gate[3], p.opening, p.rim, before, x)
        else:
            found = gates.cross(gate, gate[3], p.opening, p.opening, p.rim, before, x)
        touched = touched or found == gates.FRAME
        passed = passed or (found == gates.INSIDE and i == np.int64(s.next))
    for i in range(s.poles.shape[0]):
        struck = _in_pole(s.poles[i], p, x)
        touched = touched or (struck and not (p.soft and _in_pole(s.poles[i], p, before)))
    s.airborne = s.airborne or x[2] > AIRBORNE
    s.hit = (touched and not p.soft) or (s.airborne and craft.contact) or blocks.outside(craft, p.low, p.high)
    return passed, touched


@kernel
def step(s, p, action):
    """Fly for one control step; returns the reward and whether the race is over."""
    craft, one, weights = s.craft, real(1.0, p.hull), p.weights
    c = craft.position
    before = (c[0], c[1], c[2])
    fly(craft, s.vehicle[0], p.flying, s.rng, action)
    trace(craft, s.clock.step, EVERY)
    s.flown += blocks.distance_to(craft, before)
    passed, touched = _collide(s, p, before)
    if s.hit:
        return -weights.crash, True
    gap = _gap(s, p)
    w = (craft.rates[0], craft.rates[1], craft.rates[2])
    if p.flying.act == CTBR:
        w = (
            real(RATE_LIMITS[0], one) * action[1],
            real(RATE_LIMITS[1], one) * action[2],
            real(RATE_LIMITS[2], one) * action[3],
        )
    reward = weights.progress * (s.gap - gap) - weights.rates * blocks.norm(w[0], w[1], w[2])
    reward -= weights.change * (one * craft.change)
    s.gap = gap
    if touched:
        reward -= weights.crash
    if passed:
        s.next += 1
        reward += weights.gate
        s.gap = _gap(s, p)
        if s.next == s.gates.shape[0]:
            s.lap_time = one * np.float32(s.clock.step) * p.flying.control_step
            return reward + weights.lap, True
    return reward, False


@kernel
def look(s):
    """See the true pose of gates nearby."""
    for i in range(s.gates.shape[0]):
        if blocks.distance_to(s.craft, s.gates[i]) < SIGHT:
            for k in range(4):
                s.known[i, k] = s.gates[i, k]


@register_jitable  # see `blocks.put_kinematics`
def _see(s, p, o):
    """Write what all courses have of the observation."""
    seen, zero = s.craft.seen, real(0.0, p.hull)
    blocks.put(o.velocity, rotate_back(seen.attitude, seen.velocity), blocks.FAST)
    blocks.put_rotation(o.rotation_matrix, seen.attitude)
    blocks.put(o.angular_velocity, seen.rates, blocks.SPINNING)
    blocks.put_action(o, s.craft.last_action)
    half = real(RING_RADIUS, zero) if p.course == RINGS else p.opening + p.hull
    gate, after = s.known[target(s)], s.known[min(target(s) + 1, s.gates.shape[0] - 1)]
    gates.put_corners(o.next_gate, seen, gate, gate[3], half, half)
    gates.put_corners(o.gate_after, seen, after, after[3], half, half)


@kernel
def _measure(s, p, info):
    """Let the sensors read, look for gates, and write the metrics."""
    craft, zero, gate = s.craft, real(0.0, p.hull), s.gates[target(s)]
    sense(craft, p.flying, s.rng)
    look(s)
    blocks.measure(info, craft, s.vehicle[0], p.flying, (gate[0], gate[1], gate[2]), (zero, zero, zero))
    info.crashed = s.hit
    info.is_success = s.next == s.gates.shape[0]
    info.gates_passed = s.next
    info.lap_time = s.lap_time
    seconds = np.float32(s.clock.step) * np.float32(p.flying.control_step)
    info.mean_speed = np.float32(s.flown) / max(seconds, 1e-3)


@kernel
def observe_rings(s, p, o, info):
    """Write the observation of the course of rings, and the metrics."""
    _measure(s, p, info)
    _see(s, p, o)


@kernel
def observe_poles(s, p, o, info):
    """Write the observation of a course with poles, and the metrics."""
    _measure(s, p, info)
    _see(s, p, o)
    for i in range(s.poles.shape[0]):
        for k in range(2):  # a row a pole
            offset = np.float32(s.poles[i, k] - s.craft.seen.position[k])
            o.poles[2 * i + k] = min(max(offset, -blocks.FAR), blocks.FAR)


_RINGS = batch_loops(reset, step, observe_rings)
_GATES = batch_loops(reset, step, observe_poles)


class GateRaceWorld(DroneWorld):
    """A drone that races through gates.

    Args:
        course: ``"L0"`` (always the same), ``"L1"`` (random mass, inertia and start), ``"L2"`` (and gates and poles
            out of place), ``"L3"`` (and a random course) or ``"rings"`` (a random course of ten rings).
        layout: gates of one's own instead, x, y, z (m) and yaw (rad) of each, for L0 to L2.
        starts: ``"start"``, or ``"anywhere"`` for training: three quarters of the episodes begin hovering on the
            straight way to a random gate, which is then the first to pass, after Song et al. (2021, arXiv 2103.08624).
        progress: what the reward calls nearer: ``"straight"`` to the next gate's middle, or ``"around"`` for training,
            along a way clear of its frame that comes in from the front.
        strength: how far gates and poles are out of place where they are, 0 to 1; see `set_strength`.
        collisions: ``"hard"``, or ``"soft"`` for training: frames and poles are flown through, each touch at the
            cost of a crash; see `set_collisions`.
        model: dynamics, see `quadcopters.flying.settings.flying`.
        vehicle: name or constants of a vehicle.
        act: kind of action.
        terms: changes to the optional physics, see `quadcopters.flying.settings.Terms`.
        weights: changes to the weights of the reward, see `gate_race.params.WEIGHTS`.
        precision: scalar type of the physics.
    """

    control_rate = CONTROL_RATE
    substeps = SUBSTEPS
    terms = TERMS
    info_dtype = Info.dtype()
    reward_weights = WEIGHTS

    def __init__(
        self,
        *,
        course: Literal["L0", "L1", "L2", "L3", "rings"] = "L0",
        layout: Sequence[Sequence[float]] | None = None,
        starts: Literal["start", "anywhere"] = "start",
        progress: Literal["straight", "around"] = "straight",
        strength: Annotated[float, Between(0, 1)] = 1.0,
        collisions: Literal["hard", "soft"] = "hard",
        model: Model = "fp",
        vehicle: str | Vehicle = "cf21B_500",
        act: Act = "ctbr",
        terms: Mapping[str, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        precision: Precision = "float32",
    ):
        flying = self.set_up(model, vehicle, act, terms, precision, speed_limit=2.0)
        options = {"anywhere": starts == "anywhere", "around": progress == "around", "strength": strength}
        hull = find_vehicle(vehicle).hull[0]
        self.params = parameters(flying, hull, course, layout, self.scalar, **options)
        self.set_collisions(collisions)
        self.set_reward_weights(weights)
        gates, poles = len(self.params[0]["gates"]), len(self.params[0]["poles"])
        self.state_dtype = State.dtype(self.scalar, gates=gates, poles=poles)
        self.observation = observation_layout(act, 0 if course == "rings" else poles)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those of the course."""
        return _RINGS if self.params[0]["course"] == RINGS else _GATES

    def set_strength(self, strength: float) -> None:
        """Change how far gates and poles are out of place in all instances, from their next episode on.

        Args:
            strength: 0 to 1, see the constructor.

        Raises:
            ValueError: it is out of range.
        """
        Params.fields["strength"].check(strength)
        self.params[0]["strength"] = strength

    def set_collisions(self, collisions: str) -> None:
        """Change what frames and poles do in all instances.

        Args:
            collisions: ``"hard"`` or ``"soft"``, see the constructor.

        Raises:
            ValueError: it is neither.
        """
        if collisions not in COLLISIONS:
            raise ValueError(f"collisions is {collisions!r}, expected one of {', '.join(COLLISIONS)}")
        self.params[0]["soft"] = collisions == "soft"

    def goal(self, state):
        """The middle of the next gate, as far as it is known."""
        return np.asarray(state["known"][min(int(state["next"]), len(state["known"]) - 1), :3])
