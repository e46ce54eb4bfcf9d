"""Keys for the grippers of a cloth."""

from itertools import product
from typing import Any

import numpy as np

from envsuite.core.companions import Controls
from envsuite.manipulation.cloth.params import GRIPPERS

_MOVES = {"left": (0, -1), "right": (0, 1), "down": (1, -1), "up": (1, 1), "s": (2, -1), "w": (2, 1)}


class ClothHangingControls(Controls):
    """Arrows move along x and y, W and S up and down, two keys at once at most: all grippers alike, or a team's own."""

    def keys(self):
        """Pressed keys to action."""
        found: dict[tuple[str, ...], Any] = {}
        pairs = [(a, b) for a, b in product(_MOVES, _MOVES) if _MOVES[a][0] < _MOVES[b][0]]
        for held in (*((one,) for one in _MOVES), *pairs):
            action = np.zeros(3, np.float32)
            for name in held:
                axis, sign = _MOVES[name]
                action[axis] = sign
            found[held] = action if self.world.agents else np.tile(action, GRIPPERS)
        return found
