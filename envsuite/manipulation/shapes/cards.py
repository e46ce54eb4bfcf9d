"""Cards of the tasks of prisms."""

from typing import Any

from envsuite.cards import EnvCard, Score

SOURCE = "Hoang et al. (2025), HEPi, arXiv 2502.07005"

_TASKS = {
    "Sliding": ("sliding", "Slide a prism that a rod holds to a target pose; each episode has another shape."),
    "Pushing": ("pushing", "Push a prism with a loose rod to a target pose; each episode has another shape."),
    "PushingTwo": ("pushing-two", "Push a prism with two loose rods to a target pose; each episode has another shape."),
    "Insertion": ("insertion", "Put a prism that a rod holds into a hole of its shape; each episode has another one."),
    "InsertionTwo": (
        "insertion-two",
        "Put a prism that two grippers hold in space into a hole of its shape; each episode has another one.",
    ),
}


_MEASURED: dict[str, tuple[tuple[float, float], tuple[float, float], str]] = {
    "Sliding": ((-249.201, 0.6199), (-14.1731, 0.4647), "746d533abed53cb9"),
    "Pushing": ((-100.1435, 0.9713), (-23.2165, 0.5809), "37a1248cbdedd50a"),
    "PushingTwo": ((-101.3165, 0.9772), (-22.4663, 0.524), "fa831b67615da23d"),
    "Insertion": ((-220.3734, 1.3481), (-23.2528, 0.4148), "b66667d53150aeeb"),
    "InsertionTwo": ((-133.0196, 0.5337), (-18.9268, 0.3461), "d7ae1849cb14dbb9"),
    "PushingTwoTeam": ((-202.633, 1.9545), (-44.9326, 1.0479), "6b1340f689e6bea1"),
    "InsertionTwoTeam": ((-266.0392, 1.0673), (-37.8536, 0.6922), "9893c750ff56aaa6"),
}
"""Mean return and its standard error of random play (1,000 episodes) and of the reference player (200); behaviour."""


def _card(name: str, team: bool = False) -> EnvCard:
    task, summary = _TASKS[name]
    several: dict[str, Any] = {"agents": 2} if team else {}
    random, expert, behaviour = _MEASURED[name + "Team" * team]
    return EnvCard(
        id=f"envsuite/Shape{name}{'Team' * team}-v0",
        world="envsuite.manipulation.shapes.world:ShapesWorld",
        family="manipulation",
        summary=summary + (" Each actuator is an agent." if team else ""),
        source=SOURCE,
        horizon=100,
        options={"task": task, "team": True} if team else {"task": task},
        tags=(
            *("manipulation", "continuous actions", "rigid bodies", "graph observations", "procedural"),
            *(("multi-agent", "cooperative") if team else ()),
        ),
        random=Score(*random, 1000, "uniformly random"),
        expert=Score(*expert, 200, "planning player" if "Pushing" in name else "scripted player"),
        floor=Score(-134.7873, 1.4431, 1000, "standing still") if name == "Sliding" else None,
        behaviour=behaviour,
        **several,
    )


CARDS = (*(_card(name) for name in _TASKS), *(_card(name, team=True) for name in ("PushingTwo", "InsertionTwo")))
