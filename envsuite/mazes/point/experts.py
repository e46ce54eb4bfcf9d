"""Reference players."""

from envsuite.core.companions import Players


class PointMazePlayers(Players):
    """Who plays in `PointMazeWorld`."""

    def expert(self):
        """A controller that follows the shortest path from wherever it is."""
        from envsuite.mazes.experts import PathFollower

        return PathFollower(self.world)
