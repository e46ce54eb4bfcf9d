"""Words."""

from envsuite.core.companions import Words
from envsuite.mazes import language
from envsuite.mazes.point.params import RADIUS
from envsuite.mazes.point.state import ACTION


class PointMazeWords(Words):
    """What is said in `PointMazeWorld`."""

    def describe(self, state, agent=0):
        """A map, the place, the velocity and the goal in words."""
        return language.describe_point_mass(state, self.world.params[0], self.world.params[0]["walls"], RADIUS)

    def parse(self, text, state, agent=0):
        """Read two forces."""
        return language.parse(text, ACTION)
