"""Draws the maze from above."""

from envsuite.core import Pictures
from envsuite.core.canvas import Canvas
from envsuite.text_games.word_maze.layouts import MAPS

WALL, FLOOR, GOAL, HERO, INK, FOG = (
    (66, 74, 90),
    (246, 244, 236),
    (244, 196, 60),
    (44, 98, 190),
    (40, 44, 52),
    (150, 156, 168),
)


class WordMazePictures(Pictures):
    """Walls, the goal as a flag, the walker as a disc."""

    size = (416, 340)
    fps = 4

    def draw(self, state, size):
        """Draw the maze, or what is seen of it: the cells around, always in the middle."""
        width, height = size
        canvas, rows = Canvas(width, height, FLOOR), MAPS[self.world.maze]
        row, column = int(state["row"]), int(state["column"])
        tall, wide = (len(rows), len(rows[0])) if self.world.all_seen else (5, 5)
        first, start = (0, 0) if self.world.all_seen else (row - 2, column - 2)
        side = min(width / wide, 0.94 * height / tall)
        left, top = (width - side * wide) / 2, 0.06 * height

        def corner(i: float, j: float) -> tuple[float, float]:
            return left + (j - start) * side, top + (i - first) * side

        for i in range(first, first + tall):
            for j in range(start, start + wide):
                seen = self.world.all_seen or abs(i - row) + abs(j - column) <= 1
                mark = rows[i][j] if seen else ""
                x, y = corner(i, j)
                color = FOG if not seen else WALL if mark == "#" else FLOOR
                canvas.rectangle((x, y, x + side + 0.5, y + side + 0.5), color)
                if mark == "G" and (self.world.all_seen or (i, j) == (row, column)):
                    canvas.line([corner(i + 0.9, j + 0.3), corner(i + 0.1, j + 0.3)], INK, 0.07 * side)
                    canvas.polygon([corner(i + 0.1, j + 0.3), corner(i + 0.3, j + 0.9), corner(i + 0.5, j + 0.3)], GOAL)
        canvas.circle(corner(row + 0.5, column + 0.5), 0.3 * side, HERO, INK, 0.06 * side)
        moves = int(state["clock"]["step"])
        canvas.text((0.02 * width, 0.03 * height), f"moves: {moves}", INK, 0.045 * height, "lm")
        return canvas.to_array()
