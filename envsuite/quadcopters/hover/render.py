"""Draws the hovering drone."""

import numpy as np

from envsuite.core.companions import Pictures
from envsuite.quadcopters.attitude import to_matrix
from envsuite.quadcopters.render import VIEWS


class HoverPictures(Pictures):
    """The drone, its goal, and the floor of its box."""

    fps = 100
    views = VIEWS

    def draw(self, state, size):
        """Draw them from the side."""
        from envsuite.quadcopters.render import Drones, render_scene

        body = state["body"]
        position = np.asarray(body["position"], np.float64)
        rotation = np.reshape(to_matrix(np.asarray(body["attitude"], np.float64)), (3, 3))
        rotors = np.asarray(self.world.params[0]["vehicle"]["rotors"], np.float64)
        return render_scene(
            Drones(position[np.newaxis], rotation[np.newaxis], rotors, targets=np.zeros((1, 3))),
            size=size,
            look_at=(0.0, 0.0, 0.0),
            distance=2.3,  # the whole box from which a drone may not stray
            caption=f"{int(state['clock']['step']) / 100:.2f} s   {np.linalg.norm(position):.2f} m from the goal",
            view=self.view,
        )
