"""Pictures."""

import numpy as np

from envsuite.quadcopters.flying.render import SwarmPictures
from envsuite.quadcopters.leader_follower.kernel import EVERY
from envsuite.quadcopters.leader_follower.params import CONTROL_RATE


class LeaderFollowerPictures(SwarmPictures):
    """What is drawn in `LeaderFollowerWorld`."""

    def draw(self, state, size):
        """Draw the drones, their slots and trails."""
        rmse = np.sqrt(np.mean(np.asarray(state["squares"], np.float64)[1:]) / max(int(state["clock"]["step"]), 1))
        seconds = int(state["clock"]["step"]) / CONTROL_RATE
        return self.picture(
            state, size, caption=f"{seconds:.1f} s   slots missed by {100 * rmse:.1f} cm", every=EVERY, scale=2.5
        )
