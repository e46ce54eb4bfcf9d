"""The downwash task on one record, and the world."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.declare import Between
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.downwash_formation.course import draw, reference
from envsuite.quadcopters.downwash_formation.params import (
    AHEAD,
    CONTROL_RATE,
    COURSES,
    EVERY,
    FEWEST,
    FUTURE,
    GOOD,
    LOST,
    MOST,
    NEIGHBOURS,
    PHYSICS_RATE,
    START,
    WEIGHTS,
    Params,
)
from envsuite.quadcopters.downwash_formation.state import Info, State, observation_layout
from envsuite.quadcopters.flying import blocks, swarm
from envsuite.quadcopters.flying.craft import launch, trace
from envsuite.quadcopters.flying.fly import fly_together, sense
from envsuite.quadcopters.flying.settings import Act, Model, Precision, Terms
from envsuite.quadcopters.flying.swarm_world import SwarmWorld, hull_of


@kernel
def time_of(s, p):
    """Seconds since the episode began."""
    return p.flying.control_step * np.float32(s.clock.step)


@kernel
def reset(s, p):
    """Draw the course, and hover near the beginnings of the references."""
    draw(s, p)
    zero, spread = real(0.0, p.apart), real(START, p.apart)
    rest, level, vehicle = (zero, zero, zero), (real(1.0, zero), zero, zero, zero), p.flying.physics.vehicle
    for n in range(s.crafts.shape[0]):
        r, u = reference(s, n, zero), rng.uniform4(s.rng, rng.RESET, -spread, spread)
        place = (r[0] + u[0], r[1] + u[1], r[2] + u[2])
        launch(s.crafts[n], vehicle, p.flying, s.rng, place, level, rest, rest)
        s.squares[n] = s.dip[n] = 0.0
    swarm.assemble(s)


@kernel
def step(s, p, actions, rewards):
    """Fly for one control step; writes the rewards, and who crashed into the record."""
    now, weights = time_of(s, p), p.weights
    fly_together(s.crafts, p.flying, s.rng, actions)
    swarm.meet(s, p.apart, p.contact, True)
    for n in range(s.crafts.shape[0]):
        rewards[n] = 0.0
        craft = s.crafts[n]
        if not craft.active:
            continue
        trace(craft, s.clock.step, EVERY)
        r, v = reference(s, n, now), craft.velocity
        error = blocks.distance_to(craft, (r[0], r[1], r[2]))
        slip = blocks.norm(v[0] - r[3], v[1] - r[4], v[2] - r[5])
        s.squares[n] += error * error
        s.dip[n] = max(s.dip[n], r[2] - craft.position[2])
        if craft.contact or not error <= LOST:
            s.crashed[n] = 1
        reward = weights.position * fmath.exp(-4.0 * error) - weights.velocity * slip
        rewards[n] = -weights.crash if s.crashed[n] != 0 else reward
    swarm.ground(s)


@kernel
def observe(s, p, o, info):
    """Write what each drone sees, and its metrics."""
    vehicle, now, one = p.flying.physics.vehicle, time_of(s, p), real(1.0, p.apart)
    steps = max(np.float32(s.clock.step), 1.0)
    for n in range(s.crafts.shape[0]):
        craft, r = s.crafts[n], reference(s, n, now)
        place, motion = (r[0], r[1], r[2]), (r[3], r[4], r[5])
        sense(craft, p.flying, s.rng)
        blocks.put_kinematics(o[n], craft.seen, place, motion)
        blocks.put_action(o[n], craft.last_action)
        x = craft.seen.position
        for j in range(FUTURE):
            ahead = reference(s, n, now + real(AHEAD, one) * (one * np.float32(j + 1)))
            blocks.put_row(o[n].future_reference, j, (ahead[0] - x[0], ahead[1] - x[1], ahead[2] - x[2]), blocks.FAR)
        swarm.put_neighbours(o[n].neighbours, s.crafts, n, NEIGHBOURS)
        blocks.measure(info[n], craft, vehicle, p.flying, place, motion)
        swarm.measure(s, n, info[n])
        info[n].rmse = fmath.sqrt(np.float32(s.squares[n]) / steps)
        info[n].dip = s.dip[n]
        info[n].downwash = craft.downwash / (vehicle.mass * vehicle.gravity)
        info[n].is_success = craft.active and info[n].rmse < GOOD


class DownwashFormationWorld(SwarmWorld):
    """Drones that fly above and below one another, each along a reference of its own.

    Args:
        num_drones: 2 to 9.
        course: ``"column"``, ``"crossing"``, ``"swap"``, one of these three drawn for each episode with ``"mix"``, or
            ``"script"``, the example of gym-pybullet-drones.
        downwash: False to compare with flight in still air.
        contact: ``"crash"``: drones that touch are taken out; ``"bounce"``: they bounce.
        model: dynamics, see `quadcopters.flying.settings.flying`.
        vehicle: name or constants of a vehicle with a downwash.
        act: kind of action.
        terms: changes to the optional physics, see `quadcopters.flying.settings.Terms`.
        weights: changes to the weights of the reward, see `downwash_formation.params.WEIGHTS`.
        precision: scalar type of the physics.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """

    control_rate = CONTROL_RATE
    substeps = PHYSICS_RATE // CONTROL_RATE
    info_dtype = Info.dtype()
    reward_weights = WEIGHTS
    loops = batch_loops(reset, step, observe, ends="apart")

    def __init__(
        self,
        *,
        num_drones: Annotated[int, Between(FEWEST, MOST)] = 4,
        course: Literal["mix", "column", "crossing", "swap", "script"] = "mix",
        downwash: bool = True,
        contact: Literal["crash", "bounce"] = "crash",
        model: Model = "bullet",
        vehicle: str | Vehicle = "cf2x",
        act: Act = "motor",
        terms: Mapping[str, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        precision: Precision = "float32",
    ):
        self.terms = Terms(floor=True, downwash=downwash)
        flying = self.set_up(model, vehicle, act, terms, precision)
        self.params = Params.make(
            self.scalar,
            flying=flying,
            apart=2 * hull_of(flying["physics"]["vehicle"]),
            contact=swarm.CONTACTS.index(contact),
            course=COURSES.index(course),
        )
        self.set_reward_weights(weights)
        self.muster(num_drones)
        self.state_dtype = State.dtype(self.scalar, drones=num_drones)
        self.observation = observation_layout(act)

    def goals(self, state):
        """Where the drones should be."""
        now = self.scalar(int(state["clock"]["step"]) / CONTROL_RATE)
        state = np.asarray(state).reshape(1).view(np.recarray)[0]
        return np.array([reference(state, n, now)[:3] for n in range(len(self.agents))], np.float64)
