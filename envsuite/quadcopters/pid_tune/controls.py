"""Steering by keys."""

import numpy as np

from envsuite.quadcopters.flying.controls import DroneControls
from envsuite.quadcopters.pid_tune.params import GAINS


class PIDTuneControls(DroneControls):
    """Steering by keys."""

    def keys(self):
        """W and S: higher and lower gains."""
        return {(): np.zeros(GAINS, np.float32), ("w",): np.ones(GAINS, np.float32), ("s",): np.full(GAINS, -0.5, "f4")}
