"""Sorting an array by swaps."""

from itertools import combinations
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
GAP = 19
"""Numbers of an array are 1 to this much apart."""


class Params(Record):
    """The options that kernels know."""

    shortest = field(type=np.int32, meaning="numbers of an array at least")
    longest = field(type=np.int32, meaning="numbers of an array at most")
    first = field(type=np.int8, shape="pairs", meaning="for each action the left one of its places")
    second = field(type=np.int8, shape="pairs", meaning="the right one")


class State(StateRecord):
    """The array."""

    count = field(type=np.int32, meaning="numbers in the array")
    rank = field(
        type=np.int8, shape="places", meaning="of the number at each place, 0 for the least; -1 beyond the array"
    )
    number = field(type=np.int16, shape="places", meaning="by rank; 0 beyond the array")
    fewest = field(type=np.int32, meaning="swaps that the array needed at first")


class Info(Record):
    """The metrics."""

    swaps_left = field(type=np.int32, meaning="fewest swaps that sort the array")
    fewest = field(type=np.int32, meaning="swaps that the array needed at first")
    success = field(type=np.bool_, meaning="the array is sorted")
    action_mask = field(type=np.int8, shape="pairs", meaning="1 for two places that the array has")


@kernel
def swaps_needed(s):
    """Fewest swaps that sort the array: its length less the cycles of the permutation (Cayley)."""
    seen, cycles = np.uint64(0), 0
    for k in range(s.count):
        at = np.uint64(k)
        if (seen >> at) & np.uint64(1) == 0:
            cycles += 1
        while (seen >> at) & np.uint64(1) == 0:
            seen |= np.uint64(1) << at
            at = np.uint64(s.rank[at])
    return s.count - cycles


@kernel
def reset(s, p):
    """Draw an array that is not sorted: its length, the gaps between numbers, their order."""
    s.count = p.shortest + rng.integers(s.rng, rng.RESET, p.longest - p.shortest + 1)
    last = 0
    for k in range(s.rank.shape[0]):
        inside = k < s.count
        s.rank[k] = k if inside else -1
        last += 1 + rng.integers(s.rng, rng.RESET, GAP) if inside else 0
        s.number[k] = last if inside else 0
    s.fewest = 0
    while s.fewest == 0:
        for k in range(s.count - 1, 0, -1):
            swap(s, k, rng.integers(s.rng, rng.RESET, k + 1))
        s.fewest = swaps_needed(s)


@kernel
def swap(s, i, j):
    """Let the numbers at two places change places."""
    s.rank[i], s.rank[j] = s.rank[j], s.rank[i]


@kernel
def step(s, p, action):
    """Swap; 1 if the array is sorted. Reward and whether it is."""
    if p.second[action] < s.count:
        swap(s, p.first[action], p.second[action])
    if swaps_needed(s) == 0:
        return 1.0, True
    if np.int64(s.clock.step) >= 2 * s.count:
        cut(s.clock)
    return 0.0, False


@kernel
def observe_bits(s, p, o, info):
    """Write which number is less than which."""
    size = s.rank.shape[0]
    for i in range(size):
        o.present[i] = i < s.count
        for j in range(size):
            o.less[i * size + j] = i < s.count and j < s.count and s.rank[i] < s.rank[j]
    for k in range(p.first.shape[0]):
        o.action_mask[k] = p.second[k] < s.count
    measure(s, p, info)


@kernel
def observe_index(s, p, o, info):
    """Write the rank of the number at each place."""
    for k in range(s.rank.shape[0]):
        o.rank[k] = s.rank[k]
    for k in range(p.first.shape[0]):
        o.action_mask[k] = p.second[k] < s.count
    measure(s, p, info)


@kernel
def measure(s, p, info):
    """Write the metrics."""
    info.swaps_left, info.fewest = swaps_needed(s), s.fewest
    info.success = info.swaps_left == 0
    for k in range(p.first.shape[0]):
        info.action_mask[k] = p.second[k] < s.count


class SortingWorld(World):
    """Sort an array of different numbers: each step swaps two of them.

    Args:
        shortest: numbers of an array at least; each episode draws a length from here to `longest`.
        longest: numbers of an array at most. An episode has twice as many steps as its array has numbers.
            (``gymnasium.make`` wants ``max_episode_steps`` of as many for longer arrays than the default.)
        observation: ``"bits"``: which number is less than which; ``"index"``: the rank of each number.
    """

    reward = Reward(low=np.array(0.0), high=np.array(1.0))

    def __init__(
        self,
        *,
        shortest: Annotated[int, Between(3, MOST)] = 10,
        longest: Annotated[int, Between(3, MOST)] = 10,
        observation: Literal["bits", "index"] = "bits",
    ):
        if shortest > longest:
            raise ValueError(f"shortest is {shortest}, expected at most longest, which is {longest}")
        self.pairs = tuple(combinations(range(longest), 2))
        first, second = zip(*self.pairs, strict=True)
        self.params = Params.make(
            sizes={"pairs": len(self.pairs)}, shortest=shortest, longest=longest, first=first, second=second
        )
        self.bits = observation == "bits"
        self.state_dtype = State.dtype(places=longest)
        self.info_dtype = Info.dtype(pairs=len(self.pairs))
        self.action = Choice(tuple(f"swap-{i + 1}-{j + 1}" for i, j in self.pairs))
        seen = (
            (
                Block("present", longest, 0, 1, "", "1 for a place that the array has"),
                Block(
                    "less",
                    longest**2,
                    0,
                    1,
                    "",
                    "row by row, 1 if the number at the row's place is less than the column's",
                ),
            )
            if self.bits
            else (
                Block(
                    "rank",
                    longest,
                    -1,
                    longest - 1,
                    "",
                    "of the number at each place, 0 for the least; -1 beyond the array",
                ),
            )
        )
        mask = Block("action_mask", len(self.pairs), 0, 1, "", "1 for two places that the array has")
        self.observation = Vector((*seen, mask), dtype=np.int8)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those that write the form of observation that was asked for."""
        return _BITS if self.bits else _INDEX


_BITS, _INDEX = batch_loops(reset, step, observe_bits), batch_loops(reset, step, observe_index)
