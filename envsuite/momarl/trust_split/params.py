"""Constants of Trust-and-Split, from arXiv 2511.19405."""

import numpy as np

HANDS = ("rock", "paper", "scissors")
WORDS = ("nothing", *HANDS)
UPPER, LOWER = 10.0, 1.0
"""Value of a coin to who has the winning hand, and to the other."""

PARAMS = np.dtype(
    [
        ("rounds", np.int32),
        ("quota", np.int32),  # messages of each agent in a round
        ("alternating", np.uint8),  # who has the upper hand changes every round
    ],
    align=True,
)
