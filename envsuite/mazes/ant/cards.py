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

_RANDOM: dict[str, tuple[float, float]] = {}
_EXPERT: dict[str, tuple[float, float]] = {}
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


def _score(table: dict[str, tuple[float, float]], name: str, episodes: int, policy: str) -> Score | None:
    return Score(*table[name], episodes, policy) if name in table else None


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
        random=_score(_RANDOM, title, 1000, "uniformly random"),
        expert=_score(_EXPERT, title, 1000, "walker along the shortest path"),
        behaviour=_BEHAVIOUR.get(title, ""),
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
