"""Endless T-Maze in words."""

from envsuite.core import Words
from envsuite.memory.tmaze.world import OPERATIONS, SHOWN

_SAID = {
    "invert": "the other way than last time",
    "cancel": "the way that was right before the last one; if there was none, that of the last",
    "reset": "the way of the first corridor",
    "repeat": "the same way as last time",
}


class TMazeWords(Words):
    """Where one is and what the sign says; answers are forward or a direction."""

    def describe(self, state, agent=0):
        """What is observed, and the rules."""
        p, x = self.world.params[0], int(state["x"])
        cells = "cell" if x == 1 else "cells"
        told = "You are at the beginning of a corridor." if x == 0 else f"You are {x} {cells} into the corridor."
        if x == int(p["cue_delay"]) and int(state["corridor"]) < int(p["corridors"]):
            told += f" A sign says: {self._sign(state)}."
        if p["show_junction"]:
            told += " It ends here, at a junction." if x == int(state["length"]) else " It goes on."
        return f"{told}\n{self.instructions(state, agent)}"

    def _sign(self, state) -> str:
        operation = int(state["operation"])
        if operation == SHOWN:
            return f"turn {self.world.action.names[1 + int(state['turn'])]}"
        name = OPERATIONS[operation]
        if name == "invert" and int(self.world.params[0]["directions"]) > 2:
            return f"the next way after that of last time, in the order {', '.join(self.world.action.names[1:])}"
        return _SAID[name]

    def instructions(self, state, agent=0):
        """The rules."""
        p = self.world.params[0]
        length = int(p["length"])
        how = f"Each is {length} long" if self.world.mode == "fixed" else f"Each is at most {length} long"
        return (
            f"There are {int(p['corridors'])} corridors in a row. {how} and ends at a junction, where you must turn as "
            "the last sign said; this pays 1 and leads into the next corridor. Anything else at a junction ends the "
            f"game and pays {float(p['wrong']):g}. A turn before the junction changes nothing and pays "
            f"{float(p['delay']):g}. Answer with one of: {', '.join(self.world.action.names)}"
        )
