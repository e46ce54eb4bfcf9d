"""The throw-recovery task on one record, and the world."""

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np

from envsuite.core import rng
from envsuite.core.declare import Between
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.attitude import normalize
from envsuite.quadcopters.flying import blocks
from envsuite.quadcopters.flying.craft import launch, trace
from envsuite.quadcopters.flying.fly import fly, sense
from envsuite.quadcopters.flying.settings import Act, Model, Precision
from envsuite.quadcopters.flying.world import DroneWorld
from envsuite.quadcopters.throw_recovery.params import (
    CONTROL_RATE,
    EARLY,
    EVERY,
    NEAR,
    SLOW,
    SPIN,
    TARGET,
    TERMS,
    THROW,
    UPRIGHT,
    WEIGHTS,
    Params,
    parameters,
)
from envsuite.quadcopters.throw_recovery.state import Info, State, observation_layout


@kernel
def reset(s, p):
    """Throw the drone: any attitude, tumbling, at the height where it should come to rest."""
    g, zero, one = s.rng, real(0.0, p.reward_scale), real(1.0, p.reward_scale)
    q = (
        rng.normal(g, rng.RESET, zero, one),
        rng.normal(g, rng.RESET, zero, one),
        rng.normal(g, rng.RESET, zero, one),
        rng.normal(g, rng.RESET, zero, one),
    )
    h = p.strength
    q = (h * q[0] + UPRIGHT * (1.0 - h), h * q[1], h * q[2], h * q[3])
    throw, spin = h * THROW, h * SPIN
    v = rng.uniform4(g, rng.RESET, -throw, throw)
    w = rng.uniform4(g, rng.RESET, -spin, spin)
    place = (p.target[0], p.target[1], p.target[2])
    vehicle = p.flying.physics.vehicle
    launch(s.craft, vehicle, p.flying, g, place, normalize(q), (v[0], v[1], v[2]), (w[0], w[1], w[2]))
    s.craft.heading = 0.0
    s.lowest, s.settled_early = p.target[2], False


@kernel
def step(s, p, action):
    """Fly for one control step; returns the reward and whether the drone crashed."""
    craft, weights, one = s.craft, p.weights, real(1.0, p.reward_scale)
    fly(craft, p.flying.physics.vehicle, p.flying, s.rng, action)
    trace(craft, s.clock.step, EVERY)
    s.lowest = min(s.lowest, craft.position[2])
    if s.clock.step == EARLY:
        s.settled_early = at_rest(craft, p)
    if blocks.outside(craft, p.low, p.high):
        return -weights.crash, True
    distance, speed, q = blocks.distance_to(craft, p.target), blocks.speed_of(craft), craft.attitude
    effort = one * np.float32(0.0)
    for k in range(len(action)):
        strain = one * action[k] - p.action_baseline
        effort += strain * strain
    cost = weights.position * distance * distance + weights.velocity * speed * speed
    cost += weights.orientation * (1.0 - q[0] * q[0]) + weights.action * effort
    # equals the hover task's c - k cost near rest, but stays positive: a crash never pays
    return p.reward_constant / (1.0 + p.reward_scale / p.reward_constant * cost), False


@kernel
def at_rest(craft, p):
    """Whether the drone is near the goal and slow."""
    return blocks.distance_to(craft, p.target) < NEAR and blocks.speed_of(craft) < SLOW


@kernel
def observe(s, p, o, info):
    """Write the observation and the metrics."""
    craft, zero = s.craft, real(0.0, p.reward_scale)
    rest = (zero, zero, zero)
    sense(craft, p.flying, s.rng)
    blocks.put_kinematics(o, craft.seen, p.target, rest)
    blocks.put_action(o, craft.last_action)
    blocks.measure(info, craft, p.flying.physics.vehicle, p.flying, p.target, rest)
    for k in range(4):
        o.rotor_speeds[k] = min(max(info.privileged[blocks.MOTORS_AT + k], -1.0), 1.0)
    info.crashed = blocks.outside(craft, p.low, p.high)
    info.is_success = at_rest(craft, p)
    info.lowest = s.lowest
    info.settled_early = s.settled_early


class ThrowRecoveryWorld(DroneWorld):
    """A drone that is thrown and has to come to rest.

    Args:
        strength: of the throw, 0 (let go upright and still) to 1; a curriculum can raise it, see `set_strength`.
        model: dynamics, see `quadcopters.flying.settings.flying`.
        vehicle: name or constants of a vehicle.
        act: kind of action.
        terms: changes to the optional physics, see `quadcopters.flying.settings.Terms`.
        weights: changes to the weights of the reward, see `throw_recovery.params.WEIGHTS`.
        precision: scalar type of the physics.
    """

    control_rate = CONTROL_RATE
    terms = TERMS
    info_dtype = Info.dtype()
    reward_weights = WEIGHTS
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        strength: Annotated[float, Between(0, 1)] = 1.0,
        model: Model = "l2f",
        vehicle: str | Vehicle = "l2f_cf2023",
        act: Act = "motor",
        terms: Mapping[str, Any] | None = None,
        weights: Mapping[str, float] | None = None,
        precision: Precision = "float32",
    ):
        flying = self.set_up(model, vehicle, act, terms, precision)
        self.params = parameters(flying, strength, self.scalar)
        self.set_reward_weights(weights)
        self.state_dtype = State.dtype(self.scalar)
        self.observation = observation_layout(act)

    def set_strength(self, strength: float) -> None:
        """Change how hard drones are thrown in all instances, from their next episode on.

        Args:
            strength: 0 to 1, see the constructor.

        Raises:
            ValueError: it is out of range.
        """
        Params.fields["strength"].check(strength)
        self.params[0]["strength"] = strength

    def goal(self, state):
        """Three metres above the floor."""
        return np.array(TARGET)
