"""Arrow keys, w and s."""

from envsuite.core.companions import Controls


class CrazyRLControls(Controls):
    """Arrow keys along x and y, w and s along z."""

    def keys(self):
        """Arrow keys along x and y, page up and down along z."""
        return {
            (): (0.0, 0.0, 0.0),
            ("right",): (1.0, 0.0, 0.0),
            ("left",): (-1.0, 0.0, 0.0),
            ("up",): (0.0, 1.0, 0.0),
            ("down",): (0.0, -1.0, 0.0),
            ("w",): (0.0, 0.0, 1.0),
            ("s",): (0.0, 0.0, -1.0),
        }
