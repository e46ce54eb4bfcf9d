"""Goals of mazes: rewards of achieved and desired places, and observations as dictionaries.

Importing this module registers every PointMaze and AntMaze in the form of `envsuite.core.goals`:
``gymnasium.make("envsuite.mazes.goals:envsuite/MazePointUmazeDict-v0")``.
"""

import numpy as np

from envsuite.core import fmath
from envsuite.core.goals import GoalDict, GoalDictVector, places, register
from envsuite.mazes.ant.cards import GOAL_CARDS
from envsuite.mazes.point.cards import CARDS

__all__ = ["GoalDict", "GoalDictVector", "reward_of"]


def reward_of(achieved, desired, *, dense: bool, radius: float) -> np.ndarray:
    """Rewards of places for goals.

    Args:
        achieved: m, (..., 2).
        desired: m, (..., 2).
        dense: exp(-distance) instead of 1 within the radius and 0 elsewhere.
        radius: m.

    Returns:
        float64 (...).

    Raises:
        ValueError: arrays whose last axis is not of length 2.
    """
    achieved, desired = places(achieved, desired, 2)
    difference = achieved - desired
    # not np.hypot: the kernel's formula, so that rewards are equal to the last bit
    distance = np.sqrt(difference[..., 0] * difference[..., 0] + difference[..., 1] * difference[..., 1])
    return fmath.exp(-distance) if dense else (distance <= radius).astype(np.float64)


for _card in (*CARDS, *GOAL_CARDS):
    register(_card.id, _card.horizon)
