"""Constants of the splitting games, from arXiv 2511.19405 and Lewis et al. (2017), Deal or No Deal, EMNLP."""

import numpy as np

KINDS = ("hats", "books", "balls")
DRAWS = ("ties", "exclusive", "uniform", "deal")
"""How values are drawn: 1 or 10 each with equal sums and a conflict; 10 for one and 1 for the other; 1 to 20 each;
whole numbers that make all goods worth 10 to each."""
RULES = ("proportional", "exact")
"""What proposals bring: shares in proportion; or what one asks if nothing is left and nothing wanted twice, else
nothing."""
MESSAGES = ("none", "claims", "text")
HIGH, LOW = 10, 1
MOST_VALUE = 20
WORTH = 10
"""Of all goods together to each, in Deal or No Deal."""
POOL = (5, 7)
"""Least and greatest number of goods there."""

PARAMS = np.dtype(
    [
        ("rounds", np.int32),
        ("quota", np.int32),  # messages of each agent in a round
        ("draw", np.int32),
        ("exact", np.uint8),
        ("open", np.uint8),  # both know both agents' values
    ],
    align=True,
)
