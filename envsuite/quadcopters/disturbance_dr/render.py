"""Draws the drone at its own scale."""

import numpy as np

from envsuite.quadcopters.disturbance_dr.params import EVERY
from envsuite.quadcopters.flying.render import DronePictures


class DisturbanceDRPictures(DronePictures):
    """The drone, its goal and its trail."""

    every = EVERY

    def draw(self, state, size):
        """Draw them so that both are seen."""
        arm, mass = float(state["arm"]), float(state["vehicle"][0]["mass"])
        position = np.asarray(state["craft"]["position"], np.float64)
        away, origin = float(np.linalg.norm(position)), (0.0, 0.0, 0.0)
        return self.picture(
            state,
            size,
            f"{1000 * mass:.0f} g   {100 * away:.1f} cm away",
            look_at=0.5 * position,
            distance=28 * arm + 1.4 * away,
            targets=[origin],
            floor=-14 * arm,
        )
