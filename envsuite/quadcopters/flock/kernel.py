"""The flocking task on one record, and the world."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from envsuite.core import rng
from envsuite.core.declare import Between
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.attitude import from_euler
from envsuite.quadcopters.flock.order import survey
from envsuite.quadcopters.flock.params import (
    ALIGNED,
    CENTER,
    CONTROL_RATE,
    EVERY,
    FEWEST,
    FULL_SPEED,
    MOST,
    NEIGHBOURS,
    PHYSICS_RATE,
    SPACING,
    START_SPREAD,
    TERMS,
    WEIGHTS,
    Params,
    starts,
)
from envsuite.quadcopters.flock.state import Info, State, observation_layout
from envsuite.quadcopters.flying import blocks, swarm
from envsuite.quadcopters.flying.craft import launch, trace
from envsuite.quadcopters.flying.fly import fly_together, sense
from envsuite.quadcopters.flying.settings import Act, Model, Precision
from envsuite.quadcopters.flying.swarm_world import SwarmWorld, hull_of


@kernel
def reset(s, p):
    """Hover side by side, each heading anywhere."""
    zero, turn, spread = real(0.0, p.apart), real(np.pi, p.apart), real(START_SPREAD, p.apart)
    rest, vehicle = (zero, zero, zero), p.flying.physics.vehicle
    for n in range(s.crafts.shape[0]):
        u = rng.uniform4(s.rng, rng.RESET, -spread, spread)
        place = (p.starts[n, 0] + u[0], p.starts[n, 1] + u[1], p.starts[n, 2] + u[2])
        yaw = rng.uniform(s.rng, rng.RESET, -turn, turn)
        launch(s.crafts[n], vehicle, p.flying, s.rng, place, from_euler(zero, zero, yaw), rest, rest)
    swarm.assemble(s)
    s.orders = s.connections = 0.0
    survey(s)


@kernel
def step(s, p, actions, rewards):
    """Fly for one control step; writes the rewards, and who crashed into the record."""
    fly_together(s.crafts, p.flying, s.rng, actions)
    swarm.meet(s, p.apart, p.contact, True)
    for n in range(s.crafts.shape[0]):
        craft = s.crafts[n]
        if craft.active:
            trace(craft, s.clock.step, EVERY)
            if craft.contact or blocks.outside(craft, p.low, p.high):
                s.crashed[n] = 1
    survey(s)
    s.orders += s.order
    s.connections += s.connected
    common = _together(s, p.weights)
    for n in range(s.crafts.shape[0]):
        rewards[n] = 0.0
        if not s.crafts[n].active:
            continue
        if s.hit[n] != 0:
            rewards[n] = -p.weights.hit
        elif s.crashed[n] != 0:
            rewards[n] = -p.weights.crash
        elif p.compat:
            rewards[n] = _original_reward(s, n)
        else:
            rewards[n] = common
    swarm.ground(s)


@kernel
def _together(s, weights):
    """What the flock earns: order and pace, less the cost of spacing, its variance, and straying."""
    one = real(1.0, s.order)
    low, high = real(SPACING[0], one), real(SPACING[1], one)
    crowding = max(max(low - s.spacing, s.spacing - high), 0.0)
    pace = min(s.pace / FULL_SPEED, 1.0)
    earned = weights.order * s.order + weights.pace * pace - weights.spacing * crowding
    return earned - weights.variance * s.spread - weights.stray * s.stray


@kernel
def _original_reward(s, n):
    """Of the first the square of its distance to (0, 0, 1), of others that of the height from the one before."""
    one = real(1.0, s.order)
    if n == 0:
        error = blocks.distance_to(s.crafts[0], (one - one, one - one, one))
        return -error * error
    gap = s.crafts[n - 1].position[2] - s.crafts[n].position[2]
    return -gap * gap


@kernel
def observe(s, p, o, info):
    """Write what each drone sees, and its metrics."""
    zero, vehicle = real(0.0, p.apart), p.flying.physics.vehicle
    center, rest = (real(CENTER[0], zero), real(CENTER[1], zero), real(CENTER[2], zero)), (zero, zero, zero)
    steps, lost = max(np.float32(s.clock.step), 1.0), False
    for n in range(s.crafts.shape[0]):
        lost = lost or s.crashed[n] != 0
    for n in range(s.crafts.shape[0]):
        craft = s.crafts[n]
        sense(craft, p.flying, s.rng)
        blocks.put_kinematics(o[n], craft.seen, center, rest)
        swarm.put_neighbours(o[n].neighbours, s.crafts, n, NEIGHBOURS)
        blocks.measure(info[n], craft, vehicle, p.flying, s.middle, rest)
        swarm.measure(s, n, info[n])
        info[n].order, info[n].mean_order = s.order, np.float32(s.orders) / steps
        info[n].spacing, info[n].connectivity = s.spacing, np.float32(s.connections) / steps
        info[n].collisions_per_minute = np.float32(s.hits[n]) * (60.0 * CONTROL_RATE) / steps
        info[n].is_success = not lost and info[n].mean_order > ALIGNED


class FlockWorld(SwarmWorld):
    """Drones that fly as a flock within a region.

    Args:
        num_drones: 4 to 64.
        reward: ``"flock"``, or ``"gpd2021"`` for that of the first release of gym-pybullet-drones.
        contact: ``"crash"``: drones that touch are taken out; ``"bounce"``: they bounce.
        model: dynamics, see `quadcopters.flying.settings.flying`.
        vehicle: name or constants of a vehicle.
        act: kind of action.
        terms: changes to the optional physics, see `quadcopters.flying.settings.Terms`.
        weights: changes to the weights of the reward, see `flock.params.WEIGHTS`.
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
        num_drones: Annotated[int, Between(FEWEST, MOST)] = 8,
        reward: Literal["flock", "gpd2021"] = "flock",
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
            starts=starts(num_drones),
            apart=2 * hull_of(flying["physics"]["vehicle"]),
            contact=swarm.CONTACTS.index(contact),
            compat=reward == "gpd2021",
        )
        self.set_reward_weights(weights)
        self.muster(num_drones)
        self.state_dtype = State.dtype(self.scalar, drones=num_drones)
        self.observation = observation_layout()

    def goals(self, state):
        """The flock's middle, for all."""
        return np.tile(np.asarray(state["middle"], np.float64), (len(self.agents), 1))
