"""Finds pairs with a perfect memory."""

import numpy as np

from envsuite.core import kernel


@kernel
def flip_batch(states, cards, known, actions):
    """The other card of a known pair, if there is one; else the first card that was never seen."""
    for n in range(states.shape[0]):
        s = states[n]
        if s.first >= 0:
            known[n, s.first] = 1
        if s.second >= 0:
            known[n, s.second] = 1
        wanted, new = -1, -1
        for i in range(cards):
            if s.up[i] != 0 or (s.waiting != 0 and i == s.first):
                continue
            if known[n, i] == 0:
                new = i if new < 0 else new
            elif s.waiting != 0:
                wanted = i if wanted < 0 and s.cards[i] == s.cards[s.first] else wanted
            elif wanted < 0:
                for j in range(i):
                    if known[n, j] != 0 and s.up[j] == 0 and s.cards[i] == s.cards[j]:
                        wanted = i
        actions[n] = wanted if wanted >= 0 else max(new, 0)


class Finder:
    """Knows every card that was turned over.

    Args:
        cards: on the table.
    """

    def __init__(self, cards: int):
        self._known, self._cards = np.zeros((0, cards), np.uint8), cards

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the masked slots' cards."""
        if len(self._known) != len(mask):
            self._known = np.zeros((len(mask), self._cards), np.uint8)
        self._known[mask] = 0

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The card, (n,)."""
        actions = np.zeros(len(states), np.int64)
        flip_batch(states, self._cards, self._known, actions)
        return actions
