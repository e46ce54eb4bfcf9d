"""The reference player: a shortest solution, searched for when an episode begins."""

from typing import ClassVar

import numpy as np

from envsuite.core.companions import Players
from envsuite.text_games.textworld.nav import FAR
from envsuite.text_games.textworld.search import MOST_NODES, search
from envsuite.text_games.textworld.state import INVENTORY, LOOK


class Planner:
    """Follows a shortest solution, and searches anew where somebody else has acted.

    Attributes:
        idle: commands for where nothing leads to the end.
    """

    idle: ClassVar[tuple[list[int], ...]] = ([LOOK, -1, -1], [INVENTORY, -1, -1])

    def __init__(self):
        self._plans: dict[int, tuple[list[int], list[list[int]]]] = {}

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget the solutions of episodes that are over."""
        for slot in np.flatnonzero(mask).tolist():
            self._plans.pop(slot, None)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The next command of each solution, (n,)."""
        return np.array([self._next(slot, states[slot : slot + 1]) for slot in range(len(states))], np.int64)

    def solve(self, state: np.ndarray) -> list[list[int]]:
        """A shortest solution: verbs and arguments; empty if there is none.

        Args:
            state: (1,) record.
        """
        return search(state.copy(), MOST_NODES)[0].tolist()

    def _next(self, slot: int, state: np.ndarray) -> int:
        last = list(state["last"][0].item())
        previous, plan = self._plans.get(slot, ([], []))
        if not plan or previous != last or state["refused"][0]:
            plan = self.solve(state)
        possible = [list(row) for row in state["commands"][0][: int(state["command_count"][0])].tolist()]
        for row in (*plan[:1], *self.idle):
            if row in possible:
                self._plans[slot] = row, plan[1:]
                return possible.index(row)
        return 0


FOLLOWED = 0.1
"""Share of decisions in which the player of LMRL-Gym's data knows what to do, where it begins far away."""


class Wanderer(Planner):
    """The player of LMRL-Gym's data (Abdulhai et al. 2023): knows the solution in half of the rooms to begin in."""

    def __init__(self):
        super().__init__()
        self._streams: dict[int, np.random.Generator] = {}
        self._knows: dict[int, bool] = {}

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Draw anew who knows what."""
        super().reset(mask, seeds)
        for slot in np.flatnonzero(mask).tolist():
            self._streams[slot] = np.random.default_rng(int(seeds[slot]))
            self._knows.pop(slot, None)

    def _next(self, slot: int, state: np.ndarray) -> int:
        rng = self._streams[slot]
        if slot not in self._knows:
            self._knows[slot] = int(state["room"][0]) not in FAR.tolist()
        if self._knows[slot] or rng.random() < FOLLOWED:
            return super()._next(slot, state)
        return int(rng.integers(int(state["command_count"][0])))


class TextNavPlayers(Players):
    """The planner, and the player of LMRL-Gym's data."""

    def expert(self):
        """Follows a shortest solution; see `Planner`."""
        return Planner()

    def collector(self, name):
        """``"wander"``: see `Wanderer`."""
        if name != "wander":
            return super().collector(name)
        return Wanderer()


class TextPlayers(Players):
    """The planner."""

    def expert(self):
        """Follows a shortest solution; see `Planner`."""
        return Planner()
