"""Scripted players of the coin game."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.momarl.coin_game.world import MOVES
from envsuite.momarl.world import both_of

STRATEGIES = ("cooperate", "defect")


class Collector:
    """Goes to the coin by a shortest way; a cooperator to its own only, and keeps off the other's.

    Args:
        strategy: one of `STRATEGIES`.
        other: that of the second agent; the same by default.

    Raises:
        ValueError: unknown strategy.
    """

    def __init__(self, strategy: str, other: str | None = None):
        self._strategies = both_of("strategy", strategy, other, STRATEGIES)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Directions of both agents."""
        cells = observations.shape[2] // 4
        size = round(cells**0.5)
        planes = observations.reshape(len(observations), 2, 4, cells)
        here = planes[:, :, 0].argmax(axis=2)
        own = planes[:, :, 2].any(axis=2)
        coin = (planes[:, :, 2] + planes[:, :, 3]).argmax(axis=2)
        wanted = own | (np.array(self._strategies) == "defect")
        ahead = np.empty((*here.shape, len(MOVES)), np.int64)  # steps from where a move leads to the coin
        for k, (down, right) in enumerate(MOVES):
            rows = (here // size + down - coin // size) % size
            columns = (here % size + right - coin % size) % size
            ahead[..., k] = np.minimum(rows, size - rows) + np.minimum(columns, size - columns)
        # who does not want the coin stays near without taking it
        return np.where(wanted, ahead.argmin(axis=2), np.where(ahead > 0, ahead, 2 * size).argmin(axis=2))


class CoinGamePlayers(Players):
    """Collectors that keep off the other's coins."""

    def expert(self):
        """Each takes its own coins only; see `experts.Collector`."""
        return Collector("cooperate")
