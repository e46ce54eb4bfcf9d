"""Blocks world: towers that are to become other towers, block by block."""

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

MOST = 50
STEP_COST = 0.01
"""As in NLM's scripts (their option `penalty`)."""
STEPS = 4
"""Steps of an episode at most, times the number of blocks; as there."""
GROUND, NOTHING = -1, -2


class Params(Record):
    """The options that kernels know."""

    smallest = field(type=np.int32, meaning="blocks at least")
    largest = field(type=np.int32, meaning="blocks at most")


class State(StateRecord):
    """What every block stands on."""

    blocks = field(type=np.int32, meaning="how many there are")
    below = field(type=np.int8, shape="most", meaning="block that each block stands on; -1 for the ground, -2 beyond")
    goal = field(type=np.int8, shape="most", meaning="the same for the towers that are wanted")
    misplaced_at_first = field(type=np.int32, meaning="blocks out of place when the episode began")


class Info(Record):
    """The metrics."""

    misplaced = field(type=np.int32, meaning="blocks that do not stand on what they should, down to the ground")
    misplaced_at_first = field(
        type=np.int32, meaning="the same at first: no plan has fewer steps, one of twice as many is known"
    )
    success = field(type=np.bool_, meaning="all blocks are in place")
    action_mask = field(type=np.int8, shape="moves", meaning="1 for a move that can be made")


@kernel
def clear_blocks(s):
    """Bits of the blocks that nothing stands on."""
    found = (np.uint64(1) << np.uint64(s.blocks)) - np.uint64(1)
    for k in range(s.blocks):
        if s.below[k] >= 0:
            found &= ~(np.uint64(1) << np.uint64(s.below[k]))
    return found


@kernel
def is_clear(clear, x):
    """Whether a block is one of those bits."""
    return (clear >> np.uint64(x)) & np.uint64(1) != 0


@kernel
def in_place(s, x):
    """Whether a block and all below it stand on what they should."""
    while x >= 0:
        if s.below[x] != s.goal[x]:
            return False
        x = np.int64(s.below[x])
    return True


@kernel
def misplaced(s):
    """How many blocks are out of place."""
    found = 0
    for x in range(s.blocks):
        found += not in_place(s, x)
    return found


@kernel
def can_move(s, clear, x, y):
    """Whether block x can be put on y, a block or the ground (``GROUND``): something has to change."""
    if x == y or s.below[x] == y or not is_clear(clear, x):
        return False
    return y == GROUND or is_clear(clear, y)


@kernel
def build(s, towers, order):
    """Put blocks, in the order given, on the ground or on one that is clear, each with the same chance."""
    tops = 0
    for k in range(s.blocks):
        x = order[k]
        chosen = rng.integers(s.rng, rng.RESET, tops + 1)
        towers[x] = GROUND
        if chosen < tops:  # the tops are kept at the beginning of the part of the order that is done
            towers[x] = order[chosen]
            order[k], order[chosen] = order[chosen], x
        else:
            order[k], order[tops] = order[tops], x
            tops += 1


@kernel
def reset(s, p, w):
    """Draw how many blocks there are, their towers, and other towers as the goal."""
    s.blocks = p.smallest + rng.integers(s.rng, rng.RESET, p.largest - p.smallest + 1)
    for k in range(s.below.shape[0]):
        s.below[k], s.goal[k] = NOTHING, NOTHING
    shuffled(s, w)
    build(s, s.below, w.order)
    s.misplaced_at_first = 0
    while s.misplaced_at_first == 0:
        shuffled(s, w)
        build(s, s.goal, w.order)
        s.misplaced_at_first = misplaced(s)


class Room(Record):
    """Intermediate results."""

    order = field(type=np.int8, shape=MOST)


@kernel
def shuffled(s, w):
    """All blocks in a random order."""
    for k in range(s.blocks):
        j = rng.integers(s.rng, rng.RESET, k + 1)
        w.order[k] = w.order[j]
        w.order[j] = k


