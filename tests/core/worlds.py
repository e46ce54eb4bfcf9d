"""A world whose every number can be worked out by hand."""

import numpy as np

from envsuite.core import rng
from envsuite.core.clock import CLOCK, begin_episode, out_of_time, tick
from envsuite.core.companions import Pictures, Words
from envsuite.core.jit import kernel
from envsuite.core.layout import Block, Vector
from envsuite.core.loops import Loops
from envsuite.core.rng import STREAM
from envsuite.core.world import Reward, World

STATE = np.dtype(
    [
        ("clock", CLOCK),
        ("rng", STREAM),
        ("goal", np.int64),
        ("sums", np.float64, (2,)),
        ("terminated", np.uint8, (2,)),
    ],
    align=True,
)
INFO = np.dtype([("sum", np.float64), ("pair", np.float32, (2,))], align=True)
PARAMS = np.dtype([("base", np.int64)], align=True)


@kernel
def begin(s, p):
    begin_episode(s.clock, s.rng)
    s.goal = p.base + rng.integers(s.rng, rng.RESET, 3)
    for k in range(2):
        s.sums[k] = 0.0
        s.terminated[k] = 0


@kernel
def reset_one(states, params, mask, observations, info, start, stop):
    for i in range(start, stop):
        if mask[i]:
            s = states[i]
            begin(s, params[0])
            observations[i, 0] = np.float32(s.clock.step)
            observations[i, 1] = np.float32(s.sums[0])
            info[i].sum = s.sums[0]
            info[i].pair[0] = np.float32(s.clock.step)
            info[i].pair[1] = np.float32(s.goal)


@kernel
def step_one(
    states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
):
    for i in range(start, stop):
        s = states[i]
        if restart[i]:
            begin(s, params[0])
            rewards[i] = 0.0
            terminated[i] = False
            truncated[i] = False
        else:
            tick(s.clock)
            s.sums[0] += actions[i, 0]
            rewards[i] = actions[i, 0]
            terminated[i] = np.int64(s.clock.step) >= s.goal
            truncated[i] = out_of_time(s.clock, horizon)
            s.clock.done = terminated[i] or truncated[i]
        observations[i, 0] = np.float32(s.clock.step)
        observations[i, 1] = np.float32(s.sums[0])
        info[i].sum = s.sums[0]
        info[i].pair[0] = np.float32(s.clock.step)
        info[i].pair[1] = np.float32(s.goal)


@kernel
def reset_two(states, params, mask, observations, info, start, stop):
    for i in range(start, stop):
        if mask[i]:
            s = states[i]
            begin(s, params[0])
            for a in range(2):
                observations[i, a, 0] = np.float32(0)
                observations[i, a, 1] = np.float32(0)
                info[i, a].sum = 0.0
                info[i, a].pair[0] = np.float32(0)
                info[i, a].pair[1] = np.float32(s.goal)


@kernel
def step_two(
    states, params, actions, restart, horizon, observations, rewards, terminated, truncated, info, start, stop
):
    for i in range(start, stop):
        s = states[i]
        fresh = restart[i]
        if fresh:
            begin(s, params[0])
        else:
            tick(s.clock)
        everybody = True
        for a in range(2):
            played = not fresh and s.terminated[a] == 0
            if played:
                s.sums[a] += actions[i, a, 0]
                # the second agent's episode ends two steps before the first's
                if np.int64(s.clock.step) >= s.goal - 2 * a:
                    s.terminated[a] = 1
                elif out_of_time(s.clock, horizon):
                    s.terminated[a] = 2
            rewards[i, a, 0] = actions[i, a, 0] if played else 0.0
            rewards[i, a, 1] = 1.0 if played else 0.0
            terminated[i, a] = s.terminated[a] == 1
            truncated[i, a] = s.terminated[a] == 2
            everybody = everybody and s.terminated[a] != 0
            observations[i, a, 0] = np.float32(s.clock.step)
            observations[i, a, 1] = np.float32(s.sums[a])
            info[i, a].sum = s.sums[a]
            info[i, a].pair[0] = np.float32(s.clock.step)
            info[i, a].pair[1] = np.float32(s.goal)
        s.clock.done = everybody


class CountWorld(World):
    """Episodes last `base` to `base` + 2 steps; the reward is the action; one agent or two with two objectives."""

    state_dtype = STATE
    info_dtype = INFO
    observation = Vector((Block("step", 1, 0, 1000), Block("sum", 1, -1000, 1000)))
    action = Vector((Block("number", 1, -10, 10),))
    reward = Reward(dtype=np.float64)

    def __init__(self, base: int = 3, two: bool = False):
        self.params = np.array([(base,)], PARAMS)
        self.two = two
        if two:
            self.agents = ("agent_0", "agent_1")
            self.reward = Reward(("number", "time"), dtype=np.float64)

    @property
    def loops(self):
        return Loops(reset_two, step_two) if self.two else Loops(reset_one, step_one)


class CountPictures(Pictures):
    def draw(self, state, size):
        width, height = size
        frame = np.zeros((height, width, 3), np.uint8)
        frame[:, : 10 * int(state["clock"]["step"]) + 5] = 200
        return frame


class CountWords(Words):
    def describe(self, state, agent=0):
        return f"step {state['clock']['step']}, sum {state['sums'][agent]}"
