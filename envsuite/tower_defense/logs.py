"""The clock of the game."""

from envsuite.core import Logs
from envsuite.tower_defense.params import TICKS


class TowerLogs(Logs):
    """The time that has passed."""

    def seconds(self, state):
        """Twentieths of a second."""
        return int(state["tick"]) / TICKS
