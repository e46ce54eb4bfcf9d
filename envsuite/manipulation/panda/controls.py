"""Keys for the hand."""

from itertools import product
from typing import Any

import numpy as np

from envsuite.core.companions import Controls

_MOVES = {"left": (1, 1), "right": (1, -1), "down": (0, -1), "up": (0, 1), "s": (2, -1), "w": (2, 1)}
_OPEN = "o"
_STRIDE = 0.5


class PandaControls(Controls):
    """Arrows for far, near, left and right as the arm sees it, W and S for up and down, two at once at most.

    Where the fingers move, they are shut unless O is held. There are no keys for joints.
    """

    def keys(self):
        """Pressed keys to action."""
        p = self.world.params[0]
        if p["by_joints"]:
            return {}
        grips, names, found = bool(p["grips"]), list(_MOVES), dict[tuple[str, ...], Any]()
        pairs = [(a, b) for a, b in product(names, names) if _MOVES[a][0] < _MOVES[b][0]]
        for held in [(), *((one,) for one in names), *pairs]:
            for opened in (False, True) if grips else (False,):
                action = np.zeros(4 if grips else 3, np.float32)
                for name in held:
                    axis, sign = _MOVES[name]
                    action[axis] = sign * _STRIDE
                if grips:
                    action[3] = 1.0 if opened else -1.0
                if keys := (*held, _OPEN) if opened else held:
                    found[keys] = action
        return found
