"""The card of Nim."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/Nim-v0",
        world="envsuite.language_games.nim.world:NimWorld",
        family="language_games",
        summary="Take things from three heaps by turns; who takes the last wins.",
        source="Bouton (1901), Nim, a game with a complete mathematical theory",
        horizon=13,  # one more than there are things: the game ends by itself
        options={"starter": "drawn"},
        agents=2,
        tags=("multi-agent", "text", "discrete actions", "heaps", "turns", "zero-sum"),
        random=Score(-0.0052, 0.0100, 10_000, "uniformly random"),
        expert=Score(1.0000, 0.0000, 10_000, "best play"),
        behaviour="9ccef097343cb7dd",
    ),
)
