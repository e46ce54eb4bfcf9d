"""What is logged."""

from envsuite.quadcopters.gpd.logs import GPDLogs


class QuadHoverGPDLogs(GPDLogs):
    """Distances are from the target."""
