"""Anchor scores of the family's cards, from tables of means and standard errors."""

from collections.abc import Mapping
from typing import NamedTuple

from envsuite.cards import Score


class Anchors(NamedTuple):
    """The scores of a card; None before they are measured.

    Attributes:
        random: of uniformly random play.
        floor: of the best play without memory that was found; None where it is hardly better than random play.
        expert: of a perfect memory.
    """

    random: Score | None
    floor: Score | None
    expert: Score | None


def anchors(table: Mapping[str, tuple[tuple[float, float], ...]], name: str, episodes: int = 1000) -> Anchors:
    """The scores of a card.

    Args:
        table: mean return and standard error by name: of random play, of play without memory (left out where it is
            hardly better than random play), and of a perfect memory.
        name: of the card.
        episodes: that each played.
    """
    scored = table.get(name, ())
    if not scored:
        return Anchors(None, None, None)
    random, *floor, expert = scored
    return Anchors(
        Score(*random, episodes, "uniformly random"),
        Score(*floor[0], episodes, "best without memory") if floor else None,
        Score(*expert, episodes, "perfect memory"),
    )
