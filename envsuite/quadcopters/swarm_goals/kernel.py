"""The swarm task on one record, and the world."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from numba.extending import register_jitable

from envsuite.core import fmath, rng
from envsuite.core.declare import Between
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.attitude import from_euler, up
from envsuite.quadcopters.flying import blocks, swarm
from envsuite.quadcopters.flying.craft import launch, trace
from envsuite.quadcopters.flying.fly import fly_together, sense
from envsuite.quadcopters.flying.settings import Act, Model, Precision
from envsuite.quadcopters.flying.swarm_world import SwarmWorld
from envsuite.quadcopters.swarm_goals import levels
from envsuite.quadcopters.swarm_goals.params import (
    COLUMN,
    COLUMNS,
    CONTROL_RATE,
    EVERY,
    FALLOFF,
    FEWEST,
    GRACE,
    MOST,
    NEAR,
    NEIGHBOURS,
    RATE_LIMIT,
    RESOLUTION,
    TERMS,
    WEIGHTS,
    Scenario,
    parameters,
)
from envsuite.quadcopters.swarm_goals.state import Info, State, observation_layout


@kernel
def reset(s, p):
    """Draw goals and columns, and scatter the drones around them, hovering, facing anywhere."""
    levels.draw(s, p)
    zero, turn = real(0.0, p.apart), real(np.pi, p.apart)
    rest, vehicle = (zero, zero, zero), p.flying.physics.vehicle
    for n in range(s.crafts.shape[0]):
        place = levels.start_of(s, p, n)
        yaw = rng.uniform(s.rng, rng.RESET, -turn, turn)
        launch(s.crafts[n], vehicle, p.flying, s.rng, place, from_euler(zero, zero, yaw), rest, rest)
        s.distances[n], s.scraping[n] = 0.0, 0
    swarm.assemble(s)


@kernel
def step(s, p, actions, rewards):
    """Fly for one control step; writes the rewards, and who crashed into the record."""
    count = s.crafts.shape[0]
    if p.wash:
        swarm.press_box(s.crafts, s.rng, p.flying.control_step)
    fly_together(s.crafts, p.flying, s.rng, actions)
    counting = s.clock.step > GRACE
    swarm.meet(s, p.apart, p.contact, counting)
    levels.move(s, p)
    for n in range(count):
        rewards[n] = 0.0
        if s.crafts[n].active:
            trace(s.crafts[n], s.clock.step, EVERY)
            _stay_inside(s, p, n, counting)
            for k in range(3):
                s.crafts[n].rates[k] = min(max(s.crafts[n].rates[k], -RATE_LIMIT), RATE_LIMIT)
            rewards[n] = _reward(s, p, n, actions[n])
    swarm.ground(s)


@kernel
def _stay_inside(s, p, n, counting):
    """Stop at walls and ceiling; hit columns."""
    craft, zero = s.crafts[n], real(0.0, p.apart)
    for k in range(3):
        low, high = (p.flying.physics.floor_height if k == 2 else p.hull - p.room[k]), p.room[k] - p.hull
        if craft.position[k] < low and k < 2:
            craft.position[k], craft.velocity[k] = low, max(craft.velocity[k], 0.0)
        if craft.position[k] > high:
            craft.position[k], craft.velocity[k] = high, min(craft.velocity[k], 0.0)
    touching, reach = False, COLUMN + p.hull
    for i in range(COLUMNS):
        x, y = craft.position[0] - s.columns[i, 0], craft.position[1] - s.columns[i, 1]
        away = blocks.norm(x, y, zero)
        if away < reach:
            touching = True
            scale = 1.0 / max(away, 1e-6)
            inward = (craft.velocity[0] * x + craft.velocity[1] * y) * scale
            if inward < 0.0:  # it stops at the column, and slides along it
                craft.velocity[0] -= inward * x * scale
                craft.velocity[1] -= inward * y * scale
            craft.position[0] += (reach - away) * x * scale
            craft.position[1] += (reach - away) * y * scale
    if touching and s.scraping[n] == 0:
        s.hit[n] = 1
        if counting:
            s.hits[n] += 1
        if p.contact == swarm.CRASH:
            s.crashed[n] = 1
    s.scraping[n] = np.uint8(touching)


@kernel
def _reward(s, p, n, action):
    craft, zero, one, weights = s.crafts[n], real(0.0, p.apart), real(1.0, p.apart), p.weights
    distance = blocks.distance_to(craft, s.goals[n])
    s.distances[n] += distance
    effort = zero
    for k in range(len(action)):
        effort += one * action[k] * action[k]
    w = craft.rates
    cost = weights.distance * distance + weights.action * fmath.sqrt(effort)
    cost += weights.rates * blocks.norm(w[0], w[1], w[2])
    # lying on the floor costs one, and one more for not being upright in the air
    cost += weights.upright * (one + one if craft.contact else -up(craft.attitude)[2])
    total = -p.scale * cost
    if s.hit[n] != 0:
        total -= weights.collision
    near = zero
    for i in range(s.crafts.shape[0]):
        if i != n and s.crafts[i].active:
            near += max(1.0 - swarm.gap(craft, s.crafts[i]) / FALLOFF, 0.0)
    return total - weights.proximity * p.flying.control_step * near


@register_jitable  # see `blocks.put_kinematics`
def _see(s, p, o):
    """Write what each drone sees in any room."""
    zero = real(0.0, p.apart)
    for n in range(s.crafts.shape[0]):
        sense(s.crafts[n], p.flying, s.rng)
        blocks.put_kinematics(o[n], s.crafts[n].seen, s.goals[n], (zero, zero, zero))
        swarm.put_neighbours(o[n].neighbours, s.crafts, n, NEIGHBOURS)


@kernel
def _measure(s, p, info):
    """Write the metrics of each drone."""
    zero = real(0.0, p.apart)
    rest, vehicle = (zero, zero, zero), p.flying.physics.vehicle
    steps = max(np.float32(s.clock.step), 1.0)
    for n in range(s.crafts.shape[0]):
        craft = s.crafts[n]
        blocks.measure(info[n], craft, vehicle, p.flying, s.goals[n], rest)
        swarm.measure(s, n, info[n])
        info[n].mean_distance = np.float32(s.distances[n]) / steps
        info[n].is_success = craft.active and info[n].distance < NEAR
        info[n].scenario = s.scenario


@kernel
def observe(s, p, o, info):
    """Write what each drone sees in an empty room, and its metrics."""
    _see(s, p, o)
    _measure(s, p, info)


@kernel
def observe_columns(s, p, o, info):
    """Write what each drone sees among columns, and its metrics."""
    _see(s, p, o)
    _measure(s, p, info)
    for n in range(s.crafts.shape[0]):
        _put_map(s, s.crafts[n], o[n].columns)


@kernel
def _put_map(s, craft, block):
    """Distances from nine points around the drone to the nearest column."""
    step, zero = real(RESOLUTION, craft.downwash), real(0.0, craft.downwash)
    for i in range(3):
        for j in range(3):
            x = craft.seen.position[0] + step * np.float32(i - 1)
            y = craft.seen.position[1] + step * np.float32(j - 1)
            least = real(blocks.FAR, zero)
            for k in range(COLUMNS):
                least = min(least, blocks.norm(x - s.columns[k, 0], y - s.columns[k, 1], zero) - COLUMN)
            block[3 * i + j] = least


_EMPTY = batch_loops(reset, step, observe, ends="apart")
_COLUMNS = batch_loops(reset, step, observe_columns, ends="apart")


class SwarmGoalsWorld(SwarmWorld):
    """Drones in a room, each with a goal of its own or all with the same.

    Args:
        scenario: one of `swarm_goals.params.ALL`.
        num_drones: 1 to 64.
        contact: ``"bounce"``: drones bounce off each other, and slide along columns; ``"crash"``: both are taken out.
        downwash: QuadSwarm's; see also the term `downwash`.
        compat: ``"quadswarm"`` keeps the original's scale of the reward; None counts every second in full.
        model: dynamics, see `quadcopters.flying.settings.flying`.
        vehicle: name or constants of a vehicle.
        act: kind of action.
        terms: changes to the optional physics, see `quadcopters.flying.settings.Terms`.
        weights: changes to the weights of the reward, see `swarm_goals.params.WEIGHTS`.
        precision: scalar type of the physics.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """

    control_rate = CONTROL_RATE
    terms = TERMS
    info_dtype = Info.dtype()
    reward_weights = WEIGHTS

    def __init__(
        self,
        *,
        scenario: Scenario = "mix",
        num_drones: Annotated[int, Between(FEWEST, MOST)] = 8,
        contact: Literal["bounce", "crash"] = "bounce",
        downwash: bool = True,
        compat: Literal["quadswarm"] | None = None,
        model: Model = "l2f",
        vehicle: str | Vehicle = "l2f_cf2023",
        act: Act = "motor",
        terms: Mapping[str, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        precision: Precision = "float32",
    ):
        flying = self.set_up(model, vehicle, act, terms, precision)
        options = {
            "scale": 1 / (2 if compat else 1) / CONTROL_RATE,
            "contact": swarm.CONTACTS.index(contact),
            "wash": downwash,
        }
        self.params = parameters(flying, scenario, num_drones, self.scalar, **options)
        self.set_reward_weights(weights)
        self.muster(num_drones)
        self.state_dtype = State.dtype(self.scalar, drones=num_drones)
        self.observation = observation_layout(bool(self.params[0]["columns"]))

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those of the scenario."""
        return _COLUMNS if self.params[0]["columns"] else _EMPTY

    def goals(self, state):
        """Where the drones should be."""
        return np.asarray(state["goals"], np.float64)
