"""Draws the climbing drone."""

import numpy as np

from envsuite.quadcopters.gpd.flight import CONTROL_RATE
from envsuite.quadcopters.gpd.render import GPDPictures


class QuadHoverGPDPictures(GPDPictures):
    """The drone and its target."""

    fps = CONTROL_RATE

    def draw(self, state, size):
        """Draw them from the side."""
        target = self.world.params[0]["target"]
        caption = f"{np.linalg.norm(target - state['drones'][0]['position']):.2f} m from target"
        return self.picture(
            state,
            size,
            target[np.newaxis],
            look_at=(0.0, 0.0, 0.6),
            distance=2.4,
            scale=3.0,
            caption=caption,
        )
