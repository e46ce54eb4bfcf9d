"""Cards of the fights."""

from typing import Any

from envsuite.cards import EnvCard, Score

_RANDOM: dict[str, tuple[float, float]] = {
    "Duel": (-0.98, 0.006),
    "DuelVersus": (-0.046, 0.031),
    "DuelTrain": (0.049, 0.002),
    "DuelArcade": (-0.795, 0.015),
}
_EXPERT: dict[str, tuple[float, float]] = {
    "Duel": (0.441, 0.028),
    "DuelVersus": (0.992, 0.004),
    "DuelTrain": (0.419, 0.004),
    "DuelArcade": (8.632, 0.094),
}
_BEHAVIOUR: dict[str, str] = {
    "Duel": "936aab5eea7e0613",
    "DuelVersus": "c7954562689e97db",
    "DuelTrain": "e4a69c6f14fbc5e7",
    "DuelArcade": "3d88072a1a8c99fc",
}
_DATASETS = {"Duel": "duel", "DuelArcade": "duel-arcade", "DuelVersus": "duel-versus", "DuelTrain": "duel-train"}


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
        datasets=tuple(f"{_DATASETS[name]}/{tier}-v0" for tier in ("random", "mixed", "expert") if name in _DATASETS),
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
)
