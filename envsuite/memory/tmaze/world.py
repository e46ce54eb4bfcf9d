"""Endless T-Maze: the rules on one record, and the world."""

from collections.abc import Sequence
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
    field,
    kernel,
    rng,
)

DIRECTIONS = ("left", "right", "up", "down")
OPERATIONS = ("invert", "cancel", "reset", "repeat")
FORWARD = 0
SHOWN = len(OPERATIONS)
"""The operation of a corridor whose cue shows a direction."""


class Params(Record):
    """The options that kernels know."""

    corridors = field(type=np.int32, meaning="of an episode")
    length = field(type=np.int32, meaning="of the longest corridor, cells from its cue to its junction")
    shortest = field(type=np.int32, meaning="length of the shortest corridor")
    directions = field(type=np.int32, meaning="ways to turn at a junction")
    cue_delay = field(type=np.int32, meaning="cell of a corridor in which its cue is seen")
    show_junction = field(type=np.uint8, meaning="1 if junctions are seen")
    operations = field(type=np.int8, shape=SHOWN, meaning="those that cues may have, by index")
    operation_count = field(type=np.int32)
    operation_probability = field(meaning="that a cue has an operation instead of a direction")
    distractors = field(type=np.int32, meaning="numbers of noise that are observed")
    wrong = field(meaning="reward of anything but the right turn at a junction")
    delay = field(meaning="reward of a turn inside a corridor")


class State(StateRecord):
    """The corridor, the agent in it, and which way to turn."""

    corridor = field(type=np.int32, meaning="corridors passed")
    x = field(type=np.int32, meaning="cell in the corridor; the cue is at its beginning")
    length = field(type=np.int32, meaning="cell of the junction")
    operation = field(type=np.int8, meaning="of the corridor's cue, an index into `OPERATIONS`, or `SHOWN`")
    turn = field(type=np.int8, meaning="the right way at the junction")
    before = field(type=np.int8, meaning="the right way one corridor ago")
    first = field(type=np.int8, meaning="the right way in the first corridor")
    failed = field(type=np.uint8, meaning="1 after anything but the right turn at a junction")
    distractors = field(type=np.float32, shape="distractors", meaning="noise that is observed")


class Info(Record):
    """The metrics."""

    corridors = field(type=np.int32, meaning="corridors passed")
    is_success = field(type=np.bool_, meaning="all corridors were passed")
    privileged = field(
        type=np.float32, shape="privileged", meaning="for critics: one-hot the right way, and cells to the junction"
    )


@kernel
def enter(s, p):
    """Begin a corridor: its length and its cue."""
    s.x = 0
    s.length = p.shortest + rng.integers(s.rng, rng.DYNAMICS, p.length - p.shortest + 1)
    s.operation = SHOWN
    chance = p.operation_probability if s.corridor > 0 and p.operation_count > 0 else 0.0
    if chance > 0.0 and rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0) < chance:
        s.operation = p.operations[rng.integers(s.rng, rng.DYNAMICS, p.operation_count)]
    turn = s.turn
    if s.operation == SHOWN:
        s.turn = rng.integers(s.rng, rng.DYNAMICS, p.directions)
    elif s.operation == 0:
        s.turn = (turn + 1) % p.directions
    elif s.operation == 1:
        s.turn = s.before
    elif s.operation == 2:
        s.turn = s.first
    if s.corridor == 0:
        s.first, turn = s.turn, s.turn
    s.before = turn


@kernel
def distract(s, p):
    """Draw the noise that is observed."""
    for k in range(p.distractors):
        s.distractors[k] = rng.uniform(s.rng, rng.OBSERVATION, np.float32(0.0), np.float32(1.0))


@kernel
def reset(s, p):
    """The first corridor."""
    s.corridor, s.failed = 0, 0
    enter(s, p)
    distract(s, p)


@kernel
def step(s, p, action):
    """Go on or turn; returns the reward and whether the episode terminated."""
    distract(s, p)
    if s.x < s.length:
        if action == FORWARD:
            s.x += 1
            return 0.0, False
        return p.delay, False
    if action != FORWARD + 1 + s.turn:
        s.failed = 1
        return p.wrong, True
    s.corridor += 1
    if s.corridor < p.corridors:
        enter(s, p)
        return 1.0, False
    return 1.0, True


