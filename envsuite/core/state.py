"""The record that every state begins as."""

from collections.abc import Sequence

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.declare import Record, field
from envsuite.core.rng import STREAM


class StateRecord(Record):
    """The state of one instance: a clock, random streams, and the fields that a world adds."""

    clock = field(type=CLOCK, meaning="steps taken, and whether the episode has ended")
    rng = field(type=STREAM, meaning="random streams")


def tell_seeds(states: np.ndarray, seeds: Sequence[int] | np.ndarray, mask: np.ndarray | None = None) -> None:
    """Write seeds into the field ``seed`` (int64), where a world's records have one: streams keep only a hash of them.

    Args:
        states: (n,) records.
        seeds: (n,) integers of at least 0; of larger ones the last 63 bits are written.
        mask: (n,) bool, the records to write; all by default.
    """
    if "seed" in (states.dtype.names or ()):
        for i in range(len(states)) if mask is None else np.flatnonzero(mask):
            states["seed"][i] = int(seeds[i]) & 0x7FFF_FFFF_FFFF_FFFF
