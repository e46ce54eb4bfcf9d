"""The card of the iterated prisoner's dilemma."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/IteratedPrisoners-v0",
        world="envsuite.momarl.prisoners.world:PrisonersWorld",
        family="momarl",
        summary="Ten rounds of cooperating or defecting, at once.",
        source="Axelrod (1984), The evolution of cooperation; Advantage Alignment, arXiv 2406.14662",
        horizon=11,  # one more than there are rounds: the game ends by itself
        agents=2,
        tags=("multi-agent", "discrete actions", "social dilemma", "known equilibrium", "deterministic"),
        random=Score(22.5530, 0.1897, 1000, "uniformly random"),
        expert=Score(30.2080, 0.1943, 1000, "defector"),
        behaviour="cf91dedc1a74228d",
        unranked="against random players defecting is best; `envsuite.evaluation.dilemmas` measures what counts",
    ),
)
