"""The rope tasks in words."""

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import vector_text, wanted
from envsuite.manipulation.rope.params import DECIMATION, DT, SPEED, STEPS

_TOLD = 9
"""Points of the rope that are told, evenly spread; the first and last are the grippers."""


class _RopeWords(Words):
    """Grippers, points of the rope, and the task."""

    def instructions(self, state, agent=0):
        """The rules that do not change, and what an answer looks like."""
        who = f"You are gripper {agent + 1}, and others move the other one" if self.world.agents else "You move both"
        return (
            f"{self._task()} {who}. All places are (x, y) in m on a table seen from above; in a step a gripper moves "
            f"by up to {SPEED * DT * DECIMATION:g} m along each axis, and the rope drags behind, heavily damped. The "
            f"episode has {STEPS} steps. Answer with {wanted(self.world.action)}, each from -1 to 1; z does nothing."
        )

    def _task(self) -> str:
        raise NotImplementedError

    def _rope(self, state) -> str:
        count = int(state["points"])
        points = np.asarray(state["position"], np.float64)[:count]
        told = points[np.round(np.linspace(0, count - 1, _TOLD)).astype(int)]
        return (
            f"Step {int(state['clock']['step'])}. Gripper 1 is at {vector_text(points[0])}, gripper 2 at "
            f"{vector_text(points[-1])}. Points along the rope of {0.1 * (count - 1):.1f} m, from gripper 1 to "
            f"gripper 2: {', '.join(vector_text(one) for one in told)}."
        )


class RopeClosingWords(_RopeWords):
    """Where rope and cylinder are."""

    def describe(self, state, agent=0):
        """Places of grippers, rope and cylinder."""
        points = np.asarray(state["position"], np.float64)[: int(state["points"])]
        gap = float(np.linalg.norm(points[0] - points[-1]))
        return (
            f"{self._rope(state)} The cylinder of {float(state['radius']):.2f} m radius stands at "
            f"{vector_text(state['center'])}. The grippers are {gap:.2f} m apart. {self.instructions(state, agent)}"
        )

    def _task(self) -> str:
        p = self.world.params[0]
        return (
            "Put the rope around the cylinder so that its mean is at the cylinder's centre, and bring the grippers "
            f"together: a success is a gap below {float(p['near']):g} m with the cylinder inside. In every step you "
            f"lose {float(p['distance_weight']):g} times the distance of the rope's mean from the centre, in the last "
            f"{int(p['gap_steps'])} also {float(p['gap_weight']):g} times the gap."
        )


class RopeShapingWords(_RopeWords):
    """Where the rope is, and where it belongs."""

    def describe(self, state, agent=0):
        """Places of grippers and rope, and the target around the middle of the grippers."""
        count = int(state["points"])
        points = np.asarray(state["position"], np.float64)
        middle = (points[0] + points[count - 1]) / 2
        target = (
            np.asarray(state["target"], np.float64)[np.round(np.linspace(0, count - 1, _TOLD)).astype(int)] + middle
        )
        left = 100 * float(state["error"]) / float(state["first_error"])
        return (
            f"{self._rope(state)} The same points of the target, which moves with the middle of the grippers: "
            f"{', '.join(vector_text(one) for one in target)}. {left:.0f} % of the first error is left. "
            f"{self.instructions(state, agent)}"
        )

    def _task(self) -> str:
        return (
            "Give the rope the shape of the target, a W: only its shape and direction count, not its place. You lose "
            "the mean squared difference in angles and places in every step, and five times that in the last ones; a "
            f"success is less than {100 * float(self.world.params[0]['near']):g} % of the first error."
        )
