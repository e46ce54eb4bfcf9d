"""Goals of the tasks on a table: observations as dictionaries, and rewards of any places for any goals.

Importing this module registers Meta-World's tasks whose goal is a place, and all tasks of the Panda arm, in the form of
`envsuite.core.goals`, with sparse rewards:
``gymnasium.make("envsuite.manipulation.goals:envsuite/MetaPushDict-v0")``.
"""

from envsuite.core.goals import GoalDict, GoalDictVector, register
from envsuite.manipulation.meta.cards import CARDS as META_CARDS
from envsuite.manipulation.meta.places import RADII
from envsuite.manipulation.panda.cards import CARDS as PANDA_CARDS

__all__ = ["GoalDict", "GoalDictVector"]

for _card in (*META_CARDS, *PANDA_CARDS):
    if _card in PANDA_CARDS or _card.options["task"] in RADII:
        register(_card.id, _card.horizon, reward="sparse")
