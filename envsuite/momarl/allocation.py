"""How goods are divided by proposals."""

import numpy as np

from envsuite.core.jit import kernel

GOODS = 10


@kernel
def allotted(mine, other):
    """Of ten goods, how many one gets: what it asks, or a share in proportion where both ask for more than there are.

    Args:
        mine: goods that one proposes to keep, 0 to 10.
        other: goods that the other proposes to keep.

    Returns:
        float32.
    """
    return np.float32(GOODS) * np.float32(mine) / np.float32(max(GOODS, mine + other))
