"""The card of the tokamak."""

from envsuite.cards import EnvCard, Score

CARDS = (
    EnvCard(
        id="envsuite/Fusion-v0",
        world="envsuite.industrial.fusion.world:FusionWorld",
        family="industrial",
        summary="Shape a tokamak's plasma and drive its current so that it comes to wanted values, under heating that "
        "changes.",
        source="Gao and others (2025), NeoRL-2, arXiv 2503.19267; Seo and others (2021), Nucl. Fusion 61, 106010",
        horizon=100,
        tags=("control", "continuous actions", "external factors", "little data", "offline"),
        random=Score(-108.9329, 0.0545, 10_000, "uniformly random"),
        expert=Score(75.9743, 0.1528, 2000, "planner with the plant's network"),
        behaviour="c9bbe54228a17fab",
    ),
)
