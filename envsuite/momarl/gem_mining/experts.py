"""Exact solutions of gem mining by elimination of one village after another."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.momarl.fronts import front


def expected_gems(p: np.void, actions: np.ndarray) -> np.ndarray:
    """Expected gems of a joint action.

    Args:
        p: the parameter record.
        actions: (villages,) offsets within reach.

    Returns:
        (objectives,) float64.
    """
    working = np.zeros(len(p["chance"]), np.int64)
    np.add.at(working, np.arange(len(actions)) + actions, p["workers"])
    return sum((_yield(p, m, int(sent)) for m, sent in enumerate(working)), np.zeros(p["chance"].shape[1]))


def _yield(p: np.void, mine: int, workers: int) -> np.ndarray:
    if workers == 0:
        return np.zeros(p["chance"].shape[1])
    return np.minimum(p["chance"][mine] * p["bonus"] ** (workers - int(p["first"])), p["ceiling"])


def known_front(p: np.void, weights: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """The exact Pareto front of expected gems over all joint actions.

    Villages are dealt with in order. Once village i has chosen, no other reaches mine i: what counts of the past are
    the workers in the next mines alone, and of the partial sums with the same workers there only those that no other
    dominates (multi-objective variable elimination, Rollón and Larrosa 2006).

    Args:
        p: the parameter record of a `GemMiningWorld`.
        weights: keep only the best by these weights rather than the front.

    Returns:
        Values (points, objectives) float64, and a joint action that reaches each, (points, villages) int64.
    """
    villages, kinds = len(p["workers"]), p["chance"].shape[1]
    ahead = len(p["chance"]) - villages
    # workers in the mines i to i + ahead -> values and choices so far
    past = {(0,) * (ahead + 1): (np.zeros((1, kinds)), np.zeros((1, 0), np.int64))}
    for i in range(villages):
        gathered: dict[tuple[int, ...], list] = {}
        for sent, (values, choices) in past.items():
            for choice in range(int(p["reach"][i])):
                now = list(sent)
                now[choice] += int(p["workers"][i])
                value = values + _yield(p, i, now[0])
                chosen = np.column_stack([choices, np.full(len(choices), choice)])
                gathered.setdefault((*now[1:], 0), []).append((value, chosen))
        past = {sent: _best(parts, weights) for sent, parts in gathered.items()}
    final = []
    for sent, (values, choices) in past.items():
        rest = sum((_yield(p, villages + k, workers) for k, workers in enumerate(sent[:-1])), np.zeros(kinds))
        final.append((values + rest, choices))
    return _best(final, weights)


def _best(parts: list, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    values, choices = (np.concatenate(column) for column in zip(*parts, strict=True))
    kept = front(values) if weights is None else np.array([np.argmax(values @ weights)])
    return values[kept], choices[kept]


class Miners:
    """Villages that all know the mines and play the best joint action.

    Args:
        world: a `GemMiningWorld`.
        weights: on the kinds of gems; equal by default.
    """

    def __init__(self, world, weights: np.ndarray | None = None):
        kinds = len(world.reward.objectives)
        mix = np.full(kinds, 1 / kinds) if weights is None else np.asarray(weights, np.float64)
        self._actions = known_front(world.params[0], mix)[1][0]

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The same for every slot."""
        return np.tile(self._actions, (len(states), 1))


class GemMiningPlayers(Players):
    """The best joint action."""

    def expert(self):
        """The joint action with the greatest expected number of gems; see `experts.Miners`."""
        return Miners(self.world)
