"""Logs."""

from envsuite.core.companions import Logs
from envsuite.quadcopters import telemetry


class ControlLogs(Logs):
    """What is logged in `ControlWorld`."""

    def telemetry(self, state):
        """See `quadcopters.telemetry.drones`; the reference is where a drone began, for there is no goal."""
        return telemetry.drones(state["drones"], self.world.params[0]["spawn"])

    def figure(self, columns, state):
        """Position, and the distance from the beginning."""
        from envsuite.quadcopters.figures import tracking

        return tracking(columns)
