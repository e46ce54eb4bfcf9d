"""Logs."""

from envsuite.core.companions import Logs
from envsuite.fighting.params import FRAMES


class FightLogs(Logs):
    """What is logged in `FightWorld`."""

    def seconds(self, state):
        """Sixtieths of a second, pauses between rounds included."""
        return int(state["frames"]) / FRAMES
