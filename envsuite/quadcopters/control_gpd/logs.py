"""What is logged."""

from envsuite.quadcopters.gpd.logs import GPDLogs


class ControlLogs(GPDLogs):
    """Distances are from where drones began, for there is no goal."""

    reference = "spawn"
