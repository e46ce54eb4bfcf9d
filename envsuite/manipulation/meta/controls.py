"""Keys for the hand."""

from itertools import product
from typing import Any

import numpy as np

from envsuite.core.companions import Controls

_MOVES = {"left": (0, -1), "right": (0, 1), "down": (1, -1), "up": (1, 1), "s": (2, -1), "w": (2, 1)}
_GRIP = "c"


class MetaControls(Controls):
    """Arrows for left, right, near and far, W and S for up and down, two at once at most; C closes the fingers."""

    def keys(self):
        """Pressed keys to action; the fingers are open while C is not held."""
        names, found = list(_MOVES), dict[tuple[str, ...], Any]()
        pairs = [(a, b) for a, b in product(names, names) if _MOVES[a][0] < _MOVES[b][0]]
        for held in [(), *((one,) for one in names), *pairs]:
            for grip in (False, True):
                action = np.zeros(4, np.float32)
                action[3] = 1.0 if grip else -1.0
                for name in held:
                    axis, sign = _MOVES[name]
                    action[axis] = sign
                keys = (*held, _GRIP) if grip else held
                if keys:
                    found[keys] = action
        return found
