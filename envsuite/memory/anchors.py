"""Anchor scores of the family's cards, from tables of means and standard errors."""

from envsuite.cards import Score

PLAYERS = ("uniformly random", "best without memory", "perfect memory")


def anchors(
    table: dict[str, tuple[tuple[float, float], ...]],
    name: str,
    episodes: int = 1000,
    players: tuple[str, ...] = PLAYERS,
) -> dict[str, Score]:
    """The scores of a card.

    Args:
        table: mean return and standard error of the random, the memoryless and the remembering player, by name.
        name: of the card.
        episodes: that each played.
        players: who they are.

    Returns:
        Keyword arguments of `envsuite.cards.EnvCard`; none before scores are measured.
    """
    kinds = ("random", "floor", "expert")
    return {
        kind: Score(mean, error, episodes, player)
        for kind, (mean, error), player in zip(kinds, table.get(name, ()), players, strict=False)
    }
