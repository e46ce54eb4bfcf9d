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
    distance = np.linalg.norm(params["target"] - state["drones"][0]["position"])
    return draw_drones(
        state["drones"],
        params["flight"]["physics"]["vehicle"],
        params["target"][np.newaxis],
        size,
        look_at=(0.0, 0.0, 0.6),
        distance=2.4,
        scale=3.0,
        caption=f"{distance:.2f} m from target",
        view=view,
    )


class QuadHoverGPDPictures(Pictures):
    """What is drawn in `QuadHoverGPDWorld`."""

    fps = flight.CONTROL_RATE
    views = VIEWS

    def draw(self, state, size):
        """Draw the drone and its target."""
        return draw(state, self.world.params[0], size, self.view)
