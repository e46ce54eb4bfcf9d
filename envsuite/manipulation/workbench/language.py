"""The workbench's tasks in words."""

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import vector_text, wanted
from envsuite.manipulation.workbench.cards import SUMMARIES
from envsuite.manipulation.workbench.params import DRAWER, PEG_INSERTION, WIPE
from envsuite.manipulation.workbench.scenes import BLOCK_HEIGHT, PEG


class WorkbenchWords(Words):
    """The hand and what stands on the table; in centimetres and degrees."""

    def describe(self, state, agent=0):
        """Places of the hand and of what the task has, and the task."""
        sight, task = state["sight"], int(self.world.params[0]["task"])
        heading = np.degrees(np.arctan2(sight["heading"][1], sight["heading"][0]))
        said = f"Step {int(state['clock']['step'])}. The point between your fingers is at {_cm(sight['hand'])}, "
        said += f"it moves at {_cm(sight['hand_velocity'])} cm/s, the hand is turned by {heading:.1f} degrees"
        if task == WIPE:
            return f"{said}. {self._sponge(state)} {self.instructions(state, agent)}"
        said += f", the fingers are {100 * float(sight['opening']):.1f} cm apart. "
        said += self._peg(state) if task == PEG_INSERTION else self._handle(state)
        joints = vector_text(state["body"]["qpos"][:7], 3)
        return f"{said} Your joints are at {joints} rad. {self.instructions(state, agent)}"

    def instructions(self, state, agent=0):
        """The task, and what an answer looks like."""
        p = self.world.params[0]
        moves = "how far each joint turns, in steps of 0.05 rad"
        if not p["by_joints"]:
            moves = "how far the hand moves along x, y and z, in steps of 5 cm, and turns about z, in steps of 0.2 rad"
        grip = "the last number opens (1) or closes (-1) the fingers"
        if p["task"] == WIPE:
            grip = f"the hand holds the sponge, which wipes what it presses on with {float(p['force']):.1f} N"
        return (
            f"{SUMMARIES[self.world.task]} x points away from the arm, y to its left, z up; the table is at z = 0; all "
            f"places are in cm. The hand points down; unturned, its fingers close along y. "
            f"Answer with {wanted(self.world.action)}: {moves}; {grip}."
        )

    def _peg(self, state) -> str:
        sight, fixture = state["sight"], state["fixture"]
        return (
            f"The middle of the peg is at {_cm(sight['place'])}, its quaternion (x, y, z, w) is "
            f"{vector_text(sight['turn'], 3)}, and it moves at {_cm(sight['velocity'])} cm/s; it is "
            f"{200 * PEG[0]:.0f} cm wide and {200 * PEG[1]:.0f} cm long. The mouth of the hole is at "
            f"{_cm((fixture[0], fixture[1], BLOCK_HEIGHT))}, turned by {np.degrees(float(fixture[2])):.1f} degrees."
        )

    def _handle(self, state) -> str:
        p, sight = self.world.params[0], state["sight"]
        turn = np.degrees(float(state["fixture"][2]))
        said = f"The handle is at {_cm(sight['place'])}, the cabinet is turned by {turn:.1f} degrees. "
        if p["task"] == DRAWER:
            way, need = 100 * float(sight["way"]), 100 * float(p["opened"])
            return f"{said}The drawer is {way:.1f} cm open, and {need:.1f} are wanted."
        way, need = np.degrees(float(sight["way"])), np.degrees(float(p["opened"]))
        side = "left" if p["side"] > 0 else "right"
        return f"{said}The door, hinged at its {side}, is {way:.1f} degrees open, and {need:.1f} are wanted."

    def _sponge(self, state) -> str:
        count, sight = int(self.world.params[0]["marks"]), state["sight"]
        left = [_cm(place) for place, gone in zip(state["marks"][:count], state["wiped"], strict=False) if not gone]
        said = (
            f"The lower face of the sponge is at {_cm(sight['place'])} and presses with {float(sight['force']):.1f} N. "
        )
        return said + (f"Marks are left at {', '.join(left)}." if left else "No mark is left.")


def _cm(place) -> str:
    return vector_text(100 * np.asarray(place, np.float64), 1)
