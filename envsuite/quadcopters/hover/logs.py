"""What is logged."""

import numpy as np

from envsuite.core.companions import Logs
from envsuite.quadcopters import telemetry


class HoverLogs(Logs):
    """Motion of the drone, and its distance from the origin."""

    def telemetry(self, state):
        """See `quadcopters.telemetry.drones`."""
        return telemetry.drones(state["body"], np.zeros(3))

    def figure(self, columns, state):
        """Position against target, and the error over time."""
        from envsuite.quadcopters.figures import tracking

        return tracking(columns)
