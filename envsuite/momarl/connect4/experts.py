"""The reference player of connect four."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.core.jit import kernel
from envsuite.momarl.connect4.world import wins


class Tactician:
    """Wins where it can, else blocks where it must, else plays near the middle without letting the other win above."""

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The column, for both players."""
        actions = np.zeros((len(states), 2), np.int64)
        _choose(states, actions)
        return actions


@kernel
def _choose(states, actions):
    for n in range(states.shape[0]):
        s = states[n]
        height, width = s.board.shape
        mine, other = np.int8(s.current_player + 1), np.int8(2 - s.current_player)
        best, chosen = -1000, 0
        for j in range(width):
            if np.int64(s.filled[j]) >= height:
                continue
            value = -abs(2 * j - width + 1)
            if wins(s, j, mine):
                value += 300
            elif wins(s, j, other):
                value += 200
            elif np.int64(s.filled[j]) + 1 < height:
                s.filled[j] += np.int8(1)
                if wins(s, j, other):
                    value -= 100
                s.filled[j] -= np.int8(1)
            if value > best:
                best, chosen = value, j
        actions[n, 0], actions[n, 1] = chosen, chosen


class Connect4Players(Players):
    """The tactician."""

    def expert(self):
        """Wins and blocks where it can; see `experts.Tactician`."""
        return Tactician()
