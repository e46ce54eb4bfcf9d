"""Steering by keys."""

import numpy as np

from envsuite.core.companions import Controls

_CLIMB, _TILT, _TURN = 0.3, 0.01, 0.1  # changes of the normalised motor commands
_CHANGES = {
    ("w",): (_CLIMB, _CLIMB, _CLIMB, _CLIMB),
    ("s",): (-_CLIMB, -_CLIMB, -_CLIMB, -_CLIMB),
    ("up",): (-_TILT, _TILT, _TILT, -_TILT),
    ("down",): (_TILT, -_TILT, -_TILT, _TILT),
    ("left",): (_TILT, _TILT, -_TILT, -_TILT),
    ("right",): (-_TILT, -_TILT, _TILT, _TILT),
    ("a",): (-_TURN, _TURN, -_TURN, _TURN),
    ("d",): (_TURN, -_TURN, _TURN, -_TURN),
    (): (0.0, 0.0, 0.0, 0.0),
}


class HoverControls(Controls):
    """Motor commands around those that carry the weight."""

    def keys(self):
        """W and S: climb and sink; arrows: tilt; A and D: turn."""
        hover = np.float32(self.world.params[0]["action_baseline"])
        return {keys: np.array(change, np.float32) + hover for keys, change in _CHANGES.items()}
