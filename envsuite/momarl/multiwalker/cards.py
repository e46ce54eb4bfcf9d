"""The card of multiwalker."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/MOMultiwalker-v0",
        world="envsuite.momarl.multiwalker.kernel:MultiwalkerWorld",
        family="momarl",
        summary="Three walkers with two legs carry a long package ahead, and keep it level.",
        source="Gupta et al. (2017), AAMAS workshops; PettingZoo, arXiv 2009.14471; MOMAland, arXiv 2407.16312",
        horizon=500,
        agents=3,
        objectives=("progress", "stability"),
        weights=(1 / 3, 1 / 3),
        tags=(
            "multi-objective",
            "multi-agent",
            "continuous actions",
            "cooperative",
            "team rewards",
            "physics",
            "Box2D",
        ),
        random=Score(-197.706, 1.256, 1000, "uniformly random"),
        expert=Score(9.073, 1.405, 1000, "gait"),
        unranked="one posture for each side of a number, or one for ever, carries the package as far as the reference",
        behaviour="47db1eb71ae8b3bd",
        engine="Box2D",
    ),
)
