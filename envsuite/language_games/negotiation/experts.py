"""Players who negotiate."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from envsuite.language_games.experts import TurnPlayers, Uniform, blocks
from envsuite.language_games.negotiation.world import ACCEPT, DENY, OFFERS

SHARE = 0.2
"""After a refusal a player offers any trade that it likes at least so much as its favourite."""


@dataclass(frozen=True)
class Gains:
    """What trades would bring, arrays of one shape.

    Attributes:
        own: to oneself.
        other: to the other, by the means of what goods can be worth to it.
        most: to the other at most.
    """

    own: np.ndarray
    other: np.ndarray
    most: np.ndarray


@dataclass(frozen=True)
class Manner:
    """How a player negotiates.

    Attributes:
        accepts: whether it accepts a trade.
        prefers: how much it likes to offer a trade; -inf for never.
    """

    accepts: Callable[[Gains], np.ndarray]
    prefers: Callable[[Gains], np.ndarray]


def _where(condition: np.ndarray, liking: np.ndarray) -> np.ndarray:
    return np.where(condition, liking, -np.inf)


MANNERS = {
    "generous": Manner(lambda g: g.own >= 0, lambda g: _where(g.own >= 0, g.other)),
    "greedy": Manner(lambda g: g.own > np.maximum(g.other, 0), lambda g: _where(g.other > 0, g.own)),
    "fair": Manner(lambda g: (g.own > 0) & (g.own >= g.other), lambda g: _where(g.own > 0, np.minimum(g.own, g.other))),
    "welfare": Manner(lambda g: g.own + g.other > 0, lambda g: _where(g.own + g.other > 0, g.own + g.other)),
    "secure": Manner(lambda g: g.own > g.most, lambda g: _where((g.own > g.most) & (g.other > 0), g.other)),
}
"""Generous players want to lose nothing and please the other. Greedy ones offer what leaves the other next to nothing,
and accept what is better for them than for the other. Fair ones share gains as equally as can be. Welfare makes both
together richest. Secure players trade only where they gain more than the other whatever goods are worth to it, so that
they never lose, and of such trades offer the one that the other will like best."""


class Trader:
    """Negotiates in a manner; what goods are worth to the other it knows by the rules alone.

    Args:
        world: the game.
        manner: see `MANNERS`.
    """

    def __init__(self, world, manner: Manner):
        self._world, self._manner = world, manner
        self._gives, self._given, self._wants, self._wanted = np.array(world.offers).T
        p = world.params[0]
        self._low, self._high = (p[side].astype(np.float64) for side in ("low", "high"))

    def __call__(self, observations):
        """Probabilities, (m, choices)."""
        seen = blocks(self._world, observations)
        worth, legal = seen["worth"].astype(np.float64), seen["action_mask"] != 0
        first = ((worth >= self._low[0]) & (worth <= self._high[0])).all(axis=1)
        other = np.where(first, 1, 0)  # who the other is shows in one's own worths, where it makes a difference
        low, high = self._low[other], self._high[other]
        coming, going = seen["offered"].astype(np.float64), seen["asked"].astype(np.float64)
        offered = Gains(
            own=((coming - going) * worth).sum(axis=1),
            other=((going - coming) * (low + high) / 2).sum(axis=1),
            most=(going * high - coming * low).sum(axis=1),
        )
        mine = Gains(
            own=self._wants * worth[:, self._wanted] - self._gives * worth[:, self._given],
            other=self._gained((low + high) / 2, (low + high) / 2),
            most=self._gained(high, low),
        )
        liking = np.where(legal[:, OFFERS:], self._manner.prefers(mine), -np.inf)
        best, refused = liking.max(axis=1, keepdims=True), seen["answer"] < 0
        found = np.zeros(legal.shape)
        found[:, OFFERS:] = np.isfinite(liking) & (liking >= np.where(refused, SHARE * best, best))
        found[:, DENY] = ~found.any(axis=1)
        takes = legal[:, ACCEPT] & self._manner.accepts(offered)
        found[takes] = np.arange(legal.shape[1]) == ACCEPT
        return found / found.sum(axis=1, keepdims=True)

    def _gained(self, coming: np.ndarray, going: np.ndarray) -> np.ndarray:
        """What each offer brings the other by these worths, (m, offers)."""
        return self._gives * coming[:, self._given] - self._wants * going[:, self._wanted]


class NegotiationPlayers(TurnPlayers):
    """From random to one that never loses, or where both are paid what they gain to one that makes most for both."""

    @property
    def reference(self) -> str:
        """Depends on what is paid."""
        return "secure" if self.world.payoff == "outcome" else "welfare"

    def policies(self):
        """Uniform, then manners."""
        manners = {name: (lambda manner=manner: Trader(self.world, manner)) for name, manner in MANNERS.items()}
        return {"uniform": lambda: Uniform(self.world), **manners}
