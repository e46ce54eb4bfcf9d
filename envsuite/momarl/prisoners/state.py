"""The parameter and state records and the layouts of the iterated prisoner's dilemma."""

import numpy as np

from envsuite.core.clock import CLOCK
from envsuite.core.layout import Block, Choice, Vector
from envsuite.core.rng import STREAM

PARAMS = np.dtype([("pay", np.float32, (2, 2)), ("rounds", np.uint32)], align=True)
"""Payoff by own and other's choice, 0 to cooperate and 1 to defect."""

STATE = np.dtype([("clock", CLOCK), ("rng", STREAM), ("last", np.int8, (2,))], align=True)
"""``last``: choices of the last round, -1 before the first."""

# cooperated: share of the agent's choices so far cannot be told from one round; this is of the last round
INFO = np.dtype([("cooperated", np.bool_), ("other_cooperated", np.bool_)], align=True)

ACTION = Choice(("A", "B"))


def observation_layout(rounds: int) -> Vector:
    """What an agent sees.

    Args:
        rounds: of an episode.
    """
    return Vector(
        (
            Block("round", 1, 1, rounds + 1, "", "that is to be played"),
            Block("own last", 1, -1, 1, "", "own last choice: 0 A, cooperate, 1 B, defect, -1 before the first round"),
            Block("other last", 1, -1, 1, "", "the other's"),
        )
    )
