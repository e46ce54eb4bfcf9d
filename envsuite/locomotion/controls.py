"""Keys for the motors."""

from itertools import combinations, product
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


class LegControls(Controls):
    """Two keys for each of many motors, one above the other; those of two motors may be held together."""

    def keys(self):
        """Q and A for the first motor, W and S for the second, and so on."""
        most, found = self.world.action.high, dict[tuple[str, ...], Any]()
        pushes = [(key, k, sign) for sign, row in ((1, "qwertyui"), (-1, "asdfghjk")) for k, key in enumerate(row)]
        pushes = [push for push in pushes if push[1] < len(most)]
        for held in [(), *combinations(pushes, 1), *combinations(pushes, 2)]:
            signs = np.zeros(len(most))
            for _, k, sign in held:
                signs[k] += sign
            found[tuple(key for key, _, _ in held)] = (most * signs).astype(np.float32)
        return found


class SwimmerControls(MotorControls):
    """Both joints."""


class HopperControls(MotorControls):
    """Thigh, leg and foot."""


class Walker2dControls(LegControls):
    """Thigh, leg and foot of both legs."""


class HalfCheetahControls(LegControls):
    """Thigh, shin and foot of both legs."""


class AntControls(LegControls):
    """Hip and ankle of the fourth leg, then of the first to the third."""
