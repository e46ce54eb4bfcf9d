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
        """Draw the maze; where only walls are seen, all that is farther away lies in fog."""
        width, height = size
        world, rows = self.world, MAPS[self.world.maze]
        canvas = Canvas(width, height, FLOOR)
        side = min(width / len(rows[0]), 0.94 * height / len(rows))
        left, top = (width - side * len(rows[0])) / 2, 0.06 * height
        row, column = int(state["row"]), int(state["column"])
        for i, line in enumerate(rows):
            for j, mark in enumerate(line):
                near = abs(i - row) + abs(j - column) <= 1
                color = FOG if not (world.all_seen or near) else WALL if mark == "#" else FLOOR
                box = (left + j * side, top + i * side, left + (j + 1) * side + 0.5, top + (i + 1) * side + 0.5)
                canvas.rectangle(box, color)
                if mark == "G" and (world.all_seen or (i, j) == (row, column)):
                    pole = left + (j + 0.3) * side
                    canvas.line([(pole, top + (i + 0.9) * side), (pole, top + (i + 0.1) * side)], INK, 0.07 * side)
                    tip = (left + (j + 0.9) * side, top + (i + 0.3) * side)
                    canvas.polygon([(pole, top + (i + 0.1) * side), tip, (pole, top + (i + 0.5) * side)], GOAL)
        middle = (left + (column + 0.5) * side, top + (row + 0.5) * side)
        canvas.circle(middle, 0.3 * side, HERO, INK, 0.06 * side)
        moves = int(state["clock"]["step"])
        canvas.text((0.02 * width, 0.03 * height), f"moves: {moves}", INK, 0.045 * height, "lm")
        return canvas.to_array()
