"""The picture of a record."""

import numpy as np

from envsuite.core.companions import Pictures
from envsuite.quadcopters.gpd import flight
from envsuite.quadcopters.gpd.render import draw as draw_drones
from envsuite.quadcopters.render import VIEWS


def draw(state, params, size: tuple[int, int], view: str = "fixed") -> np.ndarray:
    """Draw one record.

    Args:
        state: the record.
        params: the parameter record.
        size: (width, height) in pixels.
        view: see `quadcopters.render.render_scene`.

    Returns:
        uint8 array (height, width, 3).
    """
    targets = np.asarray(params["target"], np.float64)
    middle = np.append((targets[0, :2] + targets[-1, :2]) / 2, 0.55)
    width = np.linalg.norm(targets[-1, :2] - targets[0, :2])
    return draw_drones(
        state["drones"],
        params["flight"]["physics"]["vehicle"],
        targets,
        size,
        look_at=middle,
        distance=2.2 + 1.2 * width,
        scale=2.0,
        caption=f"{int(np.sum(state['drones']['active']))} flying, least gap {float(state['separation']):.2f} m",
        heading=np.pi / 2,  # the drones stand along a diagonal that would point at the camera
        view=view,
    )


class QuadMultiHoverPictures(Pictures):
    """What is drawn in `QuadMultiHoverWorld`."""

    fps = flight.CONTROL_RATE
    views = VIEWS

    def draw(self, state, size):
        """Draw the drones and their targets."""
        return draw(state, self.world.params[0], size, self.view)
