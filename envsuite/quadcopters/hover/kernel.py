"""The hover task on one record, and the world."""

from collections.abc import Mapping
from typing import Annotated, Literal

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.clock import begin_episode, out_of_time, tick
from envsuite.core.declare import Between
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import Loops, reset_loop
from envsuite.core.world import World
from envsuite.quadcopters import attitude
from envsuite.quadcopters.dynamics import l2f
from envsuite.quadcopters.hover.params import HISTORY, NOISE_STEPS, SETTLED, parameters, reward_weights
from envsuite.quadcopters.hover.state import ACTION, OBSERVATION, Info, State

BLOCK = 256  # instances whose records stay in the processor's cache from loop to loop
_SETTLED = np.float32(SETTLED)
_FAR, _FAST, _SPINNING = (np.float32(OBSERVATION.high[k]) for k in (0, 12, 15))


@kernel
def reset(s, p):
    """Draw an initial state: at the goal with probability `guidance`, else anywhere near it; always moving."""
    body = s.body
    one = real(1.0, p.dt)
    place = rng.uniform4(s.rng, rng.RESET, -one, one)
    motion = rng.uniform4(s.rng, rng.RESET, -one, one)
    turning = rng.uniform4(s.rng, rng.RESET, -one, one)
    guided = place[3] < 2.0 * p.guidance - 1.0
    for k in range(3):
        body.position[k] = 0.0 if guided else place[k] * p.start_position
        body.velocity[k] = motion[k] * p.start_velocity
        body.rates[k] = turning[k] * p.start_rates
    rng.normals(s.rng, rng.RESET, body.force)
    rng.normals(s.rng, rng.RESET, body.torque)
    for k in range(3):
        body.force[k] *= p.force_std
        body.torque[k] *= p.torque_std
    if guided:
        body.attitude[0], body.attitude[1], body.attitude[2], body.attitude[3] = 1.0, 0.0, 0.0, 0.0
    else:
        _draw_attitude(s, p)
    for k in range(4):
        body.rotor_speed[k] = p.start_rotor
        body.command[k] = p.start_rotor
        s.action_noise[k] = 0.0
    s.angular_acceleration = s.cost = 0.0
    for k in range(5):
        s.peak_after_100[k] = s.peak_after_200[k] = 0.0
    for k in range(8 * HISTORY):
        s.history[k] = 0.0


@kernel
def _draw_attitude(s, p):
    """Uniform over the rotations by at most the starting angle, with q_w > 0.

    The density of q_w is that of one coordinate of the unit sphere in four dimensions, sqrt(1 - q_w^2), drawn by
    rejection; the axis is uniform on the unit sphere (Archimedes: its z coordinate is uniform).
    """
    q = s.body.attitude
    one, least = real(1.0, p.dt), p.start_cosine
    widest = 1.0 - least * least
    while True:
        u, height, z, turn = rng.uniform4(s.rng, rng.RESET, -one, one)
        w = least + 0.5 * (u + 1.0) * (1.0 - least)
        if height * height * widest <= 1.0 - w * w:
            break
    sine, cosine = fmath.sincos(turn * np.pi)
    size, level = fmath.sqrt(1.0 - w * w), fmath.sqrt(1.0 - z * z)
    q[0], q[1], q[2], q[3] = w, size * level * cosine, size * level * sine, size * z


@kernel
def command(s, p, action):
    """Set the rotors' commands, remember the action, and begin the step's cost with that of the action."""
    one = real(1.0, p.dt)
    first = 4 * ((np.int64(s.clock.step) + HISTORY - 1) % HISTORY)
    scale, deviation = 0.5 * p.vehicle.command_high, real(0.0, p.dt)
    for k in range(4):
        motor = min(max(action[k] + s.action_noise[k], -1.0), 1.0)
        s.history[first + k] = motor
        s.history[first + 4 * HISTORY + k] = motor
        s.body.command[k] = scale * (one * motor + 1.0)
        deviation += (one * motor - p.action_baseline) * (one * motor - p.action_baseline)
    s.cost = p.weights.action * deviation


