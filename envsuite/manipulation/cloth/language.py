"""Cloth hanging in words."""

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import vector_text, wanted
from envsuite.manipulation.cloth.params import DECIMATION, DT, RING, SPEED, STEPS


class ClothHangingWords(Words):
    """Grippers, the hole, and the hanger."""

    def describe(self, state, agent=0):
        """Places of grippers, hole and hanger."""
        p = self.world.params[int(state["level"])]
        held = np.asarray(state["grippers"], np.float64)
        ring = np.asarray(state["position"], np.float64)[np.asarray(p["edge"])]
        axis, middle = np.asarray(state["frame"], np.float64)[:, 1], np.asarray(state["hanger"], np.float64)
        tip = middle + float(p["half"]) * axis
        grippers = ", ".join(f"{k + 1} at {vector_text(one)}" for k, one in enumerate(held))
        return (
            f"Step {int(state['clock']['step'])}. The grippers at the cloth's corners: {grippers}. The middle of the "
            f"hole is at {vector_text(ring.mean(axis=0))}; particles around it, in order: "
            f"{', '.join(vector_text(one) for one in ring[:RING])}. The hanger's middle is at {vector_text(middle)}, "
            f"its free end at {vector_text(tip)}; the hole is {float(state['distance']):.2f} m from the middle. "
            f"{self.instructions(state, agent)}"
        )

    def instructions(self, state, agent=0):
        """The rules that do not change, and what an answer looks like."""
        p = self.world.params[0]
        who = f"You are gripper {agent + 1} of four" if self.world.agents else "You move all four grippers"
        return (
            "Put the hole of the cloth over the free end of the hanger, a rod, and along it to its middle: a success "
            f"is the hole around the rod within {float(p['near']):g} m of the middle. In every step you lose "
            f"{float(p['distance_weight']):g} times the distance, and something for fast and stretched cloth. {who}. "
            "All places are (x, y, z) in m, z points up; in a step a gripper moves by up to "
            f"{SPEED * DT * DECIMATION:g} m along each axis. The episode has {STEPS} steps. "
            f"Answer with {wanted(self.world.action)}, from -1 to 1."
        )
