"""Arrow keys."""

from envsuite.core.companions import Controls


class ItemGatheringControls(Controls):
    """Arrow keys; none is to stay."""

    def keys(self):
        """Arrow keys."""
        return {(): 0, ("up",): 1, ("down",): 2, ("left",): 3, ("right",): 4}
