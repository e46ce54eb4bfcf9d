"""Pictures."""

import numpy as np

from envsuite.quadcopters.flying import render
from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.pid_tune.kernel import EVERY
from envsuite.quadcopters.pid_tune.params import AMPLITUDE, CONTROL_RATE, HEIGHT


class PIDTunePictures(DronePictures):
    """What is drawn in `PIDTuneWorld`."""

    def draw(self, state, size):
        """Draw the drone, the goal and the trail."""
        craft, step = state["craft"], int(state["clock"]["step"])
        goal = self.world.goal(state)

        def path(below, above):
            above.segment((0.0, -AMPLITUDE, HEIGHT), (0.0, AMPLITUDE, HEIGHT), (120, 130, 145, 120), 0.02)

        position = np.asarray(craft["position"], np.float64)
        middle = 0.5 * (position + goal)
        return render.draw(
            craft[np.newaxis],
            self.world.params[0]["flying"]["physics"]["vehicle"],
            size,
            look_at=(middle[0], middle[1], max(0.3, 0.8 * middle[2])),
            distance=2.2 + 1.4 * float(np.linalg.norm(position - goal)),
            caption=f"{step / CONTROL_RATE:.2f} s   error {100 * np.linalg.norm(position - goal):.1f} cm",
            step=step,
            every=EVERY,
            targets=[goal],
            scale=3.0,
            props=path,
            view=self.view,
        )
