"""Draws the tries."""

from envsuite.core import Pictures
from envsuite.core.canvas import Canvas
from envsuite.text_games.wordle.feedback import LETTERS
from envsuite.text_games.wordle.words import WORDS
from envsuite.text_games.wordle.world import INVALID, TRIES

PAPER, EMPTY, INK, WHITE = (250, 249, 245), (228, 230, 234), (40, 44, 52), (255, 255, 255)
COLOURS = ((122, 126, 134), (206, 168, 40), (78, 150, 84))
"""Not in the word, elsewhere, at its place."""


class WordlePictures(Pictures):
    """Six rows of letters, as everybody knows them."""

    size = (320, 420)
    fps = 1

    def draw(self, state, size):
        """Draw the tries; the word stands below at the end."""
        width, height = size
        canvas, params = Canvas(width, height, PAPER), self.world.params[0]
        side = min(0.92 * width / LETTERS, 0.84 * height / TRIES)
        left = (width - side * LETTERS) / 2
        for k in range(TRIES):
            guess = int(state["guess"][k])
            made = k < int(state["tries"])
            known = made and guess != INVALID
            told = int(params["told"][guess, int(state["word"])]) if known else 0
            for j in range(LETTERS):
                box = (left + (j + 0.05) * side, 0.02 * height + (k + 0.05) * side)
                color = COLOURS[told // 3**j % 3] if known else EMPTY
                canvas.rectangle((*box, box[0] + 0.9 * side, box[1] + 0.9 * side), color, 0.08 * side)
                middle = (box[0] + 0.45 * side, box[1] + 0.45 * side)
                if known:
                    canvas.text(middle, WORDS[guess][j].upper(), WHITE, 0.55 * side, "mm")
                elif made:
                    canvas.text(middle, "?", INK, 0.55 * side, "mm")
        fit = int(state["possible"].sum())
        line = "1 word fits" if fit == 1 else f"{fit} words fit"
        if state["clock"]["done"]:
            line = "found" if state["solved"] else f"it was {WORDS[int(state['word'])].upper()}"
        canvas.text((width / 2, 0.95 * height), line, INK, 0.06 * height, "mm")
        return canvas.to_array()
