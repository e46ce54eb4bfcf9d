"""Keys for the grippers of a rope."""

from itertools import product
from typing import Any

import numpy as np

from envsuite.core.companions import Controls

_FIRST = {"a": (0, -1), "d": (0, 1), "s": (1, -1), "w": (1, 1)}
_SECOND = {"left": (0, -1), "right": (0, 1), "down": (1, -1), "up": (1, 1)}


class _RopeControls(Controls):
    """A, D, S and W move the first gripper, arrows the second; each by two keys at most. In a team all have arrows."""

    def keys(self):
        """Pressed keys to action."""
        if self.world.agents:
            return {keys: _command(keys, _SECOND) for keys in _pairs(_SECOND) if keys}
        found: dict[tuple[str, ...], Any] = {}
        for one, two in product(_pairs(_FIRST), _pairs(_SECOND)):
            if one or two:
                found[(*one, *two)] = np.concatenate([_command(one, _FIRST), _command(two, _SECOND)])
        return found


def _pairs(names: dict[str, tuple[int, int]]) -> list[tuple[str, ...]]:
    """No key, each, and each two along different axes."""
    two = [(a, b) for a, b in product(names, names) if names[a][0] < names[b][0]]
    return [(), *((one,) for one in names), *two]


def _command(keys: tuple[str, ...], names: dict[str, tuple[int, int]]) -> np.ndarray:
    action = np.zeros(3, np.float32)
    for key in keys:
        axis, sign = names[key]
        action[axis] = sign
    return action


class RopeClosingControls(_RopeControls):
    """Keys for both grippers."""


class RopeShapingControls(_RopeControls):
    """Keys for both grippers."""
