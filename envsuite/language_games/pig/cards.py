"""The card of Pig."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/Pig-v0",
        world="envsuite.language_games.pig.world:PigWorld",
        family="language_games",
        summary="Roll a die as often as one dares: a 1 loses the points of the turn, 100 win.",
        source="Neller and Presser (2004), Optimal play of the dice game Pig",
        horizon=2000,
        options={"starter": "drawn"},
        agents=2,
        tags=("multi-agent", "text", "discrete actions", "dice", "turns", "zero-sum"),
        random=Score(-0.0036, 0.0100, 10_000, "uniformly random"),
        expert=Score(0.7746, 0.0063, 10_000, "best play"),
        behaviour="58d8b917dba29f1c",
        unranked="against random players holding at 20 points earns more than best play; compare by exploitability",
    ),
)
