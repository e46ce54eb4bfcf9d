"""The card of pistonball."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/MOPistonball-v0",
        world="envsuite.momarl.pistonball.kernel:PistonballWorld",
        family="momarl",
        summary="Twenty pistons in a row roll a ball to the left wall together, soon.",
        source="Terry et al. (2021), PettingZoo, arXiv 2009.14471; MOMAland, arXiv 2407.16312",
        horizon=125,
        agents=20,
        objectives=("progress", "time"),
        weights=(1 / 20, 1 / 20),
        tags=("multi-objective", "multi-agent", "continuous actions", "cooperative", "team rewards", "physics"),
        random=Score(-4.4531, 0.4065, 1000, "uniformly random"),
        expert=Score(98.3462, 0.1551, 1000, "slope"),
        behaviour="693241d0b93dc686",
    ),
)
