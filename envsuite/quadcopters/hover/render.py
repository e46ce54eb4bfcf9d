"""Draws the hovering drone."""

import numpy as np

from envsuite.core.companions import Pictures
from envsuite.quadcopters.render import VIEWS


def draw(state, params, size: tuple[int, int], view: str = "fixed") -> np.ndarray:
    """Draw one record.

    Args:
        state: the state record.
        params: the parameter record.
        size: (width, height) in pixels.
        view: see `quadcopters.render.render_scene`.

    Returns:
        uint8 array (height, width, 3).
    """
    from envsuite.quadcopters.render import render_scene

    body = state["body"]
    w, x, y, z = (float(value) for value in body["attitude"])
    rotation = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    position = np.asarray(body["position"], np.float64)
    caption = f"{int(state['clock']['step']) / 100:.2f} s   {np.linalg.norm(position):.2f} m from the goal"
    return render_scene(
        position[np.newaxis],
        rotation[np.newaxis],
        rotor_positions=np.asarray(params["vehicle"]["rotors"], np.float64),
        targets=np.zeros((1, 3)),
        size=size,
        look_at=(0.0, 0.0, 0.0),
        distance=1.6,
        caption=caption,
        view=view,
    )


class HoverPictures(Pictures):
    """What is drawn in `HoverWorld`."""

    fps = 100
    views = VIEWS

    def draw(self, state, size):
        """Draw the drone, its goal and the box's floor."""
        return draw(state, self.world.params[0], size, self.view)
