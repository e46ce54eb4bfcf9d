"""Words."""

from envsuite.core.companions import Words
from envsuite.mazes import language
from envsuite.mazes.legacy.state import ACTION


class LegacyMazeWords(Words):
    """What is said in `LegacyMazeWorld`."""

    def describe(self, state, agent=0):
        """A map, the place, the velocity and the goal in words."""
        return language.describe_point_mass(state, self.world.params[0], self.world.params[0]["walls"], 0.5)

    def parse(self, text, state, agent=0):
        """Read two forces."""
        return language.parse(text, ACTION)
