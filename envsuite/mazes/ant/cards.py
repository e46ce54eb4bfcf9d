"""Cards of the ants in mazes."""

from envsuite.cards import EnvCard, Score

_MAZES = {
    "Umaze": ("umaze", 700),
    "Open": ("open", 700),
    "Medium": ("medium", 1000),
    "Large": ("large", 1000),
    "MediumDiverseG": ("medium-diverse-g", 1000),
    "MediumDiverseGR": ("medium-diverse-gr", 1000),
    "LargeDiverseG": ("large-diverse-g", 1000),
    "LargeDiverseGR": ("large-diverse-gr", 1000),
}

_RANDOM: dict[str, tuple[float, float, int]] = {
    "Large": (0.0, 0.0, 200),
    "LargeDense": (2.1472, 0.7849, 200),
    "LargeDiverseG": (0.0, 0.0, 200),
    "LargeDiverseGDense": (0.0001, 0.0, 200),
    "LargeDiverseGR": (0.0, 0.0, 100),
    "LargeDiverseGRDense": (0.4107, 0.3303, 100),
    "LegacyLarge": (0.0, 0.0, 100),
    "LegacyMedium": (0.0, 0.0, 100),
    "LegacyUmaze": (0.0, 0.0, 100),
    "Medium": (1.215, 1.0877, 200),
    "MediumDense": (6.1286, 2.6761, 200),
    "MediumDiverseG": (0.0, 0.0, 200),
    "MediumDiverseGDense": (0.0003, 0.0001, 200),
    "MediumDiverseGR": (0.0, 0.0, 200),
    "MediumDiverseGRDense": (0.0003, 0.0001, 200),
    "OgbenchGiant": (0.0, 0.0, 100),
    "OgbenchLarge": (0.0, 0.0, 100),
    "OgbenchMedium": (0.0, 0.0, 100),
    "OgbenchTeleport": (0.0, 0.0, 100),
    "Open": (0.055, 0.055, 200),
    "OpenDense": (8.1962, 1.3749, 200),
    "Umaze": (0.57, 0.5132, 200),
    "UmazeDense": (11.8096, 2.2779, 200),
}
"""Mean return, its standard error, and how many episodes."""
_EXPERT: dict[str, tuple[float, float, int]] = {
    "Large": (554.66, 19.4801, 200),
    "LargeDense": (486.7254, 14.5161, 200),
    "LargeDiverseG": (468.2, 18.247, 200),
    "LargeDiverseGDense": (401.1665, 13.7304, 200),
    "LargeDiverseGR": (496.94, 29.9553, 100),
    "LargeDiverseGRDense": (429.3554, 22.2937, 100),
    "LegacyLarge": (0.94, 0.0239, 100),
    "LegacyMedium": (0.93, 0.0256, 100),
    "LegacyUmaze": (0.97, 0.0171, 100),
    "Medium": (599.69, 21.3142, 200),
    "MediumDense": (520.5262, 15.5231, 200),
    "MediumDiverseG": (470.47, 19.567, 200),
    "MediumDiverseGDense": (418.9392, 14.8867, 200),
    "MediumDiverseGR": (453.78, 20.2793, 200),
    "MediumDiverseGRDense": (389.4581, 15.8583, 200),
    "OgbenchGiant": (0.85, 0.0359, 100),
    "OgbenchLarge": (0.94, 0.0239, 100),
    "OgbenchMedium": (0.96, 0.0197, 100),
    "OgbenchTeleport": (0.93, 0.0256, 100),
    "Open": (457.75, 12.6712, 200),
    "OpenDense": (410.9099, 8.2951, 200),
    "Umaze": (474.905, 13.7123, 200),
    "UmazeDense": (415.9098, 9.2034, 200),
}
_BEHAVIOUR: dict[str, str] = {
    "Large": "67d058e4f9e80209",
    "LargeDense": "4712b4e4e315d94f",
    "LargeDiverseG": "a9ffe83e34df3334",
    "LargeDiverseGDense": "1af815fc04a5d9d5",
    "LargeDiverseGR": "e977982e2c90c305",
    "LargeDiverseGRDense": "bb1f75f7867410a1",
    "LegacyLarge": "a1981fc1678ded1e",
    "LegacyMedium": "dd59b04cf556264d",
    "LegacyUmaze": "656704bcea1f30aa",
    "Medium": "51e89f4d8f297271",
    "MediumDense": "4d4f9e2d83e9d069",
    "MediumDiverseG": "ca7b407bcae6feb2",
    "MediumDiverseGDense": "fa56eec6fa4656b5",
    "MediumDiverseGR": "7fd85022344289d8",
    "MediumDiverseGRDense": "6b0f9bad6f3cd1d5",
    "OgbenchGiant": "cbb200a764fb2c01",
    "OgbenchLarge": "1c8220031cbcdf24",
    "OgbenchMedium": "f9eabb45059c39be",
    "OgbenchTeleport": "af7637f47368663c",
    "Open": "8ea4ddf894f53ce7",
    "OpenDense": "f81223f4a1fe7ebc",
    "Umaze": "28b24542a0ce9e7a",
    "UmazeDense": "f8ec5d47d20657cd",
}

