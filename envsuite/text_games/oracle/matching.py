"""The nearest of many known sentences: cosine of character n-grams weighted by their rarity (TF-IDF)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log, sqrt

LENGTHS = (3, 4, 5)
"""Characters of an n-gram."""


def grams(text: str) -> Counter[str]:
    """How often each n-gram stands in a text, with a blank before and after it.

    Args:
        text: in small letters.
    """
    text = f" {text} "
    return Counter(text[k : k + n] for n in LENGTHS for k in range(len(text) - n + 1))


class Bank:
    """Sentences, each with what it means.

    Args:
        sentences: (text, meaning) pairs.
    """

    def __init__(self, sentences: Iterable[tuple[str, int]]):
        self.meanings: list[int] = []
        counted = []
        for text, meaning in sentences:
            self.meanings.append(meaning)
            counted.append(grams(text))
        held = Counter(one for gram in counted for one in gram)
        self._rarity = {one: 1.0 + log((1 + len(counted)) / (1 + times)) for one, times in held.items()}
        self._places: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for k, gram in enumerate(counted):
            for one, weight in self._weighted(gram).items():
                self._places[one].append((k, weight))

    def _weighted(self, counts: Counter[str]) -> dict[str, float]:
        weights = {one: (1.0 + log(times)) * self._rarity.get(one, 0.0) for one, times in counts.items()}
        length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        return {one: weight / length for one, weight in weights.items()}

    def nearest(self, text: str) -> Sequence[tuple[int, float]]:
        """The two nearest meanings, nearest first, with the cosines of their nearest sentences.

        There are fewer where no more are near.

        Args:
            text: in small letters. N-grams that no sentence of the bank has count for nothing but its length.
        """
        counts = grams(text)
        rare = 1.0 + log(1 + len(self.meanings))
        weights = {one: (1.0 + log(times)) * self._rarity.get(one, rare) for one, times in counts.items()}
        length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        sums: defaultdict[int, float] = defaultdict(float)
        for one, weight in weights.items():
            for k, other in self._places.get(one, ()):
                sums[k] += weight / length * other
        best: dict[int, float] = {}
        for k, value in sums.items():
            meaning = self.meanings[k]
            best[meaning] = max(value, best.get(meaning, 0.0))
        return sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))[:2]
