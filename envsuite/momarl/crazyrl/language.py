"""The drone tasks in words."""

from envsuite.core.companions import Words
from envsuite.core.language import vector_text
from envsuite.momarl.crazyrl.params import HEIGHT, TASKS

DUTIES = {"surround": "stands still", "escort": "flies along a line", "catch": "flees from your common centre"}


class CrazyRLWords(Words):
    """Where everybody is; answers are three numbers."""

    def describe(self, state, agent=0):
        """Where everybody is."""
        p = self.world.params[0]
        others = "; ".join(vector_text(place) for n, place in enumerate(state["position"]) if n != agent)
        return (
            f"Step {int(state['clock']['step'])}. You are drone {agent} at {vector_text(state['position'][agent])} m "
            f"in a room from {-float(p['half']):g} to {float(p['half']):g} m along x and y and {HEIGHT:g} m high. The "
            f"target at {vector_text(state['target'])} m {DUTIES[TASKS[int(p['task'])]]}. Other drones: {others}. You "
            "are paid for coming nearer to the target, and for being far from other drones; nearer than "
            f"{float(p['threshold']):g} m to anything is a crash. Answer with your move along x, y and z in brackets, "
            "each from -1 to 1, in units of 0.2 m."
        )
