"""The card of connect four."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/MOConnect4-v0",
        world="envsuite.momarl.connect4.world:Connect4World",
        family="momarl",
        summary="Get four in a row, soon, with more tokens than the other in each column: nine objectives.",
        source="Allen (1988), The complete book of Connect 4; MOMAland, arXiv 2407.16312",
        horizon=43,  # one more than there are squares: the game ends by itself
        agents=2,
        objectives=("win", "speed", *(f"column_{j}" for j in range(7))),
        weights=(1.0, *(0.0 for _ in range(8))),
        tags=("multi-objective", "multi-agent", "discrete actions", "board game", "turns", "zero-sum", "deterministic"),
        random=Score(0.0790, 0.0315, 1000, "uniformly random"),
        expert=Score(0.9940, 0.0035, 1000, "tactician"),
        behaviour="3739e94661a6490b",
        unranked="against random players one blind rule does nearly as well as the reference; compare by matches",
    ),
)
