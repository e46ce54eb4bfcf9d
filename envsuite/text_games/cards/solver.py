"""Finds formulas that come to a target, with exact fractions."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from envsuite.text_games.cards.formulas import ADD, CLOSE, DIVIDE, MULTIPLY, OPEN, SUBTRACT

Tree = int | tuple["Tree", int, "Tree"]
"""A number, or two trees and the operation between them."""


def _results(a: Fraction, b: Fraction, left: Tree, right: Tree) -> Iterator[tuple[Fraction, Tree]]:
    yield a + b, (left, ADD, right)
    yield a - b, (left, SUBTRACT, right)
    yield b - a, (right, SUBTRACT, left)
    yield a * b, (left, MULTIPLY, right)
    if b:
        yield a / b, (left, DIVIDE, right)
    if a:
        yield b / a, (right, DIVIDE, left)


@lru_cache(maxsize=8192)
def _reachable(numbers: tuple[int, ...]) -> dict[Fraction, Tree]:
    """All that some numbers, each used once, can come to, with a way to it."""
    if len(numbers) == 1:
        return {Fraction(numbers[0]): numbers[0]}
    found: dict[Fraction, Tree] = {}
    for part, rest in _halves(numbers):
        for a, left in _reachable(part).items():
            for b, right in _reachable(rest).items():
                for value, tree in _results(a, b, left, right):
                    found.setdefault(value, tree)
    return found


def _halves(numbers: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every way to part sorted numbers in two, the first number in the first part."""
    places = range(1, len(numbers))
    for count in range(len(numbers) - 1):
        for chosen in combinations(places, count):
            part = (numbers[0], *(numbers[k] for k in chosen))
            yield part, tuple(numbers[k] for k in places if k not in chosen)


def _written(tree: Tree) -> tuple[int, ...]:
    if isinstance(tree, int):
        return (tree,)
    left, operation, right = tree
    return (*_bracketed(left), operation, *_bracketed(right))


def _bracketed(tree: Tree) -> tuple[int, ...]:
    return (tree,) if isinstance(tree, int) else (OPEN, *_written(tree), CLOSE)


@lru_cache(maxsize=8192)
def solve(numbers: tuple[int, ...], target: int) -> tuple[int, ...] | None:
    """A formula that uses each number once and comes to the target.

    Args:
        numbers: sorted, at most four.
        target: what it should come to, at least 1.

    Returns:
        Symbols as in `envsuite.text_games.cards.formulas`, 11 at most; None if there is no formula.
    """
    tree = _last_step(numbers, Fraction(target))
    return None if tree is None else _written(tree)


def _last_step(numbers: tuple[int, ...], target: Fraction) -> Tree | None:
    """A tree that comes to the target: what its second part has to come to follows from the first part."""
    if len(numbers) == 1:
        return numbers[0] if numbers[0] == target else None
    for part, rest in _halves(numbers):
        there = _reachable(rest)
        for a, left in _reachable(part).items():
            wanted = [(target - a, (ADD, False)), (a - target, (SUBTRACT, False)), (target + a, (SUBTRACT, True))]
            if a:
                wanted += [(target / a, (MULTIPLY, False)), (target * a, (DIVIDE, True)), (a / target, (DIVIDE, False))]
            for b, (operation, turned) in wanted:
                if b in there:
                    return (there[b], operation, left) if turned else (left, operation, there[b])
    return None
