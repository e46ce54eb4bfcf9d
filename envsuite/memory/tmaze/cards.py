"""The cards of Endless T-Maze: corridors x lengths x mode, derived by rule."""

from envsuite.cards import EnvCard
from envsuite.memory.anchors import anchors

_SOURCE = "Shchendrigin et al. (2026), Memory Retention Is Not Enough to Master Memory Tasks in RL, arXiv 2601.15086"
_RUNES = ("invert", "cancel", "reset", "repeat")
_KINDS = {
    "Fixed": ({"mode": "fixed"}, "of {} cells"),
    "Uniform": ({"mode": "uniform"}, "of up to {} cells, it is not said how many"),
    "Runes": (
        {"mode": "fixed", "operations": _RUNES},
        "of {} cells whose cues may change the last direction instead of naming one",
    ),
}
_ANCHORS: dict[str, tuple[tuple[float, float], ...]] = {
    "Fixed10x10": ((-0.7907, 0.0228), (-0.046, 0.0413), (10.0, 0.0)),
    "Fixed10x5": ((-0.6637, 0.0248), (-0.008, 0.044), (10.0, 0.0)),
    "Fixed1x10": ((-0.5473, 0.0298), (0.008, 0.0316), (1.0, 0.0)),
    "Fixed1x5": ((-0.4632, 0.0295), (0.008, 0.0316), (1.0, 0.0)),
    "Fixed3x10": ((-0.7499, 0.0269), (-0.017, 0.041), (3.0, 0.0)),
    "Fixed3x5": ((-0.6406, 0.027), (-0.004, 0.0417), (3.0, 0.0)),
    "Fixed5x10": ((-0.7874, 0.0234), (-0.049, 0.0405), (5.0, 0.0)),
    "Fixed5x5": ((-0.6619, 0.0252), (-0.012, 0.0431), (5.0, 0.0)),
    "Runes10x5": ((-0.7031, 0.0215), (-0.03, 0.0426), (10.0, 0.0)),
    "Runes3x5": ((-0.6821, 0.0242), (-0.009, 0.0414), (3.0, 0.0)),
    "Runes5x5": ((-0.7031, 0.0215), (-0.034, 0.0416), (5.0, 0.0)),
    "Uniform10x10": ((-0.6662, 0.0237), (-0.076, 0.0422), (9.5518, 0.0029)),
    "Uniform10x5": ((-0.6367, 0.0253), (-0.0088, 0.045), (9.8009, 0.0014)),
    "Uniform1x10": ((-0.4209, 0.0302), (-0.0372, 0.0316), (0.9548, 0.0009)),
    "Uniform1x5": ((-0.4712, 0.0289), (-0.0121, 0.0316), (0.9799, 0.0004)),
    "Uniform3x10": ((-0.6478, 0.0257), (-0.0389, 0.0419), (2.8645, 0.0016)),
    "Uniform3x5": ((-0.6069, 0.0284), (-0.0123, 0.0418), (2.9398, 0.0008)),
    "Uniform5x10": ((-0.6636, 0.0242), (-0.0741, 0.0416), (4.7734, 0.0021)),
    "Uniform5x5": ((-0.6346, 0.0257), (-0.0113, 0.044), (4.8993, 0.001)),
}
"""Mean return and standard error of random, memoryless and remembering players."""
_BEHAVIOUR: dict[str, str] = {
    "Fixed10x10": "1ef9f18e2941e8d5",
    "Fixed10x5": "75d6b83aeb105b7f",
    "Fixed1x10": "d17a4da4dbcd5c58",
    "Fixed1x5": "55582702feff6fe7",
    "Fixed3x10": "1ef9f18e2941e8d5",
    "Fixed3x5": "75d6b83aeb105b7f",
    "Fixed5x10": "1ef9f18e2941e8d5",
    "Fixed5x5": "75d6b83aeb105b7f",
    "Runes10x5": "a229b0730ed60796",
    "Runes3x5": "51078dde7f7296e5",
    "Runes5x5": "a229b0730ed60796",
    "Uniform10x10": "128cdd2bd925a1b5",
    "Uniform10x5": "41d88067aee0dcca",
    "Uniform1x10": "15e0dcb876030726",
    "Uniform1x5": "026600f76198d3a9",
    "Uniform3x10": "128cdd2bd925a1b5",
    "Uniform3x5": "73d9a3fab10e30ee",
    "Uniform5x10": "128cdd2bd925a1b5",
    "Uniform5x5": "41d88067aee0dcca",
}


def _card(kind: str, corridors: int, length: int) -> EnvCard:
    name = f"{kind}{corridors}x{length}"
    options, which = _KINDS[kind]
    scored = anchors(_ANCHORS, name)
    return EnvCard(
        id=f"envsuite/EndlessTMaze{name}-v0",
        world="envsuite.memory.tmaze.world:TMazeWorld",
        family="memory",
        summary=f"Turn as the latest cue said at the end of each of {corridors} corridors {which.format(length)}.",
        source=_SOURCE,
        horizon=6 * (length + 1) * corridors,
        options={"corridors": corridors, "length": length, **options},
        tags=("memory", "discrete actions", "partial observability", "rewriting memory"),
        behaviour=_BEHAVIOUR.get(name, ""),
        random=scored.random,
        floor=scored.floor,
        expert=scored.expert,
    )


CARDS = (
    *(
        _card(kind, corridors, length)
        for kind in ("Fixed", "Uniform")
        for corridors in (1, 3, 5, 10)
        for length in (5, 10)
    ),
    *(_card("Runes", corridors, 5) for corridors in (3, 5, 10)),
)
