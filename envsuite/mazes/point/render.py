"""Pictures."""

from envsuite.core.companions import Pictures
from envsuite.mazes import render
from envsuite.mazes.point.params import RADIUS


class PointMazePictures(Pictures):
    """What is drawn in `PointMazeWorld`."""

    size = (480, 480)
    fps = 100

    def draw(self, state, size):
        """Draw the maze from above."""
        return render.draw(state, self.world.params[0], self.world.params[0]["walls"], size, goal_radius=RADIUS)
