"""What all mazes have in common."""

from typing import ClassVar

import numpy as np

from envsuite.core import World


class MazeWorld(World):
    """Something in a maze has to reach a goal.

    Attributes:
        observed: of a flat observation, what a dictionary has as ``observation``; the last two numbers are the goal.
    """

    observed: ClassVar[slice] = slice(None, -2)

    @property
    def goal_parts(self) -> dict[str, slice]:
        """Where the parts of a dictionary stand, see `envsuite.core.goals`."""
        return {"observation": self.observed, "achieved_goal": slice(0, 2), "desired_goal": slice(-2, None)}

    @property
    def radius(self) -> float:
        """Distance from the goal that counts as success, m."""
        return float(self.params[0]["radius"])

    def walls(self, state: np.void) -> np.ndarray:
        """Nonzero where a wall is, at least as large as the grid: of the record, or of the fixed layout."""
        return state["walls"] if "walls" in (self.state_dtype.names or ()) else self.params[0]["walls"]
