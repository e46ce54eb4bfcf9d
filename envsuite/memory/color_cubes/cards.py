"""The cards of Color-Cubes."""

from typing import Any

from envsuite.cards import EnvCard
from envsuite.memory.anchors import anchors

_SOURCE = "Shchendrigin et al. (2026), arXiv 2601.15086; sizes, rewards and lengths are ours"

_TASKS: dict[str, tuple[dict[str, Any], str]] = {
    "Trivial": ({"size": 5, "cubes": 1, "phases": 1}, "the only cube"),
    "Medium": ({"size": 5, "cubes": 3, "phases": 5}, "the cube of a colour, told where all cubes are when one jumps"),
    "MediumLarge": ({"size": 8, "cubes": 5, "phases": 5, "teleport": 0.15}, "the cube of a colour among five"),
    "Extreme": (
        {"size": 5, "cubes": 3, "phases": 5, "update": "places"},
        "a cube whose colour is hidden when one jumps",
    ),
    "ExtremeLarge": (
        {"size": 8, "cubes": 5, "phases": 5, "teleport": 0.15, "update": "places"},
        "one of five cubes whose colours are hidden when one jumps",
    ),
}
_ANCHORS: dict[str, tuple[tuple[float, float], ...]] = {
    "Extreme": ((-0.4351, 0.0218), (-0.0271, 0.0157), (5.0, 0.0)),
    "ExtremeLarge": ((-1.086, 0.0187), (-0.2331, 0.0136), (5.0, 0.0)),
    "Medium": ((-0.4351, 0.0218), (-0.0271, 0.0157), (5.0, 0.0)),
    "MediumLarge": ((-1.086, 0.0187), (-0.2331, 0.0136), (5.0, 0.0)),
    "Trivial": ((-0.0818, 0.0097), (0.0239, 0.0082), (1.0, 0.0)),
}
"""Mean return and standard error of random, memoryless and remembering players."""
_BEHAVIOUR: dict[str, str] = {
    "Extreme": "d1b380ac654bd519",
    "ExtremeLarge": "a32c887a5bf58ae4",
    "Medium": "3282f2f26f9589e3",
    "MediumLarge": "f4a621c746f2593f",
    "Trivial": "ffb4683cd82e8302",
}


def _card(name: str) -> EnvCard:
    options, which = _TASKS[name]
    scored = anchors(_ANCHORS, name)
    return EnvCard(
        id=f"envsuite/ColorCubes{name}-v0",
        world="envsuite.memory.color_cubes.world:ColorCubesWorld",
        family="memory",
        summary=f"Touch {which}.",
        source=_SOURCE,
        horizon=2 * options["size"] * options["phases"],
        options=options,
        tags=("memory", "discrete actions", "partial observability", "rewriting memory", "navigation"),
        behaviour=_BEHAVIOUR.get(name, ""),
        random=scored.random,
        floor=scored.floor,
        expert=scored.expert,
    )


CARDS = tuple(_card(name) for name in _TASKS)
