"""Pictures of drones of the gym-pybullet-drones worlds."""

from typing import Any

import numpy as np

from envsuite.core.companions import Pictures
from envsuite.quadcopters.attitude import to_matrix
from envsuite.quadcopters.render import VIEWS


class GPDPictures(Pictures):
    """Pictures of drones with their targets; subclasses say from where, and with which caption."""

    views = VIEWS

    def picture(
        self,
        state: Any,
        size: tuple[int, int],
        targets: Any,
        *,
        look_at: Any,
        distance: float,
        scale: float,
        caption: str,
        heading: float = 0.0,
    ) -> np.ndarray:
        """Draw the drones and their targets.

        Args:
            state: the state record.
            size: (width, height) in pixels.
            targets: m, world, shape (a, 3).
            look_at: m, world, the middle of the picture.
            distance: m, from the camera to there.
            scale: how much larger than life the drones are drawn.
            caption: line of text.
            heading: angle about the vertical by which the world is turned in the picture, rad.

        Returns:
            uint8 array (height, width, 3).
        """
        from envsuite.quadcopters.render import Drones, render_scene

        drones, params = state["drones"], self.world.params[0]
        physics = (params["flight"] if "flight" in params.dtype.names else params)["physics"]
        attitudes = np.asarray(drones["attitude"], np.float64)
        rotations = np.array([np.reshape(to_matrix(q), (3, 3)) for q in attitudes])
        sine, cosine = np.sin(heading), np.cos(heading)
        turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
        turned = Drones(
            np.asarray(drones["position"], np.float64) @ turn.T,
            turn @ rotations,
            np.asarray(physics["vehicle"]["rotors"], np.float64),
            np.asarray(targets, np.float64) @ turn.T,
            scale=scale,
        )
        return render_scene(
            turned,
            size=size,
            look_at=tuple(turn @ look_at),
            distance=distance,
            caption=caption,
            view=self.view,
        )
