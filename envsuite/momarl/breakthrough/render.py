"""Pictures."""

from envsuite.core.companions import Pictures
from envsuite.momarl.boards import draw_board


class BreakthroughPictures(Pictures):
    """What is drawn in `BreakthroughWorld`."""

    size = (400, 400)
    fps = 3

    def draw(self, state, size):
        """Draw the board, the first player at the top."""
        return draw_board(
            state["board"], size, ((238, 226, 200), (176, 138, 100)), None, ((248, 246, 240), (40, 36, 40))
        )
