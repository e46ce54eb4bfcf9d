"""The tasks of prisms in words: places in centimetres, angles in degrees."""

import math

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import vector_text, wanted
from envsuite.manipulation.shapes.tasks import INSERTION, PLUGGING, PUSHING

_TASKS = {
    PUSHING: "Push the {name} onto the target, turned as the target is.",
    INSERTION: "Put the {name} into the hole of its shape, turned as the hole is.",
    PLUGGING: "Put the {name} that both grippers hold into the hole of its shape, turned as the hole is.",
}
_SLIDE = "Bring the {name} to the target, turned as the target is."
_TURNING = (
    "the last three turn the prism: with the rod at (x, y, z), numbers u, v turn it at 18 (x v - y u) / (x^2 + y^2 + "
    "z^2) radians a second, anticlockwise seen from above"
)


class ShapesWords(Words):
    """The prism, the target, the rods or grippers."""

    def describe(self, state, agent=0):
        """Where prism, target and actuators are, and how far there is to go."""
        task, name = self.world.task, self.name(state)
        held = {PUSHING: "Rod", PLUGGING: "Gripper"}.get(task.way, "The rod")
        hands = "; ".join(
            f"{held}{f' {k}' if task.actuators > 1 else ''} is at {_cm(state['hands'][k])}"
            for k in range(task.actuators)
        )
        left = f"{100 * float(state['distance']):.1f} cm and {math.degrees(float(state['angle'])):.1f} degrees to go"
        return (
            f"Step {int(state['clock']['step'])}. The {name} is at {_cm(state['place'])}{_turned(state['turn'])}; its "
            f"target is at {_cm(state['goal'])}{_turned(state['goal_turn'])}: {left}. {hands}. "
            f"{self.instructions(state, agent)}"
        )

    def instructions(self, state, agent=0):
        """The task, and what an answer looks like."""
        task = self.world.task
        said = _TASKS.get(task.way, _SLIDE).format(name=self.name(state))
        who = "the rod" if task.actuators == 1 else "each of the two, one after the other"
        if self.world.agents:
            who = f"{'rod' if task.way == PUSHING else 'gripper'} {agent}, which is yours"
        turning = f"; {_TURNING}" if task.numbers == 6 else ""
        plane = "" if task.way >= INSERTION else ", of which z has no effect"
        return (
            f"{said} Places are in cm. Answer with {wanted(self.world.action)}: the velocity along x, y and z of "
            f"{who}, from -1 to 1 (90 cm/s){plane}{turning}."
        )

    def name(self, state) -> str:
        """Name of the episode's shape.

        Args:
            state: one record of the world's ``state_dtype``.
        """
        return self.world.shapes[int(state["level"])]


def _cm(place) -> str:
    return vector_text(100 * np.asarray(place, np.float64), 1)


def _turned(turn) -> str:
    """The orientation: an angle about the vertical, or a quaternion where the prism leans."""
    w, x, y, z = (float(one) for one in turn)
    if abs(x) + abs(y) < 1e-9:
        return f", turned by {math.degrees(2 * math.atan2(z, w)):.1f} degrees"
    return f", turned by the quaternion {vector_text(np.array([w, x, y, z]), 3)}"
