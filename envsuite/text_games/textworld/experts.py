"""The reference player: a shortest solution, searched for when an episode begins."""

import numpy as np

from envsuite.core.companions import Players
from envsuite.text_games.textworld.search import MOST_NODES, search
from envsuite.text_games.textworld.state import INVENTORY, LOOK


class Planner:
    """Follows a shortest solution, and searches anew where somebody else has acted."""

    def __init__(self):
        self._plans: dict[int, tuple[list[int], list[list[int]]]] = {}

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the solutions of episodes that are over."""
        for slot in np.flatnonzero(mask).tolist():
            self._plans.pop(slot, None)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The next command of each solution, (n,)."""
        return np.array([self._next(slot, states[slot : slot + 1]) for slot in range(len(states))], np.int64)

    def _next(self, slot: int, state: np.ndarray) -> int:
        last = list(state["last"][0].item())
        previous, plan = self._plans.get(slot, ([], []))
        if not plan or previous != last or state["refused"][0]:
            plan = search(state.copy(), MOST_NODES)[0].tolist()
        possible = [list(row) for row in state["commands"][0][: int(state["command_count"][0])].tolist()]
        for row in (*plan[:1], [LOOK, -1, -1], [INVENTORY, -1, -1]):  # looking, where nothing leads to the end
            if row in possible:
                self._plans[slot] = row, plan[1:]
                return possible.index(row)
        return 0


class TextPlayers(Players):
    """The planner."""

    def expert(self):
        """Follows a shortest solution; see `Planner`."""
        return Planner()
