"""Anchor scores of the family's cards, from tables of means and standard errors."""

from collections.abc import Mapping

from envsuite.cards import Score

PLAYERS = {"random": "uniformly random", "floor": "best without memory", "expert": "perfect memory"}


def anchors(table: Mapping[str, tuple[tuple[float, float], ...]], name: str, episodes: int = 1000) -> dict[str, Score]:
    """The scores of a card.

    Args:
        table: mean return and standard error of the random, the memoryless and the remembering player, by name; without
            the second where no player without memory does better than random play.
        name: of the card.
        episodes: that each played.

    Returns:
        Keyword arguments of `envsuite.cards.EnvCard`; none before scores are measured.
    """
    scored = table.get(name, ())
    kinds = [kind for kind in PLAYERS if kind != "floor" or len(scored) > 2]
    return {
        kind: Score(mean, error, episodes, PLAYERS[kind]) for kind, (mean, error) in zip(kinds, scored, strict=False)
    }
