"""Players of the pipe: controllers that know the delay, or think that they do."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.industrial.pipeline.world import MEMORY


class DelayController:
    """Drives what will have arrived, by the flow at the end and the actions under way, to the demand.

    Args:
        actions: place of the past actions in an observation.
        gain: action for an error of 1 m^3/h.
        counted: past actions that it counts as under way.
    """

    def __init__(self, actions: int, gain: float, counted: int):
        self._actions, self._gain, self._counted = actions, gain, counted

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget: an observation holds the past."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 1)."""
        under_way = observations[:, self._actions : self._actions + self._counted].sum(axis=1, dtype=np.float64)
        error = observations[:, 1] - (observations[:, 0] + under_way)
        return np.clip(self._gain * error, -1.0, 1.0).astype(np.float32)[:, np.newaxis]


class PipelinePlayers(Players):
    """The controller that counts what is under way."""

    def expert(self):
        """With the true delay, as quick as the gate.

        Raises:
            ValueError: the delay is longer than an observation's memory.
        """
        delay = self.world.state_dtype["pipe"].shape[0] - 1
        if delay > MEMORY:
            raise ValueError(f"delay is {delay}, expected at most {MEMORY}, the steps that observations hold")
        return self._controller(1.0, delay)

    def _controller(self, gain: float, counted: int) -> DelayController:
        return DelayController(self.world.observation.offset("actions before"), gain, counted)
