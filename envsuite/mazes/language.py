"""Mazes in words: a map of characters, and numbers."""

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import vector_text


def map_text(walls: np.ndarray, grid: np.void, marks: list[tuple[str, np.ndarray]]) -> str:
    """A map of the maze, one character a cell: ``#`` wall, ``.`` free.

    Args:
        walls: (rows, columns) or larger, nonzero where a wall is.
        grid: record of type `envsuite.mazes.params.Grid`.
        marks: characters and the places they mark, m; later marks cover earlier ones.
    """
    rows, columns = int(grid["rows"]), int(grid["columns"])
    picture = np.where(np.asarray(walls)[:rows, :columns] != 0, "#", ".")
    for mark, place in marks:
        i, j = indices(grid, place)
        if 0 <= i < rows and 0 <= j < columns:
            picture[i, j] = mark
    return "\n".join("".join(row) for row in picture)


def indices(grid: np.void, place) -> tuple[int, int]:
    """Row and column of the cell that a place lies in."""
    x, y = (int(np.floor((place[k] - grid[f"{axis}0"]) / grid["scale"] + 0.5)) for k, axis in enumerate("xy"))
    return int(grid["ix"] * x + grid["iy"] * y), int(grid["jx"] * x + grid["jy"] * y)


def directions(grid: np.void) -> str:
    """Where +x and +y lead on the map."""
    names = {(1, 0): "down", (-1, 0): "up", (0, 1): "right", (0, -1): "left"}
    x, y = (names[int(grid[f"i{axis}"]), int(grid[f"j{axis}"])] for axis in "xy")
    return f"+x leads {x} and +y {y} on the map, cells are {float(grid['scale']):g} m wide"


class MazeWords(Words):
    """A map of characters, and numbers, for a ball that is pushed by forces."""

    def describe(self, state, agent=0):
        """A map, the place, the velocity and the goal in words."""
        grid = self.world.params[0]["grid"]
        picture = map_text(self.world.walls(state), grid, [("G", state["goal"]), ("P", state["position"])])
        place, velocity, goal = (vector_text(state[name]) for name in ("position", "velocity", "goal"))
        return (
            f"{picture}\nStep {int(state['clock']['step'])}. You are P at {place} m, moving at {velocity} m/s; "
            f"{directions(grid)}. Reach the goal G at {goal} m, within {self.world.radius:g} m. Answer with the force "
            f"along x and y in brackets, each in [-1, 1]; 1 is 100 N, which adds 0.24 m/s in a step of 0.01 s. Walls "
            f"stop you."
        )
