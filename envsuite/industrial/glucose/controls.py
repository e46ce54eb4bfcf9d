"""Keys for a pump whose useful rates lie close together."""

import numpy as np

from envsuite.core import Controls
from envsuite.industrial.glucose.experts import action_of

_RATES = {"down": 0.0, "left": 0.01, "right": 0.03, "up": 0.5}
"""U/min: nothing, about a basal rate, a correction, insulin for a meal."""


class SimglucoseControls(Controls):
    """Down stops the pump, left gives some 0.6 U/h, right 1.8, up 30: a meal's insulin in a few steps."""

    def keys(self):
        """Pressed keys to action."""
        p, kind = self.world.params[0], self.world.action.dtype
        return {(key,): np.array([action_of(rate, p)], kind) for key, rate in _RATES.items()}
