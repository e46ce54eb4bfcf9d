"""Draws the drone, the gate and the goal."""

import numpy as np

from envsuite.quadcopters.fly_thru_gate.params import EVERY, GOAL, RIM
from envsuite.quadcopters.flying import gates
from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.render import rod

_FRAME = (0, 114, 178)


class FlyThruGatePictures(DronePictures):
    """The drone, its trail, the gate and the goal."""

    every = EVERY

    def draw(self, state, size):
        """Draw them from the side."""
        params = self.world.params[0]
        center, half = np.asarray(params["gate"], np.float64), float(params["half_height"])
        opening = (float(params["half_width"]), half)

        def gate(below, above):
            left = opening[0] + RIM / 2
            for side in (-left, left):
                foot = (center[0] + side, center[1], 0.0)
                rod(above, foot, (*foot[:2], center[2] - half), 0.015, (120, 130, 145))
            gates.draw_frame(above, center, float(params["yaw"]), opening, RIM, _FRAME, below=below)

        status = "crashed" if state["hit"] else "through" if state["passed"] else "before the gate"
        return self.picture(
            state,
            size,
            status,
            look_at=(0.0, -1.0, 0.6),
            distance=3.4,
            targets=[GOAL],
            scale=1.5,
            props=gate,
        )
