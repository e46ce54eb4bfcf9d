"""Pictures."""

import numpy as np

from envsuite.quadcopters.flock.kernel import EVERY
from envsuite.quadcopters.flock.params import CONTROL_RATE
from envsuite.quadcopters.flying.render import SwarmPictures


class FlockPictures(SwarmPictures):
    """What is drawn in `FlockWorld`."""

    def draw(self, state, size):
        """Draw the drones and their trails."""
        middle = np.asarray(state["middle"], np.float64)
        positions = np.asarray(state["crafts"]["position"], np.float64)[state["crafts"]["active"]]
        reach = np.linalg.norm(positions - middle, axis=1).max(initial=0.5)
        return self.picture(
            state,
            size,
            look_at=(middle[0], middle[1], max(0.5, middle[2] - 0.3)),
            distance=2.0 + 2.2 * float(reach),
            caption=f"{int(state['clock']['step']) / CONTROL_RATE:.1f} s   order {float(state['order']):.2f}   "
            f"spacing {float(state['spacing']):.2f} m",
            every=EVERY,
            targets=None,
            scale=3.0,
        )
