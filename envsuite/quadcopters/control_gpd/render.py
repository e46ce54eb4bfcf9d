"""Draws the drones where they are."""

import numpy as np

from envsuite.quadcopters.gpd.render import GPDPictures


class ControlPictures(GPDPictures):
    """The drones, and where they began."""

    def __init__(self, world):
        super().__init__(world)
        self.fps = world.control_rate

    def draw(self, state, size):
        """Draw all of them."""
        positions, params = np.asarray(state["drones"]["position"], np.float64), self.world.params[0]
        middle = positions.mean(axis=0)
        return self.picture(
            state,
            size,
            np.asarray(params["spawn"], np.float64),
            look_at=np.array([middle[0], middle[1], max(0.15, 0.8 * middle[2])]),
            distance=1.0 + 2.6 * float(np.linalg.norm(positions - middle, axis=1).max()),
            scale=2.0,
            caption=f"{int(state['clock']['step']) * float(params['control_step']):.2f} s",
        )
