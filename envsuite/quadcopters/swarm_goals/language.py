"""What a drone of the swarm is told."""

import numpy as np

from envsuite.quadcopters.flying.language import SwarmWords
from envsuite.quadcopters.swarm_goals.params import COLUMN, name_of


class SwarmGoalsWords(SwarmWords):
    """The scenario, what touching costs, and where the nearest column is."""

    def duty(self, state, agent):
        """What a drone is to do."""
        params, among = self.world.params[0], ""
        fate = "takes you out" if params["contact"] == 0 else "costs dearly"
        touch = f"coming within {100 * float(params['apart']):.0f} cm of another {fate}"
        if params["columns"]:
            me = np.asarray(state["crafts"][agent]["position"], np.float64)[:2]
            away = np.asarray(state["columns"], np.float64) - me
            x, y = away[np.argmin(np.linalg.norm(away, axis=1))]
            among = f"; the axis of the nearest column, of {COLUMN:g} m radius, is ({x:.2f}, {y:.2f}) away"
        return f"Stay at your goal, which may move or jump ({name_of(int(state['scenario']))}); {touch}{among}."
