"""The state of a ball in a maze."""

from envsuite.core import StateRecord, field
from envsuite.mazes.trail import Trail


class State(StateRecord):
    """A ball, and where it is to go."""

    position = field(unit="m", shape=2)
    velocity = field(unit="m/s", shape=2)
    goal = field(unit="m", shape=2)
    trail = field(type=Trail, meaning="where it came from, for pictures")
