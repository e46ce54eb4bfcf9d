"""Logs."""

import numpy as np

from envsuite.core.companions import Logs
from envsuite.quadcopters import telemetry


class HoverLogs(Logs):
    """What is logged in `HoverWorld`."""

    def telemetry(self, state):
        """See `quadcopters.telemetry.drones`."""
        return telemetry.drones(state["body"], np.zeros(3))

    def figure(self, columns, state):
        """Position against target, and the error over time."""
        from envsuite.quadcopters.figures import tracking

        return tracking(columns)
