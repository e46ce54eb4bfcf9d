"""A T-maze whose cue is seen at the beginning alone (passive), or in a cell behind it (active)."""

from typing import Annotated

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Players,
    Record,
    Reward,
    StateRecord,
    Vector,
    Words,
    World,
    batch_loops,
    field,
    kernel,
    rng,
)
from envsuite.memory.experts import KernelPlayer
from envsuite.memory.render import MemoryPictures

MOVES = ("right", "up", "left", "down")
GROUND, FLOOR, HERO, GOAL, CUE, INK, START = (
    (222, 226, 232),
    (250, 248, 242),
    (44, 98, 190),
    (70, 160, 96),
    (240, 182, 50),
    (40, 44, 52),
    (196, 212, 238),
)


class Params(Record):
    """The options."""

    length = field(type=np.int32, meaning="cells from the start to the junction")
    behind = field(type=np.int32, meaning="cells behind the start; the cue is in the last one")
    limit = field(type=np.int32, meaning="steps of an episode")
    delay = field(meaning="reward of a step after which one is behind the fastest way")


class State(StateRecord):
    """Where one is, and where the goal is."""

    x = field(type=np.int32, meaning="cells to the right of the start")
    y = field(type=np.int32, meaning="1 above the junction, -1 below, else 0")
    goal = field(type=np.int32, meaning="1 above, -1 below")


class Info(Record):
    """The metrics."""

    is_success = field(type=np.bool_, meaning="at the goal")
    privileged = field(type=np.float32, shape="three", meaning="for critics: place, and where the goal is")


@kernel
def reset(s, p):
    """Draw the goal."""
    s.x, s.y, s.goal = 0, 0, 2 * rng.integers(s.rng, rng.RESET, 2) - 1


@kernel
def step(s, p, action):
    """Move where there is a corridor; returns the reward, and whether time is over."""
    if s.y == 0 and action == 0:
        s.x = min(s.x + 1, p.length)
    elif s.y == 0 and action == 2:
        s.x = max(s.x - 1, -p.behind)
    elif s.x == p.length and (action == 1 or action == 3):
        s.y = min(max(s.y + (1 if action == 1 else -1), -1), 1)
    t = np.int32(s.clock.step)
    if t >= p.limit:
        return 1.0 * (s.y == s.goal), True
    return (p.delay if s.x < t - 2 * p.behind else 0.0), False


@kernel
def observe(s, p, o, info):
    """Whether one is at the end of the corridor, and the cue."""
    o.end = s.x == p.length
    at_cue = s.x == -p.behind and (p.behind > 0 or s.clock.step == 0)
    o.cue = s.goal if at_cue else 0
    o.start = p.behind > 0 and s.x == 0
    info.is_success = s.y == s.goal
    info.privileged[0], info.privileged[1], info.privileged[2] = s.x / p.length, s.y, s.goal


class PassiveTMazeWorld(World):
    """Walk along a corridor, and at its end to the side that a cue told.

    Args:
        length: cells from the start to the junction.
        active: the cue is seen in the cell behind the start, not in the first step; episodes are 2 steps longer.
        dense: a step after which one is behind the fastest way costs 1 / length.
    """

    loops = batch_loops(reset, step, observe)
    action = Choice(MOVES)
    state_dtype = State.dtype()
    info_dtype = Info.dtype(three=3)
    observation = Vector(
        (
            Block("end", 1, 0, 1, "", "1 at the end of the corridor, or beside it"),
            Block("cue", 1, -1, 1, "", "1 if the goal is above, -1 if it is below, where the cue is seen; else 0"),
            Block("start", 1, 0, 1, "", "1 at the start, if the cue is behind it"),
        )
    )

    def __init__(self, *, length: Annotated[int, Between(1, 100_000)] = 10, active: bool = False, dense: bool = True):
        delay, behind = (-1.0 / length if dense else 0.0), int(active)
        self.params = Params.make(length=length, behind=behind, limit=length + 1 + 2 * behind, delay=delay)
        self.reward = Reward(low=np.array(delay), high=np.array(1.0))


@kernel
def remember(states, params, memory, streams, actions):
    """Look at the cue, walk to the end, turn as it said."""
    p = params[0]
    for i in range(states.shape[0]):
        s, kept = states[i], memory[i]
        if s.x == -p.behind and (p.behind > 0 or s.clock.step == 0):
            kept.goal = s.goal
        if kept.goal == 0:
            actions[i] = 2
        elif s.x < p.length:
            actions[i] = 0
        else:
            actions[i] = 1 if kept.goal > 0 else 3


