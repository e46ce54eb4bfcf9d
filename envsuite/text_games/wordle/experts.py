"""Who plays: a search through what may come, entropy, words that fit, and the player that data were collected with."""

import numpy as np

from envsuite.core import Players, kernel, rng
from envsuite.core.jit import records
from envsuite.text_games.wordle.feedback import PATTERNS
from envsuite.text_games.wordle.world import COUNT, TRIES

ANY = 0.66
"""Share of the collector's guesses that are any words; LMRL-Gym's data."""
WIDTH = 10
"""Guesses that the search goes on with, of each set of words."""


def parts(told: np.ndarray, words: np.ndarray) -> np.ndarray:
    """How many words each feedback leaves, int64 (guesses, patterns).

    Args:
        told: (guesses, words) feedback.
        words: indices of those that are possible.
    """
    codes = told[:, words] + PATTERNS * np.arange(len(told))[:, None]
    return np.bincount(codes.reshape(-1), minlength=len(told) * PATTERNS).reshape(len(told), PATTERNS)


def entropies(counts: np.ndarray) -> np.ndarray:
    """Bits that each guess tells on average, (guesses,).

    Args:
        counts: of `parts`.
    """
    shares = counts / counts.sum(axis=1, keepdims=True)
    return -(shares * np.log2(np.where(shares > 0, shares, 1.0))).sum(axis=1)


class _Thinker:
    """Plays by the set of words that are possible; what it has found out about a set it remembers."""

    def __init__(self, world):
        params = world.params[0]
        self._used = params["used"][: params["count"]].astype(np.int64)
        self.told = params["told"][np.ix_(self._used, self._used)].astype(np.int64)
        self._known: dict[bytes, int] = {}

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Nothing to forget."""

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The guess, (n,)."""
        sets = states["possible"][:, self._used]
        found = np.zeros(len(states), np.int64)
        for k, (row, tries) in enumerate(zip(sets, states["tries"], strict=True)):
            key = row.tobytes()
            if key not in self._known:
                self._known[key] = self._used[self.choose(np.flatnonzero(row), TRIES - int(tries))]
            found[k] = self._known[key]
        return found

    def choose(self, words: np.ndarray, left: int) -> int:
        """The guess for a set of words, by its place among those that are used.

        Args:
            words: places of those that are possible.
            left: tries.
        """
        raise NotImplementedError


class Entropic(_Thinker):
    """Guesses what tells most on average; of equals a word that fits, then the first."""

    def choose(self, words, left):
        """See the class."""
        if len(words) <= 2:
            return int(words[0])
        bits = entropies(parts(self.told, words)).round(9)
        bits[words] += 1e-6
        return int(bits.argmax())


class Searcher(_Thinker):
    """Guesses what needs fewest guesses on average, as far as a search tells that goes on with the best guesses only.

    The guesses of each set are ranked by how many words they leave on average; `WIDTH` of them are followed to the end.

    Args:
        world: a `envsuite.text_games.wordle.world.WordleWorld`.
    """

    def __init__(self, world):
        super().__init__(world)
        self._solved: dict[bytes, tuple[int, int]] = {}

    def choose(self, words, left):
        """See the class."""
        return self.best(words)[1]

    def best(self, words: np.ndarray) -> tuple[int, int]:
        """Guesses that all words together need, and the first of them.

        Args:
            words: indices of those that are possible.
        """
        if len(words) <= 2:
            return 2 * len(words) - 1, int(words[0])
        key = words.astype(np.int16).tobytes()
        if key not in self._solved:
            self._solved[key] = self._search(words)
        return self._solved[key]

    def _search(self, words: np.ndarray) -> tuple[int, int]:
        counts, count = parts(self.told, words), len(words)
        fits = np.zeros(len(self.told), np.int64)
        fits[words] = 1
        # every part takes two guesses for its first word and three for the others at least, the word itself one
        least = count + 2 * count - (counts > 0).sum(axis=1) - fits
        order = np.lexsort((np.square(counts).sum(axis=1) - fits, least))[:WIDTH]
        most, chosen = 10**9, 0
        for guess in order.tolist():
            if least[guess] >= most:
                break
            total, row = int(least[guess]), self.told[guess, words]
            for pattern in np.flatnonzero(counts[guess] > 2):
                some = words[row == pattern]
                total += self.best(some)[0] - (2 * len(some) - 1)
                if total >= most:
                    break
            if total < most:
                most, chosen = total, guess
        return most, chosen


@kernel
def guess_batch(states, streams, anything, used, actions):
    """Any word by a chance, else any of those that fit."""
    for n in range(states.shape[0]):
        s = states[n]
        if rng.uniform(streams[n], rng.AGENT, 0.0, 1.0) < anything:
            actions[n] = used[rng.integers(streams[n], rng.AGENT, len(used))]
            continue
        fit = 0
        for k in range(COUNT):
            fit += s.possible[k]
        left = rng.integers(streams[n], rng.AGENT, fit)
        for k in range(COUNT):
            if s.possible[k] != 0:
                if left == 0:
                    actions[n] = k
                left -= 1


class Guesser:
    """Guesses words that fit, and with a chance any word.

    Args:
        anything: that chance.
        used: (k,) indices of the words there are.
    """

    def __init__(self, anything: float, used: np.ndarray):
        self._anything, self._used = anything, used
        self._streams = records(np.zeros(0, rng.STREAM))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Start each masked slot's stream from its seed."""
        if len(self._streams) != len(mask):
            self._streams = records(np.zeros(len(mask), rng.STREAM))
        rng.begin(self._streams, seeds, mask)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The guess, (n,)."""
        actions = np.zeros(len(states), np.int64)
        guess_batch(records(states), self._streams, self._anything, self._used, actions)
        return actions


class WordlePlayers(Players):
    """The search, and who collects data."""

    def expert(self):
        """Searches for fewest guesses; see `Searcher`."""
        return Searcher(self.world)

    def collector(self, name):
        """``"mixed"``: `Guesser` as in LMRL-Gym's data; ``"fitting"``: words that fit; ``"entropy"``: `Entropic`."""
        if name == "entropy":
            return Entropic(self.world)
        chances = {"mixed": ANY, "fitting": 0.0}
        if name not in chances:
            return super().collector(name)
        params = self.world.params[0]
        return Guesser(chances[name], params["used"][: params["count"]].astype(np.int64))
