"""Words."""

from envsuite.core.companions import Words
from envsuite.mazes import language
from envsuite.mazes.ogbench.params import RADIUS
from envsuite.mazes.ogbench.state import ACTION


class OgbenchMazeWords(Words):
    """What is said in `OgbenchMazeWorld`."""

    def describe(self, state, agent=0):
        """A map, the place and the goal in words."""
        entries, exits = self.world._doors()
        entries = [("I", place) for place in entries]
        return language.describe_point(state, self.world.params[0], RADIUS, entries + [("O", place) for place in exits])

    def parse(self, text, state, agent=0):
        """Read a move."""
        return language.parse(text, ACTION)
