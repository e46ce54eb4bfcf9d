"""Cards of Crafter."""

from envsuite.cards import EnvCard, Score

_SOURCE = "Hafner (2021), Benchmarking the Spectrum of Agent Capabilities, arXiv 2109.06780; crafter 1.8.3"
_TAGS = ("discrete actions", "text", "procedural", "partial observability", "long horizon", "sparse reward")

CARDS = (
    EnvCard(
        id="envsuite/Crafter-v0",
        world="envsuite.crafting.crafter.world:CrafterWorld",
        family="crafting",
        summary="Survive in a new world, gather, build and make tools up to the diamond: 22 achievements.",
        source=_SOURCE,
        horizon=10_000,
        tags=_TAGS,
        random=Score(1.3600, 0.0373, 1000, "uniformly random"),
        expert=Score(19.1783, 0.0908, 1000, "planner that sees the whole world"),
        behaviour="ee1a2a4122734c39",
    ),
    EnvCard(
        id="envsuite/CrafterClassic-v0",
        world="envsuite.crafting.crafter.world:CrafterWorld",
        family="crafting",
        summary="Crafter with the recipes, the plants and the symbolic observation of Craftax-Classic.",
        source="Matthews et al. (2024), Craftax, arXiv 2402.16801; craftax 1.6.1; Hafner (2021), arXiv 2109.06780",
        horizon=10_000,
        options={"observed": "symbolic", "rules": "craftax-classic"},
        tags=_TAGS,
        random=Score(1.3800, 0.0672, 300, "uniformly random"),
        expert=Score(19.3567, 0.1328, 300, "planner that sees the whole world"),
        behaviour="98e6b505b4f065e0",
    ),
    EnvCard(
        id="envsuite/CrafterCoop-v0",
        world="envsuite.crafting.crafter.world:CrafterCoopWorld",
        family="crafting",
        summary="Two players survive and work in one world of Crafter.",
        source=f"own; rules of {_SOURCE}",
        horizon=10_000,
        agents=2,
        tags=("multi-agent", "cooperation", *_TAGS),
        random=Score(3.0150, 0.1332, 200, "uniformly random"),
        expert=Score(37.4240, 0.3216, 200, "planners that see the whole world"),
        behaviour="5804767ce946134a",
    ),
)
