"""Controls."""

from envsuite.core.companions import Controls


class SameGameControls(Controls):
    """How people steer in `SameGameWorld`."""

    def keys(self):
        """Digits choose tiles of the last row."""
        height, width = self.world.state_dtype["board"].shape
        return {(str(j),): (height - 1) * width + j for j in range(min(10, width))}
