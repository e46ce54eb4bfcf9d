"""Pictures for people show what has to be remembered; pictures for agents do not."""

from typing import Any

import numpy as np

from envsuite.core import Pictures


class MemoryPictures(Pictures):
    """Draws each record in two ways by `paint`."""

    def paint(self, state: Any, size: tuple[int, int], all_seen: bool) -> np.ndarray:
        """Draw one instance.

        Args:
            state: one record of the world's ``state_dtype``.
            size: (width, height) in pixels.
            all_seen: whether to draw what the agent has to remember.

        Returns:
            uint8 array of shape (height, width, 3).
        """
        raise NotImplementedError

    def draw(self, state, size):
        """For people."""
        return self.paint(state, size, True)

    def draw_for(self, state, size, agent):
        """For the agent."""
        return self.paint(state, size, False)

    def draw_many(self, states, form, out):
        """For agents that see."""
        height, width, _ = self.forms[form]
        for i, state in enumerate(states):
            out[i] = self.paint(state, (width, height), False)
