"""The picture of a record."""

import numpy as np

from envsuite.core.companions import Pictures
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
    positions = np.asarray(state["drones"]["position"], np.float64)
    middle = positions.mean(axis=0)
    reach = float(np.linalg.norm(positions - middle, axis=1).max())
    return draw_drones(
        state["drones"],
        params["physics"]["vehicle"],
        np.asarray(params["spawn"], np.float64),
        size,
        look_at=np.array([middle[0], middle[1], max(0.15, 0.8 * middle[2])]),
        distance=1.0 + 2.6 * reach,
        scale=2.0,
        caption=f"{int(state['clock']['step']) * float(params['control_step']):.2f} s",
        view=view,
    )


class ControlPictures(Pictures):
    """What is drawn in `ControlWorld`."""

    views = VIEWS

    @property
    def fps(self) -> int:  # ty: ignore[incompatible-property-override]
        """Actions a second."""
        return self.world.control_rate

    def draw(self, state, size):
        """Draw the drones."""
        return draw(state, self.world.params[0], size, self.view)
