"""Goals of Meta-World's tasks: observations as dictionaries, and rewards of any places for any goals.

Importing this module registers the tasks whose goal is a place in the form of `envsuite.core.goals`, with sparse
rewards: ``gymnasium.make("envsuite.manipulation.goals:envsuite/MetaPushDict-v0")``.
"""

from envsuite.core.goals import GoalDict, GoalDictVector, register
from envsuite.manipulation.meta.cards import CARDS
from envsuite.manipulation.meta.places import RADII

__all__ = ["GoalDict", "GoalDictVector"]

for _card in CARDS:
    if _card.options["task"] in RADII:
        register(_card.id, _card.horizon, reward="sparse")
