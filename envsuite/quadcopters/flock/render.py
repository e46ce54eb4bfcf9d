"""Draws the flock."""

import numpy as np

from envsuite.quadcopters.flock.params import EVERY
from envsuite.quadcopters.flying.render import SwarmPictures


class FlockPictures(SwarmPictures):
    """The drones and their trails."""

    every = EVERY

    def draw(self, state, size):
        """Draw those that fly."""
        middle = np.asarray(state["middle"], np.float64)
        positions = np.asarray(state["crafts"]["position"], np.float64)[state["crafts"]["active"]]
        reach = np.linalg.norm(positions - middle, axis=1).max(initial=0.5)
        return self.picture(
            state,
            size,
            f"order {float(state['order']):.2f}   spacing {float(state['spacing']):.2f} m",
            look_at=(middle[0], middle[1], max(0.5, middle[2] - 0.3)),
            distance=2.0 + 2.2 * float(reach),
            scale=3.0,
        )
