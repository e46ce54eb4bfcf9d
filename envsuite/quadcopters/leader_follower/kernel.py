"""The formation task on one record, and the world."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.declare import Between
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.flying import blocks, swarm
from envsuite.quadcopters.flying.craft import launch, trace
from envsuite.quadcopters.flying.fly import advance_together, decide, sense
from envsuite.quadcopters.flying.pilot import steer
from envsuite.quadcopters.flying.settings import Act, Model, Precision
from envsuite.quadcopters.flying.swarm_world import SwarmWorld, hull_of
from envsuite.quadcopters.leader_follower.params import (
    CLOSE,
    CONTROL_RATE,
    EVERY,
    FEWEST,
    MOST,
    NEIGHBOURS,
    PHYSICS_RATE,
    SLOT,
    START,
    TERMS,
    WEIGHTS,
    Params,
    offsets,
)
from envsuite.quadcopters.leader_follower.path import draw, leader_at
from envsuite.quadcopters.leader_follower.state import Info, State, observation_layout


@kernel
def time_of(s, p):
    """Seconds since the episode began."""
    return p.flying.control_step * np.float32(s.clock.step)


@kernel
def place_slots(s, p):
    """Where each drone should be: behind the leader that flies, along its heading.

    The leader's slot is its place on the path. The V does not turn with every wave of the path: it keeps the heading of
    the leader at the start, and the leader holds that.
    """
    lead, path = s.crafts[0], leader_at(s, time_of(s, p))
    sine, cosine = fmath.sincos(lead.heading)
    for k in range(3):
        s.slots[0, k], s.motion[0, k] = path[k], path[3 + k]
    for n in range(1, s.crafts.shape[0]):
        x, y, z = p.offsets[n, 0], p.offsets[n, 1], p.offsets[n, 2]
        s.slots[n, 0] = lead.position[0] + cosine * x - sine * y
        s.slots[n, 1] = lead.position[1] + sine * x + cosine * y
        s.slots[n, 2] = lead.position[2] + z
        for k in range(3):
            s.motion[n, k] = lead.velocity[k]


@kernel
def reset(s, p):
    """Draw the leader's path, and hover near the slots."""
    g, zero, turn = s.rng, real(0.0, p.apart), real(np.pi, p.apart)
    rest, level = (zero, zero, zero), (real(1.0, zero), zero, zero, zero)
    s.separation = 0.0
    draw(s)
    heading, path = rng.uniform(g, rng.RESET, -turn, turn), leader_at(s, zero)
    sine, cosine = fmath.sincos(heading)
    vehicle, spread = p.flying.physics.vehicle, real(START, zero)
    for k in range(s.script.shape[0]):
        s.script[k] = 0.0
    for n in range(s.crafts.shape[0]):
        u = rng.uniform4(g, rng.RESET, -spread, spread)
        x, y = p.offsets[n, 0], p.offsets[n, 1]
        place = (path[0] + cosine * x - sine * y + u[0], path[1] + sine * x + cosine * y + u[1], path[2] + u[2])
        launch(s.crafts[n], vehicle, p.flying, g, place, level, rest, rest)
        s.crafts[n].heading = heading
        s.squares[n] = 0.0
    swarm.assemble(s)
    place_slots(s, p)


@kernel
def step(s, p, actions, rewards):
    """Fly for one control step; writes the rewards, and who crashed into the record."""
    count, one = s.crafts.shape[0], real(1.0, p.apart)
    vehicle, weights = p.flying.physics.vehicle, p.weights
    for n in range(count):
        if s.crafts[n].active:
            if n == 0 and p.scripted:
                lead_on(s, p, s.script)
                decide(s.crafts[n], vehicle, p.flying, s.rng, s.script)
            else:
                decide(s.crafts[n], vehicle, p.flying, s.rng, actions[n])
    advance_together(s.crafts, p.flying)
    place_slots(s, p)
    swarm.meet(s, p.apart, p.contact, True)
    for n in range(count):
        rewards[n] = 0.0
        craft = s.crafts[n]
        if not craft.active:
            continue
        trace(craft, s.clock.step, EVERY)
        error = blocks.distance_to(craft, s.slots[n])
        s.squares[n] += error * error
        if craft.contact or blocks.outside(craft, p.low, p.high):
            s.crashed[n] = 1
        if n == 0 and p.scripted:
            continue
        if s.crashed[n] != 0:
            rewards[n] = -weights.crash
        elif p.compat:
            rewards[n] = _original_reward(s, p, n)
        else:
            reward = weights.slot * fmath.exp(-3.0 * error) - weights.change * (one * craft.change)
            if swarm.nearest_gap(s.crafts, n) < CLOSE:
                reward -= weights.close
            rewards[n] = reward
    swarm.ground(s)


