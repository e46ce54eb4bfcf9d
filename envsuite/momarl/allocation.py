"""How goods are divided by proposals."""

import numpy as np

from envsuite.core.jit import kernel

GOODS = 10
"""Of each kind, in the games of arXiv 2511.19405."""


@kernel
def allotted(mine, other, goods):
    """How many of some goods one gets: what it asks, or a share in proportion where both ask for more than there are.

    Args:
        mine: goods that one proposes to keep, 0 to all.
        other: goods that the other proposes to keep.
        goods: how many there are.

    Returns:
        float32.
    """
    return np.float32(goods) * np.float32(mine) / np.float32(max(goods, mine + other))
