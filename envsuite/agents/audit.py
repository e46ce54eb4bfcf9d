"""Judgement of how an episode was played, answer by answer."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol, Self

import numpy as np


class Fault(Protocol):
    """An answer that was no valid action."""

    @property
    def kind(self) -> str:
        """Which kind of invalid."""
        ...

    @property
    def code(self) -> int:
        """The world's own number for it; 0 for none."""
        ...


class Audit(Protocol):
    """Counts over one or more episodes; add them up to pool episodes."""

    codes: Counter

    def __add__(self, other: Self) -> Self:
        """Counts of both together."""
        ...

    def numbers(self) -> dict[str, float]:
        """Rates by name, the same names for every episode."""
        ...

    def label(self, code: int) -> str:
        """What a code means."""
        ...


class Auditor(Protocol):
    """Watches one episode."""

    def note(self, state: np.void, action: np.ndarray, faults: Sequence[Fault], acted: bool) -> None:
        """One decision.

        Args:
            state: the record after it.
            action: what was played.
            faults: answers of this decision that were no valid actions, in order.
            acted: whether a valid one came after them; else a fallback was played.
        """

    def result(self, state: np.void) -> Audit:
        """The counts.

        Args:
            state: the last record, which may be later than the last decision where time passes while a player thinks.
        """
        ...
