"""What is logged."""

from envsuite.quadcopters.gpd.logs import GPDLogs


class QuadMultiHoverLogs(GPDLogs):
    """Distances are from the target."""
