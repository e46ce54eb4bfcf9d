"""The card of the coin game."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/CoinGame-v0",
        world="envsuite.momarl.coin_game.world:CoinGameWorld",
        family="momarl",
        summary="Two agents take coins on a small board; one of the other's colour costs it twice what it brings.",
        source="Lerer and Peysakhovich (2017), arXiv 1707.01068; LOLA, arXiv 1709.04326",
        horizon=51,  # one more than there are steps: the game ends by itself
        agents=2,
        tags=("multi-agent", "discrete actions", "social dilemma", "grid"),
        random=Score(-0.085, 0.101, 1000, "uniformly random"),
        expert=Score(31.666, 0.057, 1000, "cooperators"),
        behaviour="b54b557f961aacb3",
    ),
)
