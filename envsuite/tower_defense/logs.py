"""Logs."""

from envsuite.core.companions import Logs
from envsuite.tower_defense.params import TICKS


class BulwarkLogs(Logs):
    """What is logged in `BulwarkWorld`."""

    def seconds(self, state):
        """Twentieths of a second."""
        return int(state["tick"]) / TICKS