@kernel(inline=True)
def fly(s, p):
    """Fly for one time step, and add to the cost that of the state before it and of the accelerations in it."""
    body, weights = s.body, p.weights
    cost = _state_cost(s, p) + s.cost
    v0, v1, v2 = body.velocity[0], body.velocity[1], body.velocity[2]
    w0, w1, w2 = body.rates[0], body.rates[1], body.rates[2]
    l2f.step(body, p.vehicle, p.dt)
    frequency = p.frequency * p.frequency
    angular = frequency * _square(body.rates[0] - w0, body.rates[1] - w1, body.rates[2] - w2)
    linear = frequency * _square(body.velocity[0] - v0, body.velocity[1] - v1, body.velocity[2] - v2)
    s.angular_acceleration = fmath.sqrt(angular)
    s.cost = cost + weights.linear_acceleration * linear + weights.angular_acceleration * angular


@kernel
def draw_action_noise(s, p):
    """Draw what the next action will be disturbed by."""
    for k in range(4):
        s.action_noise[k] = rng.normal(s.rng, rng.DYNAMICS, real(0.0, p.action_noise), p.action_noise)


@kernel
def _outside(body, p):
    """Whether the drone is out of the box; a position that is not a number is outside too."""
    x, y, z = body.position[0], body.position[1], body.position[2]
    return not (abs(x) <= p.position_limit and abs(y) <= p.position_limit and abs(z) <= p.position_limit)


@kernel
def _square(x, y, z):
    return x * x + y * y + z * z


@kernel
def _state_cost(s, p):
    """Weighted squares of the errors before the step."""
    position, velocity, rates, q = s.body.position, s.body.velocity, s.body.rates, s.body.attitude
    return (
        p.weights.position * _square(position[0], position[1], position[2])
        + p.weights.orientation * _square(q[1], q[2], q[3])
        + p.weights.velocity * _square(velocity[0], velocity[1], velocity[2])
        + p.weights.rates * _square(rates[0], rates[1], rates[2])
    )


@kernel
def observe(s, p, o, info):
    """Write the noisy state and the action history, oldest first; the metrics; and the critic's input."""
    body, now = s.body, np.int64(s.clock.step)
    m = attitude.to_matrix(body.attitude)
    if now % NOISE_STEPS == 0:  # drawn for several steps at once, which halves the cost
        rng.normals(s.rng, rng.OBSERVATION, s.noise)
    first = 18 * (now % NOISE_STEPS)
    for k in range(9):
        # at most 6.7 standard deviations, which the space's bounds leave room for
        o.rotation_matrix[k] = np.float32(m[k]) + p.orientation_noise * s.noise[first + 3 + k]
    for k in range(3):
        position, velocity, rate = np.float32(body.position[k]), np.float32(body.velocity[k]), np.float32(body.rates[k])
        o.position[k] = _bounded(position + p.position_noise * s.noise[first + k], _FAR)
        o.linear_velocity[k] = _bounded(velocity + p.velocity_noise * s.noise[first + 12 + k], _FAST)
        o.angular_velocity[k] = _bounded(rate + p.rates_noise * s.noise[first + 15 + k], _SPINNING)
    oldest = 4 * (now % HISTORY)
    for k in range(4 * HISTORY):
        o.action_history[k] = s.history[oldest + k]
    _tell_critic(body, p, m, info.privileged)
    _measure(s, p, info)


@kernel
def _tell_critic(body, p, m, told):
    """Write what the paper's critic sees: the state without noise, the disturbances and the rotors."""
    for k in range(9):
        told[3 + k] = m[k]
    for k in range(3):
        told[k], told[12 + k], told[15 + k] = body.position[k], body.velocity[k], body.rates[k]
        told[18 + k], told[21 + k] = body.force[k], body.torque[k]
    scale = 2.0 / p.vehicle.command_high
    for k in range(4):
        told[24 + k] = body.rotor_speed[k] * scale - 1.0


@kernel
def _bounded(value, limit):
    return min(max(value, -limit), limit)


