"""Cards of OGBench's point mazes."""

from envsuite.cards import EnvCard, Score

_RANDOM: dict[str, tuple[float, float]] = {
    "Giant": (0.0, 0.0),
    "Large": (0.0, 0.0),
    "Medium": (0.0, 0.0),
    "Teleport": (0.017, 0.0041),
}
_EXPERT: dict[str, tuple[float, float]] = {
    "Giant": (1.0, 0.0),
    "Large": (1.0, 0.0),
    "Medium": (1.0, 0.0),
    "Teleport": (1.0, 0.0),
}
_BEHAVIOUR: dict[str, str] = {
    "Giant": "4e9cb63ef664e2d1",
    "Large": "3c6e3e0803ba5090",
    "Medium": "07d988af89a08b94",
    "Teleport": "566e9b4ae8dcd4bc",
}


def _score(table: dict[str, tuple[float, float]], name: str, policy: str) -> Score | None:
    return Score(*table[name], 1000, policy) if name in table else None


def _card(maze: str, summary: str) -> EnvCard:
    title = maze.capitalize()
    return EnvCard(
        id=f"envsuite/MazeOgbench{title}-v0",
        world="envsuite.mazes.ogbench.world:OgbenchMazeWorld",
        family="mazes",
        summary=summary,
        source="Park, Frans, Eysenbach and Levine (2024), OGBench, arXiv 2410.20092 (pointmaze)",
        horizon=1000,
        options={"maze": maze},
        tags=("navigation", "continuous actions", "goal-conditioned", "multi-task", "offline", "sparse reward"),
        random=_score(_RANDOM, title, "uniformly random"),
        expert=_score(_EXPERT, title, "shortest-path walker"),
        behaviour=_BEHAVIOUR.get(title, ""),
    )


CARDS = (
    _card("medium", "Move a point through a medium maze to the goals of five tasks."),
    _card("large", "Move a point through a large maze to the goals of five tasks."),
    _card("giant", "Move a point through a giant maze to the goals of five tasks, hundreds of steps away."),
    _card("teleport", "Move a point to the goals of five tasks, through teleporters that may lead into a dead end."),
)
