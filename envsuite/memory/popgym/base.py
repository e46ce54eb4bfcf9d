"""What the worlds share: cards dealt from counts, observations of zeros and ones, and what a critic may be told.

Records have the same size in all difficulties and observations are plain arrays, so that each world is compiled once.
"""

from typing import ClassVar, Literal

import numpy as np

from envsuite.core import Block, Choices, Loops, Record, StateRecord, Vector, World, field, kernel, rng

SUITS = ("spades", "diamonds", "clubs", "hearts")
RANKS = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king")
COLORS = ("black", "red")
DECK = 52
NONE = -1

Compat = Literal["popgym-1.0.7"]


class PopState(StateRecord):
    """What all records hold."""

    last = field(type=np.int16, meaning="the previous action, -1 at first")


class Info(Record):
    """The metrics."""

    progress = field(type=np.float32, meaning="share of the task that is done")
    is_success = field(type=np.bool_, meaning="all was done, and without a fault")


class Tally(Record):
    """The metrics of tasks that ask questions."""

    is_success = field(type=np.bool_, meaning="no answer was wrong")
    asked = field(type=np.int32, meaning="answers that counted")
    right = field(type=np.int32, meaning="of them, right ones")


class Told(Record):
    """What comes before the metrics where a critic is told the state: behind them Numba would not see it."""

    privileged = field(type=np.float32, shape="numbers", meaning="the whole state, for critics")


class PopWorld(World):
    """A world with two pairs of loops, of which one tells a critic the whole state.

    Attributes:
        plain: the loops without.
        full: the loops that write ``info["privileged"]``.
        privileged: which of them are used.
    """

    plain: ClassVar[Loops]
    full: ClassVar[Loops]
    privileged: bool

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those that write what was asked for."""
        return self.full if self.privileged else self.plain

    def sees(self, blocks: tuple[Block, ...], previous: tuple[Block, ...] = (), dtype: type = np.int8) -> int:
        """Declare the observation.

        Args:
            blocks: what is seen.
            previous: of the previous action, or none.
            dtype: of the numbers.

        Returns:
            Where the previous action is seen, -1 for nowhere.
        """
        self.observation = Vector((*blocks, *previous), dtype=dtype)
        return self.observation.offset(previous[0].name) if previous else NONE

    def reports(self, metrics: type[Record], numbers: int = 0) -> None:
        """Declare the metrics.

        Args:
            metrics: without what a critic is told.
            numbers: of what it is told; 0 for nothing.
        """
        self.privileged = numbers > 0
        if numbers:
            self.info_dtype = type(metrics.__name__, (Told, metrics), {}).dtype(numbers=numbers)
        else:
            self.info_dtype = metrics.dtype()


def one_of(name: str, size: int, meaning: str) -> Block:
    """A block of which one number is 1.

    Args:
        name: of the block.
        size: numbers.
        meaning: of the 1.
    """
    return Block(name, size, 0, 1, "", meaning)


def before(size: int) -> tuple[Block, ...]:
    """The block of a previous action, which is one of several.

    Args:
        size: alternatives.
    """
    return (one_of("previous action", size, "1 for the previous action; all 0 at first"),)


def grid_choices(rows: int, columns: int) -> Choices:
    """A cell of a board as two choices.

    Args:
        rows: of the board.
        columns: of the board.
    """
    return Choices(
        (("row", tuple(map(str, range(1, rows + 1)))), ("column", tuple(map(str, range(1, columns + 1))))),
    )


def grid_before(rows: int, columns: int) -> tuple[Block, ...]:
    """The blocks of a previous action that was a cell.

    Args:
        rows: of the board.
        columns: of the board.
    """
    return (
        one_of("previous row", rows, "1 for the row of the previous action; all 0 at first"),
        one_of("previous column", columns, "1 for its column"),
    )


@kernel
def clear(numbers):
    """All zeros."""
    for k in range(numbers.shape[0]):
        numbers[k] = 0


@kernel
def mark(numbers, first, which):
    """A 1 at one of the numbers from the first on; none for a negative one."""
    if which >= 0:
        numbers[first + np.int64(which)] = 1


@kernel
def fill(left, kinds, each):
    """As many cards of each kind; none of those that this game does not have."""
    for k in range(left.shape[0]):
        left[k] = each if k < kinds else 0


@kernel
def take(left, place):
    """The kind of the card in a place of what is left, sorted by kinds; it is taken away.

    Args:
        left: cards of each kind.
        place: from 0 to the number of cards left, that not included.
    """
    kind, below = 0, 0
    for k in range(left.shape[0] - 1):
        below += left[k]
        kind += place >= below
    left[kind] -= 1
    return kind


@kernel
def deal(g, left, cards):
    """The kind of the next card of a shuffled deck, of which so many of each kind are left, and that is taken away.

    One card at a time has the same law as a deck shuffled beforehand, and needs no deck in the record.
    """
    return take(left, rng.integers(g, rng.DYNAMICS, cards))
