"""Controls."""

from envsuite.core.companions import Controls


class BeachControls(Controls):
    """How people steer in `BeachWorld`."""

    def keys(self):
        """Arrow keys."""
        return {("left",): 0, (): 1, ("right",): 2}
