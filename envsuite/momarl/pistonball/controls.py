"""Arrow keys."""

from envsuite.core.companions import Controls
from envsuite.momarl.pistonball.state import DISCRETE


class PistonballControls(Controls):
    """All pistons together."""

    def keys(self):
        """Arrow keys."""
        if self.world.action is DISCRETE:
            return {("down",): 0, (): 1, ("up",): 2}
        return {("down",): (-1.0,), (): (0.0,), ("up",): (1.0,)}
