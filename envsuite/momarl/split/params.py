"""Constants of the splitting games, from arXiv 2511.19405 and Lewis et al. (2017), Deal or No Deal, EMNLP."""

import numpy as np

from envsuite.core import Record, field

KINDS = ("hats", "books", "balls")
DRAWS = ("ties", "exclusive", "uniform", "deal")
"""How values are drawn: 1 or 10 each with equal sums and a conflict; 10 for one and 1 for the other; 1 to 20 each;
whole numbers that make all goods worth 10 to each."""
HIGH, LOW = 10, 1
MOST_VALUE = 20
WORTH = 10
"""Of all goods together to each, in Deal or No Deal."""
POOL = (5, 7)
"""Least and greatest number of goods there."""


class Params(Record):
    """The options."""

    rounds = field(type=np.int32, meaning="of an episode")
    quota = field(type=np.int32, meaning="messages of each agent in a round")
    draw = field(type=np.int32, meaning="index in `DRAWS`")
    exact = field(type=np.uint8, meaning="proposals must fit exactly")
    open = field(type=np.uint8, meaning="both know both agents' values")
