"""Reckoning with cards: a formula, written symbol by symbol, that uses every card once and comes to a target."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Record,
    Reward,
    StateRecord,
    Vector,
    World,
    batch_loops,
    cut,
    field,
    kernel,
    rng,
)
from envsuite.text_games.cards.deck import RANKS, SUITS
from envsuite.text_games.cards.formulas import (
    ADD,
    CLOSE,
    DIVIDE,
    EQUALS,
    MULTIPLY,
    OPEN,
    REFUSED,
    SUBTRACT,
    Room,
    reaches_target,
)

MARKS = {ADD: "+", SUBTRACT: "-", MULTIPLY: "*", DIVIDE: "/", OPEN: "(", CLOSE: ")", EQUALS: "="}
"""Symbols that are no numbers, as they are written."""
RIGHT, WRONG = 10.0, -1.0


class Params(Record):
    """The options that kernels know."""

    target = field(type=np.int32, meaning="what the formula should come to")
    longest = field(type=np.int32, meaning="symbols of a formula at most")
    face = field(type=np.int32, meaning="most that a card counts")
    compat = field(type=np.uint8, meaning="formulas are read as in the original")
    symbols = field(type=np.int32, shape="choices", meaning="what each action writes")


class State(StateRecord):
    """The cards and the formula."""

    ranks = field(type=np.int8, shape="cards", meaning="1 (ace) to 13 (king)")
    suits = field(type=np.int8, shape="cards", meaning="count for nothing")
    used = field(type=np.uint8, shape="cards", meaning="1 if its number stands in the formula")
    formula = field(
        type=np.int8, shape="places", meaning="symbols: numbers 1 to 13, 14 to 20 for + - * / ( ) =, 21 for a blank"
    )
    written = field(type=np.int32, meaning="number of symbols in the formula")
    solved = field(type=np.uint8, meaning="the formula was right")


class Info(Record):
    """The metrics."""

    success = field(type=np.bool_, meaning="the formula was right")
    action_mask = field(type=np.int8, shape="choices", meaning="1 for a symbol that may be written")


@kernel
def worth(s, p, k):
    """What a card counts."""
    return min(np.int64(s.ranks[k]), np.int64(p.face))


@kernel
def unused_card(s, p, number):
    """A card of this number that does not stand in the formula; -1 if there is none."""
    for k in range(s.ranks.shape[0]):
        if s.used[k] == 0 and worth(s, p, k) == number:
            return k
    return -1


@kernel
def clear(s):
    """Draw the suits; nothing is written."""
    for k in range(s.ranks.shape[0]):
        s.suits[k] = rng.integers(s.rng, rng.RESET, SUITS)
        s.used[k] = 0
    for k in range(s.formula.shape[0]):
        s.formula[k] = 0
    s.written, s.solved = 0, 0


@kernel
def reset(s):
    """Every card by chance."""
    for k in range(s.ranks.shape[0]):
        s.ranks[k] = 1 + rng.integers(s.rng, rng.RESET, RANKS)
    clear(s)


@kernel
def reset_pair(s, p):
    """A card but an ace by chance, and one that makes the target with it: a factor half of the time if there is one."""
    s.ranks[0] = 2 + rng.integers(s.rng, rng.RESET, RANKS - 1)
    first = worth(s, p, 0)
    factor = rng.integers(s.rng, rng.RESET, 2) == 1 and p.target % first == 0
    s.ranks[1] = p.target // first if factor else p.target - first
    if rng.integers(s.rng, rng.RESET, 2) == 1:
        s.ranks[0], s.ranks[1] = s.ranks[1], s.ranks[0]
    clear(s)


@kernel
def all_used(s):
    """Whether every card stands in the formula."""
    left = 0
    for k in range(s.used.shape[0]):
        left += s.used[k] == 0
    return left == 0


@kernel
def step(s, p, action, w):
    """Write a symbol, or have the formula judged. Reward and whether it was."""
    if s.written > p.longest:
        cut(s.clock)
        return WRONG, False
    symbol = np.int64(p.symbols[action])
    if symbol == EQUALS:
        s.solved = all_used(s) and reaches_target(s, p, w)
        return (RIGHT if s.solved else WRONG), True
    reward = 0.0
    if symbol < ADD:
        k = unused_card(s, p, symbol)
        if k < 0:
            symbol, reward = np.int64(REFUSED), WRONG
        else:
            s.used[k] = 1
    s.formula[s.written] = symbol
    s.written += np.int32(1)
    return reward, False


@kernel
def observe(s, p, o, info):
    """Write cards and formula, a number for each that there could be."""
    cards, choices = s.ranks.shape[0], p.symbols.shape[0]
    numbers = o.cards.shape[0] // cards
    for k in range(cards):
        for number in range(numbers):
            o.cards[k * numbers + number] = worth(s, p, k) == number + 1
        o.unused[k] = s.used[k] == 0
    for k in range(s.formula.shape[0]):
        symbol, row = s.formula[k], k * (choices + 1)
        for j in range(choices):
            o.formula[row + j] = symbol == p.symbols[j]
        o.formula[row + choices] = symbol == REFUSED
    for j in range(choices):
        allowed = p.symbols[j] >= ADD or unused_card(s, p, p.symbols[j]) >= 0
        o.action_mask[j], info.action_mask[j] = allowed, allowed
    info.success = s.solved != 0


class PointsWorld(World):
    """What both games share; see `EZPointsWorld` and `Points24World`.

    Args:
        cards: how many there are.
        face: most that a card counts.
        signs: symbols besides numbers.
        target: what the formula should come to.
        longest: symbols of a formula at most.
        compat: formulas are read as in the original.
    """

    reward = Reward(low=np.array(WRONG), high=np.array(RIGHT))

    def __init__(self, *, cards: int, face: int, signs: tuple[int, ...], target: int, longest: int, compat: bool):
        symbols = (*range(1, face + 1), *signs)
        choices, places = len(symbols), longest + 1
        self.params = Params.make(
            sizes={"choices": choices}, target=target, longest=longest, face=face, compat=compat, symbols=symbols
        )
        self.state_dtype = State.dtype(cards=cards, places=places)
        self.info_dtype = Info.dtype(choices=choices)
        self.action = Choice(tuple(MARKS.get(symbol, str(symbol)) for symbol in symbols))
        self.observation = Vector(
            (
                Block("cards", cards * face, 0, 1, "", f"for each card {face} numbers, 1 for what it counts"),
                Block("unused", cards, 0, 1, "", "1 for a card that does not stand in the formula"),
                Block(
                    "formula",
                    places * (choices + 1),
                    0,
                    1,
                    "",
                    f"for each place {choices + 1} numbers, 1 for the action that wrote it, the last for a blank",
                ),
                Block("action_mask", choices, 0, 1, "", "1 for a symbol that may be written"),
            ),
            dtype=np.int8,
        )


class EZPointsWorld(PointsWorld):
    """Two cards that can make 12 by a sum or a product."""

    loops = batch_loops(reset_pair, step, observe, work=Room.dtype())

    def __init__(self):
        super().__init__(cards=2, face=10, signs=(ADD, MULTIPLY, EQUALS), target=12, longest=5, compat=False)


class Points24World(PointsWorld):
    """Four cards that make 24, where they can; where they cannot, it is best to give up at once.

    Args:
        target_points: what the formula should come to.
        treat_face_cards_as_10: jack, queen and king count 10; otherwise 11, 12 and 13.
        compat: ``"gym-cards"`` reads formulas as the original does: numbers side by side are one number, two stars a
            power, two slashes a division without remainder, and fractions are rounded (see README.md).
    """

    loops = batch_loops(reset, step, observe, work=Room.dtype())

    def __init__(
        self,
        *,
        target_points: Annotated[int, Between(1, 100)] = 24,
        treat_face_cards_as_10: bool = True,
        compat: Literal["gym-cards"] | None = None,
    ):
        super().__init__(
            cards=4,
            face=10 if treat_face_cards_as_10 else RANKS,
            signs=tuple(MARKS),
            target=target_points,
            longest=20,
            compat=compat is not None,
        )