_TAGS = ("navigation", "locomotion", "continuous actions", "rigid bodies", "contacts", "offline")


def _card(title: str, world: str, summary: str, source: str, horizon: int, options: dict, *tags: str) -> EnvCard:
    return EnvCard(
        id=f"envsuite/MazeAnt{title}-v0",
        world=f"envsuite.mazes.ant.{world}",
        family="mazes",
        summary=summary,
        source=source,
        horizon=horizon,
        options=options,
        tags=(*_TAGS, *tags),
        random=Score(*_RANDOM[title], "uniformly random"),
        expert=Score(*_EXPERT[title], "walker along the shortest path"),
        behaviour=_BEHAVIOUR[title],
    )


def _goal_card(name: str, reward: str) -> EnvCard:
    layout, horizon = _MAZES[name]
    paid = "for being near it" if reward == "dense" else "for every step within 0.45 m of it"
    return _card(
        name + ("Dense" if reward == "dense" else ""),
        "world:AntMazeWorld",
        f"Walk an ant through the {layout} maze to a goal that changes with every episode; paid {paid}.",
        "Gymnasium-Robotics 1.4, AntMaze-v5, after D4RL (Fu et al. 2020, arXiv 2004.07219)",
        horizon,
        {"layout": layout, "reward": reward},
        "goal-conditioned",
        f"{reward} reward",
    )


def _legacy_card(layout: str, horizon: int) -> EnvCard:
    return _card(
        f"Legacy{layout.capitalize()}",
        "legacy:LegacyAntMazeWorld",
        f"Walk an ant through D4RL's {layout} maze to a goal that it is not told; reaching it ends the episode.",
        "Fu, Kumar, Nachum, Tucker and Levine (2020), D4RL, arXiv 2004.07219 (antmaze)",
        horizon,
        {"layout": layout},
        "sparse reward",
    )


def _ogbench_card(maze: str) -> EnvCard:
    through = ", through teleporters that may lead into a dead end" if maze == "teleport" else ""
    return _card(
        f"Ogbench{maze.capitalize()}",
        "ogbench:OgbenchAntMazeWorld",
        f"Walk an ant through OGBench's {maze} maze to the goals of five tasks{through}.",
        "Park, Frans, Eysenbach and Levine (2024), OGBench, arXiv 2410.20092 (antmaze)",
        1000,
        {"maze": maze},
        "goal-conditioned",
        "multi-task",
        "sparse reward",
    )


GOAL_CARDS = tuple(_goal_card(name, reward) for name in _MAZES for reward in ("sparse", "dense"))
"""In the form of Gymnasium-Robotics."""

CARDS = (
    *GOAL_CARDS,
    *(_legacy_card(layout, horizon) for layout, horizon in (("umaze", 700), ("medium", 1000), ("large", 1000))),
    *(_ogbench_card(maze) for maze in ("medium", "large", "giant", "teleport")),
)
