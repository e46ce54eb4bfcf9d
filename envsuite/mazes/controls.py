"""Steering with arrow keys."""

from typing import Any

import numpy as np

from envsuite.core.companions import Controls


class MazeControls(Controls):
    """Arrow keys, alone and in pairs."""

    def keys(self):
        """Unit actions, as the directions appear in the picture."""
        grid = self.world.params[0]["grid"]
        steps = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
        x, y = (np.array([grid[f"i{axis}"], grid[f"j{axis}"]]) for axis in "xy")
        pairs = [("up", "left"), ("up", "right"), ("down", "left"), ("down", "right")]
        keys: dict[tuple[str, ...], Any] = {(): np.zeros(2, np.float32)}
        for held in [*((name,) for name in steps), *pairs]:
            move = np.sum([steps[name] for name in held], axis=0)
            keys[held] = np.array([move @ x, move @ y], np.float32)
        return keys
