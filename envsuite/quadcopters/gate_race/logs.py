"""Figures of episodes."""

import numpy as np

from envsuite.quadcopters.flying.logs import DroneLogs
from envsuite.quadcopters.gate_race.params import OPENING, RING_RADIUS, RINGS


class GateRaceLogs(DroneLogs):
    """What is logged."""

    def figure(self, columns, state):
        """The path through the gates, and the speed with the moments of passing them."""
        from envsuite.quadcopters.figures import race

        rings = self.world.params[0]["course"] == RINGS
        half = np.full(len(state["gates"]), RING_RADIUS if rings else OPENING)
        return race(columns, np.column_stack([state["gates"], half]), [] if rings else state["poles"])
