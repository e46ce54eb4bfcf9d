"""The record that every state begins as."""

from envsuite.core.clock import CLOCK
from envsuite.core.declare import Record, field
from envsuite.core.rng import STREAM


class StateRecord(Record):
    """The state of one instance: a clock, random streams, and the fields that a world adds."""

    clock = field(type=CLOCK, meaning="steps taken, and whether the episode has ended")
    rng = field(type=STREAM, meaning="random streams")
