"""Cards of the rope tasks."""

from typing import Any

from envsuite.cards import EnvCard

_TASKS = {
    "RopeClosing": (
        "closing",
        "Two grippers put the rope that they hold around a cylinder, and bring its ends together.",
    ),
    "RopeShaping": ("shaping", "Two grippers give the rope that they hold the shape of a W."),
}
_MEASURED: dict[str, tuple[tuple[float, float], tuple[float, float], str]] = {}
"""Mean return and its standard error of random play and of the reference players; behaviour hash."""


def _card(task: str, team: bool) -> EnvCard:
    module, summary = _TASKS[task]
    several: dict[str, Any] = {"options": {"team": True}, "agents": 2} if team else {}
    return EnvCard(
        id=f"envsuite/{task}{'Team' if team else ''}-v0",
        world=f"envsuite.manipulation.rope.{module}:{task}World",
        family="manipulation",
        summary=summary + (" Each gripper is an agent." if team else ""),
        source="Hoang et al. (2025), HEPi, arXiv 2502.07005",
        horizon=200,
        tags=(
            "manipulation", "continuous actions", "deformable objects", "rope", "graph observations",
            *(("multi-agent", "cooperative") if team else ()),
        ),
        **several,
    )  # fmt: skip


CARDS = tuple(_card(task, team) for task in _TASKS for team in (False, True))
