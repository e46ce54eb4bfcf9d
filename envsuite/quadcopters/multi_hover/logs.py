"""Logs."""

from envsuite.core.companions import Logs
from envsuite.quadcopters import telemetry


class QuadMultiHoverLogs(Logs):
    """What is logged in `QuadMultiHoverWorld`."""

    def telemetry(self, state):
        """See `quadcopters.telemetry.drones`."""
        return telemetry.drones(state["drones"], self.world.params[0]["target"])

    def figure(self, columns, state):
        """Position against target, and the error over time."""
        from envsuite.quadcopters.figures import tracking

        return tracking(columns)
