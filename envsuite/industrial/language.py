"""Plants in words."""

import numpy as np

from envsuite.core import Words
from envsuite.core.language import wanted
from envsuite.core.layout import Vector


class PlantWords(Words):
    """The situation, the task, and how to answer."""

    def describe(self, state, agent=0):
        """See `Words.describe`."""
        return f"{self.situation(state)} {self.task(state)} {self.instructions(state, agent)}"

    def situation(self, state: np.void) -> str:
        """What the agent can know of the plant.

        Args:
            state: one record of the world's ``state_dtype``.
        """
        raise NotImplementedError(f"{type(self).__name__} has no situation")

    def task(self, state: np.void) -> str:
        """What is to be done.

        Args:
            state: one record of the world's ``state_dtype``.
        """
        raise NotImplementedError(f"{type(self).__name__} has no task")

    def instructions(self, state, agent=0):
        """See `Words.instructions`."""
        layout = self.world.action
        if not isinstance(layout, Vector):
            return f"Answer with {wanted(layout)}."
        names = ", ".join(f"{one.size} x {one.name}" if one.size > 1 else one.name for one in layout.blocks)
        count = "one number" if layout.low.size == 1 else f"{layout.low.size} numbers"
        return f"Answer with {count} from {layout.low.min():g} to {layout.high.max():g} in brackets: {names}."
