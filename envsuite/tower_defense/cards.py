"""Cards of the tower-defense levels."""

from typing import Any

from envsuite.cards import EnvCard, Score

_RANDOM: dict[str, tuple[float, float]] = {
    "Bulwark-L1": (-19.605, 0.0558),
    "Bulwark-L2": (-19.999, 0.001),
    "Bulwark-L3": (-19.981, 0.0088),
    "Bulwark-L4": (-19.993, 0.0039),
    "Bulwark-L5": (-19.985, 0.0064),
    "BulwarkLong": (-20.0, 0.0),
    "BulwarkMulti": (-19.915, 0.0255),
    "BulwarkNoFog": (-19.842, 0.0305),
    "BulwarkProcedural": (-19.998, 0.002),
    "BulwarkProceduralHeldOut": (-19.97, 0.0107),
    "BulwarkVersus": (-19.712, 0.0325),
}
_EXPERT: dict[str, tuple[float, float]] = {
    "Bulwark-L1": (-0.021, 0.0052),
    "Bulwark-L2": (-1.119, 0.0482),
    "Bulwark-L3": (-2.256, 0.0558),
    "Bulwark-L4": (-3.509, 0.0743),
    "Bulwark-L5": (-8.485, 0.0887),
    "BulwarkLong": (-1.88, 0.0573),
    "BulwarkMulti": (-3.202, 0.1137),
    "BulwarkNoFog": (-0.626, 0.0309),
    "BulwarkProcedural": (-0.892, 0.0417),
    "BulwarkProceduralHeldOut": (-0.939, 0.0433),
    "BulwarkVersus": (-4.509, 0.1014),
}
_FLOOR: dict[str, Score] = {
    "Bulwark-L1": Score(-0.886, 0.0405, 1000, "first build_mortar allowed"),
    "BulwarkNoFog": Score(-6.178, 0.0960, 1000, "first build_ballista allowed"),
}
_BEHAVIOUR: dict[str, str] = {
    "Bulwark-L1": "b5bbbf9bbf3b9631",
    "Bulwark-L2": "cdb629dbaf8c9068",
    "Bulwark-L3": "d880cc7da91e218f",
    "Bulwark-L4": "bb3d0752d77601c3",
    "Bulwark-L5": "3700bc226a387372",
    "BulwarkLong": "17652a954934f348",
    "BulwarkMulti": "c3441509d79a41f3",
    "BulwarkNoFog": "f8e3b2210401533d",
    "BulwarkProcedural": "5859acd2e0aa7715",
    "BulwarkProceduralHeldOut": "957b256c2ebe4706",
    "BulwarkVersus": "ec894e9e1a346704",
}


def _score(table: dict[str, tuple[float, float]], name: str, policy: str) -> Score | None:
    return Score(*table[name], 1000, policy) if name in table else None


def _card(name: str, summary: str, horizon: int = 600, **options: Any) -> EnvCard:
    training, held_out, _ = name.partition("HeldOut")
    return EnvCard(
        id=f"envsuite/{name}-v0",
        world="envsuite.tower_defense.kernel:BulwarkWorld",
        family="tower_defense",
        summary=summary,
        source="own engine; the task is that of TowerMind (arXiv 2601.05899)",
        horizon=horizon,
        options=options,
        tags=("tower defense", "strategy", "discrete actions", "action mask", "partial observability"),
        random=_score(_RANDOM, name, "uniformly random"),
        expert=_score(_EXPERT, name, "scripted player S3"),
        floor=_FLOOR.get(name),
        behaviour=_BEHAVIOUR.get(name, ""),
        trained_on=f"envsuite/{training}-v0" if held_out else "",
    )


CARDS = (
    _card("Bulwark-L1", "Defend a base against five waves: Meadow, one path and no flyers.", level=1),
    _card("Bulwark-L2", "Defend a base against five waves: Fork, two entrances that merge, with flyers.", level=2),
    _card("Bulwark-L3", "Defend a base against five waves: Crossing, two paths, freezers and healers.", level=3),
    _card("Bulwark-L4", "Defend a base against five waves: Trident, three entrances, little gold.", level=4),
    _card("Bulwark-L5", "Defend a base against five waves: Siege, four entrances, a boss and a large fog.", level=5),
    _card("BulwarkMulti", "Defend a base on one of the five levels, drawn for every episode.", level="multi"),
    _card("BulwarkNoFog", "Defend a base on one of the five levels, without fog.", level="multi", fog=False),
    _card("BulwarkProcedural", "Defend a base on a level of a pool made at random.", level="procedural"),
    _card(
        "BulwarkProceduralHeldOut",
        "Defend a base on levels made at random that are held out for tests.",
        level="procedural",
        first_level=1100,
        pool=100,
    ),
    EnvCard(
        id="envsuite/BulwarkVersus-v0",
        world="envsuite.tower_defense.kernel:BulwarkVersusWorld",
        family="tower_defense",
        summary="Defend a base on one of the five levels against an attacker who buys the waves.",
        source="own engine; the task is that of TowerMind (arXiv 2601.05899)",
        horizon=600,
        agents=2,
        tags=("tower defense", "strategy", "multi-agent", "zero-sum", "discrete actions", "action mask"),
        random=_score(_RANDOM, "BulwarkVersus", "uniformly random, against a random attacker"),
        expert=_score(_EXPERT, "BulwarkVersus", "scripted player S3, against a random attacker"),
        behaviour=_BEHAVIOUR.get("BulwarkVersus", ""),
    ),
    _card("BulwarkLong", "Defend a base against fifteen waves that grow by 12 % each.", 1500, level="long"),
)
