"""Keys and clicks of text worlds."""

from envsuite.core.companions import Controls
from envsuite.text_games.textworld.render import LISTED, MAP_SHARE, ROW, TOP


class TextControls(Controls):
    """A click on a command of the picture's list gives it; keys mean nothing, since commands change all the time."""

    def keys(self):
        """None."""
        return {}

    def click(self, place, held, state):
        """The command at `place`."""
        k = int((place[1] - TOP) // ROW)
        inside = place[0] > MAP_SHARE and 0 <= k < min(LISTED, int(state["command_count"]))
        return k if inside else None
