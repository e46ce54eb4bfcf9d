"""Cards of the fights."""

from typing import Any

from envsuite.cards import EnvCard, Score

_RANDOM: dict[str, tuple[float, float]] = {
    "Duel": (-0.984, 0.006),
    "DuelVersus": (-0.046, 0.031),
    "DuelTrain": (0.049, 0.002),
    "DuelArcade": (-0.795, 0.015),
    "DuelFirstHitVersus": (-0.027, 0.032),
    "DuelFirstHit": (-0.758, 0.02),
    "DuelApproach": (-0.968, 0.008),
    "DuelCorner": (-0.303, 0.007),
}
_EXPERT: dict[str, tuple[float, float]] = {
    "Duel": (0.385, 0.029),
    "DuelVersus": (0.992, 0.004),
    "DuelTrain": (0.419, 0.004),
    "DuelArcade": (8.063, 0.089),
    "DuelFirstHitVersus": (0.806, 0.019),
    "DuelFirstHit": (0.447, 0.028),
    "DuelApproach": (-0.232, 0.031),
    "DuelCorner": (0.056, 0.007),
}
_BEHAVIOUR: dict[str, str] = {
    "Duel": "799555ea2d95f14c",
    "DuelVersus": "a8e06027d3f0d9f4",
    "DuelTrain": "9d999631b122b16b",
    "DuelArcade": "c00be71cd9113245",
    "DuelFirstHitVersus": "21a40d64d97d23a9",
    "DuelFirstHit": "6f5bddd02bd96c05",
    "DuelApproach": "78ad84933daeb997",
    "DuelCorner": "ae8c99621dac0bab",
}


_FIRST_HIT: dict[str, Any] = {"health": (1, 1), "chip_ko": True, "rounds": 5, "round_frames": 1200}


def _card(name: str, summary: str, horizon: int, world: str = "DuelWorld", **options: Any) -> EnvCard:
    def score(table: dict[str, tuple[float, float]], policy: str) -> Score | None:
        return Score(*table[name], 1000, policy) if name in table else None

    several = world == "DuelVersusWorld"
    return EnvCard(
        id=f"envsuite/{name}-v0",
        world=f"envsuite.fighting.kernel:{world}",
        family="fighting",
        summary=summary,
        source="own engine; the task is that of FightLadder (arXiv 2406.02081)",
        horizon=horizon,
        options=options,
        agents=2 if several else 1,
        tags=("fighting", "discrete actions", *(("multi-agent", "zero-sum", "self-play") if several else ())),
        random=score(_RANDOM, "uniformly random"),
        expert=score(_EXPERT, "computer player that sees sooner"),
        behaviour=_BEHAVIOUR.get(name, ""),
    )


CARDS = (
    _card("Duel", "Fight one round against the strongest computer player, any character.", 1000),
    _card(
        "DuelArcade",
        "Beat twelve computer players in a row, each a little stronger.",
        11_500,
        stages=12,
        level="random",
    ),
    _card("DuelVersus", "Two players fight one round, both with any character.", 1000, "DuelVersusWorld"),
    _card(
        "DuelTrain",
        "Do as much damage as you can to an opponent that jumps all the time.",
        151,  # one more than there are decisions: the round ends by itself
        level="jump",
        reward="hp",
        round_frames=600,
    ),
    _card(
        "DuelFirstHit",
        "One blow decides a round, five rounds the match; a blocked special does a little damage.",
        3103,  # nine rounds with pauses and one of sudden death, and one more than there are decisions
        **_FIRST_HIT,
    ),
    _card(
        "DuelFirstHitVersus",
        "Two players, rounds of one blow: the first to win five.",
        3103,
        "DuelVersusWorld",
        **_FIRST_HIT,
    ),
    _card(
        "DuelApproach",
        "A slow fighter without projectiles has to get past those who shoot, from the other end of the stage.",
        451,
        character="garr",
        opponent=["delpha", "esker", "juno", "lumen"],
        start_gap=340,
        round_frames=1800,
    ),
    _card(
        "DuelCorner",
        "Ten seconds with your back to the wall: do more damage than you take.",
        151,
        reward="hp",
        start_gap=60,
        start_shift=140,
        round_frames=600,
    ),
)
