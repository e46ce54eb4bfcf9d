"""What all front ends share: text, snapshots, frames, and the reading of their options."""

from typing import Any, Literal

import numpy as np

from envsuite.core.batch import Batch, Snapshot
from envsuite.core.world import World

PIXELS = (84, 84)
"""(width, height) of pixel observations; the usual size since Mnih et al. (2015), Nature 518."""

ObservationType = Literal["state", "pixels"]
RENDER_MODES = ["human", "rgb_array", "ansi"]


class WorldFrontEnd:
    """Capabilities that do not depend on the API spoken: state, words and pictures of the batch underneath."""

    world: World
    batch: Batch

    def get_state(self) -> Snapshot:
        """An exact copy of everything that the future depends on (not of wrappers, such as a `TimeLimit`)."""
        return self.batch.get_state()

    def describe(self, instance: int = 0, agent: int = 0) -> str:
        """The situation of one agent in words.

        Args:
            instance: index in the batch.
            agent: index of the agent.
        """
        return self.world.describe(self.batch.states[instance], agent)

    def parse(self, text: str, instance: int = 0, agent: int = 0):
        """Turn a text into one agent's action, or into a `envsuite.core.language.Refusal`.

        Args:
            text: the answer of a language agent.
            instance: index in the batch.
            agent: index of the agent.
        """
        return self.world.parse(text, self.batch.states[instance], agent)

    def frame(self, instance: int = 0, size: tuple[int, int] | None = None) -> np.ndarray:
        """Draw one instance.

        Args:
            instance: index in the batch.
            size: (width, height); the world's own by default.

        Returns:
            uint8 array (height, width, 3).
        """
        return self.world.render(self.batch.states[instance], size or self.world.render_size)

    def pixels(self) -> np.ndarray:
        """Pixel observations of the whole batch, uint8 (n, height, width, 3)."""
        return np.stack([self.frame(i, PIXELS) for i in range(self.batch.num_envs)])


def pixel_space():
    """The space of pixel observations: uint8 (height, width, 3)."""
    from gymnasium.spaces import Box

    return Box(0, 255, (PIXELS[1], PIXELS[0], 3), np.uint8)


def check_choice(name: str, value: Any, allowed: list) -> None:
    """Refuse an option's value.

    Raises:
        ValueError: naming the value and those allowed.
    """
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}, expected one of {allowed}")
