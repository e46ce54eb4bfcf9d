"""Controls."""

from envsuite.core.companions import Controls
from envsuite.mazes import language


class LegacyMazeControls(Controls):
    """How people steer in `LegacyMazeWorld`."""

    def keys(self):
        """Arrow keys: the direction in the picture."""
        return language.arrow_keys(self.world.params[0]["grid"])
