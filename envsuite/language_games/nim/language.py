"""Nim in words."""

import re

from envsuite.core.language import Refusal, RefusalKind
from envsuite.language_games.language import TurnWords, number_of

_MOVE = re.compile(r"take[\s_]+(\w+?)[\s_]+from[\s_]+(?:heap[\s_]+)?(\d+)")

RULES = (
    "Nim: two players take things from heaps in turn, at least one and as many as they like, from one heap. Who takes "
    "the last thing wins. Answer in brackets with a number and a heap, for instance [take 2 from heap 1]."
)


class NimWords(TurnWords):
    """The heaps; answers say how many to take from which."""

    def instructions(self, state, agent=0):
        """The rules."""
        return RULES

    def situation(self, state, agent):
        """How many things each heap has."""
        heaps = ", ".join(f"heap {k + 1} has {one}" for k, one in enumerate(state["heaps"].tolist()))
        return f"{heaps[0].upper()}{heaps[1:]}."

    def __init__(self, world):
        super().__init__(world)
        p = world.params[0]
        self._moves = [(int(count), int(heap) + 1) for count, heap in zip(p["count"], p["heap"], strict=True)]

    def say(self, move):
        """The number and the heap."""
        count, heap = self._moves[move]
        return f"take {count} from heap {heap}"

    def read(self, text):
        """Numbers and heaps."""
        found = set()
        for number, heap in _MOVE.findall(text):
            count, place = number_of(number), number_of(heap)
            if count is None or place is None:
                continue
            if (count, place) not in self._moves:
                sizes = ", ".join(map(str, self.world.heaps))
                reason = f"{count} from heap {place} is never possible: the heaps had {sizes} at the start"
                return Refusal(RefusalKind.OUT_OF_RANGE, reason)
            found.add(self._moves.index((count, place)))
        return found
