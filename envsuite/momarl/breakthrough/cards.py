"""The card of breakthrough."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/MOBreakthrough-v0",
        world="envsuite.momarl.breakthrough.world:BreakthroughWorld",
        family="momarl",
        summary="Get a pawn to the far side, soon, capturing and keeping pawns.",
        source="Troyka (2000), Breakthrough; MOMAland, arXiv 2407.16312",
        horizon=162,  # one more than the longest game has: it ends by itself
        agents=2,
        objectives=("win", "speed", "captures", "losses"),
        weights=(1.0, 0.0, 0.0, 0.0),
        tags=("multi-objective", "multi-agent", "discrete actions", "board game", "turns", "deterministic"),
        random=Score(-0.0220, 0.0316, 1000, "uniformly random"),
        expert=Score(1.0000, 0.0000, 1000, "captain"),
        behaviour="fe545f9ba15790ed",
        unranked="against random players one blind rule does nearly as well as the reference; compare by matches",
    ),
)
