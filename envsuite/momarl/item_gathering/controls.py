"""Controls."""

from envsuite.core.companions import Controls


class ItemGatheringControls(Controls):
    """How people steer in `ItemGatheringWorld`."""

    def keys(self):
        """Arrow keys."""
        return {(): 0, ("up",): 1, ("down",): 2, ("left",): 3, ("right",): 4}
