"""Noise of actions that goes on from one step to the next.

An instance then goes one way for longer and finds what single random steps do not, as with the coloured noise of
Eberhard et al. (2023), here of first order.
"""

import math

import torch


class ActionNoise:
    """Standard normal noise of the actions of rows, as a first-order autoregression over steps.

    Args:
        rows: of experience.
        actions: numbers of an action.
        correlation: of the noise of a step with that of the step before, from 0 (independent) to below 1.

    Raises:
        ValueError: another correlation.
    """

    def __init__(self, rows: int, actions: int, correlation: float):
        if not 0 <= correlation < 1:
            raise ValueError(f"correlation is {correlation}, expected a number from 0 to below 1")
        self._correlation, self._last = correlation, torch.zeros(rows, actions)

    def normal(self) -> torch.Tensor:
        """Standard normal numbers (r, A) of the next step."""
        fresh, kept = torch.randn_like(self._last), self._correlation
        self._last = kept * self._last + math.sqrt(1.0 - kept**2) * fresh if kept else fresh
        return self._last

    def uniform(self) -> torch.Tensor:
        """Numbers (r, A) of the next step, evenly from -1 to 1."""
        if self._correlation:
            return torch.erf(self.normal() / math.sqrt(2.0))
        return torch.rand_like(self._last) * 2.0 - 1.0

    def state_dict(self) -> torch.Tensor:
        """Noise of the last step."""
        return self._last

    def load_state_dict(self, state: torch.Tensor) -> None:
        """Return to a moment."""
        self._last = state
