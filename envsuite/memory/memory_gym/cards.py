"""The cards of Memory Gym's tasks on grids."""

from collections.abc import Mapping
from typing import Any

from envsuite.cards import EnvCard
from envsuite.memory.anchors import anchors

_TASKS: dict[str, tuple[str, Mapping[str, Any], int, str]] = {
    "MortarMayhem": (
        "mortar:MortarMayhemWorld",
        {},
        118,
        "Watch ten commands, then carry them out in order and in time.",
    ),
    "MortarMayhemAct": (
        "mortar:MortarMayhemWorld",
        {"told": True},
        79,
        "Carry out ten commands in order and in time, with all of them in sight.",
    ),
    "EndlessMortarMayhem": (
        "mortar:MortarMayhemWorld",
        {"endless": True, "side": 6, "allowed": 9, "commands": 1},
        1000,
        "Carry out a list of commands that grows by one whenever all are done.",
    ),
    "MysteryPath": ("mystery:MysteryPathWorld", {}, 128, "Cross a grid on a path that cannot be seen."),
    "EndlessMysteryPath": (
        "endless_path:EndlessMysteryPathWorld",
        {},
        1000,
        "Follow a path without end, seen only behind; a step beside it leads back to its beginning.",
    ),
    "SearingSpotlights": (
        "spotlights:SearingSpotlightsWorld",
        {},
        256,
        "Take a coin to the exit in the dark, and stay out of the spotlights.",
    ),
    "EndlessSearingSpotlights": (
        "spotlights:SearingSpotlightsWorld",
        {"endless": True, "health": 10, "initial_spawns": 3, "spawn_interval": 50},
        1000,
        "Collect one coin after another in the dark, and stay out of the spotlights.",
    ),
}
_ANCHORS: dict[str, tuple[tuple[float, float], ...]] = {
    "EndlessMortarMayhem": ((0.0062, 0.0008), (0.0271, 0.0028), (11.7, 0.0)),
    "EndlessMysteryPath": ((0.1265, 0.0042), (0.1876, 0.007), (7.2983, 0.0243)),
    "MortarMayhem": ((0.02, 0.0015), (0.034, 0.0022), (1.0, 0.0)),
    "MortarMayhemAct": ((0.0186, 0.0015), (0.0797, 0.0027), (1.0, 0.0)),
    "EndlessSearingSpotlights": ((0.0428, 0.0031), (0.333, 0.0076), (11.3217, 0.0919)),
    "MysteryPath": ((0.007, 0.0026), (0.078, 0.0085), (0.996, 0.002)),
    "SearingSpotlights": ((0.0095, 0.0022), (0.3242, 0.012), (1.249, 0.001)),
}
_BEHAVIOUR: dict[str, str] = {
    "EndlessMortarMayhem": "2f96035e4c9bd5c1",
    "EndlessMysteryPath": "8e12cb0be97f19f3",
    "EndlessSearingSpotlights": "3305a025fb2bc7ae",
    "MortarMayhem": "635fc59630987038",
    "MortarMayhemAct": "96a61c8a276930eb",
    "MysteryPath": "2b4b815d0286562d",
    "SearingSpotlights": "a8c2fe19c25236e7",
}


def _card(name: str) -> EnvCard:
    world, options, horizon, summary = _TASKS[name]
    scored = anchors(_ANCHORS, name)
    return EnvCard(
        id=f"envsuite/{name}-v0",
        world=f"envsuite.memory.memory_gym.{world}",
        family="memory",
        summary=summary,
        source="Pleines et al. (2023), Memory Gym, arXiv 2309.17207" + ("" if "Spotlights" in name else "; on grids"),
        horizon=horizon,
        options=options,
        tags=("memory", "discrete actions", "partial observability", "sequential memory"),
        behaviour=_BEHAVIOUR.get(name, ""),
        random=scored.random,
        floor=scored.floor,
        expert=scored.expert,
    )


CARDS = tuple(_card(name) for name in _TASKS)
