"""The dynamics of ToyWorld on one record, the batch loops, and the world."""

import numpy as np

from envsuite.core import fmath, rng
from envsuite.core.clock import begin_episode, out_of_time, tick
from envsuite.core.jit import kernel
from envsuite.core.world import World
from envsuite.toy_family.toy_world import language, render
from envsuite.toy_family.toy_world.params import SPEED_LIMIT, parameters
from envsuite.toy_family.toy_world.state import ACTION, INFO, OBSERVATION, STATE


@kernel
def reset(s, p):
    """Start near upright and at rest."""
    s.position = rng.uniform(s.rng, rng.RESET, -p.start, p.start)
    s.velocity = rng.uniform(s.rng, rng.RESET, -p.start, p.start)
    s.angle = rng.uniform(s.rng, rng.RESET, -p.start, p.start)
    s.angular_velocity = rng.uniform(s.rng, rng.RESET, -p.start, p.start)


@kernel
def step(s, p, action):
    """Push the cart for one time step (explicit Euler); the reward is 1 a step, the one that fails included."""
    force = p.force if action == 1 else -p.force
    sine, cosine = fmath.sincos(s.angle)
    total_mass = p.cart_mass + p.pole_mass
    pole_moment = p.pole_mass * p.half_length
    push = (force + pole_moment * s.angular_velocity * s.angular_velocity * sine) / total_mass
    inertia = p.half_length * (4.0 / 3.0 - p.pole_mass * cosine * cosine / total_mass)
    angular_acceleration = (p.gravity * sine - cosine * push) / inertia
    acceleration = push - pole_moment * angular_acceleration * cosine / total_mass
    s.position += p.dt * s.velocity
    s.velocity += p.dt * acceleration
    s.angle += p.dt * s.angular_velocity
    s.angular_velocity += p.dt * angular_acceleration
    failed = abs(s.position) > p.position_limit or abs(s.angle) > p.angle_limit
    return 1.0, failed


@kernel
def observe(s, observation):
    """Write what the agent sees."""
    observation[0] = np.float32(s.position)
    observation[1] = np.float32(min(max(s.velocity, -SPEED_LIMIT), SPEED_LIMIT))
    observation[2] = np.float32(s.angle)
    observation[3] = np.float32(min(max(s.angular_velocity, -SPEED_LIMIT), SPEED_LIMIT))


@kernel
def measure(s, info):
    """Write the metrics."""
    info.lean = abs(s.angle)


@kernel
def reset_batch(states, params, mask, observations, info, start, stop):
    """Begin a new episode in every instance of [start, stop) whose mask is set."""
    p = params[0]
    for i in range(start, stop):
        if mask[i]:
            s = states[i]
            begin_episode(s.clock, s.rng)
            reset(s, p)
            observe(s, observations[i])
            measure(s, info[i])


@kernel
def step_batch(
    states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
):
    """Step every instance of [start, stop), or begin a new episode where `restart` is set."""
    p = params[0]
    for i in range(start, stop):
        s = states[i]
        if restart[i]:
            begin_episode(s.clock, s.rng)
            reset(s, p)
            rewards[i] = 0.0
            terminated[i] = False
            truncated[i] = False
        else:
            tick(s.clock)
            rewards[i], terminated[i] = step(s, p, actions[i])
            truncated[i] = out_of_time(s.clock, horizon)
            s.clock.over = terminated[i] or truncated[i]
        observe(s, observations[i])
        measure(s, info[i])


class ToyWorld(World):
    """A pole on a cart."""

    state_dtype = STATE
    info_dtype = INFO
    observation = OBSERVATION
    action = ACTION
    reward_dtype = np.float64
    render_size = (480, 320)
    fps = 50
    reset_batch = staticmethod(reset_batch)
    step_batch = staticmethod(step_batch)

    def __init__(self):
        self.params = parameters()

    def render(self, state, size):
        """Draw the cart and the pole."""
        return render.draw(state, size)

    def describe(self, state, agent=0):
        """Position, angle and their rates in one sentence."""
        return language.describe(state)

    def parse(self, text, state, agent=0):
        """Read ``left`` or ``right``."""
        return language.parse(text)

    def expert(self):
        """A linear controller."""
        from envsuite.toy_family.toy_world.experts import LinearController

        return LinearController()

    def keys_to_action(self):
        """Arrow keys."""
        return {("left",): 0, ("right",): 1}
