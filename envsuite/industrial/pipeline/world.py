"""The pipe: a gate at one end, a demand at the other."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from envsuite.core import Between, Block, Record, Reward, StateRecord, Vector, batch_loops, field, kernel, rng
from envsuite.industrial.world import PlantWorld

MEMORY = 25  # steps of flow and of actions in an observation
DELAY = 19  # steps from the gate to the far end: 100 m at 5 m a step, the first of which is the gate's own
FLOW = 200.0  # greatest flow
TARGETS = (50.0, 80.0, 110.0, 140.0)
_MOST_TARGETS = 16
_SOURCE = "NeoRL-2, Pipeline"


class Params(Record):
    """The constants."""

    start = field((80.0, 120.0), "m^3/h", "the flow in the beginning is uniform between", shape=2, source=_SOURCE)
    targets = field(None, "m^3/h", "demands that are drawn", shape=_MOST_TARGETS, source=_SOURCE)
    count = field(len(TARGETS), meaning="number of them", type=np.int32)
    switch = field(0.003, "", "probability a step that the demand is drawn anew", low=0, high=1, source=_SOURCE)
    speed = field(1.0, "m^3/h", "the gate's greatest change in a step", low=0, source=_SOURCE)


class State(StateRecord):
    """The water in the pipe, the demand, and what an agent remembers."""

    pipe = field(unit="m^3/h", meaning="flow from the gate to the far end", shape="segments")
    target = field(unit="m^3/h", meaning="demand")
    arrived = field(unit="m^3/h", meaning="flow at the far end before, newest first", shape=MEMORY)
    acted = field(meaning="actions, newest first", shape=MEMORY)
    changed = field(meaning="another demand came in the last step", type=np.bool_)


class Info(Record):
    """The metrics."""

    error = field(unit="m^3/h", meaning="distance of the flow at the far end from the demand", type=np.float32)
    gate_flow = field(unit="m^3/h", meaning="flow at the gate, which arrives after the delay", type=np.float32)
    delay = field(unit="steps", meaning="from the gate to the far end", type=np.int32)
    target_changed = field(meaning="another demand came in this step", type=np.bool_)


@kernel
def draw_target(s, p):
    """Draw the demand, which may stay as it is."""
    s.target = p.targets[rng.integers(s.rng, rng.DYNAMICS, p.count)]


@kernel
def reset(s, p):
    """Fill the pipe and the memory with one flow, and draw the demand."""
    flow = rng.uniform(s.rng, rng.RESET, p.start[0], p.start[1])
    for k in range(s.pipe.shape[0]):
        s.pipe[k] = flow
    for k in range(MEMORY):
        s.arrived[k] = flow
        s.acted[k] = 0.0
    s.changed = False
    draw_target(s, p)


@kernel
def step(s, p, action):
    """Move the gate, let the water flow by a segment; returns the reward, and that nothing ends the episode."""
    before = s.target
    if rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0) < p.switch:
        draw_target(s, p)
    s.changed = s.target != before
    last = s.pipe.shape[0] - 1
    for k in range(MEMORY - 1, 0, -1):
        s.arrived[k] = s.arrived[k - 1]
        s.acted[k] = s.acted[k - 1]
    s.arrived[0] = s.pipe[last]
    s.acted[0] = action[0]
    flow = min(max(s.pipe[0] + p.speed * s.acted[0], 0.0), FLOW)
    for k in range(last, 0, -1):
        s.pipe[k] = s.pipe[k - 1]
    s.pipe[0] = flow
    near = (FLOW - abs(s.pipe[last] - s.target)) / 100.0
    return near * near - 3.0, False


@kernel
def observe(s, o, info):
    """Write what arrives, what is wanted, what arrived and was done before, and the metrics."""
    last = s.pipe.shape[0] - 1
    o.flow, o.target = s.pipe[last], s.target
    for k in range(MEMORY):
        o.flow_before[k], o.actions_before[k] = s.arrived[k], s.acted[k]
    info.error = abs(s.pipe[last] - s.target)
    info.gate_flow = s.pipe[0]
    info.delay = last
    info.target_changed = s.changed


class PipelineWorld(PlantWorld):
    """A pipe through which water takes its time.

    Args:
        delay: steps from the gate to the far end.
        targets: flows, m^3/h, of which the demand is drawn: up to sixteen from 0 to 200.
        switch: probability in each step that the demand is drawn anew.

    Raises:
        ValueError: an option's value is out of range.
    """

    info_dtype = Info.dtype()
    action = Vector((Block("change", 1, -1.0, 1.0, "m^3/h", "of the flow at the gate"),), out_of_range="clip")
    reward = Reward(low=np.array(-3.0), high=np.array(1.0))
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        delay: Annotated[int, Between(0, 200)] = DELAY,
        targets: Sequence[float] = TARGETS,
        switch: Annotated[float, Between(0.0, 1.0)] = 0.003,
    ):
        wanted = _checked(targets)
        padded = np.zeros(_MOST_TARGETS)
        padded[: len(wanted)] = wanted
        self.params = Params.make(targets=padded, count=len(wanted), switch=switch)
        self.state_dtype = State.dtype(segments=delay + 1)
        self.observation = Vector(
            (
                Block("flow", 1, 0.0, FLOW, "m^3/h", "at the far end"),
                Block("target", 1, wanted.min(), wanted.max(), "m^3/h", "demand"),
                Block("flow before", MEMORY, 0.0, FLOW, "m^3/h", "newest first"),
                Block("actions before", MEMORY, -1.0, 1.0, "", "newest first"),
            )
        )


def _checked(targets: Sequence[float]) -> np.ndarray:
    """The demands as numbers."""
    try:
        found = np.array(targets, np.float64)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.ndim != 1 or not 1 <= len(found) <= _MOST_TARGETS or not ((found >= 0) & (found <= FLOW)).all():
        raise ValueError(f"targets is {targets!r}, expected 1 to {_MOST_TARGETS} flows from 0 to {FLOW:g}")
    return found
