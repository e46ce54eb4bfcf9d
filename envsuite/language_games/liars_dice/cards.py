"""The card of liar's dice."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/LiarsDice-v0",
        world="envsuite.language_games.liars_dice.world:LiarsDiceWorld",
        family="language_games",
        summary="Bid on two dice of which one sees one's own, or doubt the other's bid.",
        source="traditional; as in OpenSpiel, arXiv 1908.09453, without wild dice",
        horizon=14,  # one more than there are moves: the game ends by itself
        options={"starter": "drawn"},
        agents=2,
        tags=("multi-agent", "text", "discrete actions", "dice", "hidden information", "turns", "zero-sum"),
        random=Score(-0.0022, 0.0100, 10_000, "uniformly random"),
        expert=Score(0.8286, 0.0056, 10_000, "equilibrium"),
        behaviour="2f8842992158c78e",
        unranked="against random players a simple rule earns more than an equilibrium; compare by exploitability",
    ),
)
