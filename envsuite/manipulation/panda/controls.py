"""Keys for the hand."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from envsuite.core.companions import Controls

MOVES = {"left": (1, 1), "right": (1, -1), "down": (0, -1), "up": (0, 1), "s": (2, -1), "w": (2, 1)}
"""Number of an action that each key changes, and its sign."""

_OPEN = "o"
_STRIDE = 0.5


def hand_keys(size: int, moves: Mapping[str, tuple[int, int]], *, grips: bool) -> dict[tuple[str, ...], Any]:
    """Pressed keys to action, two moves at once at most.

    Args:
        size: numbers of an action.
        moves: as `MOVES`.
        grips: whether the last number is the fingers'; they are shut unless O is held.
    """
    names, found = list(moves), dict[tuple[str, ...], Any]()
    pairs = [(a, b) for a, b in product(names, names) if moves[a][0] < moves[b][0]]
    for held in [(), *((one,) for one in names), *pairs]:
        for opened in (False, True) if grips else (False,):
            action = np.zeros(size, np.float32)
            for name in held:
                axis, sign = moves[name]
                action[axis] = sign * _STRIDE
            if grips:
                action[-1] = 1.0 if opened else -1.0
            if keys := (*held, _OPEN) if opened else held:
                found[keys] = action
    return found


class PandaControls(Controls):
    """Arrows for far, near, left and right as the arm sees it, W and S for up and down.

    Where the fingers move, they are shut unless O is held. There are no keys for joints.
    """

    def keys(self):
        """Pressed keys to action."""
        p = self.world.params[0]
        return {} if p["by_joints"] else hand_keys(self.world.action.shape[0], MOVES, grips=bool(p["grips"]))
