"""Controls."""

from envsuite.core.companions import Controls
from envsuite.quadcopters.gpd.keyboard import keys


class QuadMultiHoverControls(Controls):
    """How people steer in `QuadMultiHoverWorld`."""

    def keys(self):
        """W and S: climb and sink; arrows: go there."""
        return keys(self.world.act, self.world.action.shape)
