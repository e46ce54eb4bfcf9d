"""Pictures of plants for agents that see."""

import numpy as np

from envsuite.core.companions import Pictures

_FINER = 4
"""How many times finer instruments are drawn than agents see them, so that writing does not cover them."""


class PlantPictures(Pictures):
    """Frames for people; agents see the same, shrunk."""

    def draw_many(self, states, form, out):
        """See `Pictures.draw_many`."""
        height, width, channels = self.forms[form]
        for i, state in enumerate(states):
            fine = self.draw(state, (_FINER * width, _FINER * height))
            blocks = fine.reshape(height, _FINER, width, _FINER, channels)
            out[i] = np.rint(blocks.mean(axis=(1, 3))).astype(np.uint8)