@kernel
def _measure(s, p, info):
    """Write the metrics."""
    body = s.body
    position, velocity, rates, q = body.position, body.velocity, body.rates, body.attitude
    distance = np.float32(fmath.sqrt(_square(position[0], position[1], position[2])))
    imaginary = np.float32(fmath.sqrt(_square(q[1], q[2], q[3])))
    angle = 2.0 * fmath.atan2(imaginary, np.float32(abs(q[0])))
    speed = np.float32(fmath.sqrt(_square(velocity[0], velocity[1], velocity[2])))
    rate = np.float32(fmath.sqrt(_square(rates[0], rates[1], rates[2])))
    acceleration = np.float32(s.angular_acceleration)
    info.distance, info.angle, info.speed, info.rate = distance, angle, speed, rate
    info.angular_acceleration = acceleration
    if s.clock.step >= 100:
        _raise_peaks(s.peak_after_100, distance, angle, speed, rate, acceleration)
    if s.clock.step >= 200:
        _raise_peaks(s.peak_after_200, distance, angle, speed, rate, acceleration)
    for k in range(5):
        info.peak_after_100[k] = s.peak_after_100[k]
        info.peak_after_200[k] = s.peak_after_200[k]
    info.is_success = distance < _SETTLED
    info.crashed = _outside(body, p)


@kernel
def _raise_peaks(peaks, distance, angle, speed, rate, acceleration):
    peaks[0] = max(peaks[0], distance)
    peaks[1] = max(peaks[1], angle)
    peaks[2] = max(peaks[2], speed)
    peaks[3] = max(peaks[3], rate)
    peaks[4] = max(peaks[4], acceleration)


@kernel
def step_batch(
    states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
):
    """Step every instance of [start, stop), or begin a new episode where `restart` is set."""
    for first in range(start, stop, BLOCK):
        last = min(first + BLOCK, stop)
        _step_block(
            states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, first, last
        )


@kernel
def _step_block(
    states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
):
    p = params[0]
    if p.action_noise > 0.0:
        for i in range(start, stop):
            draw_action_noise(states[i], p)
    for i in range(start, stop):
        if not restart[i]:
            tick(states[i].clock)
            command(states[i], p, actions[i])
        else:
            states[i].body.attitude[0] = 1.0  # what has never begun has none, and flies below
    # without a branch, for vector instructions: what is about to restart flies too, and forgets it
    flying = states[start:stop]
    for i in range(len(flying)):
        fly(flying[i], p)
    for i in range(start, stop):
        s = states[i]
        if restart[i]:
            begin_episode(s.clock, s.rng)
            reset(s, p)
            rewards[i] = 0.0
            terminated[i] = False
            truncated[i] = False
        else:
            # the reward is of the state before the step, 0 where the step ends the episode
            left = _outside(s.body, p)
            rewards[i] = 0.0 if left else p.reward_constant - p.reward_scale * s.cost
            terminated[i] = left
            truncated[i] = out_of_time(s.clock, horizon)
            s.clock.done = left or truncated[i]
    # a loop of its own: the processor overlaps neighbouring instances better than the two halves of one
    for i in range(start, stop):
        observe(states[i], p, observations[i], info[i])


class HoverWorld(World):
    """One quadcopter that has to hold still at the origin, from wild starts and under constant disturbances.

    Args:
        vehicle: name of a vehicle with motor lag, see `envsuite.quadcopters.params.VEHICLES`.
        weights: cost weights, ``"target"`` (the paper's evaluation), ``"initial"`` (the start of its curriculum), or
            numbers by name, see `envsuite.quadcopters.hover.params.WEIGHTS`.
        noise: whether observations carry the paper's noise.
        action_noise: standard deviation of noise on normalised actions; 0 in the paper.
        precision: scalar type of the physics.
    """

    info_dtype = Info.dtype()
    observation = OBSERVATION
    action = ACTION
    loops = Loops(reset_loop(reset, observe), step_batch, by_name=True)

    def __init__(
        self,
        *,
        vehicle: str = "l2f_cf2023",
        weights: str | Mapping[str, float] = "target",
        noise: bool = True,
        action_noise: Annotated[float, Between(0, 0.999)] = 0.0,
        precision: Literal["float32", "float64"] = "float32",
    ):
        scalar = np.dtype(precision).type
        self.vehicle = vehicle
        self.precision = precision
        self.state_dtype = State.dtype(scalar)
        self.params = parameters(vehicle, weights, noise=noise, action_noise=action_noise, real=scalar)

    def set_reward_weights(self, weights: str | Mapping[str, float]) -> None:
        """Change the cost weights of all instances from the next step on, as the paper's curriculum does.

        Args:
            weights: as for the constructor.
        """
        self.params[0]["weights"] = reward_weights(weights)
