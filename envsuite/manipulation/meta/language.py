"""Tasks on a table in words."""

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import vector_text, wanted
from envsuite.manipulation.meta.cards import INSTRUCTIONS
from envsuite.manipulation.meta.tasks import TASKS

_OPEN, _CLOSED = 0.95, 0.32
"""Openings from which, and up to which, the fingers are said to be open, and closed."""


class MetaWords(Words):
    """The hand, what is observed, the goal; in centimetres."""

    def describe(self, state, agent=0):
        """Places of hand, object and goal, and the task."""
        look = state["look"]
        fingers = float(look["opening"])
        grip = "open" if fingers > _OPEN else "closed" if fingers < _CLOSED else f"{10 * fingers:.1f} cm apart"
        things = f"The {self.noun()} is at {_cm(look['obj'])}"
        if TASKS[self.world.task].site2:
            things += f", the {self.noun('site2')} at {_cm(look['obj2'])}"
        seen = self.world.params[0]["goal_hidden"] == 0
        goal = f"The goal is at {_cm(look['goal'])}." if seen else "You are not told where the goal is."
        return (
            f"Step {int(state['clock']['step'])}. Your hand is at {_cm(look['hand'])}, the tips of its fingers at "
            f"{_cm(look['tcp'])}; they are {grip}. {things}. {goal} {self.instructions(state, agent)}"
        )

    def instructions(self, state, agent=0):
        """The task, and what an answer looks like."""
        return (
            f"{INSTRUCTIONS[self.world.task]} x points to the right, y away from the robot, z up; all places are in "
            f"cm. Answer with {wanted(self.world.action)}: how far the hand moves, from -1 to 1 cm, and from -1 (open) "
            "to 1 (close) for the fingers."
        )

    def noun(self, site: str = "site") -> str:
        """What an observed point belongs to.

        Args:
            site: field of the task that names the point.
        """
        made, name = self.world.compiled, getattr(TASKS[self.world.task], site)
        body = next(one for one in made.scene.bodies if any(point.name == name for point in one.sites))
        return body.geoms[0].name if body.name == "object" else body.name


def _cm(place) -> str:
    return vector_text(100 * np.asarray(place), 1)
