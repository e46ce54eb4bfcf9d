"""What all mazes have in common."""

import numpy as np

from envsuite.core import World


class MazeWorld(World):
    """A point in a maze has to reach a goal."""

    @property
    def radius(self) -> float:
        """Distance from the goal that counts as success, m."""
        return float(self.params[0]["radius"])

    def walls(self, state: np.void) -> np.ndarray:
        """Nonzero where a wall is, at least as large as the grid: of the record, or of the fixed layout."""
        return state["walls"] if "walls" in (self.state_dtype.names or ()) else self.params[0]["walls"]
