"""Scripted players of Trust-and-Split."""

import numpy as np

from envsuite.momarl.allocation import GOODS
from envsuite.momarl.trust_split.params import WORDS

STRATEGIES = ("cooperate", "defect", "fair")


class Splitter:
    """Says its hand truly; then keeps all (defect), half (fair), or all or nothing by the hands (cooperate).

    It believes what it hears; a cooperator that has heard no hand keeps half.

    Args:
        strategy: one of `STRATEGIES`.
        other: that of the second agent; the same by default.

    Raises:
        ValueError: unknown strategy.
    """

    def __init__(self, strategy: str, other: str | None = None):
        self._strategies = (strategy, other or strategy)
        for one in self._strategies:
            if one not in STRATEGIES:
                raise ValueError(f"strategy is {one!r}, expected one of {', '.join(STRATEGIES)}")

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Words, or proposals, of both agents."""
        hand = observations[:, :, :3].argmax(axis=2)
        heard = observations[:, :, 3:7].argmax(axis=2) - 1
        upper = (hand - heard) % 3 == 1
        informed = np.where(heard < 0, GOODS // 2, np.where(upper, GOODS, 0))
        keep = np.empty(hand.shape, np.int64)
        for agent, strategy in enumerate(self._strategies):
            fixed = {"defect": GOODS, "fair": GOODS // 2}.get(strategy)
            keep[:, agent] = informed[:, agent] if fixed is None else fixed
        splitting = observations[:, :, 8] > 0
        return np.where(splitting, len(WORDS) + keep, hand + 1).astype(np.int64)
