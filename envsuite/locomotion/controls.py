"""Keys for the motors."""

from itertools import product
from typing import Any, ClassVar

import numpy as np

from envsuite.core import Controls

_ARROWS = (("right", "left"), ("up", "down"), ("w", "s"))
_LETTERS = tuple(zip("qwertyui", "asdfghjk", strict=True))
_HELD = 3
"""Motors that may be moved at once."""


class LocomotionControls(Controls):
    """Two keys for each motor, those of up to three motors together; none where there are more motors than fingers.

    Attributes:
        force: of a key, as a share of the motor's greatest.
    """

    force: ClassVar[float] = 1.0

    def keys(self):
        """Arrows, W and S for up to three motors; Q and A, W and S, and so on to I and K for up to eight."""
        most, found = self.world.action.high, dict[tuple[str, ...], Any]()
        pairs = _ARROWS if len(most) <= len(_ARROWS) else _LETTERS
        if len(most) > len(pairs):
            return found
        for signs in product((0, 1, -1), repeat=len(most)):
            held = tuple(pair[sign < 0] for pair, sign in zip(pairs, signs, strict=False) if sign)
            if len(held) <= _HELD:
                found[held] = (self.force * most * signs).astype(np.float32)
        return found


class InvertedPendulumControls(LocomotionControls):
    """Pushes that a hand could give: with all its force the cart leaves the pole behind in two steps."""

    force = 0.1


class InvertedDoublePendulumControls(LocomotionControls):
    """The same."""

    force = 0.3


class ReacherControls(LocomotionControls):
    """Shoulder and elbow."""

    force = 0.2
