"""Draws the drone and the goal that it follows."""

import numpy as np

from envsuite.quadcopters.flying.render import DronePictures
from envsuite.quadcopters.pid_tune.params import AMPLITUDE, EVERY, HEIGHT


class PIDTunePictures(DronePictures):
    """The drone, its trail, the goal and its path."""

    every = EVERY

    def draw(self, state, size):
        """Draw them so that drone and goal are seen."""
        goal = self.world.goal(state)

        def path(below, above):
            for y in np.linspace(-AMPLITUDE, AMPLITUDE, 25)[:-1]:
                above.segment((0.0, y, HEIGHT), (0.0, y + AMPLITUDE / 24, HEIGHT), (120, 130, 145, 160), 0.008)

        position = np.asarray(state["craft"]["position"], np.float64)
        middle, away = 0.5 * (position + goal), float(np.linalg.norm(position - goal))
        return self.picture(
            state,
            size,
            f"error {100 * away:.1f} cm   goal moves along the dashes",
            look_at=(middle[0], middle[1], max(0.3, 0.8 * middle[2])),
            distance=2.2 + 1.4 * away,
            targets=[goal],
            scale=3.0,
            props=path,
        )
