"""Logs."""

from envsuite.core.companions import Logs
from envsuite.quadcopters import telemetry


class QuadHoverGPDLogs(Logs):
    """What is logged in `QuadHoverGPDWorld`."""

    def telemetry(self, state):
        """See `quadcopters.telemetry.drones`."""
        return telemetry.drones(state["drones"], self.world.params[0]["target"])

    def figure(self, columns, state):
        """Position against target, and the error over time."""
        from envsuite.quadcopters.figures import tracking

        return tracking(columns)
