"""Draws the formation."""

import numpy as np

from envsuite.quadcopters.flying.render import SwarmPictures
from envsuite.quadcopters.leader_follower.params import EVERY


class LeaderFollowerPictures(SwarmPictures):
    """The drones, their slots and trails."""

    every = EVERY

    def draw(self, state, size):
        """Draw all of them."""
        rmse = np.sqrt(np.mean(np.asarray(state["squares"], np.float64)[1:]) / max(int(state["clock"]["step"]), 1))
        return self.overview(state, size, f"slots missed by {100 * rmse:.1f} cm", scale=2.5)
