"""Constants of the coin game, from Lerer and Peysakhovich (2017), arXiv 1707.01068, and LOLA, arXiv 1709.04326."""

import numpy as np

OWNERS = ("red", "blue")
COIN, LOSS = 1.0, -2.0
"""What a coin is worth to who takes it, and to its owner where the other takes it."""
MOVES = ((-1, 0), (1, 0), (0, -1), (0, 1))
"""Rows down, columns to the right."""
NAMES = ("up", "down", "left", "right")
COLORS = ("alternate", "random")

PARAMS = np.dtype([("steps", np.uint32), ("drawn", np.uint8)], align=True)
"""Length of an episode, and whether each coin's owner is drawn."""
