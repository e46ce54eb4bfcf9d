"""The number line: walk to a target, one place a step."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Record,
    Reward,
    StateRecord,
    Vector,
    World,
    batch_loops,
    cut,
    field,
    kernel,
    rng,
)


class Params(Record):
    """The options that kernels know."""

    last = field(type=np.int32, meaning="place of the line that is farthest to the right; the first is 0")
    late = field(type=np.uint8, meaning="a target that is the start moves only after the first step")


class State(StateRecord):
    """Where one is, and where one wants to be."""

    start = field(type=np.int32, meaning="place where the episode began")
    place = field(type=np.int32, meaning="where one is")
    target = field(type=np.int32, meaning="where one wants to be")


class Info(Record):
    """The metrics."""

    distance = field(type=np.int32, meaning="places to the target")
    success = field(type=np.bool_, meaning="the target was reached")


@kernel
def moved(target, last):
    """The target in the place of one that is the start itself."""
    return (target + 1) % last


@kernel
def reset(s, p):
    """Draw the start and the target."""
    s.start = rng.integers(s.rng, rng.RESET, p.last + 1)
    s.target = rng.integers(s.rng, rng.RESET, p.last + 1)
    s.place = s.start
    if s.start == s.target and not p.late:
        s.target = moved(s.target, p.last)


@kernel
def step(s, p, action):
    """Walk; 1 for the target, -1 for a step that brings no nearer. Reward and whether the target is reached."""
    if p.late and s.clock.step > 1 and s.start == s.target:
        s.target = moved(s.target, p.last)
    before = abs(s.place - s.target)
    s.place = min(max(s.place + (1 if action == 1 else -1), 0), p.last)
    distance = abs(s.place - s.target)
    if distance == 0:
        return 1.0, True
    if s.clock.step >= 2 * p.last:
        cut(s.clock)
    return (0.0 if distance < before else -1.0), False


@kernel
def observe(s, o, info):
    """Write both places, one number for each that there is."""
    for k in range(o.place.shape[0]):
        o.place[k] = s.place == k
        o.target[k] = s.target == k
    info.distance = abs(s.place - s.target)
    info.success = s.place == s.target and s.clock.step > 0


class NumberLineWorld(World):
    """Walk along the numbers to a target; each step that brings no nearer costs 1, the target pays 1.

    Args:
        max_position: the last number; the first is 0. An episode has twice as many steps at most (``gymnasium.make``
            wants ``max_episode_steps`` of as many for a longer line than the default).
        compat: ``"gym-cards"``: an episode may begin at its target, which moves on after the first step, as it does in
            the original; who stays on it at an end of the line has reached it.
    """

    loops = batch_loops(reset, step, observe)
    reward = Reward(low=np.array(-1.0), high=np.array(1.0))
    action = Choice(("left", "right"))
    info_dtype = Info.dtype()
    state_dtype = State.dtype()

    def __init__(
        self, *, max_position: Annotated[int, Between(2, 100)] = 5, compat: Literal["gym-cards"] | None = None
    ):
        self.params = Params.make(last=max_position, late=compat is not None)
        places = max_position + 1
        self.observation = Vector(
            (
                Block("place", places, 0, 1, "", "1 where one is"),
                Block("target", places, 0, 1, "", "1 where one wants to be"),
            ),
            dtype=np.int8,
        )
