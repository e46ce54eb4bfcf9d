"""The waypoint and velocity tasks on one record, the batch loops, and the world."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.attitude import from_euler, to_matrix
from envsuite.quadcopters.flying import blocks
from envsuite.quadcopters.flying.craft import launch, trace
from envsuite.quadcopters.flying.fly import fly, sense
from envsuite.quadcopters.flying.settings import Terms
from envsuite.quadcopters.flying.world import DroneWorld
from envsuite.quadcopters.waypoint_vel.params import (
    CLOSE,
    CONTROL_RATE,
    FARTHEST,
    GOAL_SPEED,
    HIGHEST,
    LOWEST,
    NEAREST,
    SIDE,
    START,
    SUBSTEPS,
    WAYPOINTS,
    WEIGHTS,
    parameters,
)
from envsuite.quadcopters.waypoint_vel.state import INFO, observation_layout, state_dtype

EVERY = 6  # steps between points of the trail


@kernel
def reset(s, p):
    """Hover facing anywhere, and draw the goal."""
    g, zero, one = s.rng, real(0.0, p.reached), real(1.0, p.reached)
    yaw = rng.uniform(g, rng.RESET, real(-np.pi, zero), real(np.pi, zero))
    position, velocity = (zero, zero, real(START, zero)), (zero, zero, zero)
    if p.velocity:
        place, motion = rng.uniform4(g, rng.RESET, -one, one), rng.uniform4(g, rng.RESET, -one, one)
        position = (place[0], place[1], real(1.5, one) + real(0.5, one) * place[2])
        velocity = (motion[0], motion[1], motion[2])
    vehicle = p.flying.physics.vehicle
    launch(s.craft, vehicle, p.flying, g, position, from_euler(zero, zero, yaw), velocity, (zero, zero, zero))
    goal = rng.uniform4(g, rng.RESET, -real(GOAL_SPEED, one), real(GOAL_SPEED, one))
    for k in range(3):
        s.wanted[k] = goal[k] if p.velocity else zero
    _draw_points(s)
    s.next, s.flown, s.straight = np.uint32(0), zero, zero
    s.gap = blocks.distance_to(s.craft, s.points[0])
    for k in range(3):
        s.mark[k] = s.craft.position[k]


@kernel
def _draw_points(s):
    """Each uniform over the shell around the one before, drawn again until it lies in the flying space."""
    zero, one = real(0.0, s.gap), real(1.0, s.gap)
    x, y, z = zero, zero, real(START, one)
    near, far, side = real(NEAREST, one), real(FARTHEST, one), real(SIDE, one)
    for i in range(WAYPOINTS):
        while True:
            draw = rng.uniform4(s.rng, rng.RESET, -far, far)
            distance = blocks.norm(draw[0], draw[1], draw[2])
            height = z + draw[2]
            flat = abs(x + draw[0]) <= side and abs(y + draw[1]) <= side
            if near <= distance and distance <= far and flat and real(LOWEST, one) <= height <= real(HIGHEST, one):
                break
        x, y, z = x + draw[0], y + draw[1], z + draw[2]
        s.points[i, 0], s.points[i, 1], s.points[i, 2] = x, y, z


@kernel
def target(s):
    """Index of the waypoint to fly to; the last one when all are reached."""
    return min(np.int64(s.next), WAYPOINTS - 1)


@kernel
def velocity_error(s):
    """m/s."""
    v, w = s.craft.velocity, s.wanted
    return blocks.norm(v[0] - w[0], v[1] - w[1], v[2] - w[2])


@kernel
def step(s, p, action):
    """Fly for one control step; returns the reward and whether the episode ends."""
    craft, w = s.craft, p.weights
    x, y, z = craft.position[0], craft.position[1], craft.position[2]
    fly(craft, p.flying.physics.vehicle, p.flying, s.rng, action)
    trace(craft, s.clock.step, EVERY)
    s.flown += blocks.distance_to(craft, (x, y, z))
    if blocks.outside(craft, p.low, p.high):
        return -w.crash, True
    if p.velocity:
        return w.velocity * fmath.exp(-velocity_error(s)), False
    gap = blocks.distance_to(craft, s.points[target(s)])
    reward = w.progress * (s.gap - gap) - w.time
    s.gap = gap
    if gap < p.reached:
        reward += w.waypoint
        s.straight += blocks.distance_to(craft, s.mark)
        for k in range(3):
            s.mark[k] = craft.position[k]
        s.next += np.uint32(1)
        s.gap = blocks.distance_to(craft, s.points[target(s)])
    return reward, s.next == WAYPOINTS


@kernel
def observe(s, p, observation, info):
    """Write the observation and the metrics."""
    craft, zero = s.craft, real(0.0, p.reached)
    rest, goal = (zero, zero, zero), s.points[target(s)]
    sense(craft, p.flying, s.rng)
    seen = craft.seen
    if p.velocity:
        observation[0] = min(max(np.float32(seen.position[2]), np.float32(-blocks.FAR)), np.float32(blocks.FAR))
        m = to_matrix(seen.attitude)
        for k in range(9):
            observation[1 + k] = np.float32(m[k])
        blocks.put(observation, 10, seen.velocity, blocks.FAST)
        blocks.put(observation, 13, seen.rates, blocks.SPINNING)
        at = blocks.put(observation, 16, s.wanted, GOAL_SPEED)
    else:
        blocks.put_kinematics(observation, seen, goal, rest)
        later = s.points[min(target(s) + 1, WAYPOINTS - 1)]
        x = seen.position
        at = blocks.put(observation, 18, (later[0] - x[0], later[1] - x[1], later[2] - x[2]), blocks.FAR)
        observation[at] = np.float32(1.0) - np.float32(s.next) / np.float32(WAYPOINTS)
        at += 1
    blocks.put_action(observation, at, craft, len(observation) - at)
    blocks.measure(info, craft, p.flying.physics.vehicle, p.flying, goal, s.wanted)
    info.crashed = blocks.outside(craft, p.low, p.high)
    info.waypoints = np.float32(s.next)
    info.efficiency = np.float32(s.straight / s.flown) if s.straight > zero else np.float32(0.0)
    info.velocity_error = np.float32(velocity_error(s)) if p.velocity else np.float32(0.0)
    if p.velocity:
        info.distance = info.velocity_error
        info.is_success = info.velocity_error < np.float32(CLOSE)
    else:
        info.is_success = s.next == WAYPOINTS


class WaypointVelWorld(DroneWorld):
    """A drone that visits waypoints, or holds a velocity.

    Args:
        task: ``"waypoints"`` or ``"velocity"``.
        speed_limit: speed of a full vel action, m/s.
        model: dynamics, see `quadcopters.flying.settings.flying`.
        vehicle: name or constants of a vehicle.
        act: kind of action.
        terms: changes to the optional physics, see `quadcopters.flying.settings.Terms`.
        weights: changes to the weights of the reward, see `waypoint_vel.params.WEIGHTS`.
        precision: scalar type of the physics.
    """

    info_dtype = INFO
    reward_weights = WEIGHTS
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        task: Literal["waypoints", "velocity"] = "waypoints",
        speed_limit: float = 1.0,
        model: str = "bullet",
        vehicle: str | Vehicle = "cf2x",
        act: str = "vel",
        terms: Mapping[str, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        precision: Literal["float32", "float64"] = "float32",
    ):
        flying = self.set_up(
            model,
            vehicle,
            act,
            terms,
            precision,
            defaults=Terms(floor=task == "waypoints"),
            control_rate=CONTROL_RATE,
            substeps=SUBSTEPS,
            speed_limit=speed_limit,
        )
        self.params = parameters(flying, task, self.scalar)
        self.set_reward_weights(weights)
        self.state_dtype = state_dtype(self.scalar)
        self.observation = observation_layout(act, task == "velocity")

    def goal(self, state):
        """The next waypoint; in the velocity task, where the velocity leads within a second."""
        if self.params[0]["velocity"]:
            return state["craft"]["position"] + state["wanted"]
        return np.asarray(state["points"][min(int(state["next"]), WAYPOINTS - 1)])
