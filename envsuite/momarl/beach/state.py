"""The state record and the layouts of the beach."""

import numpy as np

from envsuite.core import Block, Choice, Record, StateRecord, Vector, field
from envsuite.momarl.beach.params import MOST_SECTIONS, MOST_TYPES


class State(StateRecord):
    """Who is where."""

    type = field(type=np.uint8, shape="agents", meaning="of each visitor")
    section = field(type=np.uint8, shape="agents", meaning="where each is")
    count = field(type=np.int32, shape=(MOST_SECTIONS, MOST_TYPES), meaning="visitors by section and type")


class Info(Record):
    """The metrics: what the whole beach is worth as it is, whatever the reward mode."""

    team_capacity = field()
    team_mixture = field()


ACTION = Choice(("left", "stay", "right"))


def observation_layout(agents: int, sections: int, types: int, capacity: float) -> Vector:
    """What a visitor sees.

    Args:
        agents: number of visitors.
        sections: of the beach.
        types: of visitors.
        capacity: of a section.
    """
    return Vector(
        (
            Block("type", 1, 0, max(1, types - 1), "", "own type"),
            Block("section", 1, 0, sections - 1, "", "where one is, from the left"),
            Block("capacity", 1, 0, capacity, "", "visitors at which a section is worth most"),
            Block("visitors", 1, 0, agents, "", "in one's section, oneself included"),
            Block("own share", 1, 0, 1, "", "share of one's type among them"),
        )
    )
