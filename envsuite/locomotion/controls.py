"""Keys for the bodies with up to three motors."""

from itertools import product
from typing import Any, ClassVar

import numpy as np

from envsuite.core import Controls

_PAIRS = (("right", "left"), ("up", "down"), ("w", "s"))


class MotorControls(Controls):
    """Two keys for each motor; those of several motors may be held together.

    Attributes:
        force: of a key, as a share of the motor's greatest.
    """

    force: ClassVar[float] = 1.0

    def keys(self):
        """Right and left for the first motor, up and down for the second, W and S for the third."""
        most, found = self.world.action.high, dict[tuple[str, ...], Any]()
        for signs in product((0, 1, -1), repeat=len(most)):
            held = tuple(pair[sign < 0] for pair, sign in zip(_PAIRS, signs, strict=False) if sign)
            found[held] = (self.force * most * signs).astype(np.float32)
        return found


class InvertedPendulumControls(MotorControls):
    """Pushes that a hand could give: with all its force the cart leaves the pole behind in two steps."""

    force = 0.1


class InvertedDoublePendulumControls(MotorControls):
    """The same."""

    force = 0.3


class ReacherControls(MotorControls):
    """Shoulder and elbow."""

    force = 0.2


class SwimmerControls(MotorControls):
    """Both joints."""


class HopperControls(MotorControls):
    """Thigh, leg and foot."""
