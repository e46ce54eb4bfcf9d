"""The drone tasks in words."""

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import Refusal, parse_numbers, vector_text
from envsuite.momarl.crazyrl.params import HEIGHT, TASKS
from envsuite.momarl.crazyrl.state import ACTION

DUTIES = {"surround": "stands still", "escort": "flies along a line", "catch": "flees from your common centre"}


def describe(world, state, agent: int) -> str:
    """Where everybody is."""
    p = world.params[0]
    others = "; ".join(vector_text(place) for n, place in enumerate(state["position"]) if n != agent)
    return (
        f"Step {int(state['clock']['step'])}. You are drone {agent} at {vector_text(state['position'][agent])} m "
        "in a room "
        f"from {-float(p['half']):g} to {float(p['half']):g} m along x and y and {HEIGHT:g} m high. The target at "
        f"{vector_text(state['target'])} m {DUTIES[TASKS[int(p['task'])]]}. Other drones: {others}. You are paid "
        "for coming "
        f"nearer to the target, and for being far from other drones; nearer than {float(p['threshold']):g} m to "
        "anything "
        "is a crash. Answer with your move along x, y and z in brackets, each from -1 to 1, in units of 0.2 m."
    )


def parse(text: str) -> np.ndarray | Refusal:
    """Read a move."""
    return parse_numbers(text, ACTION)


class CrazyRLWords(Words):
    """What is said in `CrazyRLWorld`."""

    def describe(self, state, agent=0):
        """Where everybody is."""
        return describe(self.world, state, agent)

    def parse(self, text, state, agent=0):
        """Read three numbers."""
        return parse(text)
