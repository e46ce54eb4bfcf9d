"""Controls."""

from envsuite.core.companions import Controls


class BreakthroughControls(Controls):
    """How people steer in `BreakthroughWorld`."""

    def keys(self):
        """Digits move one of the first player's pawns of the second row straight on."""
        height, width = self.world.state_dtype["board"].shape
        return {(str(x + 1),): x * 3 * height + 4 for x in range(min(9, width))}
