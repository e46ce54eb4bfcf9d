"""Controls."""

from envsuite.core.companions import Controls
from envsuite.mazes import language


class PointMazeControls(Controls):
    """How people steer in `PointMazeWorld`."""

    def keys(self):
        """Arrow keys."""
        return language.arrow_keys(self.world.params[0]["grid"])
