"""Pictures."""

from envsuite.core.companions import Pictures
from envsuite.mazes import render
from envsuite.mazes.procedural.params import RADIUS


class RandomMazePictures(Pictures):
    """What is drawn in `RandomMazeWorld`."""

    size = (480, 480)
    fps = 100

    def draw(self, state, size):
        """Draw the maze from above."""
        return render.draw(state, self.world.params[0], state["walls"], size, goal_radius=RADIUS)