@kernel
def observe(s, p, observation, info):
    """Write what the agent sees, and the metrics."""
    for k in range(observation.shape[0]):
        observation[k] = 0.0
    observation[0] = np.float32(s.x) / np.float32(p.length)
    cue_seen, at = s.x == p.cue_delay and s.corridor < p.corridors, 1
    if cue_seen and s.operation == SHOWN:
        observation[at + s.turn] = 1.0
    at += p.directions
    if p.show_junction != 0:
        observation[at] = s.x == s.length
        at += 1
    if p.operation_count > 0:
        if cue_seen and s.operation != SHOWN:
            observation[at + s.operation] = 1.0
        at += SHOWN
    for k in range(p.distractors):
        observation[at + k] = s.distractors[k]
    info.corridors, info.is_success = s.corridor, s.corridor == p.corridors
    for k in range(p.directions):
        info.privileged[k] = s.turn == k
    info.privileged[p.directions] = np.float32(s.length - s.x) / np.float32(p.length)


class TMazeWorld(World):
    """Corridor after corridor: remember the latest cue, and forget those before.

    Args:
        corridors: of an episode.
        length: of the longest corridor, cells from its beginning to its junction.
        mode: ``"fixed"``: all corridors have this length; ``"uniform"``: each has a length drawn anew, up to this one.
        wrong_reward: for anything but the right turn at a junction, which ends the episode.
        delay_penalty: reward for a turn before the junction, which changes nothing.
        directions: ways to turn: left and right, then also up and down.
        show_junction: whether the agent sees that it stands at a junction.
        cue_delay: cell of each corridor in which the cue is seen.
        operations: what cues may say instead of a direction, names of `OPERATIONS`: ``"invert"``: the next direction
            after the last right one (with two directions, the other); ``"cancel"``: the one that was right before the
            last, in the second corridor that of the first; ``"reset"``: that of the first corridor; ``"repeat"``: the
            last one again.
        operation_probability: that the cue of a corridor after the first has an operation, if there are any.
        distractors: numbers, drawn anew in every step, that are observed and mean nothing.
        compat: ``"endless-t-maze"``: a wrong turn costs 0.01, as in its authors' code, whatever `wrong_reward` is; in
            their paper it costs 1.

    Raises:
        ValueError: an unknown operation; a cue that comes after the junction of the shortest corridor.
    """

    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        corridors: Annotated[int, Between(1, 1000)] = 3,
        length: Annotated[int, Between(1, 1000)] = 5,
        mode: Literal["fixed", "uniform"] = "fixed",
        wrong_reward: Annotated[float, Between(-100, 0)] = -1.0,
        delay_penalty: Annotated[float, Between(-100, 0)] = -0.01,
        directions: Annotated[int, Between(2, 4)] = 2,
        show_junction: bool = False,
        cue_delay: Annotated[int, Between(0, 999)] = 0,
        operations: Sequence[str] = (),
        operation_probability: Annotated[float, Between(0, 1)] = 0.5,
        distractors: Annotated[int, Between(0, 64)] = 0,
        compat: Literal["endless-t-maze"] | None = None,
    ):
        if unknown := [name for name in operations if name not in OPERATIONS]:
            raise ValueError(f"unknown operation {unknown[0]!r}, expected names among {OPERATIONS}")
        if len(set(operations)) < len(operations):
            raise ValueError(f"operations are {tuple(operations)}, expected each at most once")
        if cue_delay >= length:
            raise ValueError(f"cue_delay is {cue_delay}, expected less than the length {length}")
        wrong = -0.01 if compat else wrong_reward
        self.mode, self.operations = mode, tuple(operations)
        self.params = Params.make(
            corridors=corridors,
            length=length,
            shortest=length if mode == "fixed" else 1 + cue_delay,
            directions=directions,
            cue_delay=cue_delay,
            show_junction=show_junction,
            operations=[OPERATIONS.index(name) for name in operations] + [0] * (SHOWN - len(operations)),
            operation_count=len(operations),
            operation_probability=operation_probability,
            distractors=distractors,
            wrong=wrong,
            delay=delay_penalty,
        )
        names = DIRECTIONS[:directions]
        self.action = Choice(("forward", *names))
        self.reward = Reward(low=np.array(min(wrong, delay_penalty)), high=np.array(1.0))
        self.state_dtype = State.dtype(distractors=max(1, distractors))
        self.info_dtype = Info.dtype(privileged=directions + 1)
        blocks = [
            Block("position", 1, 0, 1, "", "cells from the beginning of the corridor, as a share of the longest one"),
            Block("cue", directions, 0, 1, "", f"1 for the right turn ({', '.join(names)}), where the cue is seen"),
        ]
        if show_junction:
            blocks.append(Block("junction", 1, 0, 1, "", "1 at a junction"))
        if operations:
            meaning = f"1 for what the cue says instead ({', '.join(OPERATIONS)}), where it is seen"
            blocks.append(Block("operation", SHOWN, 0, 1, "", meaning))
        if distractors:
            blocks.append(Block("distractors", distractors, 0, 1, "", "noise"))
        self.observation = Vector(tuple(blocks))
