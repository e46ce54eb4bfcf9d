"""Draws the drone, the gate and the goal."""

import numpy as np

from envsuite.quadcopters.fly_thru_gate.params import CONTROL_RATE, GOAL, RIM
from envsuite.quadcopters.flying import gates, render
from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.render import rod

_FRAME = (0, 114, 178)


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
    craft, step = state["craft"], int(state["clock"]["step"])
    center, half = np.asarray(params["gate"], np.float64), float(params["half_height"])
    opening = (float(params["half_width"]), half)

    def gate(below, above):
        left = opening[0] + RIM / 2
        for side in (-left, left):
            foot = (center[0] + side, center[1], 0.0)
            rod(above, foot, (*foot[:2], center[2] - half), 0.015, (120, 130, 145))
        gates.draw_frame(above, center, float(params["yaw"]), opening, RIM, _FRAME, below=below)

    status = "crashed" if state["hit"] else "through" if state["passed"] else "before the gate"
    return render.draw(
        craft[np.newaxis],
        params["flying"]["physics"]["vehicle"],
        size,
        look_at=(0.0, -1.0, 0.6),
        distance=3.4,
        caption=f"{step / CONTROL_RATE:.2f} s   {status}",
        step=step,
        every=6,
        targets=[GOAL],
        scale=1.5,
        props=gate,
        view=view,
    )


class FlyThruGatePictures(DronePictures):
    """What is drawn in `FlyThruGateWorld`."""

    def draw(self, state, size):
        """Draw the drone, the gate, the goal and the drone's trail."""
        return draw(state, self.world.params[0], size, self.view)
