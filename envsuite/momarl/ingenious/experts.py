"""The reference player of Ingenious."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.core.jit import kernel, records
from envsuite.momarl.ingenious.kernel import free, run


class Collector:
    """Takes the most points at once; of equal moves the one with most points for its colour that has fewest.

    Args:
        world: an `IngeniousWorld`.
    """

    def __init__(self, world):
        self._params, self._players = records(world.params), len(world.agents)

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The current player's move, for all players."""
        actions = np.zeros((len(states), self._players), np.int64)
        _choose(states, self._params, actions)
        return actions


@kernel
def _choose(states, params, actions):
    p = params[0]
    for n in range(states.shape[0]):
        s = states[n]
        player, size = np.int64(s.current_player), s.rack.shape[1]
        least, best, chosen = 32767, -1, 0
        for k in range(s.score.shape[1]):
            least = min(least, np.int64(s.score[player, k]))
        for k in range(len(p.place)):
            if not free(s, p, k):
                continue
            a, b, way = np.int64(p.place[k, 0]), np.int64(p.place[k, 1]), np.int64(p.place[k, 2])
            for slot in range(size):
                first, second = s.rack[player, slot, 0], s.rack[player, slot, 1]
                if first == 0:
                    break
                room = np.int64(p.most) - np.int64(s.score[player, first - 1])
                more = np.int64(p.most) - np.int64(s.score[player, second - 1])
                one, two = run(s, p, a, way, first), run(s, p, b, (way + 3) % 6, second)
                if first == second:
                    one, two = one + two, 0
                one, two = min(one, max(room, 0)), min(two, max(more, 0))
                value = 100 * (one + two)
                value += one * (s.score[player, first - 1] == least) + two * (s.score[player, second - 1] == least)
                if value > best:
                    best, chosen = value, k * size + slot
        for k in range(actions.shape[1]):
            actions[n, k] = chosen


class IngeniousPlayers(Players):
    """Players that look one move ahead."""

    def expert(self):
        """Takes the most points at once; see `experts.Collector`."""
        return Collector(self.world)
