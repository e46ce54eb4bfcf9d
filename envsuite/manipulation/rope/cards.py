"""Cards of the rope tasks."""

from typing import Any

from envsuite.cards import EnvCard, Score

_TASKS = {
    "RopeClosing": (
        "closing",
        "Two grippers put the rope that they hold around a cylinder, and bring its ends together.",
    ),
    "RopeShaping": ("shaping", "Two grippers give the rope that they hold the shape of a W."),
}
_MEASURED = {
    "RopeClosing": ((-609.882, 5.329), (-61.2092, 0.6762), "2f2740990f8b4695"),
    "RopeShaping": ((-414.7532, 2.7682), (-88.5413, 0.3229), "6b72ee7154967d14"),
    "RopeClosingTeam": ((-1219.7641, 10.6581), (-122.4183, 1.3524), "dd132c8e638969ba"),
    "RopeShapingTeam": ((-829.5063, 5.5363), (-177.0827, 0.6458), "fab796c1da679786"),
}
"""Mean return and its standard error of random play and of the reference players; behaviour hash."""


def _card(task: str, team: bool) -> EnvCard:
    module, summary = _TASKS[task]
    name = f"{task}Team" if team else task
    random, expert, behaviour = _MEASURED[name]
    several: dict[str, Any] = {"options": {"team": True}, "agents": 2} if team else {}
    return EnvCard(
        id=f"envsuite/{name}-v0",
        world=f"envsuite.manipulation.rope.{module}:{task}World",
        family="manipulation",
        summary=summary + (" Each gripper is an agent." if team else ""),
        source="Hoang et al. (2025), HEPi, arXiv 2502.07005",
        horizon=200,
        tags=(
            "manipulation", "continuous actions", "deformable objects", "rope", "graph observations",
            *(("multi-agent", "cooperative") if team else ()),
        ),
        random=Score(*random, 200, "uniformly random"),
        expert=Score(*expert, 200, "scripted player"),
        behaviour=behaviour,
        **several,
    )  # fmt: skip


CARDS = tuple(_card(task, team) for task in _TASKS for team in (False, True))
