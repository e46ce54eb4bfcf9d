"""Draws the throw."""

import numpy as np

from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.throw_recovery.params import EVERY, TARGET


class ThrowRecoveryPictures(DronePictures):
    """The drone, its goal and its trail."""

    every = EVERY

    def draw(self, state, size):
        """Draw them from the side."""
        speed = np.linalg.norm(state["craft"]["velocity"])
        return self.picture(
            state,
            size,
            f"{speed:.2f} m/s",
            look_at=(0.0, 0.0, 2.2),
            distance=6.5,
            targets=[TARGET],
            scale=6.0,
        )