@kernel
def _original_reward(s, p, n):
    """Of the leader the square of its distance to (0, 0, 0.5), of followers that of the height from the leader's."""
    one, lead = real(1.0, p.apart), s.crafts[0]
    zero = real(0.0, one)
    if n == 0:
        error = blocks.distance_to(lead, (zero, zero, real(0.5, one)))
        return -error * error
    gap = s.crafts[n].position[2] - lead.position[2]
    return -gap * gap / (one * np.float32(s.crafts.shape[0]))


@kernel
def lead_on(s, p, action):
    """Write the action that flies the leader along its path."""
    craft, r = s.crafts[0], leader_at(s, time_of(s, p))
    position, velocity, acceleration = (r[0], r[1], r[2]), (r[3], r[4], r[5]), (r[6], r[7], r[8])
    steer(craft, p.flying.physics.vehicle, p.flying, position, velocity, acceleration, craft.heading, action)


@kernel
def observe(s, p, o, info):
    """Write what each drone sees, and its metrics."""
    vehicle, lead = p.flying.physics.vehicle, s.crafts[0]
    steps = max(np.float32(s.clock.step), 1.0)
    minutes = steps / np.float32(60.0 * CONTROL_RATE)
    for n in range(s.crafts.shape[0]):
        craft = s.crafts[n]
        sense(craft, p.flying, s.rng)
        blocks.put_kinematics(o[n], craft.seen, s.slots[n], s.motion[n])
        x, v, y, w = lead.position, lead.velocity, craft.position, craft.velocity
        blocks.put_row(o[n].leader, 0, (x[0] - y[0], x[1] - y[1], x[2] - y[2]), 2.0 * blocks.FAR)
        blocks.put_row(o[n].leader, 1, (v[0] - w[0], v[1] - w[1], v[2] - w[2]), 2.0 * blocks.FAST)
        swarm.put_neighbours(o[n].neighbours, s.crafts, n, NEIGHBOURS)
        blocks.measure(info[n], craft, vehicle, p.flying, s.slots[n], s.motion[n])
        swarm.measure(s, n, info[n])
        info[n].slot_rmse = fmath.sqrt(np.float32(s.squares[n]) / steps)
        info[n].collisions_per_minute = np.float32(s.hits[n]) / minutes
        info[n].is_success = craft.active and info[n].slot_rmse < SLOT
    if p.scripted:  # the leader succeeds with its followers
        together = True
        for n in range(1, s.crafts.shape[0]):
            together = together and info[n].is_success
        info[0].is_success = together


class LeaderFollowerWorld(SwarmWorld):
    """Drones that follow a leader in a V; `drone_0` leads.

    Args:
        num_drones: 2 to 8, the leader included.
        leader: ``"scripted"``: a controller flies it along a random smooth path, whatever its action, and it earns
            nothing; ``"learned"``: it is an agent like the others, and sees its errors from the path.
        reward: ``"slot"``, or ``"gpd2021"`` for that of the first release of gym-pybullet-drones.
        contact: ``"crash"``: drones that touch are taken out; ``"bounce"``: they bounce.
        model: dynamics, see `quadcopters.flying.settings.flying`.
        vehicle: name or constants of a vehicle.
        act: kind of action.
        terms: changes to the optional physics, see `quadcopters.flying.settings.Terms`.
        weights: changes to the weights of the reward, see `leader_follower.params.WEIGHTS`.
        precision: scalar type of the physics.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """

    control_rate = CONTROL_RATE
    substeps = PHYSICS_RATE // CONTROL_RATE
    terms = TERMS
    info_dtype = Info.dtype()
    reward_weights = WEIGHTS
    loops = batch_loops(reset, step, observe, ends="apart")

    def __init__(
        self,
        *,
        num_drones: Annotated[int, Between(FEWEST, MOST)] = 3,
        leader: Literal["scripted", "learned"] = "scripted",
        reward: Literal["slot", "gpd2021"] = "slot",
        contact: Literal["crash", "bounce"] = "crash",
        model: Model = "bullet",
        vehicle: str | Vehicle = "cf2x",
        act: Act = "vel",
        terms: Mapping[str, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        precision: Precision = "float32",
    ):
        flying = self.set_up(model, vehicle, act, terms, precision, speed_limit=1.5)
        self.params = Params.make(
            self.scalar,
            {"drones": num_drones},
            flying=flying,
            offsets=offsets(num_drones),
            apart=2 * hull_of(flying["physics"]["vehicle"]),
            contact=swarm.CONTACTS.index(contact),
            scripted=leader == "scripted",
            compat=reward == "gpd2021",
        )
        self.set_reward_weights(weights)
        self.muster(num_drones)
        self.state_dtype = State.dtype(self.scalar, drones=num_drones, action=self.action.shape[0])
        self.observation = observation_layout()

    def goals(self, state):
        """Where the drones should be."""
        return np.asarray(state["slots"], np.float64)