@kernel
def step(s, action):
    """Move a block; a step costs 0.01, the goal pays 1. Reward and whether all blocks are in place."""
    most = s.below.shape[0]
    x, y = action // (most + 1), action % (most + 1)
    y = GROUND if y == most else y
    if can_move(s, clear_blocks(s), x, y):
        s.below[x] = y
    if misplaced(s) == 0:
        return 1.0 - STEP_COST, True
    if np.int64(s.clock.step) >= STEPS * s.blocks:
        cut(s.clock)
    return -STEP_COST, False


@kernel
def observe_bits(s, o, info):
    """Write what stands on what, and what should, as matrices of bits with a column more for the ground."""
    most, clear = s.below.shape[0], clear_blocks(s)
    for x in range(most):
        for y in range(most + 1):
            below, k = GROUND if y == most else y, x * (most + 1) + y
            o.on[k], o.goal_on[k] = s.below[x] == below, s.goal[x] == below
            allowed = can_move(s, clear, x, below)
            o.action_mask[k], info.action_mask[k] = allowed, allowed
    measure(s, info)


@kernel
def observe_index(s, o, info):
    """Write what each block stands on, and what it should."""
    most, clear = s.below.shape[0], clear_blocks(s)
    for x in range(most):
        o.on[x], o.goal_on[x] = s.below[x], s.goal[x]
        for y in range(most + 1):
            k = x * (most + 1) + y
            allowed = can_move(s, clear, x, GROUND if y == most else y)
            o.action_mask[k], info.action_mask[k] = allowed, allowed
    measure(s, info)


@kernel
def measure(s, info):
    """Write the metrics."""
    info.misplaced, info.misplaced_at_first = misplaced(s), s.misplaced_at_first
    info.success = info.misplaced == 0


class BlocksWorld(World):
    """Blocks stand on each other or on the ground: move them, one a step, until the towers are those that are wanted.

    Args:
        smallest: blocks at least; each episode draws a number from here to `largest`.
        largest: blocks at most. An episode has four times as many steps as there are blocks. (``gymnasium.make`` wants
            ``max_episode_steps`` of as many for more blocks than the default.)
        observation: ``"bits"``: which block stands on which, as matrices; ``"index"``: what each block stands on.
    """

    reward = Reward(low=np.array(-STEP_COST), high=np.array(1.0 - STEP_COST))

    def __init__(
        self,
        *,
        smallest: Annotated[int, Between(2, MOST)] = 3,
        largest: Annotated[int, Between(2, MOST)] = 12,
        observation: Literal["bits", "index"] = "bits",
    ):
        if smallest > largest:
            raise ValueError(f"smallest is {smallest}, expected at most largest, which is {largest}")
        self.params = Params.make(smallest=smallest, largest=largest)
        self.bits = observation == "bits"
        self.state_dtype = State.dtype(most=largest)
        moves = [f"{x}-on-{'ground' if y == largest else y}" for x in range(largest) for y in range(largest + 1)]
        self.info_dtype = Info.dtype(moves=len(moves))
        self.action = Choice(tuple(moves))
        told = f"for each block {largest + 1} numbers: 1 for the block that it stands on, the last for the ground"
        seen = (
            (
                Block("on", len(moves), 0, 1, "", told),
                Block("goal_on", len(moves), 0, 1, "", "the same for the towers that are wanted"),
            )
            if self.bits
            else (
                Block(
                    "on", largest, NOTHING, largest - 1, "", "block that each stands on; -1 for the ground, -2 beyond"
                ),
                Block("goal_on", largest, NOTHING, largest - 1, "", "the same for the towers that are wanted"),
            )
        )
        mask = Block("action_mask", len(moves), 0, 1, "", "1 for a move that can be made")
        self.observation = Vector((*seen, mask), dtype=np.int8)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those that write the form of observation that was asked for."""
        return _BITS if self.bits else _INDEX


_BITS = batch_loops(reset, step, observe_bits, work=Room.dtype())
_INDEX = batch_loops(reset, step, observe_index, work=Room.dtype())