@kernel
def forget(states, params, memory, streams, actions):
    """Walk to the end, turn up."""
    for i in range(states.shape[0]):
        actions[i] = 0 if states[i].x < params[0].length else 1


class PassiveTMazePlayers(Players):
    """A perfect memory, and none."""

    def expert(self):
        """See `remember`."""
        return KernelPlayer(self.world, remember, np.dtype([("goal", np.int32)]))

    def collector(self, name):
        """``"memoryless"``: see `forget`."""
        return KernelPlayer(self.world, forget) if name == "memoryless" else super().collector(name)


class PassiveTMazeWords(Words):
    """What is seen in words."""

    def describe(self, state, agent=0):
        """What is observed, and the rules."""
        p, x = self.world.params[0], int(state["x"])
        behind, at_end = int(p["behind"]), x == int(p["length"])
        told = "You are at the end of the corridor, or beside it." if at_end else "You are in the corridor."
        if behind and x == 0:
            told = "You are at the start."
        if x == -behind and (behind or int(state["clock"]["step"]) == 0):
            told += f" A sign says: the goal is {'up' if state['goal'] > 0 else 'down'}."
        return f"{told}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        p = self.world.params[0]
        where = "to the left of the start" if p["behind"] else "in the first step"
        slow = f" Each step after which you lag behind pays {float(p['delay']):.4g}." if p["delay"] else ""
        return (
            f"A corridor leads {int(p['length'])} cells to the right and ends at a junction. The goal is one cell "
            f"above it or below; a sign {where} says which. After {int(p['limit'])} steps it is over, and pays 1 if "
            f"you are at the goal.{slow} Answer with one of: {', '.join(MOVES)}"
        )


class PassiveTMazePictures(MemoryPictures):
    """The cell of the agent and those beside it; people see the corridor from above, of a long one a part."""

    size = (480, 200)
    fps = 6
    ground = GROUND

    def paint(self, canvas, state, all_seen):
        """Draw corridor, agent, cue, and for people the place, the goal and the time."""
        width, height = canvas.width, canvas.height
        p = self.world.params[0]
        length, behind, x, y = int(p["length"]), int(p["behind"]), int(state["x"]), int(state["y"])
        if all_seen:
            here, wide = (x, y), min(length + 2 * behind + 2, 14)
            first = min(max(x - wide // 2, -behind), length + 2 - wide)
            cells = [(i, 0) for i in range(max(first, -behind), min(first + wide, length + 1))]
            cells += [(length, 1), (length, -1)] if length < first + wide else []
        else:
            here, wide, first = (0, 0), 3, -1
            cells = [(-1, 0), (0, 0), *([(0, 1), (0, -1)] if x == length else [(1, 0)])]
        side = min(0.96 * width / wide, 0.26 * height)
        left = (width - wide * side) / 2

        def box(i, j):
            a, b = left + (i - first) * side, 0.56 * height - (j + 0.5) * side
            return a, b, a + side - 1, b + side - 1

        for cell in cells:
            canvas.rectangle(box(*cell), FLOOR)
        if all_seen and (length, 1) in cells:
            canvas.rectangle(box(length, int(state["goal"])), GOAL)
        if behind and x == 0:
            canvas.rectangle(box(*here), START)
        if x == -behind and (behind or int(state["clock"]["step"]) == 0):
            a, b, c, d = box(here[0], 1.3)
            canvas.rectangle((a, b, c, d), CUE, 0.1 * side)
            up = 1 if state["goal"] > 0 else -1
            across, middle = (a + c) / 2, (b + d) / 2
            tip = [(across, middle - 0.32 * up * side)]
            canvas.polygon([*tip, *((across + k * 0.24 * side, middle + 0.2 * up * side) for k in (-1, 1))], INK)
        a, b, c, d = box(*here)
        canvas.circle(((a + c) / 2, (b + d) / 2), 0.32 * side, HERO, INK, max(1.0, 0.05 * side))
        if all_seen:
            told = f"{int(state['clock']['step'])} of {int(p['limit'])}"
            canvas.text((0.98 * width, 0.08 * height), told, INK, 0.08 * height, "rm")
