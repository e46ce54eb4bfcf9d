"""Pictures."""

import numpy as np

from envsuite.quadcopters.disturbance_dr.kernel import EVERY
from envsuite.quadcopters.disturbance_dr.params import CONTROL_RATE
from envsuite.quadcopters.flying import render
from envsuite.quadcopters.flying.render import DronePictures


class DisturbanceDRPictures(DronePictures):
    """What is drawn in `DisturbanceDRWorld`."""

    def draw(self, state, size):
        """Draw the drone, its goal and its trail."""
        craft, step, arm = state["craft"], int(state["clock"]["step"]), float(state["arm"])
        distance = 1000 * np.linalg.norm(np.asarray(craft["position"], np.float64))
        return render.draw(
            craft[np.newaxis],
            state["vehicle"][0],
            size,
            look_at=(0.0, 0.0, 0.0),
            distance=28 * arm,
            caption=f"{step / CONTROL_RATE:.2f} s   {1000 * float(state['vehicle'][0]['mass']):.0f} g   "
            f"{distance:.0f} mm away",
            step=step,
            every=EVERY,
            targets=[(0.0, 0.0, 0.0)],
            floor=-14 * arm,
            view=self.view,
        )
