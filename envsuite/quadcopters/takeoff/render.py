"""Pictures."""

import numpy as np

from envsuite.quadcopters.flying import render
from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.takeoff.kernel import EVERY
from envsuite.quadcopters.takeoff.params import CONTROL_RATE, TARGET


class TakeoffPictures(DronePictures):
    """What is drawn in `TakeoffWorld`."""

    def draw(self, state, size):
        """Draw the drone, its goal and its trail."""
        craft, step = state["craft"], int(state["clock"]["step"])
        return render.draw(
            craft[np.newaxis],
            self.world.params[0]["flying"]["physics"]["vehicle"],
            size,
            look_at=(0.0, 0.0, 0.55),
            distance=2.2,
            caption=f"{step / CONTROL_RATE:.2f} s   {float(craft['position'][2]):.2f} m high",
            step=step,
            every=EVERY,
            targets=[TARGET],
            scale=2.0,
            view=self.view,
        )
