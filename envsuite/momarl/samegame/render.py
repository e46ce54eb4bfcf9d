"""Pictures."""

from envsuite.core.companions import Pictures
from envsuite.momarl.boards import draw_board
from envsuite.momarl.samegame.kernel import COLORS


class SameGamePictures(Pictures):
    """What is drawn in `SameGameWorld`."""

    size = (400, 400)
    fps = 3

    def draw(self, state, size):
        """Draw the board."""
        return draw_board(state["board"], size, ((250, 250, 247),), None, COLORS)
