"""The reference players: the shortest way, a solver, and the optimal policy of blackjack."""

from functools import lru_cache

import numpy as np

from envsuite.core.companions import Players
from envsuite.text_games.cards.blackjack import BEST, DEALER_STANDS, HIT, STICK
from envsuite.text_games.cards.formulas import EQUALS
from envsuite.text_games.cards.solver import solve

CHANCES = {**dict.fromkeys(range(1, 10), 1 / 13), 10: 4 / 13}
"""Of what a card of an infinite deck counts, an ace 1."""


class Walker:
    """Goes towards the target."""

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Left or right, (n,)."""
        return (states["target"] > states["place"]).astype(np.int64)


class Solver:
    """Writes a formula that is right, and gives up at once where there is none or where another one has been begun.

    Args:
        world: a `PointsWorld`.
    """

    def __init__(self, world):
        self._params = world.params[0]
        self._actions = {int(symbol): k for k, symbol in enumerate(self._params["symbols"])}

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The next symbol, (n,)."""
        return np.array([self._actions[self._next(state)] for state in states], np.int64)

    def _next(self, state: np.void) -> int:
        numbers = np.sort(np.minimum(state["ranks"], self._params["face"]))
        plan = solve(tuple(numbers.tolist()), int(self._params["target"]))
        count = int(state["written"])
        if plan is None or count >= len(plan) or tuple(state["formula"][:count].tolist()) != plan[:count]:
            return EQUALS
        return plan[count]


@lru_cache(maxsize=1024)
def dealer_chances(points: int, usable: bool) -> tuple[float, ...]:
    """Probabilities of what the dealer ends with: 17 to 21, and more.

    Args:
        points: so far, a usable ace counting 11.
        usable: there is such an ace.
    """
    found = np.zeros(6)
    if points >= DEALER_STANDS:
        found[min(points, BEST + 1) - DEALER_STANDS] = 1.0
        return tuple(found)
    for card, chance in CHANCES.items():
        found += chance * np.array(dealer_chances(*with_card(points, usable, card)))
    return tuple(found)


def with_card(points: int, usable: bool, card: int) -> tuple[int, bool]:
    """Points and whether an ace counts 11, after another card.

    Args:
        points: before.
        usable: before.
        card: what it counts, an ace 1.
    """
    hard = points - 10 * usable + card
    usable = (usable or card == 1) and hard + 10 <= BEST
    return hard + 10 * usable, usable


@lru_cache(maxsize=1024)
def value(points: int, usable: bool, dealer: int, action: int) -> float:
    """Expected reward of an action, and the best ones after it.

    What a natural pays more changes no decision: sticking with 21 points is best anyway.

    Args:
        points: of the player's hand.
        usable: an ace counts 11 in it.
        dealer: what the dealer's open card counts, an ace 1.
        action: `STICK` or `HIT`.
    """
    if action == STICK:
        chances = dealer_chances(*with_card(0, False, dealer))
        ends = (*range(DEALER_STANDS, BEST + 1), 0)
        return sum(chance * ((points > end) - (points < end)) for chance, end in zip(chances, ends, strict=True))
    expected = 0.0
    for card, chance in CHANCES.items():
        after, soft = with_card(points, usable, card)
        expected += chance * (-1.0 if after > BEST else max(value(after, soft, dealer, one) for one in (STICK, HIT)))
    return expected


@lru_cache(maxsize=1)
def optimal_actions() -> np.ndarray:
    """What to do, int64 (22, 2, 11): by points, whether an ace counts 11, and the dealer's card."""
    found = np.zeros((BEST + 1, 2, 11), np.int64)
    for points in range(4, BEST + 1):
        for usable in (False, True) if points >= 12 else (False,):
            for dealer in CHANCES:
                hit = value(points, usable, dealer, HIT) > value(points, usable, dealer, STICK)
                found[points, int(usable), dealer] = HIT if hit else STICK
    return found


class OptimalPlayer:
    """Plays blackjack by dynamic programming over the infinite deck, from what it sees."""

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Stick or hit, (n,)."""
        points, dealer, usable = observations.T
        return optimal_actions()[np.minimum(points, BEST), usable, dealer]


class NumberLinePlayers(Players):
    """The walker."""

    def expert(self):
        """Takes the shortest way."""
        return Walker()


class PointsPlayers(Players):
    """The solver."""

    def expert(self):
        """Writes a right formula; see `Solver`."""
        return Solver(self.world)


class BlackjackPlayers(Players):
    """The optimal policy."""

    def expert(self):
        """Sticks and hits as is best on average."""
        return OptimalPlayer()
