"""Controls."""

from envsuite.core.companions import Controls
from envsuite.mazes import language


class OgbenchMazeControls(Controls):
    """How people steer in `OgbenchMazeWorld`."""

    def keys(self):
        """Arrow keys."""
        return language.arrow_keys(self.world.params[0]["grid"])
