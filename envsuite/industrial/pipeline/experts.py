"""Players of the pipe: a controller that knows the delay, and others that do not."""

import numpy as np

from envsuite.industrial.experts import PlantPlayers
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


class LateController:
    """A proportional controller that knows of no delay, and sees the flow late.

    Args:
        flows: place of the past flows in an observation.
        gain: action for an error of 1 m^3/h.
        late: steps by which it sees the flow late, up to 25.
    """

    def __init__(self, flows: int, gain: float, late: int):
        self._gain, self._column = gain, flows + late - 1 if late else 0

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Actions, float32 (n, 1)."""
        error = observations[:, 1].astype(np.float64) - observations[:, self._column]
        return np.clip(self._gain * error, -1.0, 1.0).astype(np.float32)[:, np.newaxis]


LATE = {"slow": (0.005, 0), "late-1": (0.3, 4), "late-2": (0.08, 6), "late-validation": (0.3, 3), "simple": (0.03, 0)}
"""Gains and steps of lateness. `simple` is the best proportional controller; the others were chosen by their returns,
which are those of NeoRL-2's data."""


class PipelinePlayers(PlantPlayers):
    """The controller that counts what is under way, and others that do not."""

    collectors = LATE

    def expert(self):
        """With the true delay, as quick as the gate.

        Raises:
            ValueError: the delay is longer than an observation's memory.
        """
        delay = self.world.state_dtype["pipe"].shape[0] - 1
        if delay > MEMORY:
            raise ValueError(f"delay is {delay}, expected at most {MEMORY}, the steps that observations hold")
        return DelayController(self.world.observation.offset("actions before"), 1.0, delay)

    def make(self, numbers):
        """A proportional controller."""
        return LateController(self.world.observation.offset("flow before"), *numbers)
