"""Controls."""

from envsuite.core.companions import Controls
from envsuite.mazes import language


class RandomMazeControls(Controls):
    """How people steer in `RandomMazeWorld`."""

    def keys(self):
        """Arrow keys."""
        return language.arrow_keys(self.world.params[0]["grid"])
