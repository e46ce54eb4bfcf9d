"""The card of SameGame."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/MOSameGame-v0",
        world="envsuite.momarl.samegame.world:SameGameWorld",
        options={"num_agents": 2, "team_rewards": True, "width": 10, "height": 10},
        family="momarl",
        summary="Two players remove groups of tiles by turns and share what they pay: five colours, five objectives.",
        source="Moribe (1985), SameGame; MOMAland, arXiv 2407.16312",
        horizon=100,
        agents=2,
        objectives=tuple(f"color_{k}" for k in range(5)),
        weights=(0.5, 0.5, 0.5, 0.5, 0.5),
        tags=("multi-objective", "multi-agent", "discrete actions", "board game", "turns", "team rewards"),
        random=Score(292.8320, 1.8767, 1000, "uniformly random"),
        expert=Score(469.5190, 3.2425, 1000, "one move ahead"),
        behaviour="2b85de88cef9765a",
    ),
)
