"""The card of Ingenious."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/MOIngenious-v0",
        world="envsuite.momarl.ingenious.kernel:IngeniousWorld",
        family="momarl",
        summary="Two players lay tiles of two colours on a hexagonal board: points of six colours are six objectives.",
        source="Knizia (2004), Ingenious; MOMAland, arXiv 2407.16312",
        horizon=43,  # one more than a board of side 6 has room for tiles: the game ends by itself
        agents=2,
        objectives=("red", "green", "blue", "orange", "yellow", "purple"),
        weights=(1 / 6,) * 6,
        tags=("multi-objective", "multi-agent", "discrete actions", "board game", "turns", "individual rewards"),
        random=Score(2.3887, 0.0228, 1000, "uniformly random"),
        expert=Score(13.2783, 0.0313, 1000, "most points at once"),
        behaviour="83cf73f7d8efb6b7",
    ),
)
