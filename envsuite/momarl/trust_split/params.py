"""Constants of Trust-and-Split, from arXiv 2511.19405."""

import numpy as np

from envsuite.core import Record, field

HANDS = ("rock", "paper", "scissors")
WORDS = ("nothing", *HANDS)
UPPER, LOWER = 10.0, 1.0
"""Value of a coin to who has the winning hand, and to the other."""


class Params(Record):
    """The options."""

    rounds = field(type=np.int32, meaning="of an episode")
    quota = field(type=np.int32, meaning="messages of each agent in a round")
    alternating = field(type=np.uint8, meaning="who has the upper hand changes every round")
