"""Cards of the maze2d tasks: every layout with both rewards."""

from envsuite.cards import EnvCard, Score

_HORIZONS = {
    "open": 150,
    "umaze": 300,
    "medium": 600,
    "large": 800,
    "eval-umaze": 300,
    "eval-medium": 600,
    "eval-large": 800,
}

_RANDOM: dict[str, tuple[float, float]] = {
    "EvalLarge": (8.727, 1.0319),
    "EvalLargeDense": (42.6519, 2.5632),
    "EvalMedium": (18.58, 1.5546),
    "EvalMediumDense": (46.3214, 2.4868),
    "EvalUmaze": (28.919, 2.0204),
    "EvalUmazeDense": (64.9211, 1.8014),
    "Large": (10.596, 1.362),
    "LargeDense": (38.7011, 2.7298),
    "Medium": (18.261, 1.7246),
    "MediumDense": (44.9977, 2.5036),
    "Open": (8.162, 0.7416),
    "OpenDense": (37.5711, 0.7152),
    "Umaze": (30.726, 1.8265),
    "UmazeDense": (73.8739, 1.8149),
}
_EXPERT: dict[str, tuple[float, float]] = {
    "EvalLarge": (561.088, 3.9267),
    "EvalLargeDense": (581.9708, 3.8378),
    "EvalMedium": (444.326, 2.6332),
    "EvalMediumDense": (455.403, 2.5503),
    "EvalUmaze": (219.855, 1.7236),
    "EvalUmazeDense": (231.3763, 1.521),
    "Large": (557.579, 3.7064),
    "LargeDense": (577.2555, 3.6255),
    "Medium": (427.189, 2.6393),
    "MediumDense": (441.524, 2.5206),
    "Open": (104.141, 0.761),
    "OpenDense": (115.6082, 0.5851),
    "Umaze": (224.646, 1.681),
    "UmazeDense": (236.4518, 1.4537),
}
_BEHAVIOUR: dict[str, str] = {
    "EvalLarge": "1cc056a332d36460",
    "EvalLargeDense": "58ce9a01d43b4046",
    "EvalMedium": "064d9cef55cc6583",
    "EvalMediumDense": "0a72a8820cd0f532",
    "EvalUmaze": "301befb665a40f1e",
    "EvalUmazeDense": "d34392ba6c3c0d37",
    "Large": "137c1cd0581939d0",
    "LargeDense": "16d18af64266299d",
    "Medium": "39f3d7530d9f89d9",
    "MediumDense": "390cbe4d718e5c6e",
    "Open": "c123da75694e0397",
    "OpenDense": "4edd107a97b828c7",
    "Umaze": "fea286b496828c29",
    "UmazeDense": "f7ae15ba1fdbf8dc",
}


def _score(table: dict[str, tuple[float, float]], name: str, policy: str) -> Score | None:
    return Score(*table[name], 1000, policy) if name in table else None


def _card(layout: str, reward: str) -> EnvCard:
    title = "".join(part.capitalize() for part in layout.split("-")) + ("Dense" if reward == "dense" else "")
    paid = "for being near it" if reward == "dense" else "for every step within 0.5 m of it"
    return EnvCard(
        id=f"envsuite/MazeLegacy{title}-v0",
        world="envsuite.mazes.legacy.world:LegacyMazeWorld",
        family="mazes",
        summary=f"Push a ball through D4RL's {layout} maze to a fixed goal; paid {paid}.",
        source="Fu, Kumar, Nachum, Tucker and Levine (2020), D4RL, arXiv 2004.07219 (maze2d)",
        horizon=_HORIZONS[layout],
        options={"layout": layout, "reward": reward},
        tags=("navigation", "continuous actions", "offline", f"{reward} reward"),
        random=_score(_RANDOM, title, "uniformly random"),
        expert=_score(_EXPERT, title, "waypoint controller"),
        behaviour=_BEHAVIOUR.get(title, ""),
    )


CARDS = tuple(_card(layout, reward) for layout in _HORIZONS for reward in ("sparse", "dense"))
