"""The clock of a fight."""

from envsuite.core import Logs
from envsuite.fighting.params import FRAMES


class FightLogs(Logs):
    """The time that has passed."""

    def seconds(self, state):
        """Sixtieths of a second, pauses between rounds included."""
        return int(state["frames"]) / FRAMES
