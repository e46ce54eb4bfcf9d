"""Pictures."""

import numpy as np

from envsuite.quadcopters.downwash_formation.kernel import EVERY
from envsuite.quadcopters.downwash_formation.params import CONTROL_RATE, COURSES
from envsuite.quadcopters.flying.render import SwarmPictures


class DownwashFormationPictures(SwarmPictures):
    """What is drawn in `DownwashFormationWorld`."""

    def draw(self, state, size):
        """Draw the drones, their references and trails."""
        dip = 100 * float(np.max(state["dip"]))
        return self.picture(
            state,
            size,
            caption=f"{int(state['clock']['step']) / CONTROL_RATE:.1f} s   {COURSES[int(state['course'])]}   "
            f"deepest dip {dip:.1f} cm",
            every=EVERY,
            scale=2.0,
        )
