"""What the gym-pybullet-drones worlds log."""

from envsuite.core.companions import Logs
from envsuite.quadcopters import telemetry


class GPDLogs(Logs):
    """Motion of the drones, and their distance from a reference; subclasses name its field of the parameters."""

    reference = "target"

    def telemetry(self, state):
        """See `quadcopters.telemetry.drones`."""
        return telemetry.drones(state["drones"], self.world.params[0][self.reference])

    def figure(self, columns, state):
        """Position against the reference, and the error over time."""
        from envsuite.quadcopters.figures import tracking

        return tracking(columns)
