"""The state record and the layouts of the beach."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Choice, Vector
from envsuite.core.rng import STREAM
from envsuite.momarl.beach.params import MOST_SECTIONS, MOST_TYPES


def state_dtype(agents: int) -> np.dtype:
    """The record of an instance.

    Args:
        agents: number of visitors.
    """
    return np.dtype(
        [
            ("clock", CLOCK),
            ("rng", STREAM),
            ("type", np.uint8, (agents,)),
            ("section", np.uint8, (agents,)),
            ("count", np.int32, (MOST_SECTIONS, MOST_TYPES)),  # visitors by section and type
        ],
        align=True,
    )


# team_capacity and team_mixture: what the whole beach is worth as it is, whatever the reward mode
INFO = np.dtype([("team_capacity", np.float32), ("team_mixture", np.float32)], align=True)

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
