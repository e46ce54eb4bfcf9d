"""Draws the climbing drones."""

import numpy as np

from envsuite.quadcopters.gpd.flight import CONTROL_RATE
from envsuite.quadcopters.gpd.render import GPDPictures


class QuadMultiHoverPictures(GPDPictures):
    """The drones and their targets."""

    fps = CONTROL_RATE

    def draw(self, state, size):
        """Draw all of them."""
        targets = np.asarray(self.world.params[0]["target"], np.float64)
        width = float(np.linalg.norm(targets[-1, :2] - targets[0, :2]))
        return self.picture(
            state,
            size,
            targets,
            look_at=np.append((targets[0, :2] + targets[-1, :2]) / 2, 0.55),
            distance=2.2 + 1.2 * width,
            scale=2.0,
            caption=f"{int(np.sum(state['drones']['active']))} flying, least gap {float(state['separation']):.2f} m",
            heading=np.pi / 2,  # the drones stand along a diagonal that would point at the camera
        )
