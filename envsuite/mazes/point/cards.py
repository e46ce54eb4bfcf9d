"""Cards of PointMaze."""

from envsuite.cards import EnvCard, Score

_MAZES = {
    "Umaze": ("umaze", 300),
    "Open": ("open", 300),
    "Medium": ("medium", 600),
    "Large": ("large", 800),
    "MediumDiverseG": ("medium-diverse-g", 600),
    "MediumDiverseGR": ("medium-diverse-gr", 600),
    "LargeDiverseG": ("large-diverse-g", 800),
    "LargeDiverseGR": ("large-diverse-gr", 800),
}

_RANDOM: dict[str, tuple[float, float]] = {
    "Large": (8.724, 1.0986),
    "LargeDense": (47.2654, 2.3898),
    "LargeDiverseG": (2.477, 0.4926),
    "LargeDiverseGDense": (22.1548, 1.3602),
    "LargeDiverseGR": (4.719, 0.7076),
    "LargeDiverseGRDense": (27.7534, 1.6703),
    "Medium": (10.079, 1.032),
    "MediumDense": (57.0084, 2.2008),
    "MediumDiverseG": (1.274, 0.3604),
    "MediumDiverseGDense": (16.2666, 0.8463),
    "MediumDiverseGR": (0.493, 0.1893),
    "MediumDiverseGRDense": (14.2964, 0.6648),
    "Open": (8.107, 0.7379),
    "OpenDense": (52.8109, 1.2422),
    "Umaze": (13.274, 1.0505),
    "UmazeDense": (62.6863, 1.3946),
}
_EXPERT: dict[str, tuple[float, float]] = {
    "Large": (643.57, 2.5689),
    "LargeDense": (656.4518, 2.5065),
    "LargeDiverseG": (590.517, 2.25),
    "LargeDiverseGDense": (604.3734, 2.2724),
    "LargeDiverseGR": (622.421, 2.221),
    "LargeDiverseGRDense": (635.6828, 2.1827),
    "Medium": (497.106, 1.4851),
    "MediumDense": (510.0285, 1.4149),
    "MediumDiverseG": (433.92, 1.3119),
    "MediumDiverseGDense": (449.1787, 1.2397),
    "MediumDiverseGR": (426.304, 1.1563),
    "MediumDiverseGRDense": (442.069, 1.1128),
    "Open": (246.119, 0.8051),
    "OpenDense": (255.7586, 0.7414),
    "Umaze": (244.089, 0.9361),
    "UmazeDense": (254.1619, 0.8339),
}
_BEHAVIOUR: dict[str, str] = {
    "Large": "1c46236a6257ea3f",
    "LargeDense": "9e97882f7817fa3a",
    "LargeDiverseG": "85c0b622c8ac6b04",
    "LargeDiverseGDense": "732a21cf5958873b",
    "LargeDiverseGR": "bf37b3e2ea4c9ccf",
    "LargeDiverseGRDense": "71600078d345ff70",
    "Medium": "edfa28e1d6c827f4",
    "MediumDense": "05dd62fafdea7c66",
    "MediumDiverseG": "98c0eedec3a5c42e",
    "MediumDiverseGDense": "0be743c7c1cfe7ef",
    "MediumDiverseGR": "b1d87568fb5eebc0",
    "MediumDiverseGRDense": "55f6b2aebd370c84",
    "Open": "8b53c048f7c4f16f",
    "OpenDense": "313bc3b5c8b2580e",
    "Umaze": "4a52f85821fa9006",
    "UmazeDense": "da5540f4a4f9a3cf",
}


def _score(table: dict[str, tuple[float, float]], name: str, policy: str) -> Score | None:
    return Score(*table[name], 1000, policy) if name in table else None


def _card(name: str, reward: str) -> EnvCard:
    layout, horizon = _MAZES[name]
    title = name + ("Dense" if reward == "dense" else "")
    paid = "for being near it" if reward == "dense" else "for every step within 0.45 m of it"
    return EnvCard(
        id=f"envsuite/MazePoint{title}-v0",
        world="envsuite.mazes.point.world:PointMazeWorld",
        family="mazes",
        summary=f"Push a ball through the {layout} maze to a goal that changes with every episode; paid {paid}.",
        source="Gymnasium-Robotics 1.4, PointMaze-v3, after D4RL (Fu et al. 2020, arXiv 2004.07219)",
        horizon=horizon,
        options={"layout": layout, "reward": reward},
        tags=("navigation", "continuous actions", "goal-conditioned", "offline", f"{reward} reward"),
        random=_score(_RANDOM, title, "uniformly random"),
        expert=_score(_EXPERT, title, "shortest-path follower"),
        behaviour=_BEHAVIOUR.get(title, ""),
    )


CARDS = tuple(_card(name, reward) for name in _MAZES for reward in ("sparse", "dense"))
