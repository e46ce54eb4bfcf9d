"""Pictures."""

import numpy as np

from envsuite.quadcopters.flying import render
from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.throw_recovery.kernel import EVERY
from envsuite.quadcopters.throw_recovery.params import CONTROL_RATE, TARGET


class ThrowRecoveryPictures(DronePictures):
    """What is drawn in `ThrowRecoveryWorld`."""

    def draw(self, state, size):
        """Draw the drone, its goal and its trail."""
        craft, step = state["craft"], int(state["clock"]["step"])
        return render.draw(
            craft[np.newaxis],
            self.world.params[0]["flying"]["physics"]["vehicle"],
            size,
            look_at=(0.0, 0.0, 2.2),
            distance=6.5,
            caption=f"{step / CONTROL_RATE:.2f} s   {np.linalg.norm(craft['velocity']):.2f} m/s",
            step=step,
            every=EVERY,
            targets=[TARGET],
            scale=6.0,
            view=self.view,
        )
