"""Draws the drones above one another."""

import numpy as np

from envsuite.quadcopters.downwash_formation.params import COURSES, EVERY
from envsuite.quadcopters.flying.render import SwarmPictures


class DownwashFormationPictures(SwarmPictures):
    """The drones, their references and trails."""

    every = EVERY

    def draw(self, state, size):
        """Draw all of them."""
        dip = 100 * float(np.max(state["dip"]))
        return self.overview(state, size, f"{COURSES[int(state['course'])]}   deepest dip {dip:.1f} cm", scale=2.0)
