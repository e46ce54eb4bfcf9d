"""Players of guess my city: a greedy one that knows the tables, one that goes by a script, and weak ones."""

from functools import lru_cache

import numpy as np

from envsuite.core import rng
from envsuite.core.companions import Players
from envsuite.core.jit import records
from envsuite.text_games.guess_city.catalogue import LANDMARK, answers, first_guess, places
from envsuite.text_games.guess_city.knowledge import cities

SCRIPT = ("continent", "region", "water", "climate", "language", "population", "landmark kind")
"""What the scripted player asks, in this order."""


def consistent(known: np.ndarray) -> np.ndarray:
    """Which cities go with the answers, bool (n, cities).

    Args:
        known: (n, questions), codes of answers, 0 for unknown.
    """
    return ((known[:, :, None] == 0) | (known[:, :, None] == answers()[None])).all(axis=1)


class CityPlayer:
    """Asks, and guesses among the cities that go with all answers.

    Args:
        world: the simulator.
        script: what it asks in this order before it guesses; empty to ask what divides the cities best.
        slip: share of turns in which it asks something at random instead.
        yes_no: of all that divides the cities it asks questions of yes and no alone.
    """

    def __init__(self, world, script: tuple[str, ...] = (), slip: float = 0.0, *, yes_no: bool = False):
        self._script = [places()[topic] for topic in script]
        self._slip, self._first, self._yes_no = slip, first_guess(), yes_no
        self._streams = records(np.zeros(0, rng.STREAM))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Begin the streams."""
        if len(self._streams) != len(mask):
            self._streams = records(np.zeros(len(mask), rng.STREAM))
        rng.begin(self._streams, seeds, mask)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Questions, (n,)."""
        known = observations[:, : len(answers())]
        return np.array([self._next(k, row) for k, row in enumerate(known)], np.int64)

    def _next(self, k: int, known: np.ndarray) -> int:
        if self._slip and rng.uniform(self._streams[k], rng.AGENT, 0.0, 1.0) < self._slip:
            return int(rng.integers(self._streams[k], rng.AGENT, self._first))
        left = np.flatnonzero(consistent(known[None])[0])
        if len(left) == 0:
            return self._first
        if len(left) > 2 and self._script:
            unasked = [question for question in self._script if known[question] == 0]
            if unasked:
                return unasked[0]
        elif len(left) > 2:
            return self._best(left)
        return self._first + int(left[0])

    def _best(self, left: np.ndarray) -> int:
        found = best_question(tuple(left.tolist()), self._yes_no)
        return found if found >= 0 else self._first + int(left[0])


@lru_cache(maxsize=1 << 14)
def best_question(left: tuple[int, ...], yes_no: bool) -> int:
    """The question that divides cities most evenly: the least sum of squares, the first one of equals; -1 for none.

    Args:
        left: cities that are possible.
        yes_no: look at questions of yes and no alone.
    """
    least, best = len(left) ** 2, -1
    for question, row in enumerate(answers()[: first_guess(), list(left)]):
        if question == places()[LANDMARK] or (yes_no and row.max() > 1):
            continue
        parts = int((np.unique(row, return_counts=True)[1] ** 2).sum())
        if parts < least:
            least, best = parts, question
    return best


class GuessingPlayer:
    """Guesses cities at random, none twice.

    Args:
        world: the simulator.
    """

    def __init__(self, world):
        self._streams = records(np.zeros(0, rng.STREAM))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Begin the streams."""
        if len(self._streams) != len(mask):
            self._streams = records(np.zeros(len(mask), rng.STREAM))
        rng.begin(self._streams, seeds, mask)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """Questions, (n,)."""
        first, chosen = first_guess(), np.zeros(len(observations), np.int64)
        for k, known in enumerate(observations[:, first : first + len(cities())]):
            left = np.flatnonzero(known == 0)
            chosen[k] = first + left[rng.integers(self._streams[k], rng.AGENT, len(left))]
        return chosen


COLLECTORS = {
    "script": lambda world: CityPlayer(world, SCRIPT),
    "yes-no": lambda world: CityPlayer(world, yes_no=True),
    "novice": lambda world: CityPlayer(world, slip=0.7, yes_no=True),
    "beginner": lambda world: CityPlayer(world, slip=0.9, yes_no=True),
    "guesses": GuessingPlayer,
}
"""A player that goes by a script, one that asks for yes and no alone, two that ask at random often and mostly, and
one that guesses."""


class GuessMyCityPlayers(Players):
    """The greedy player, and others."""

    def expert(self):
        """Asks what divides the cities best; see `CityPlayer`."""
        return CityPlayer(self.world)

    def collector(self, name):
        """One of `COLLECTORS`."""
        return COLLECTORS[name](self.world) if name in COLLECTORS else super().collector(name)
