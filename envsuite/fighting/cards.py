"""Cards of the fights."""

from typing import Any

from envsuite.cards import EnvCard, Score

_RANDOM: dict[str, tuple[float, float]] = {
    "Duel": (-0.679, 0.0232),
    "DuelVersus": (-0.047, 0.0314),
    "DuelTrain": (0.0488, 0.0021),
}
_EXPERT: dict[str, tuple[float, float]] = {
    "Duel": (0.56, 0.0262),
    "DuelVersus": (0.96, 0.0089),
    "DuelTrain": (0.4291, 0.0036),
}
_BEHAVIOUR: dict[str, str] = {
    "Duel": "7eb801df75dbc5ab",
    "DuelVersus": "6dc2045358ac5a69",
    "DuelTrain": "440006d84360c88e",
    "DuelArcade": "bb98189d637d3069",
}
_DATASETS = {"Duel": "duel", "DuelVersus": "duel-versus", "DuelTrain": "duel-train"}


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
        150,
        level="jump",
        reward="hp",
        round_frames=600,
    ),
)
