"""Constants of the beach, from Mannion et al. (2018), and the presets of MOMAland's experiments.

"Reward shaping for knowledge-based multi-objective multi-agent reinforcement learning", The Knowledge
Engineering Review 33.
"""

import numpy as np

from envsuite.core import Record, field

MOST_SECTIONS = 16
MOST_TYPES = 4


class Params(Record):
    """The constants that kernels know."""

    sections = field(type=np.int32)
    types = field(type=np.int32, meaning="of visitors")
    steps = field(type=np.uint32, meaning="length of an episode")
    capacity = field(meaning="visitors of a section at which it is worth most")
    team = field(type=np.uint8, meaning="everybody gets the sum over sections")
    exact = field(type=np.uint8, meaning="numbers of each type are fixed rather than drawn")
    type_edges = field(meaning="cumulative probabilities", shape=MOST_TYPES)
    section_edges = field(meaning="cumulative probabilities", shape=MOST_SECTIONS)


PRESETS = {
    # sections 4.1 and 4.2 of Mannion et al.: 35 and 15, 70 and 30 visitors, starting in two sections
    "mannion-50": {
        "num_agents": 50,
        "sections": 5,
        "capacity": 3,
        "type_distribution": (0.7, 0.3),
        "position_distribution": (0.0, 0.5, 0.0, 0.5, 0.0),
    },
    "mannion-100": {
        "num_agents": 100,
        "sections": 5,
        "capacity": 5,
        "type_distribution": (0.7, 0.3),
        "position_distribution": (0.0, 0.5, 0.0, 0.5, 0.0),
    },
    # MOMAland's instance for algorithms that control all agents as one
    "central-10": {
        "num_timesteps": 5,
        "num_agents": 10,
        "sections": 3,
        "capacity": 2,
        "type_distribution": (0.7, 0.3),
        "position_distribution": (0.5, 0.0, 0.5),
        "reward_mode": "team",
    },
}
"""Options of published experiments: ``BeachWorld(**PRESETS["mannion-50"])``."""


def edges(shares: np.ndarray, size: int) -> np.ndarray:
    """Cumulative probabilities, with ones at the end.

    Args:
        shares: probabilities.
        size: length of the result.
    """
    found = np.ones(size)
    found[: len(shares)] = np.cumsum(shares)
    found[len(shares) - 1 :] = 1.0
    return found
