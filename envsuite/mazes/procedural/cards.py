"""Cards of the random mazes."""

from envsuite.cards import EnvCard, Score

_RANDOM: dict[str, tuple[float, float]] = {
    "Large": (0.083, 0.0087),
    "LargeHeldOut": (0.065, 0.0078),
    "Small": (0.122, 0.0104),
    "SmallHeldOut": (0.107, 0.0098),
}
_EXPERT: dict[str, tuple[float, float]] = {
    "Large": (1.0, 0.0),
    "LargeHeldOut": (1.0, 0.0),
    "Small": (1.0, 0.0),
    "SmallHeldOut": (1.0, 0.0),
}
_BEHAVIOUR: dict[str, str] = {
    "Large": "c07abdb966475a88",
    "LargeHeldOut": "8f716ba3e2112e7c",
    "Small": "13aeec5642b1477f",
    "SmallHeldOut": "3b2c9334c6a102fe",
}


def _score(table: dict[str, tuple[float, float]], name: str, policy: str) -> Score | None:
    return Score(*table[name], 1000, policy) if name in table else None


def _card(title: str, size: int, horizon: int, generators: tuple[str, ...], how: str) -> EnvCard:
    training, held_out, _ = title.partition("HeldOut")
    return EnvCard(
        id=f"envsuite/MazeRandom{title}-v0",
        world="envsuite.mazes.procedural.world:RandomMazeWorld",
        family="mazes",
        summary=f"Push a ball to a goal in a maze of {size} x {size} cells that is new in every episode{how}.",
        source="own; motion of D4RL (Fu et al. 2020, arXiv 2004.07219), Wilson (1996) for uniform spanning trees",
        horizon=horizon,
        options={"size": size, "generators": generators},
        tags=("navigation", "continuous actions", "goal-conditioned", "procedural", "generalisation", "sparse reward"),
        random=_score(_RANDOM, title, "uniformly random"),
        expert=_score(_EXPERT, title, "shortest-path follower"),
        behaviour=_BEHAVIOUR.get(title, ""),
        trained_on=f"envsuite/MazeRandom{training}-v0" if held_out else "",
    )


_TRAINING, _HELD_OUT = ("backtracker", "wilson", "rooms"), ("prim", "division")

CARDS = (
    _card("Small", 4, 600, _TRAINING, ""),
    _card("SmallHeldOut", 4, 600, _HELD_OUT, ", by generators held out for tests"),
    _card("Large", 8, 2000, _TRAINING, ""),
    _card("LargeHeldOut", 8, 2000, _HELD_OUT, ", by generators held out for tests"),
)
