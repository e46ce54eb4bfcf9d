"""What a task of Meta-World is told: its bodies, its sheet, how it varies and what it pays."""

from typing import Literal

import numpy as np

from envsuite.core import field
from envsuite.manipulation.meta.sheets import Sheet
from envsuite.manipulation.meta.variation import Variation
from envsuite.rigid.world import Bodies

SUBSTEPS = 5
"""Steps of physics, 0.0025 s each, in one of the environment."""

REWARDS = ("v2", "v1", "sparse")
"""Names of the rewards; kernels know them by their places."""
EARLY, SPARSE = 1, 2

RewardName = Literal["v2", "v1", "sparse"]


class Params(Bodies):
    """The bodies, and the task."""

    sheet = field(type=Sheet)
    goal_hidden = field(type=np.uint8, meaning="whether zeros are observed in the goal's place")
    variation = field(type=Variation, meaning="how sizes, masses, friction, damping and the camera vary")
    reward = field(type=np.int32, meaning="0 v2, 1 v1, 2 success")
