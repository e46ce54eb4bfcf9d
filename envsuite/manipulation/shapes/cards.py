"""Cards of the tasks of prisms."""

from envsuite.cards import EnvCard

SOURCE = "Hoang et al. (2025), Geometry-aware RL for Manipulation of Varying Shapes and Deformable Objects (HEPi), arXiv 2502.07005"

_TASKS = {
    "Sliding": ("sliding", "Slide a prism that a rod holds to a target pose; each episode has another shape."),
    "Pushing": ("pushing", "Push a prism with a loose rod to a target pose; each episode has another shape."),
    "PushingTwo": ("pushing-two", "Push a prism with two loose rods to a target pose; each episode has another shape."),
    "Insertion": ("insertion", "Put a prism that a rod holds into a hole of its shape; each episode has another one."),
    "InsertionTwo": (
        "insertion-two",
        "Put a prism that two grippers hold, somewhere in space, into a hole of its shape; each episode has another one.",
    ),
}


def _card(name: str) -> EnvCard:
    task, summary = _TASKS[name]
    return EnvCard(
        id=f"envsuite/Shape{name}-v0",
        world="envsuite.manipulation.shapes.world:ShapesWorld",
        family="manipulation",
        summary=summary,
        source=SOURCE,
        horizon=100,
        options={"task": task},
        tags=("manipulation", "continuous actions", "rigid bodies", "graph observations", "procedural"),
    )


CARDS = tuple(_card(name) for name in _TASKS)
