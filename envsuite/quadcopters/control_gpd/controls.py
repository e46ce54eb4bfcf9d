"""Steering by keys."""

import numpy as np

from envsuite.core.companions import Controls


class ControlControls(Controls):
    """Steering by keys."""

    def keys(self):
        """W and S: climb and sink; arrows, with velocities: go there."""
        hover = float(self.world.params[0]["physics"]["vehicle"]["command_hover"])
        if self.world.params[0]["velocity"]:
            ways = {("w",): (0, 0, 1), ("s",): (0, 0, -1), ("up",): (1, 0, 0), ("down",): (-1, 0, 0)}
            ways |= {("left",): (0, 1, 0), ("right",): (0, -1, 0)}
            return {(): np.zeros(4, "f4")} | {key: np.array([*way, 1], "f4") for key, way in ways.items()}
        return {key: np.full(4, factor * hover, "f4") for key, factor in (((), 1), (("w",), 1.02), (("s",), 0.98))}
