"""The arm's tasks in words."""

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import vector_text, wanted
from envsuite.manipulation.panda.cards import SUMMARIES
from envsuite.manipulation.panda.params import FLIP, SLIDE, STACK


class PandaWords(Words):
    """The hand, what lies there and the goal; in centimetres and degrees."""

    def describe(self, state, agent=0):
        """Places of the hand, the objects and the goal, and the task."""
        sight, p = state["sight"], self.world.params[0]
        said = f"Step {int(state['clock']['step'])}. The point between your fingers is at {_cm(sight['hand'])}"
        if p["grips"]:
            said += f"; they are {100 * float(sight['opening']):.1f} cm apart"
        for n in range(int(p["things"])):
            said += f". The {self.noun(n)} is at {_cm(sight['place'][n])}, {self._motion(sight, n)}"
        return f"{said}. {self._goal(state)} {self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The task, and what an answer looks like."""
        p = self.world.params[0]
        moves = "how far each joint turns, in steps of 0.05 rad"
        if not p["by_joints"]:
            moves = "how far the hand moves, in steps of 5 cm"
        grip = "; the last number opens (1) or closes (-1) the fingers" if p["grips"] else ""
        grip = grip or "; the fingers stay shut"
        task = SUMMARIES[self.world.task]
        return (
            f"{task} x points away from the arm, y to its left, z up; the table is at z = 0; all places are in cm. "
            f"The hand points down, its fingers close along y. Answer with {wanted(self.world.action)}: {moves}{grip}."
        )

    def noun(self, number: int) -> str:
        """What an object is called.

        Args:
            number: of the object.
        """
        task = int(self.world.params[0]["task"])
        if task == STACK:
            return ("lower cube", "upper cube")[number]
        return "puck" if task == SLIDE else "cube"

    def _motion(self, sight, n: int) -> str:
        if int(self.world.params[0]["task"]) == FLIP:
            return f"turned by the quaternion (x, y, z, w) = {vector_text(sight['turn'][n])}"
        yaw = np.degrees(float(sight["angles"][n][2]))
        return f"turned by {yaw:.0f} degrees about z, and moves at {_cm(sight['velocity'][n])} cm/s"

    def _goal(self, state) -> str:
        goal, task = state["goal"], int(self.world.params[0]["task"])
        if task == FLIP:
            return f"Its goal is the quaternion {vector_text(goal[:4])}, wherever it lies."
        if task == STACK:
            return f"The goal of the lower cube is {_cm(goal[:3])}, that of the upper cube {_cm(goal[3:])}."
        return f"The goal is at {_cm(goal[:3])}."


def _cm(place) -> str:
    return vector_text(100 * np.asarray(place, np.float64), 1)
