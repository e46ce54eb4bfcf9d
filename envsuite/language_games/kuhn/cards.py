"""The card of Kuhn poker."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/KuhnPoker-v0",
        world="envsuite.language_games.kuhn.world:KuhnPokerWorld",
        family="language_games",
        summary="Poker with three cards, one bet and a bluff; the equilibria are known.",
        source="Kuhn (1950), A simplified two-person poker",
        horizon=4,  # one more than there are moves: the game ends by itself
        options={"starter": "drawn"},
        agents=2,
        tags=("multi-agent", "text", "discrete actions", "card game", "hidden information", "turns", "zero-sum"),
        random=Score(-0.0193, 0.0146, 10_000, "uniformly random"),
        expert=Score(0.1609, 0.0141, 10_000, "equilibrium"),
        behaviour="830fc794bb791e71",
        unranked="against random players one blind rule earns more than an equilibrium; compare by exploitability",
    ),
)
