"""Keys for levers."""

from itertools import product
from typing import Any

import numpy as np

from envsuite.core import Controls
from envsuite.core.layout import Vector

_PAIRS = (("right", "left"), ("up", "down"), ("w", "s"))


class PlantControls(Controls):
    """Two keys for each lever, all held together; none where there are more than three."""

    def keys(self):
        """Arrows, then W and S."""
        layout = self.world.action
        if not isinstance(layout, Vector):
            return super().keys()
        found: dict[tuple[str, ...], Any] = {}
        if layout.low.size > len(_PAIRS):
            return found
        for signs in product((0, 1, -1), repeat=layout.low.size):
            held = tuple(pair[sign < 0] for pair, sign in zip(_PAIRS, signs, strict=False) if sign)
            found[held] = np.array(signs, layout.dtype)
        return found
