"""The card of Leduc poker."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/LeducPoker-v0",
        world="envsuite.language_games.leduc.world:LeducPokerWorld",
        family="language_games",
        summary="Poker with six cards, two rounds of bets and a card for both.",
        source="Southey et al. (2005), Bayes' bluff, arXiv 1207.1411",
        horizon=9,  # one more than there are moves: the game ends by itself
        options={"starter": "drawn"},
        agents=2,
        tags=("multi-agent", "text", "discrete actions", "card game", "hidden information", "turns", "zero-sum"),
        random=Score(0.0515, 0.0454, 10_000, "uniformly random"),
        expert=Score(0.7255, 0.0446, 10_000, "equilibrium"),
        behaviour="6905af812ea2d89f",
        unranked="against random players one blind rule earns more than an equilibrium; compare by exploitability",
    ),
)
