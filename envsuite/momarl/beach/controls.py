"""Arrow keys."""

from envsuite.core.companions import Controls


class BeachControls(Controls):
    """Arrow keys; none is to stay."""

    def keys(self):
        """Arrow keys."""
        return {("left",): 0, (): 1, ("right",): 2}
