"""The waypoint and velocity tasks on one record, and the world."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.attitude import from_euler
from envsuite.quadcopters.flying import blocks
from envsuite.quadcopters.flying.craft import launch, trace
from envsuite.quadcopters.flying.fly import fly, sense
from envsuite.quadcopters.flying.settings import Act, Model, Precision, Terms
from envsuite.quadcopters.flying.world import DroneWorld
from envsuite.quadcopters.waypoint_vel.params import (
    CLOSE,
    CONTROL_RATE,
    EVERY,
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
    WIDE,
    Params,
)
from envsuite.quadcopters.waypoint_vel.state import Info, State, observation_layout


@kernel
def reset(s, p):
    """Hover facing anywhere, and draw the goal."""
    g, zero, one = s.rng, real(0.0, p.reached), real(1.0, p.reached)
    yaw = rng.uniform(g, rng.RESET, real(-np.pi, zero), real(np.pi, zero))
    position, velocity = (zero, zero, real(START, zero)), (zero, zero, zero)
    if p.velocity:
        place, motion = rng.uniform4(g, rng.RESET, -one, one), rng.uniform4(g, rng.RESET, -one, one)
        position = (place[0], place[1], 1.5 + 0.5 * place[2])
        velocity = (motion[0], motion[1], motion[2])
    vehicle = p.flying.physics.vehicle
    launch(s.craft, vehicle, p.flying, g, position, from_euler(zero, zero, yaw), velocity, (zero, zero, zero))
    goal = rng.uniform4(g, rng.RESET, -real(GOAL_SPEED, one), real(GOAL_SPEED, one))
    for k in range(3):
        s.wanted[k] = goal[k] if p.velocity else zero
    _draw_points(s)
    s.next, s.flown, s.straight = 0, 0.0, 0.0
    s.gap = blocks.distance_to(s.craft, s.points[0])
    for k in range(3):
        s.mark[k] = s.craft.position[k]


@kernel
def _draw_points(s):
    """Each uniform over the shell around the one before, drawn again until it lies in the flying space."""
    zero, one = real(0.0, s.gap), real(1.0, s.gap)
    x, y, z = zero, zero, real(START, one)
    far = real(FARTHEST, one)
    for i in range(WAYPOINTS):
        while True:
            draw = rng.uniform4(s.rng, rng.RESET, -far, far)
            distance = blocks.norm(draw[0], draw[1], draw[2])
            height = z + draw[2]
            flat = abs(x + draw[0]) <= SIDE and abs(y + draw[1]) <= SIDE
            if (
                distance >= NEAREST
                and distance <= FARTHEST
                and flat
                and real(LOWEST, one) <= height <= real(HIGHEST, one)
            ):
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
        s.next += 1
        s.gap = blocks.distance_to(craft, s.points[target(s)])
    return reward, s.next == WAYPOINTS


@kernel
def observe_waypoints(s, p, o, info):
    """Write the observation of the waypoint task, and the metrics."""
    craft, zero = s.craft, real(0.0, p.reached)
    goal, later = s.points[target(s)], s.points[min(target(s) + 1, WAYPOINTS - 1)]
    sense(craft, p.flying, s.rng)
    blocks.put_kinematics(o, craft.seen, goal, (zero, zero, zero))
    blocks.put_offset(o.waypoint_after, later, craft.seen.position, blocks.FAR)
    o.left = 1.0 - np.float32(s.next) / WAYPOINTS
    blocks.put_action(o, craft.last_action)
    _measure(s, p, info)
    info.velocity_error = 0.0
    info.is_success = s.next == WAYPOINTS


@kernel
def observe_velocity(s, p, o, info):
    """Write the observation of the velocity task, and the metrics."""
    craft = s.craft
    sense(craft, p.flying, s.rng)
    seen = craft.seen
    o.height = min(max(np.float32(seen.position[2]), -blocks.FAR), blocks.FAR)
    blocks.put_rotation(o.rotation_matrix, seen.attitude)
    blocks.put(o.velocity, seen.velocity, blocks.FAST)
    blocks.put(o.angular_velocity, seen.rates, blocks.SPINNING)
    blocks.put(o.goal_velocity, s.wanted, GOAL_SPEED)
    blocks.put_action(o, craft.last_action)
    _measure(s, p, info)
    info.distance = info.velocity_error = velocity_error(s)
    info.is_success = info.velocity_error < CLOSE


@kernel
def _measure(s, p, info):
    craft = s.craft
    blocks.measure(info, craft, p.flying.physics.vehicle, p.flying, s.points[target(s)], s.wanted)
    info.crashed = blocks.outside(craft, p.low, p.high)
    info.waypoints = s.next
    info.efficiency = s.straight / s.flown if s.straight > 0.0 else 0.0


_WAYPOINTS = batch_loops(reset, step, observe_waypoints)
_VELOCITY = batch_loops(reset, step, observe_velocity)


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

    control_rate = CONTROL_RATE
    substeps = SUBSTEPS
    info_dtype = Info.dtype()
    reward_weights = WEIGHTS

    def __init__(
        self,
        *,
        task: Literal["waypoints", "velocity"] = "waypoints",
        speed_limit: float = 1.0,
        model: Model = "bullet",
        vehicle: str | Vehicle = "cf2x",
        act: Act = "vel",
        terms: Mapping[str, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        precision: Precision = "float32",
    ):
        velocity = task == "velocity"
        self.terms = Terms(floor=not velocity)
        flying = self.set_up(model, vehicle, act, terms, precision, speed_limit=speed_limit)
        # a velocity leads anywhere within ten seconds
        box: dict[str, Any] = {"low": (-WIDE,) * 3, "high": (WIDE,) * 3} if velocity else {}
        self.params = Params.make(self.scalar, flying=flying, velocity=velocity, **box)
        self.set_reward_weights(weights)
        self.state_dtype = State.dtype(self.scalar)
        self.observation = observation_layout(act, velocity)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those of the task."""
        return _VELOCITY if self.params[0]["velocity"] else _WAYPOINTS

    def goal(self, state):
        """The next waypoint; in the velocity task, where the velocity leads within a second."""
        if self.params[0]["velocity"]:
            return state["craft"]["position"] + state["wanted"]
        return np.asarray(state["points"][min(int(state["next"]), WAYPOINTS - 1)])
