"""Pictures."""

from envsuite.core.companions import Pictures
from envsuite.mazes import render


class LegacyMazePictures(Pictures):
    """What is drawn in `LegacyMazeWorld`."""

    size = (480, 480)
    fps = 100

    def draw(self, state, size):
        """Draw the maze from above, rows downwards."""
        return render.draw(state, self.world.params[0], self.world.params[0]["walls"], size, goal_radius=0.5)
