"""Pictures."""

from envsuite.core.companions import Pictures
from envsuite.mazes import render
from envsuite.mazes.ogbench.params import DOOR_RADIUS, RADIUS


class OgbenchMazePictures(Pictures):
    """What is drawn in `OgbenchMazeWorld`."""

    size = (480, 480)
    fps = 10

    def draw(self, state, size):
        """Draw the maze from above, with its teleporters."""
        entries, exits = self.world._doors()
        doors = [(place, DOOR_RADIUS, (60, 60, 60)) for place in entries]
        doors += [(place, 1.0, (70, 150, 110)) for place in exits]
        walls = self.world.params[0]["walls"]
        return render.draw(state, self.world.params[0], walls, size, goal_radius=RADIUS, doors=doors)
