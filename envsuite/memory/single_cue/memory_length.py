"""bsuite's memory length: the first observation is the answer to the last."""

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

PAPER, INK, ON, OFF, GREY = (250, 248, 242), (40, 44, 52), (44, 98, 190), (214, 74, 74), (176, 180, 188)


class Params(Record):
    """The options."""

    length = field(type=np.int32, meaning="steps of an episode")
    bits = field(type=np.int32)


class State(StateRecord):
    """What is to be remembered, and what will be asked."""

    context = field(type=np.int8, shape="bits", meaning="1 or 0 for each bit")
    query = field(type=np.int32, meaning="the bit that is asked for")
    answer = field(type=np.int8, meaning="1 after the right answer, -1 after the wrong one, else 0")


class Info(Record):
    """The metrics."""

    is_success = field(type=np.bool_, meaning="the answer was right")
    privileged = field(type=np.float32, meaning="for critics: the right answer, 1 or 0", shape="one")


@kernel
def reset(s, p):
    """Draw the bits and the question."""
    for k in range(p.bits):
        s.context[k] = rng.integers(s.rng, rng.RESET, 2)
    s.query, s.answer = rng.integers(s.rng, rng.RESET, p.bits), 0


@kernel
def step(s, p, action):
    """Only the last action counts."""
    if s.clock.step < p.length:
        return 0.0, False
    s.answer = 1 if action == s.context[s.query] else -1
    return 1.0 * s.answer, True


@kernel
def observe(s, p, observation, info):
    """Time, the question at the end, the bits at the beginning."""
    t = np.int32(s.clock.step)
    observation[0] = max(np.float32(0.0), np.float32(1.0) - np.float32(t) / np.float32(p.length))
    observation[1] = s.query if t == p.length - 1 else 0
    for k in range(p.bits):
        observation[2 + k] = 2.0 * s.context[k] - 1.0 if t == 0 else 0.0
    info.is_success = s.answer > 0
    info.privileged[0] = s.context[s.query]


class MemoryLengthWorld(World):
    """Bits are shown once; at the end one of them is asked for.

    Args:
        length: steps of an episode.
        bits: that are shown.
    """

    loops = batch_loops(reset, step, observe)
    action = Choice(("0", "1"))
    reward = Reward(low=np.array(-1.0), high=np.array(1.0))
    info_dtype = Info.dtype(one=1)

    def __init__(self, *, length: Annotated[int, Between(1, 100_000)] = 10, bits: Annotated[int, Between(1, 64)] = 1):
        self.params = Params.make(length=length, bits=bits)
        self.state_dtype = State.dtype(bits=bits)
        self.observation = Vector(
            (
                Block("time", 1, 0, 1, "", "share of the episode that is left"),
                Block("query", 1, 0, max(1, bits - 1), "", "index of the bit that is asked for, at the last step"),
                Block("context", bits, -1, 1, "", "1 or -1 for each bit, at the first step; else 0"),
            )
        )


@kernel
def remember(states, params, memory, streams, actions):
    """Keep the bits."""
    for i in range(states.shape[0]):
        s, kept = states[i], memory[i].context
        for k in range(params[0].bits):
            if s.clock.step == 0:
                kept[k] = s.context[k]
        actions[i] = kept[s.query] if s.clock.step + 1 == params[0].length else 0


class MemoryLengthPlayers(Players):
    """A perfect memory."""

    def expert(self):
        """See `remember`."""
        bits = int(self.world.params[0]["bits"])
        return KernelPlayer(self.world, remember, np.dtype([("context", np.int8, (bits,))]))


class MemoryLengthWords(Words):
    """Bits and the question in words."""

    def describe(self, state, agent=0):
        """What is observed, and the rules."""
        p, t = self.world.params[0], int(state["clock"]["step"])
        left = int(p["length"]) - t
        told = [f"{left} {'step is' if left == 1 else 'steps are'} left."]
        if t == 0:
            told.append(f"Remember: {' '.join(str(int(one)) for one in state['context'])}.")
        if left == 1:
            told.append(f"Which was number {int(state['query']) + 1}?" if p["bits"] > 1 else "Which number was it?")
        return f"{' '.join(told)}\n{self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The rules."""
        return (
            "At the beginning numbers are shown, each 0 or 1. In the last step you are asked for one of them: the "
            "right answer pays 1, the wrong one -1. Answers before that do nothing. Answer with one of: 0, 1"
        )


class MemoryLengthPictures(MemoryPictures):
    """Cards with the bits, a bar of time, the question."""

    size = (420, 220)
    fps = 6
    ground = PAPER

    def paint(self, canvas, state, all_seen):
        """Draw bits, bar and question."""
        width, height = canvas.width, canvas.height
        p, t = self.world.params[0], int(state["clock"]["step"])
        bits, length = int(p["bits"]), int(p["length"])
        share = max(0.0, 1 - t / length)
        canvas.rectangle((0.05 * width, 0.08 * height, 0.95 * width, 0.14 * height), GREY)
        if share:
            canvas.rectangle((0.05 * width, 0.08 * height, (0.05 + 0.9 * share) * width, 0.14 * height), INK)
        side = min(0.4 * height, 0.9 * width / bits)
        for k in range(bits):
            x, y, bit = width / 2 + (k - (bits - 1) / 2) * side, 0.48 * height, int(state["context"][k])
            shown = t == 0 or (all_seen and t < length)
            box = (x - 0.42 * side, y - 0.42 * side, x + 0.42 * side, y + 0.42 * side)
            canvas.rectangle(box, (ON if bit else OFF) if t == 0 else GREY, 0.1 * side)
            if shown:
                canvas.text((x, y), str(bit), PAPER, 0.5 * side, "mm")
            if t == length - 1 and k == int(state["query"]):
                canvas.text((x, 0.86 * height), "?", INK, 0.2 * height, "mm")
        if state["answer"]:
            canvas.text(
                (width / 2, 0.86 * height), "right" if state["answer"] > 0 else "wrong", INK, 0.14 * height, "mm"
            )
