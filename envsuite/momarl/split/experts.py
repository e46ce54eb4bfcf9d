"""Scripted players of the splitting games."""

import itertools

import numpy as np

from envsuite.core.companions import Players
from envsuite.momarl.world import both_of

STRATEGIES = ("greedy", "welfare", "half")


class Divider:
    """Keeps all (greedy), half, or what makes most for both together (welfare); says its values truly.

    It knows both agents' values, also where they are hidden. Where proposals must fit, welfare divides kinds that both
    value alike so that the points are as equal as can be; else in halves.

    Args:
        world: a `SplitWorld`.
        strategy: one of `STRATEGIES`.
        other: that of the second agent; the same by default.

    Raises:
        ValueError: unknown strategy.
    """

    def __init__(self, world, strategy: str, other: str | None = None):
        self._world, self._strategies = world, both_of("strategy", strategy, other, STRATEGIES)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Claims, or proposals, of both agents."""
        goods, value = states["goods"], states["value"]
        exact = bool(self._world.params[0]["exact"])
        actions = np.zeros((len(states), 2, *self._world.action.shape), self._world.action.dtype)
        quota = 2 * int(self._world.params[0]["quota"])
        shares = np.stack([_fitting(g, v) for g, v in zip(goods, value, strict=True)]) if exact else None
        for n, strategy in enumerate(self._strategies):
            half = goods // 2 if n == 0 else goods - goods // 2
            keep = {"greedy": goods, "half": half if exact else goods // 2}.get(strategy)
            if keep is None and shares is not None:
                keep = shares if n == 0 else goods - shares
            elif keep is None:
                more, less = value[:, n] > value[:, 1 - n], value[:, n] < value[:, 1 - n]
                keep = np.where(more, goods, np.where(less, 0, goods // 2))
            actions[:, n, : keep.shape[1]] = np.where((states["said"] < quota)[:, None], value[:, n], keep)
        return actions


def _fitting(goods: np.ndarray, value: np.ndarray) -> np.ndarray:
    """The first agent's goods in the division with the greatest sum of points; of those the most equal one."""
    ways = np.array(list(itertools.product(*(range(k + 1) for k in goods))))
    first, second = ways @ value[0], (goods - ways) @ value[1]
    return ways[np.lexsort((np.abs(first - second), -(first + second)))[0]]


class SplitPlayers(Players):
    """Agents that split by what is worth most."""

    def expert(self):
        """Both leave goods to who values them more; see `experts.Divider`."""
        return Divider(self.world, "welfare")
