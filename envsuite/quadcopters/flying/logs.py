"""What is logged."""

from envsuite.core.companions import Logs
from envsuite.quadcopters import telemetry


class DroneLogs(Logs):
    """Motion of the drones, and their distance from their goals."""

    def telemetry(self, state):
        """See `quadcopters.telemetry.drones`."""
        rotors = not self.world.params[0]["flying"]["angles"]
        if self.world.agents:
            return telemetry.drones(state["crafts"], self.world.goals(state), rotors=rotors)
        return telemetry.drones(state["craft"], self.world.goal(state), rotors=rotors)

    def figure(self, columns, state):
        """Position against goal, and the error over time."""
        from envsuite.quadcopters.figures import tracking

        return tracking(columns)
