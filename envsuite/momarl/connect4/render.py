"""Pictures."""

from envsuite.core.companions import Pictures
from envsuite.momarl.boards import draw_board


class Connect4Pictures(Pictures):
    """What is drawn in `Connect4World`."""

    size = (420, 360)
    fps = 2

    def draw(self, state, size):
        """Draw the board."""
        return draw_board(state["board"], size, ((46, 92, 176),), (226, 232, 240))
