"""Steering by keys."""

from envsuite.quadcopters.gpd.controls import GPDControls


class QuadHoverGPDControls(GPDControls):
    """As in the other gym-pybullet-drones worlds."""
