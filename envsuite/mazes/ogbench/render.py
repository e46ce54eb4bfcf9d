"""OGBench's mazes in pictures."""

from envsuite.mazes.ogbench.params import DOOR_RADIUS
from envsuite.mazes.render import MazePictures, draw


class OgbenchMazePictures(MazePictures):
    """The maze from above, with its teleporters."""

    fps = 10

    def draw(self, state, size):
        """Draw walls, teleporters, the goal, and the point with its trail."""
        entries, exits = self.world.doors()
        doors = [(place, DOOR_RADIUS, (60, 60, 60)) for place in entries]
        return draw(self.world, state, size, doors + [(place, 1.0, (70, 150, 110)) for place in exits])
