"""Cards of the tasks of prisms."""

from typing import Any

from envsuite.cards import EnvCard

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


def _card(name: str, team: bool = False) -> EnvCard:
    task, summary = _TASKS[name]
    several: dict[str, Any] = {"agents": 2} if team else {}
    return EnvCard(
        id=f"envsuite/Shape{name}{'Team' if team else ''}-v0",
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
        **several,
    )


CARDS = (*(_card(name) for name in _TASKS), *(_card(name, team=True) for name in ("PushingTwo", "InsertionTwo")))
