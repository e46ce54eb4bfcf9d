"""Draws the drone at its own scale."""

import numpy as np

from envsuite.quadcopters.disturbance_dr.params import EVERY
from envsuite.quadcopters.flying.render import DronePictures


class DisturbanceDRPictures(DronePictures):
    """The drone, its goal and its trail."""

    every = EVERY

    def draw(self, state, size):
        """Draw them as near as the drone is large."""
        arm, mass = float(state["arm"]), float(state["vehicle"][0]["mass"])
        away = 1000 * np.linalg.norm(np.asarray(state["craft"]["position"], np.float64))
        origin = (0.0, 0.0, 0.0)
        return self.picture(
            state,
            size,
            f"{1000 * mass:.0f} g   {away:.0f} mm away",
            look_at=origin,
            distance=28 * arm,
            targets=[origin],
            floor=-14 * arm,
        )
